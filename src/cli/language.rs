//! The language reference, as it is in `docs`.

const PAGES: [&str; 10] = [
    include_str!("../../docs/language/01-elements.md"),
    include_str!("../../docs/language/02-attributes.md"),
    include_str!("../../docs/language/03-comments.md"),
    include_str!("../../docs/language/04-raw.md"),
    include_str!("../../docs/language/05-whitespace.md"),
    include_str!("../../docs/language/06-verbatim.md"),
    include_str!("../../docs/language/07-inline.md"),
    include_str!("../../docs/language/08-messages-and-tools.md"),
    include_str!("../../docs/language/09-errors.md"),
    include_str!("../../docs/language/10-writing.md"),
];
/// The index of the pages, and the sections that are on no page.
const INDEX: &str = include_str!("../../docs/language.md");

/// The pages of the reference, in order, in Markdown.
pub(crate) fn pages() -> Vec<&'static str> {
    // The heading becomes that of a page.
    let replies = INDEX.find("\n## ").map(|start| &INDEX[start + "\n#".len()..]);
    PAGES.into_iter().chain(replies).collect()
}
