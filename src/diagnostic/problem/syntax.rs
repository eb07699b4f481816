//! Problems of the markup: bytes, tags, quotes and comments.

use super::problems;
use crate::diagnostic::message::{Hint, Message};
use crate::element::Tag;
use crate::source::Span;

problems! {
    /// Problems of the markup: bytes, tags, quotes and comments. Each variant shows the shortest text that causes it.
    SyntaxProblem SYNTAX

    /// the bytes `<user>`, `0xff`
    NotUtf8 {
        /// The first byte that is not valid.
        byte: u8,
        /// Its offset in the file.
        offset: usize,
        /// Whether the file starts like UTF-16.
        looks_like_utf16: bool,
        /// The type of the file, if it is an image.
        media_type: Option<&'static str>,
    }: "not-utf8" Error Malformed => if let Some(media_type) = media_type {
        Message::new(
            format!("this is an image ({media_type}), not a document"),
            "starts here",
            "write a document, and name the image in a message: `<img src=\"…\" local/>`",
        )
    } else {
        let help = if *looks_like_utf16 {
            "the file looks like UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`"
        } else {
            "save the file as UTF-8"
        };
        let title = format!("the text is not valid UTF-8 at byte offset {offset}");
        Message::new(title, format!("invalid byte 0x{byte:02x}"), help)
    };

    /// `hello`
    TextAtTopLevel {
        /// A tag at its start as it is written, without `<` and attributes, and the tag that was probably meant.
        misspelt: Option<(String, Tag)>,
        /// Whether the document starts like JSON.
        is_json: bool,
    }: "text-at-top-level" Error Malformed => text_at_top_level(misspelt.as_ref(), *is_json);

    /// `<!--`
    UnterminatedComment: "unterminated" Error Malformed => {
        Message::new("comment is never closed", "opened here", "end it with `-->`")
    };

    /// `<user>RAW|</user>`
    UnterminatedRaw: "unterminated" Error Malformed => {
        Message::new("RAW block is never closed", "opened here", "end it with `|RAW` on a line of its own")
    };

    /// `<user `, or `<user <img>`: another tag comes before the `>`
    UnterminatedTag(tag: Tag): "unterminated" Error Malformed => Message::new(
        format!("tag `<{}` has no `>`", tag.name()),
        "starts here",
        "end the tag with `>`; if it is meant as text, wrap it in `RAW|` and `|RAW`",
    );

    /// `<user id="`
    UnterminatedQuote {
        /// The quote that is missing.
        quote: char,
    }: "unterminated" Error Malformed => {
        Message::new("quoted value is never closed", "opened here", format!("end the value with `{quote}`"))
    };

    /// `<user id="a>b</user><user id="c">`
    StrayQuote {
        /// The quote.
        quote: char,
        /// Where a value with a `>` in it started before it.
        value_began: Span,
    }: "unterminated" Error Malformed => {
        let title = format!("found `{quote}` where an attribute should start");
        Message::new(title, "unexpected quote", "add the missing quote at the end of that value")
            .related(*value_began, "this value started here")
    };

    /// `<user ,>`
    StrayCharacters: "stray-characters" Warning Malformed is_allowable => Message::new(
        "these characters are not an attribute",
        "ignored",
        "an attribute is `name`, `name=value` or `name=\"value\"`; names have letters, digits, `_`, `:` and `-`",
    );

    /// `<user>`
    UnclosedElement {
        /// The element.
        tag: Tag,
        /// A text in it that looks like its closing tag.
        misspelt_at: Option<Span>,
    }: "unclosed-element" Error Malformed is_fixable => unclosed(*tag, *misspelt_at);

    /// `<user><img src="https://u"></user>`
    MissingSlash(tag: Tag): "missing-slash" Warning Malformed is_fixable is_allowable => Message::new(
        format!("`<{}>` is never closed", tag.name()),
        format!("read as `<{} …/>`", tag.name()),
        "end it with `/>`; if it is meant as text, wrap it in `RAW|` and `|RAW`",
    );

    /// `<user></assistant>`
    MismatchedTag {
        /// The element that is open.
        opened: Tag,
        /// Its opening tag.
        opened_at: Span,
        /// The element that is closed instead.
        closed: Tag,
        /// Whether that element is open too, further out.
        closes_outer: bool,
    }: "mismatched-tag" Error Malformed => {
        let title = format!("`<{}>` is closed by `</{}>`", opened.name(), closed.name());
        let verb = if *closes_outer { "close it first with" } else { "close it with" };
        let help =
            format!("{verb} `</{}>`; if the tag is meant as text, wrap it in `RAW|` and `|RAW`", opened.name());
        Message::new(title, "closed here", help).related(*opened_at, "opened here")
    };

    /// `</user>`
    StrayClosingTag(tag: Tag): "mismatched-tag" Error Malformed => Message::new(
        format!("`</{}>` closes nothing", tag.name()),
        "no element is open here",
        format!("remove it, or open the element with `<{}>`", tag.name()),
    );

    /// `<user>` 129 times
    NestingTooDeep {
        /// How deep elements may be nested.
        limit: usize,
    }: "limit-exceeded" Error Malformed => Message::new(
        format!("elements are nested more than {limit} deep"),
        "one level too deep",
        "close the elements around it; put text that shows tags between `RAW|` and `|RAW`",
    );
}

fn text_at_top_level(misspelt: Option<&(String, Tag)>, is_json: bool) -> Message {
    let message = |help: &str| Message::new("text outside of any element", "not inside an element", help);
    match misspelt {
        _ if is_json => message("this looks like JSON, not a document").hint(Hint::ConvertJson),
        Some((written, meant)) => Message::new(
            format!("unknown tag `<{written}>`"),
            "read as text, outside of any element",
            format!("did you mean `<{}>`?", meant.name()),
        ),
        None => message("put it in a message, such as `<user>…</user>`, or in a comment"),
    }
}

fn unclosed(tag: Tag, misspelt_at: Option<Span>) -> Message {
    let name = tag.name();
    let help = if matches!(tag, Tag::Config | Tag::Tool) {
        format!("end the tag with `/>`; if the element has a body, end that with `</{name}>`")
    } else {
        format!("end it with `</{name}>`")
    };
    let message = Message::new(format!("`<{name}>` is never closed"), "opened here", help);
    match misspelt_at {
        Some(span) => message.related(span, "this is text: did you mean to close it here?"),
        None => message,
    }
}
