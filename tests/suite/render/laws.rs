//! Laws of pages, and pathological inputs.

use chatmd::Converter;
use chatmd::internal::document::{Block, Body, Document, ItemElement, Part, Role, print};
use chatmd::internal::render::{Options, Page, extract};
use chatmd::internal::syntax::write::Whitespace;
use proptest::prelude::*;

use super::page::read_page;
use crate::cases::cases;
use crate::generate::{document, spanned, text};

pub(super) fn rendered(document: &str, options: &Options) -> Page {
    Converter::new().render(document, options).unwrap_or_else(|error| panic!("{document}: {error}")).value
}

/// Markdown that could be mistaken for other Markdown, and for HTML.
fn markdown() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "*",
        "**",
        "_",
        "~~",
        "`",
        "```\n",
        "```html\n",
        "# ",
        "### ",
        "- ",
        "- [ ] ",
        "1. ",
        "7) ",
        "> ",
        "[",
        "](u)",
        "](https://a)",
        "](javascript:a)",
        "![",
        "](data:image/png;base64,iVBORw0KGgo=)",
        "<https://a>",
        "[^1]",
        "[^1]: ",
        "\n",
        "\n\n",
        "    ",
        "a",
        "b c",
        "日本",
        "|a|b|\n|-|:-:|\n",
        "||\n|-|\n",
        "\\",
        "\t",
        "&amp;",
        "&#0;",
        "&#x202e;",
        "<b>",
        "</p>",
        "<script>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "---\n",
        "\u{202e}",
        "\u{ffff}",
        "\u{0}",
        "\r",
        "\r\n",
        "\"",
        "'",
        "<details>",
        "<a href=\"x\">",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// The text of a document with one message.
fn message(role: Role, text: String) -> String {
    let body: Body<'_> = vec![spanned(Part::Text(text.into()))];
    print(&Document { blocks: vec![spanned(Block::Element(ItemElement::message(role, body)))] }, Whitespace::default())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_document_is_a_valid_and_safe_page(document in document(), title in text()) {
        let document = print(&document, Whitespace::default());
        let Ok(page) = Converter::new().render(document.as_str(), &Options { title, ..Options::default() }) else {
            return Ok(());
        };
        read_page(&page.value.html);
        prop_assert_eq!(extract(page.value.html.as_bytes()), Ok(document.into_bytes()));
    }

    #[test]
    fn any_markdown_is_a_valid_and_safe_page(text in markdown(), is_user in any::<bool>()) {
        let document = message(if is_user { Role::User } else { Role::Assistant }, text);
        let page = rendered(&document, &Options::default());
        read_page(&page.html);
        prop_assert_eq!(extract(page.html.as_bytes()), Ok(document.into_bytes()));
    }

    #[test]
    fn every_word_of_a_message_is_on_the_page(words in proptest::collection::vec("[a-z<>&\"']{1,8}", 1..20)) {
        let document = message(Role::User, words.iter().flat_map(|word| ["x", word, "\n\n"]).collect());
        let text = read_page(&rendered(&document, &Options::default()).html).text;
        for word in words {
            prop_assert!(text.contains(&word), "{word}: {text}");
        }
    }
}

#[test]
fn a_document_over_the_limit_of_links_is_taken_back_too() {
    let document = format!("<user>{}</user>\r\n", "word ".repeat(450_000));
    let page = rendered(&document, &Options::default()).html;
    let tree = read_page(&page);
    assert!(tree.text.contains("--extract"), "the page does not say how");
    assert!(!page.contains("data:text/markdown"));
    assert_eq!(extract(page.as_bytes()), Ok(document.into_bytes()));
}

#[test]
fn a_page_without_a_document_and_a_damaged_one_are_errors() {
    use chatmd::internal::render::ExtractError::{Damaged, NoSource};
    let page = rendered("<user>Hi.</user>", &Options { has_source: false, ..Options::default() }).html;
    assert_eq!(extract(page.as_bytes()), Err(NoSource));
    assert_eq!(extract(b""), Err(NoSource));
    let page = rendered("<user>Hi.</user>", &Options::default()).html;
    let end = page.find("base64,").unwrap() + 12;
    assert_eq!(extract(&page.as_bytes()[..end]), Err(Damaged));
    let base64 = page.split("base64,").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(extract(page.replace(base64, "PHVzZXI+").as_bytes()), Err(Damaged));
}

#[test]
fn nesting_is_bounded() {
    // Elements of Markdown, and those that each message has around them.
    const MOST: usize = 24 + 6;
    for piece in ["> ", "- ", "1. ", "*a ", "[a](https://b) *"] {
        let document = message(Role::User, piece.repeat(20_000) + "x");
        let page = rendered(&document, &Options { has_source: false, ..Options::default() });
        let depth = read_page(&page.html).depth;
        assert!(depth <= MOST, "{piece:?}: {depth}");
    }
}
