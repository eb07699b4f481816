//! `secret`: a key, a token or a private key in what is sent.

use crate::diagnostic::{Diagnostics, Message, Rule, rule, secrets};
use crate::lint::entry::{Check, Lint};
use crate::lint::source::SourceText;
use crate::lint::text::{SentFile, SentText};
use crate::source::Span;

/// `<user>AKIA…</user>`
pub(super) struct Secret<'f> {
    /// What it looks like, with an article.
    kind: &'static str,
    /// The file that contains it, if that is not the document.
    file: Option<&'f str>,
}

impl Lint for Secret<'_> {
    const RULE: Rule = rule!("secret" Warning Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Text(check_json), Check::File(check_file), Check::Source(check_source)];

    fn message(&self) -> Message {
        let kind = self.kind;
        let title = match self.file {
            Some(file) => format!("`{file}` contains what looks like {kind}"),
            None => format!("this looks like {kind}"),
        };
        Message::new(title, "sent with the document", "revoke it, and replace it with a placeholder")
    }
}

/// Comments and attributes are checked too.
fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    for (range, kind) in secrets(source.text) {
        Secret { kind, file: None }.report(Span::new(source.id, range), diagnostics);
    }
}

fn check_file(file: &SentFile<'_>, diagnostics: &mut Diagnostics) {
    if let Some((_, kind)) = secrets(file.text).into_iter().next() {
        Secret { kind, file: Some(file.path) }.report(file.span, diagnostics);
    }
}

/// Reports what is a secret only after the escapes of JSON are decoded.
fn check_json(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    let Some(json) = text.json() else { return };
    if let Some((range, kind)) = secrets(text.text).into_iter().next()
        && !json.contains(&text.text[range])
    {
        Secret { kind, file: None }.report(text.span, diagnostics);
    }
}
