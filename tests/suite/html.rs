//! Pages as plain text and as Markdown: what people would read, nothing that they would not, and no page that hangs.
//!
//! What a whole page becomes is in `fixtures/requests`; these are the edges.

use std::fs;

use chatmd::resources::Memory;
use chatmd::{Converter, RequestOptions};
use html2text::config;
use html2text::render::TrivialDecorator;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use tempfile::TempDir;

use crate::cases::{cases, large};
use crate::run::{Ran, chatmd};

/// The text that a page becomes.
#[track_caller]
fn text(page: &str, form: &str) -> String {
    let ran = convert(page, form);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{form}");
    let items: Value = serde_json::from_str(&ran.stdout).unwrap();
    items[0]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// A document that holds the page in this form.
fn convert(page: &str, form: &str) -> Ran {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("page.html"), page).unwrap();
    let document = format!("<user><doc src=\"page.html\" local {form}/></user>");
    chatmd(directory.path(), &["to-request", "--input-only"], &[], &document)
}

#[track_caller]
fn assert_forms(page: &str, stripped: &str, markdown: &str) {
    assert_eq!(text(page, "strip").trim(), stripped, "{page} stripped");
    assert_eq!(text(page, "markdown").trim(), markdown, "{page} as Markdown");
}

#[test]
fn headings_of_every_level() {
    for level in 1..=6 {
        let marks = "#".repeat(level);
        assert_forms(&format!("<h{level}>Head</h{level}>"), "Head", &format!("{marks} Head"));
    }
}

#[test]
fn marks_inside_a_line() {
    assert_forms("<p>a <em>b</em> <i>c</i></p>", "a b c", "a *b* *c*");
    assert_forms("<p>a <strong>b</strong> <b>c</b></p>", "a b c", "a **b** **c**");
    assert_forms("<p>run <code>ls -l</code></p>", "run ls -l", "run `ls -l`");
    assert_forms("<p><b><i>both</i></b></p>", "both", "***both***");
}

#[test]
fn links_keep_their_address_in_markdown_only() {
    let page = "<p>see <a href=\"https://e.com/?a=1&amp;b=2\">this</a>.</p>";
    assert_forms(page, "see this.", "see [this](https://e.com/?a=1&b=2).");
    let two = "<a href=\"https://e.com/1\">one</a> <a href=\"https://e.com/2\">two</a>";
    assert_forms(two, "one two", "[one](https://e.com/1) [two](https://e.com/2)");
    assert_forms("<p><a name=\"here\">anchor</a></p>", "anchor", "anchor");
    assert_forms("<p><img src=\"a.png\" alt=\"A cat\"></p>", "A cat", "![A cat](a.png)");
}

#[test]
fn lists_and_quotes() {
    assert_forms("<ul><li>a</li><li>b</li></ul>", "a\nb", "- a\n- b");
    assert_forms("<ol><li>a</li><li>b</li></ol>", "a\nb", "1. a\n2. b");
    assert_forms("<ul><li>a<ol><li>b</li></ol></li></ul>", "a\nb", "- a\n  1. b");
    assert_forms("<blockquote>said</blockquote>", "said", "> said");
}

#[test]
fn entities_are_the_characters_they_stand_for() {
    let page = "<p>&lt;b&gt; &amp;amp; &eacute; &#8364; &#x1F600; &quot;q&quot;</p>";
    assert_forms(page, "<b> &amp; é € 😀 \"q\"", "<b> &amp; é € 😀 \"q\"");
    assert_forms("<p>AT&T &nosuch; &</p>", "AT&T &nosuch; &", "AT&T &nosuch; &");
}

#[test]
fn cells_of_a_table_come_in_order() {
    let page = "<table><tr><th>name</th><th>size</th></tr><tr><td>cat</td><td>small</td></tr></table>";
    for form in ["strip", "markdown"] {
        let text = text(page, form);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
        assert_eq!(words, ["name", "size", "cat", "small"], "{form}");
    }
}

#[test]
fn tables_with_few_cells_in_many_rows_and_columns_are_refused() {
    for rows in [format!("<tr>{}", "<td>".repeat(20_000)), "<tr><td colspan=20000>".to_owned()] {
        let page = format!("<table>{rows}{}</table>", "<tr>".repeat(20_000));
        for form in ["strip", "markdown"] {
            let ran = convert(&page, form);
            assert_eq!(ran.code, Some(65), "{}", ran.stderr);
            assert!(ran.stderr.contains("its tables have too many cells"), "{}", ran.stderr);
        }
    }
    let wide = format!("<table><tr>{}</table>", "<td>a".repeat(5_000));
    assert!(text(&wide, "strip").matches('a').count() == 5_000);
}

