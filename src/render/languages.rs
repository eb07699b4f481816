//! The languages whose code is coloured, as one table in `languages.json`.

use std::sync::LazyLock;

use serde::Deserialize;

/// How the words of a language are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Style {
    /// Keywords, functions and types.
    Code,
    /// Keys and values.
    Data,
    /// Tags and attributes.
    Markup,
    /// Lines that were added or removed.
    Diff,
}

/// The properties of a language that the scanner needs. Lists of words have spaces between them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Language {
    names: String,
    pub(super) style: Style,
    pub(super) line_comments: Vec<String>,
    pub(super) block_comment: Option<(String, String)>,
    /// The characters that start and end a string on one line.
    pub(super) quotes: String,
    /// The delimiters of strings of several lines.
    pub(super) long_strings: Vec<String>,
    pub(super) keywords: String,
    pub(super) ignores_case: bool,
    pub(super) has_lifetimes: bool,
    /// Whether names of types start with a capital letter.
    pub(super) has_types: bool,
}

impl Default for Language {
    fn default() -> Self {
        Self {
            names: String::new(),
            style: Style::Code,
            line_comments: vec!["//".to_owned()],
            block_comment: Some(("/*".to_owned(), "*/".to_owned())),
            quotes: "\"'".to_owned(),
            long_strings: Vec::new(),
            keywords: String::new(),
            ignores_case: false,
            has_lifetimes: false,
            has_types: true,
        }
    }
}

/// The language of this name, as the first word after the fence of a code block.
pub(super) fn find(name: &str) -> Option<&'static Language> {
    static LANGUAGES: LazyLock<Vec<Language>> =
        LazyLock::new(|| serde_json::from_str(include_str!("languages.json")).unwrap_or_default());
    let name = name.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.names.split(' ').any(|known| known == name))
}
