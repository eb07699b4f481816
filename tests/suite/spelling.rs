//! The spelling of ChatMarkdown: attributes, tags, RAW blocks and comments, each with its exact place.

use std::fmt::Write;

use chatmd::internal::diagnostic::Diagnostics;
use chatmd::internal::source::{Sources, Span};
use chatmd::internal::syntax::{Attributes, Node, nested_elements, parse_body};

use crate::support::parse;

/// The tree of a text: `tag{attributes}(children)`, `"text"`, `RAW"…"` and `!"comment"`, each after its place.
fn tree(nodes: &[Node<'_>]) -> String {
    let mut out = String::new();
    for node in nodes {
        let Span { start, end, .. } = node.span();
        let separator = if out.is_empty() { "" } else { " " };
        write!(out, "{separator}{start}..{end}").unwrap();
        match node {
            Node::Text(text) => write!(out, "{:?}", text.value).unwrap(),
            Node::Raw(raw) => write!(out, "RAW{:?}", raw.value).unwrap(),
            Node::Comment(comment) => write!(out, "!{:?}", comment.value).unwrap(),
            Node::Element(element) => {
                write!(out, "{}{{{}}}({})", element.tag.name(), spelled(&element.attributes), tree(&element.children))
                    .unwrap();
            }
        }
    }
    out
}

/// The attributes, each with its place.
fn spelled(attributes: &Attributes<'_>) -> String {
    let one = |attribute: &chatmd::internal::syntax::Attribute<'_>| {
        let Span { start, end, .. } = attribute.span;
        let value = attribute.value.as_ref().map_or(String::new(), |value| format!("={value}"));
        format!("{start}..{end}{}{value}", attribute.name)
    };
    attributes.0.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The tree, and each problem with its place.
fn read(text: &str) -> (String, String) {
    let sources = Sources::new();
    let (nodes, diagnostics) = parse(&sources, text);
    (tree(&nodes), problems(&diagnostics))
}

fn problems(diagnostics: &Diagnostics) -> String {
    let one = |diagnostic: &chatmd::internal::diagnostic::Diagnostic| {
        let message = diagnostic.message();
        let related = message.related.as_ref();
        let related = related.map_or(String::new(), |(span, _)| format!("({}..{})", span.start, span.end));
        format!("{} {}..{}{related}", diagnostic.rule().name, diagnostic.span.start, diagnostic.span.end)
    };
    diagnostics.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn assert_reads(text: &str, expected: &str, expected_problems: &str) {
    assert_eq!(read(text), (expected.to_owned(), expected_problems.to_owned()), "{text:?}");
}

#[test]
fn attributes_are_read_with_their_places() {
    for (inside, expected) in [
        ("", ""),
        ("a", "6..7a"),
        ("a b", "6..7a 8..9b"),
        ("a=b", "6..9a=b"),
        ("a = b c", "6..11a=b 12..13c"),
        ("a=\"b c\" d='e'", "6..13a=b c 14..19d=e"),
        ("a=\"it's\" b='\"'", "6..14a=it's 15..20b=\""),
        ("a=\"\" b=''", "6..10a= 11..15b="),
        ("a=", "6..8a"),
        ("a= ", "6..8a"),
        ("a  b", "6..7a 9..10b"),
        ("a-b_c:D9=1", "6..16a-b_c:D9=1"),
        (r#"a="x\"y""#, "6..14a=x\"y"),
        (r#"a='x\'y\"'"#, r#"6..16a=x'y\""#),
        (r#"a="\\ \" \x""#, r#"6..18a=\\ " \x"#),
        ("a=\"1\" a=2", "6..11a=1 12..15a=2"),
        ("a=b=c", "6..11a=b=c"),
        ("a=<b", "6..10a=<b"),
        ("a=\"b\"c", "6..11a=b 11..12c"),
        ("a=b/c", "6..11a=b/c"),
        ("a=b/ c", "6..10a=b/ 11..12c"),
    ] {
        let document = format!("<user {inside}></user>");
        assert_reads(&document, &format!("0..{}user{{{expected}}}()", document.len()), "");
    }
    assert_reads("<user a=b/>", "0..11user{6..9a=b}()", "");
    assert_reads("<user a=/>", "0..10user{6..8a}()", "");
    assert_reads("<user a/>", "0..9user{6..7a}()", "");
    assert_reads("<user/>", "0..7user{}()", "");
}

#[test]
fn the_last_of_equal_attributes_counts() {
    let sources = Sources::new();
    let (nodes, _) = parse(&sources, "<user a=1 b a=2 c></user>");
    let Node::Element(user) = &nodes[0] else { panic!("{nodes:?}") };
    let attributes = &user.attributes;
    assert_eq!((attributes.value("a"), attributes.value("b"), attributes.value("z")), (Some("2"), None, None));
    assert_eq!(["a", "b", "z"].map(|name| attributes.has(name)), [true, true, false]);
    let last: Vec<(&str, bool)> = attributes.with_last().map(|(one, is_last)| (one.name.as_ref(), is_last)).collect();
    assert_eq!(last, [("a", false), ("b", true), ("a", true), ("c", true)]);
}

#[test]
fn entities_of_quoted_values_are_decoded() {
    for (value, expected) in [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&#65;&#x42;&#X43;&#x1f600;", "ABC😀"),
        ("&#x6A;", "j"),
        ("&#0;", "\0"),
        ("&nbsp;&", "&nbsp;&"),
        ("&amp", "&amp"),
        ("&#65", "&#65"),
        ("&#;&#x;", "&#;&#x;"),
        ("&#xd800;&#1114112;", "&#xd800;&#1114112;"),
        ("&#99999999999;", "&#99999999999;"),
        ("&#12a;", "&#12a;"),
        ("&amp;amp;", "&amp;"),
        (r#"&amp;\"&lt;"#, "&\"<"),
        ("x&lt;y&gt;z", "x<y>z"),
        (r"\\n", r"\\n"),
        ("é&amp;é", "é&é"),
    ] {
        let sources = Sources::new();
        let (nodes, diagnostics) = parse(&sources, &format!("<user id=\"{value}\"></user>"));
        let Node::Element(user) = &nodes[0] else { panic!("{nodes:?}") };
        assert_eq!((user.attributes.value("id"), diagnostics.iter().len()), (Some(expected), 0), "{value}");
    }
}

#[test]
fn characters_that_are_not_attributes_are_reported() {
    for (text, attributes, problems) in [
        ("<user a $$ b></user>", "6..7a 11..12b", "stray-characters 8..10"),
        ("<user a=\"b\" \"></user>", "6..11a=b", "stray-characters 12..13"),
        ("<user '></user>", "", "stray-characters 6..7"),
        ("<user '' \" a '></user>", "11..12a", "stray-characters 6..7"),
        ("<user a=\"b\nc\" \"></user>", "6..13a=b\nc", "stray-characters 14..15"),
        ("<user a=\"b>c\" \"></user>", "6..13a=b>c", "unterminated 14..15(8..9)"),
        ("<user ' a=\"b>c\"></user>", "8..15a=b>c", "unterminated 6..7(10..11)"),
        ("<user a='it's'></user>", "6..12a=it 12..13s", "stray-characters 13..14"),
        ("<user < a></user>", "8..9a", "stray-characters 6..7"),
        ("<user <b></user>", "7..8b", "stray-characters 6..7"),
        ("<user / a></user>", "8..9a", "stray-characters 6..7"),
        ("<user é=1></user>", "9..101", "stray-characters 6..9"),
        ("<user $a></user>", "7..8a", "stray-characters 6..7"),
        ("<user $\"></user>", "", "stray-characters 6..7, stray-characters 7..8"),
        ("<user $'></user>", "", "stray-characters 6..7, stray-characters 7..8"),
        ("<user $\t$></user>", "", "stray-characters 6..7, stray-characters 8..9"),
    ] {
        assert_reads(text, &format!("0..{}user{{{attributes}}}()", text.len()), problems);
    }
    assert_reads("<user //>", "0..9user{}()", "stray-characters 6..7");
    assert_reads("<user $/>", "0..9user{}()", "stray-characters 6..7");
}

#[test]
fn a_value_or_tag_that_never_ends_is_reported_once() {
    assert_reads("<user a=\"b>c</user>", "0..19user{}()", "unterminated 8..9");
    assert_reads("<user a='\\'b>", "0..13user{}()", "unterminated 8..9");
    assert_reads("<user $ a=\"b", "0..12user{}()", "stray-characters 6..7, unterminated 10..11");
    assert_reads("<user a", "0..7user{6..7a}()", "unterminated 0..5");
    assert_reads(
        "<user $ <user>x</user>",
        "0..22user{}(8..22user{}(14..15\"x\"))",
        "unterminated 0..5, unclosed-element 0..8",
    );
    assert_reads(
        "<user>a <img src=\"x\" <doc/></user>",
        "0..34user{}(6..8\"a \" 8..21\"<img src=\\\"x\\\" \" 21..27doc{}())",
        "unterminated 8..12",
    );
    assert_reads("<user>a <img ", "0..13user{}(6..8\"a \" 8..13\"<img \")", "unterminated 8..12");
    assert_reads("<user>a <img", "0..12user{}(6..12\"a <img\")", "unclosed-element 0..6");
}

#[test]
fn raw_blocks_and_comments_are_read_with_their_places() {
    assert_reads("<user>aRAW|<b>|RAWc</user>", "0..26user{}(6..7\"a\" 7..18RAW\"<b>\" 18..19\"c\")", "");
    assert_reads("<user>RAW||RAW|RAW</user>", "0..25user{}(6..14RAW\"\" 14..18\"|RAW\")", "");
    assert_reads(
        "<user>a<!-- b -->c</user><!---->",
        "0..25user{}(6..7\"a\" 7..17!\" b \" 17..18\"c\") 25..32!\"\"",
        "",
    );
    assert_reads("<user>a<!-->", "0..12user{}(6..7\"a\")", "unterminated 7..11");
    assert_reads("<user>aRAW|b</user>", "0..19user{}(6..7\"a\")", "unterminated 7..11");
    assert_reads("<user><<!-- b --></user>", "0..24user{}(6..17\"<<!-- b -->\")", "");
    assert_reads("<user>éRAW|é|RAWé</user>", "0..27user{}(6..8\"é\" 8..18RAW\"é\" 18..20\"é\")", "");
}

#[test]
fn only_names_of_the_vocabulary_are_tags() {
    for text in
        ["<users>", "<USER>", "<user-x>", "<user/repo>", "<user.>", "<b>", "</b>", "< user>", "<<user>", "<user"]
    {
        assert_reads(
            &format!("<user>{text}</user>"),
            &format!("0..{}user{{}}(6..{1}{text:?})", text.len() + 13, text.len() + 6),
            "",
        );
    }
    assert_reads("<user>a</user\t\n>", "0..16user{}(6..7\"a\")", "");
    assert_reads("<user>a</user x></user>", "0..23user{}(6..16\"a</user x>\")", "");
    assert_reads("<user>a</user", "0..13user{}(6..13\"a</user\")", "unclosed-element 0..6(7..13)");
    assert_reads("<moderator_runtime></moderator_runtime>", "0..39moderator_runtime{}()", "");
    assert_reads(
        "<user>a<summary>b</summary><script>c</script></user>",
        "0..52user{}(6..45\"a<summary>b</summary><script>c</script>\")",
        "",
    );
    assert_reads(
        "<reasoning>a<summary>b</summary></reasoning>",
        "0..44reasoning{}(11..12\"a\" 12..32summary{}(21..22\"b\"))",
        "",
    );
    assert_reads(
        "<script>a<script>b</script>c",
        "0..27script{}(8..18\"a<script>b\") 27..28\"c\"",
        "text-at-top-level 27..28",
    );
    assert_reads("</summary>", "", "mismatched-tag 0..10");
    assert_reads("</script>", "", "mismatched-tag 0..9");
    assert_reads(
        "<shell_access><user>a</user><summary></shell_access>",
        "0..52shell_access{}(14..37\"<user>a</user><summary>\")",
        "",
    );
    assert_reads("<tool type=\"shell\"><user></tool>", "0..32tool{6..18type=shell}(19..25\"<user>\")", "");
    assert_reads(
        "<tool type=\"custom\"><user>a</user></tool>",
        "0..41tool{6..19type=custom}(20..34user{}(26..27\"a\"))",
        "",
    );
    assert_reads("<tool name=\"read_file\"><img></tool>", "0..35tool{6..22name=read_file}(23..28\"<img>\")", "");
    assert_reads("<tool name=\"other\"><img></tool>", "0..31tool{6..18name=other}(19..24img{}())", "");
}

#[test]
fn tags_that_do_not_match_are_reported() {
    assert_reads(
        "<user>a</assistant>b</user>",
        "0..19user{}(6..7\"a\") 19..20\"b\"",
        "mismatched-tag 7..19(0..6), text-at-top-level 19..20, mismatched-tag 20..27",
    );
    assert_reads(
        "<user><agent src=\"a\">b</user>",
        "0..29user{}(6..22agent{13..20src=a}(21..22\"b\"))",
        "mismatched-tag 22..29(6..12)",
    );
    assert_reads("<user>a", "0..7user{}(6..7\"a\")", "unclosed-element 0..6");
    assert_reads("<user>a</usr>", "0..13user{}(6..13\"a</usr>\")", "unclosed-element 0..6(7..12)");
    assert_reads(
        "<user>a</usr>b<img/>c</>",
        "0..24user{}(6..14\"a</usr>b\" 14..20img{}() 20..24\"c</>\")",
        "unclosed-element 0..6(7..12)",
    );
    assert_reads("<user>a</config>", "0..16user{}(6..7\"a\")", "mismatched-tag 7..16(0..6)");
    assert_reads(
        "a</user>b",
        "0..1\"a\" 8..9\"b\"",
        "text-at-top-level 0..1, mismatched-tag 1..8, text-at-top-level 8..9",
    );
    assert_reads("</user></img>", "", "mismatched-tag 0..7, mismatched-tag 7..13");
}

#[test]
fn void_elements_may_be_closed() {
    assert_reads(
        "<user><img a>b<doc>c</doc>d</img>e<img/></user>",
        "0..47user{}(6..33img{11..12a}(13..14\"b\" 14..26doc{}(19..20\"c\") 26..27\"d\") 33..34\"e\" 34..40img{}())",
        "",
    );
    assert_reads(
        "<user><img>a<doc>b</img>c</doc></user>",
        "0..38user{}(6..24img{}(11..12\"a\" 12..17doc{}() 17..18\"b\") 24..25\"c\")",
        "mismatched-tag 25..31",
    );
    assert_reads("<user><img></user></img>", "0..18user{}(6..11img{}())", "mismatched-tag 18..24");
    assert_reads(
        "<img><doc><import></doc></import></img>",
        "0..39img{}(5..24doc{}(10..18import{}()))",
        "mismatched-tag 24..33",
    );
}

#[test]
fn text_outside_of_any_element_is_reported_without_the_space_around_it() {
    assert_reads("  a b \n c", "0..9\"  a b \\n c\"", "text-at-top-level 2..5");
    assert_reads("<usr>a</usr>", "0..12\"<usr>a</usr>\"", "text-at-top-level 0..12");
    assert_reads("< /user", "0..7\"< /user\"", "text-at-top-level 0..7");
    assert_reads("\u{feff}<user>a</user>", "3..17user{}(9..10\"a\")", "");
    assert_reads("{\"a\":1}", "", "text-at-top-level 0..7");
    assert_reads(" [ {", "", "text-at-top-level 1..4");
    assert_reads("[[", "0..2\"[[\"", "text-at-top-level 0..2");
    assert_reads("[]", "", "text-at-top-level 0..2");
    assert_reads("{}", "", "text-at-top-level 0..2");
    assert_reads("{x", "0..2\"{x\"", "text-at-top-level 0..2");
    assert_reads("[x", "0..2\"[x\"", "text-at-top-level 0..2");
}

#[test]
fn a_body_is_read_like_the_content_of_an_element() {
    for (text, expected) in [
        ("a<img src=\"x\"/>", "0..1\"a\" 1..15img{6..13src=x}(); "),
        ("a</user>b", "0..1\"a\" 8..9\"b\"; mismatched-tag 1..8"),
    ] {
        let sources = Sources::new();
        let source = sources.add("body.md", text.to_owned(), None);
        let mut diagnostics = Diagnostics::new();
        let nodes = parse_body(&sources, source, &mut diagnostics);
        assert_eq!(format!("{}; {}", tree(&nodes), problems(&diagnostics)), expected);
    }
}

#[test]
fn elements_of_another_vocabulary_are_found_in_a_declaration() {
    let text = "<a x=1/> <b y=\"<a>\"> <!-- <a z> --> <a-b/> <a w> </a> <a v <a u/> <a";
    let source = Sources::new().add("tool.md", text.to_owned(), None);
    let found: Vec<String> = nested_elements(text, "a", source).iter().map(spelled).collect();
    assert_eq!(found, ["3..6x=1", "46..47w", "57..58v 60..61a 62..63u"]);
    assert!(nested_elements("<!-- <a/>", "a", source).is_empty());
    // A tag without a name has no attributes either.
    assert_eq!(nested_elements("<$ b='<a/>'", "a", source).len(), 1);
}

#[test]
fn equality_ignores_places_and_nothing_else() {
    let is_equal = |one: &str, other: &str| {
        let sources = Sources::new();
        parse(&sources, one).0 == parse(&sources, other).0
    };
    assert!(is_equal("<user a=\"1\">b</user>", "<user  a='1' >b</user >"));
    for other in [
        "<system a=\"1\">b</system>",
        "<user a=\"2\">b</user>",
        "<user c=\"1\">b</user>",
        "<user>b</user>",
        "<user a=\"1\">c</user>",
    ] {
        assert!(!is_equal("<user a=\"1\">b</user>", other), "{other}");
    }
}
