//! What counts as markup in a text, for this reader and for ochat, and how text is protected from being read as markup.

use chatmd::internal::diagnostic::{Problem, SyntaxProblem};
use chatmd::internal::element::Tag;
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::{
    LineEnding, Opening, Whitespace, close, comment, end_line, text, text_before_tag,
};
use chatmd::internal::syntax::{MAX_DEPTH, Node, ends_with_markup, is_whitespace, opens_document, unreadable_tag};

use crate::support::parse;

#[test]
fn a_document_is_told_from_other_markdown_by_its_start() {
    for text in [
        "<user>",
        "<user a",
        "\u{feff} \n<config/>",
        "<import src=\"a\"/>",
        "<!-- a --><!-- b -->\n<system>",
        "<!--chatmd:fields",
        "<!-- \n chatmd:",
        "<script>",
    ] {
        assert!(opens_document(text), "{text:?}");
    }
    for text in [
        "",
        "a",
        "<user",
        "<img src=\"a\"/>",
        "<doc>",
        "</user>",
        "RAW|",
        "<!-- a <user>",
        "<!-- a -->b<user>",
        "<b>",
        "<!-- a --><img/>",
    ] {
        assert!(!opens_document(text), "{text:?}");
    }
}

/// How deep elements are nested.
fn depth(nodes: &[Node<'_>]) -> usize {
    let below = |node: &Node<'_>| match node {
        Node::Element(element) => 1 + depth(&element.children),
        Node::Text(_) | Node::Raw(_) | Node::Comment(_) => 0,
    };
    nodes.iter().map(below).max().unwrap_or_default()
}

#[test]
fn images_and_documents_with_content_nest_as_deep_as_the_limit() {
    for agents in [0, 1, 100] {
        let most = MAX_DEPTH - 1 - agents;
        for count in [1, 2, most - 1, most, most + 1, most + 2] {
            for (tags, ends) in [(["<img>", "<img>"], ["</img>", "</img>"]), (["<img>", "<doc>"], ["</doc>", "</img>"])]
            {
                let opening: String = (0..count).map(|index| tags[index % 2]).collect();
                let closing: String = (0..count).rev().map(|index| ends[(index + 1) % 2]).collect();
                let (open, close) = ("<agent src=\"a\">".repeat(agents), "</agent>".repeat(agents));
                let sources = Sources::new();
                let text = format!("<user>{open}{opening}a{closing}{close}</user>");
                let (nodes, diagnostics) = parse(&sources, &text);
                let is_too_deep = diagnostics.iter().any(|one| one.rule().name == "limit-exceeded");
                let what = format!("{agents} agents, {count} tags {tags:?}");
                assert_eq!((depth(&nodes), is_too_deep), (1 + agents + count.min(most), count > most), "{what}");
            }
        }
    }
}

#[test]
fn what_an_agent_holds_counts_for_the_images_around_it() {
    for (outside, inside) in
        [(1, 0), (1, 1), (3, MAX_DEPTH - 5), (3, MAX_DEPTH - 4), (MAX_DEPTH - 3, 1), (MAX_DEPTH - 2, 1)]
    {
        let images = |count: usize, inner: &str| format!("{}{inner}{}", "<img>".repeat(count), "</img>".repeat(count));
        let agent = format!("<agent src=\"a\">{}</agent>", images(inside, "a"));
        let sources = Sources::new();
        let (nodes, diagnostics) = parse(&sources, &format!("<user>{}</user>", images(outside, &agent)));
        let levels = 2 + outside + inside;
        let is_too_deep = diagnostics.iter().any(|one| one.rule().name == "limit-exceeded");
        assert_eq!((depth(&nodes), is_too_deep), (levels.min(MAX_DEPTH), levels > MAX_DEPTH), "{outside} {inside}");
    }
}

/// The text in the deepest element.
fn deepest(nodes: &[Node<'_>]) -> String {
    let text = |node: &Node<'_>| match node {
        Node::Text(text) => text.value.to_owned(),
        Node::Element(_) | Node::Raw(_) | Node::Comment(_) => String::new(),
    };
    match nodes.first() {
        Some(Node::Element(element)) => deepest(&element.children),
        Some(Node::Text(_) | Node::Raw(_) | Node::Comment(_)) | None => nodes.iter().map(text).collect(),
    }
}