#[test]
fn what_is_not_for_reading_never_shows() {
    for hidden in [
        "<script>LEAK</script>",
        "<script type=\"application/json\">{\"LEAK\":1}</script>",
        "<SCRIPT>if (a < b) { \"LEAK\" }</SCRIPT >",
        "<script><!-- LEAK //--></script>",
        "<style>.LEAK{}</style>",
        "<!-- LEAK -->",
        "<!-- LEAK > LEAK -- LEAK -->",
        "<!LEAK>",
        "<?LEAK?>",
        "<template>LEAK</template>",
        "<p title=\"LEAK\" data-x='LEAK' onclick=LEAK></p>",
        "<meta name=\"LEAK\" content=\"LEAK\">",
        "<input type=\"hidden\" value=\"LEAK\">",
        "<svg><style>LEAK</style></svg>",
    ] {
        for page in [format!("<p>before</p>{hidden}<p>after</p>"), format!("<head>{hidden}</head><p>before after")] {
            for form in ["strip", "markdown"] {
                let text = text(&page, form);
                assert!(!text.contains("LEAK"), "{form} of {page}: {text}");
                assert!(text.contains("before") && text.contains("after"), "{form} of {page}: {text}");
            }
        }
    }
}

#[test]
fn broken_pages_are_read_as_browsers_read_them() {
    for page in [
        "before<p>after",
        "<p>before</div></b></table>after",
        "<b><p>before</b>after</p>",
        "<table>before<tr>after",
        "<p class=\"a\"b='c' =d>before</p><p id=>after",
        "\u{feff}<p>before\0</p><p>after</p>",
        "<html><html><body><body>before<head>after",
        "</p>before<br/>after</html> ",
    ] {
        for form in ["strip", "markdown"] {
            let text = text(page, form);
            assert!(text.contains("before") && text.contains("after"), "{form} of {page}: {text}");
        }
    }
    for page in ["", " ", "<", "<p", "<!--", "<script>", "<p title=\""] {
        for form in ["strip", "markdown"] {
            let text = text(page, form);
            assert!(text.trim().is_empty() || page == "<", "{form} of {page}: {text}");
        }
    }
}

#[test]
fn strip_wins_over_markdown() {
    assert_eq!(text("<h1>Head</h1>", "strip markdown").trim(), "Head");
    assert_eq!(text("<h1>Head</h1>", "markdown strip").trim(), "Head");
    assert_eq!(text("<h1>Head</h1>", ""), "<h1>Head</h1>", "neither leaves the page as it is");
}

#[test]
fn a_long_line_is_not_broken() {
    let words = "word ".repeat(20_000);
    let line = text(&format!("<p>{words}</p>"), "markdown");
    assert_eq!(line.trim(), words.trim());
}

#[test]
fn a_page_as_deep_as_the_limit_is_laid_out() {
    for form in ["strip", "markdown"] {
        let page = "<div>".repeat(1000) + "deep" + &"</div>".repeat(1000);
        assert!(text(&page, form).contains("deep"), "{form}");
        assert!(text(&("</p>".repeat(100_000) + "flat"), form).contains("flat"), "{form}");
        assert!(text(&("<p>".repeat(20_000) + "flat"), form).contains("flat"), "{form}");
        assert!(text(&("<ul>".to_owned() + &"<li>flat".repeat(20_000)), form).contains("flat"), "{form}");
    }
}

#[test]
fn a_page_that_nests_deeper_is_refused() {
    for page in [
        "<b>".repeat(large(30_000)),
        "<div>".repeat(large(20_000)),
        "<table><tr><td>".repeat(large(20_000)),
        "<ul><li>".repeat(large(20_000)),
        // Closing tags that close nothing, and items that are nested without a list.
        "<div></x>".repeat(large(30_000)),
        "<svg>".to_owned() + &"<td></x>".repeat(large(30_000)),
        "<dd><li>".repeat(large(30_000)),
        "<noscript><li></noscript>".repeat(large(30_000)),
        // Many lines, each with many levels.
        "<blockquote>".repeat(300) + &"word<br>".repeat(30_000),
        "<blockquote>".repeat(300) + "<pre>" + &"\n".repeat(30_000),
        // Text directly in a table moves in front of it.
        format!("<table>{}</table>", "x<b>y</b>".repeat(20_000)),
    ] {
        assert_refused(&page, "nested too deep");
    }
}