#[test]
fn elements_beyond_the_depth_limit_are_text() {
    for beyond in [0, 1, 2, 3] {
        let inner = "a<img/>b<img>c</img>d<user/>e";
        let agents = |count: usize, inner: &str| {
            format!("{}{inner}{}", "<agent src=\"x\">".repeat(count), "</agent>".repeat(count))
        };
        // The document is not deeper than the limit again after the last closing tag.
        let text = format!("<user>{}</user>\n<user>{}</user>", agents(MAX_DEPTH - 1 + beyond, inner), agents(1, "z"));
        let sources = Sources::new();
        let (nodes, diagnostics) = parse(&sources, &text);
        let places: Vec<usize> =
            diagnostics.iter().filter(|one| one.rule().name == "limit-exceeded").map(|one| one.span.start).collect();
        if beyond == 0 {
            // An empty element may be one level deeper, but an image with content may not.
            assert_eq!((depth(&nodes), places.len()), (MAX_DEPTH + 1, 1), "{diagnostics:?}");
        } else {
            let first = "<user>".len() + "<agent src=\"x\">".len() * (MAX_DEPTH - 1);
            assert_eq!((depth(&nodes), places), (MAX_DEPTH, vec![first]), "{beyond}");
            assert_eq!(deepest(&nodes), agents(beyond, inner));
            assert_eq!(sources.slice(diagnostics.iter().find(|one| one.span.start == first).unwrap().span), "<agent");
        }
        let Some(Node::Element(last)) = nodes.last() else { panic!("{beyond}") };
        assert_eq!((deepest(&last.children).as_str(), depth(&last.children)), ("z", 1));
    }
}

#[test]
fn misspelt_tags_at_top_level_have_a_suggestion_at_their_place() {
    for (text, misspelt) in [
        ("\u{feff}<human>a", Some(("human", Tag::User))),
        ("\n </ ai>", Some(("/ ai", Tag::Assistant))),
        ("<User a=\"b\">", Some(("User", Tag::User))),
        ("<summary>a", None),
        ("<br>", None),
        ("a <human>", None),
    ] {
        let sources = Sources::new();
        let (_, diagnostics) = parse(&sources, text);
        let problem = diagnostics.iter().next().unwrap();
        let Some(Problem::Syntax(SyntaxProblem::TextAtTopLevel { misspelt: found, is_json })) = problem.problem()
        else {
            panic!("{text}")
        };
        assert_eq!(found.as_ref().map(|(written, tag)| (written.as_str(), *tag)), misspelt, "{text:?}");
        assert!(!is_json);
        assert_eq!(sources.slice(problem.span), text.trim_start_matches('\u{feff}').trim());
    }
    let (sources, json) = (Sources::new(), "\u{feff} {\"a\": 1}\n");
    let (nodes, diagnostics) = parse(&sources, json);
    let problem = diagnostics.iter().next().unwrap();
    assert!(
        nodes.is_empty()
            && matches!(problem.problem(), Some(Problem::Syntax(SyntaxProblem::TextAtTopLevel { is_json: true, .. })))
    );
    assert_eq!(sources.slice(problem.span), "{\"a\": 1}");
}

#[test]
fn markup_at_the_end_of_a_text_is_found() {
    for text in ["<b>", "</b>", "<a b c>", "x <_a>", "<a < b>", "<a <1>", "<<a <b>", "<a <<b>"] {
        assert!(ends_with_markup(text), "{text:?}");
    }
    for text in ["", ">", "a>", "<b> ", "<1>", "<>", "<<b>", "< b>", "->", "<b>>", "</1>", "a<<b>", "<b"] {
        assert!(!ends_with_markup(text), "{text:?}");
    }
}

#[test]
fn whitespace_is_that_of_ascii() {
    let all: String = (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_whitespace(*c)).collect();
    assert_eq!(all, "\t\n\x0b\x0c\r ");
}

#[test]
fn tags_that_ochat_cannot_read_are_found_at_their_place() {
    for (text, expected) in [
        ("a <b c=\"d", Some(2)),
        ("a <b c$=\">", None),
        ("<a b='\"'>", None),
        ("<a b=\"'>", Some(0)),
        ("<a b=\"\\\">", Some(0)),
        ("<a b=\"\\\\\">", Some(0)),
        ("<a b=\"\\x\">", None),
        ("<a b=c\">", None),
        ("<a b=c d=\">", Some(0)),
        ("<a b =\">", Some(0)),
        ("<a b = \">", Some(0)),
        ("<a b \">", None),
        ("<a \"=\">", None),
        ("<a$=\">", None),
        ("<a b$=\">", None),
        ("<a b:_-9=\">", Some(0)),
        ("</a b=\">", None),
        ("</a <b c=\">", Some(0)),
        ("<a b=\"\"c=\">", Some(0)),
        ("<<a b=\">", None),
        ("<a <<b c=\">", Some(0)),
        ("<1 b=\">", None),
        ("<a><b><c d='>", Some(6)),
        ("</", None),
        ("</a", Some(0)),
    ] {
        assert_eq!(unreadable_tag(text), expected, "{text:?}");
    }
}

#[test]
fn tags_and_comments_are_written() {
    let mut out = String::new();
    let mut opening = Opening::new(&mut out, Tag::User);
    opening.attribute("a", None);
    opening.attribute("b", Some("plain é"));
    opening.attribute("c", Some("<>&\"\\'"));
    opening.attribute("d", Some("\\"));
    opening.end();
    close(&mut out, Tag::User);
    comment(&mut out, " x ");
    Opening::new(&mut out, Tag::Img).end_void();
    assert_eq!(out, r#"<user a b="plain é" c="&lt;&gt;&amp;&quot;&#92;'" d="&#92;"></user><!-- x --><img/>"#);
    let sources = Sources::new();
    let (nodes, _) = parse(&sources, &out);
    let Node::Element(user) = &nodes[0] else { panic!("{nodes:?}") };
    let mut again = String::new();
    let mut opening = Opening::new(&mut again, Tag::User);
    opening.attributes(&user.attributes);
    opening.end();
    assert!(out.starts_with(&again) && again.len() > 40, "{again}");
}

#[test]
fn text_is_protected_only_where_it_must_be() {
    use Whitespace::{Layout, Verbatim};
    let written = |content: &str, whitespace, line_ending| {
        let mut out = String::new();
        text(&mut out, content, whitespace, line_ending);
        out
    };
    for (content, layout, verbatim) in [
        ("a <b> c", "a <b> c", "a <b> c"),
        ("a <", "a <", "RAW|a <|RAW"),
        ("a\r", "RAW|\na\r|RAW", "RAW|a\r|RAW"),
        (" ", "RAW|\n \n|RAW", " "),
        ("", "RAW||RAW", "RAW||RAW"),
        ("<user>", "RAW|\n<user>\n|RAW", "RAW|<user>|RAW"),
        ("<user>|RAW\nb\n", "RAW|<user>|RAW|RAW\nRAW|b\n\n|RAW", "RAW|<user>|RAW|RAWRAW|\nb\n|RAW"),
        ("\r\n<user>|RAW", "RAW|\n\r\n<user>|RAW|RAWRAW||RAW", "RAW|\r\n<user>|RAW|RAWRAW||RAW"),
    ] {
        assert_eq!(
            [written(content, Layout, LineEnding::Lf), written(content, Verbatim, LineEnding::Lf)],
            [layout, verbatim],
            "{content:?}"
        );
    }
    assert_eq!(written("<user>", Layout, LineEnding::CrLf), "RAW|\r\n<user>\r\n|RAW");
    let mut out = String::new();
    text_before_tag(&mut out, "a <", Layout, LineEnding::Lf);
    assert_eq!(out, "RAW|\na <\n|RAW");
    end_line(&mut out, LineEnding::CrLf);
    out.push('\r');
    end_line(&mut out, LineEnding::Lf);
    assert!(out.ends_with("|RAW\r\n\r"));
}