#[test]
fn attributes_of_a_tag_have_a_limit() {
    let attributes = |count: usize| (0..count).map(|n| format!(" a{n}=b")).collect::<Vec<_>>().concat();
    assert_forms(&format!("<p{}>text</p>", attributes(2000)), "text", "text");
    let many = attributes(6000);
    for page in [
        format!("<p{many}>text</p>"),
        format!("</p{many}>text"),
        format!("<p{}>text", many.replace("=b ", "='>'")),
        format!("<p{}>text", many.replace("=b", "").replace(' ', "/")),
        // Text that looks like the start of a tag, or of a value, hides nothing.
        format!("<!-- <a b=\" --><p{many}>text</p>\""),
        format!("<script>a<b='</script><p{many}>text</p>'"),
        format!("<p a{}>text", (0..6000).map(|n| format!("</b{n}")).collect::<Vec<_>>().concat()),
    ] {
        assert_refused(&page, "too many attributes");
    }
    let script = "for (i = 0; i < n; i++) { if (a<b) x[i] = \"c\" }\n".repeat(5000);
    assert_forms(&format!("<script>{script}</script>text"), "text", "text");
}

#[test]
fn elements_of_a_page_have_a_limit() {
    // Open elements are repeated in every paragraph.
    let open: String = "<b><i><u><s><em><tt><big><code><small><strong>".repeat(3);
    assert_refused(&format!("<p>{open}{}", "<p>x".repeat(10_000)), "too many elements");
    // Different attributes do not make more of them.
    let different = (0..1000).map(|n| format!("<b id={n}>")).collect::<Vec<_>>().concat();
    assert!(text(&format!("<p>{different}{}", "<p>x".repeat(1000)), "strip").contains('x'));
    assert_refused(&"<hr>".repeat(550_000), "too many elements");
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_limits_change_nothing_else(pieces in vec(select(PIECES), 0..40)) {
        let page = pieces.concat();
        let expected = config::with_decorator(TrivialDecorator::new()).raw_mode(true).unicode_strikeout(false);
        let expected = expected.string_from_read(page.as_bytes(), 1_000_000).unwrap();
        let files = Memory::new().with("page.html", page.as_str());
        let document = "<user><doc src=\"page.html\" local strip/></user>";
        let output = Converter::new().resources(&files).to_input(document, &RequestOptions::default()).unwrap();
        let items: Value = serde_json::from_str(&output.value).unwrap();
        let text = items[0]["content"][0]["text"].as_str().unwrap_or_default();
        prop_assert_eq!(text, expected);
    }
}

/// Pieces of pages, with everything that is parsed in a special way.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<b>",
    "<b id=1>",
    "<b id=2>",
    "</b>",
    "<i class=x>",
    "</i>",
    "<a href=u>",
    "<a href=v name=w>",
    "</a>",
    "<font size=2>",
    "<font color=red>",
    "</font>",
    "<table>",
    "<tr>",
    "<td colspan=2>",
    "<td>",
    "</td>",
    "</table>",
    "<li>",
    "<ul>",
    "<ol start=4>",
    "</ol>",
    "</ul>",
    "<div class=a id=b>",
    "</div>",
    "<svg>",
    "<math>",
    "<annotation-xml encoding=text/html>",
    "</svg>",
    "</math>",
    "<input type=hidden value=x>",
    "<input>",
    "<select>",
    "<option>",
    "<template>",
    "</template>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<!-- c -->",
    "<pre>",
    "</pre>",
    "<br>",
    "<img src=s alt=t>",
    "<textarea>",
    "</textarea>",
    "<title>",
    "</title>",
    "<noscript>",
    "</noscript>",
    "<h1>",
    "</h1>",
    "<dl>",
    "<dt>",
    "<dd>",
    "<button>",
    "<nobr>",
    "<object>",
    "word ",
    "two words\n",
    "&amp;",
    " ",
    "\n",
    "<body>",
    "<html>",
    "<frameset>",
    "<sup>",
    "</sup>",
    "<del>",
    "</del>",
    "<blockquote>",
];

#[track_caller]
#[test]
fn rows_that_cells_reach_over_have_a_limit() {
    let many = "<tr><td rowspan=9999>a".repeat(4000);
    assert_refused(&format!("<table>{many}"), "too many elements");
    let wide = format!("<table><tr>{}{}", "<td rowspan=9999>a".repeat(4000), "<tr>".repeat(4000));
    assert_refused(&wide, "too many elements");
    // As pages have it: to the end of the table.
    let page = format!("<table><tr><td rowspan=65534>a<td>b{}", "<tr><td>c".repeat(200));
    assert_eq!(text(&page, "strip").matches('c').count(), 200);
}

fn assert_refused(page: &str, why: &str) {
    let ran = convert(page, "strip");
    assert_eq!(ran.code, Some(65), "{} bytes", page.len());
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
}
