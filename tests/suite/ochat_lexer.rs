//! A model of how ochat reads a document, written from the description of its lexer and not from our reader.

use chatmd::internal::element::Tag;

/// What ochat finds in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Open(Tag),
    Close(Tag),
    /// Text, adjacent pieces joined.
    Text(String),
}

/// Reads a whole text. The error is the reason why ochat refuses it.
pub(crate) fn lex(text: &str) -> Result<Vec<Event>, String> {
    let mut events = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(raw) = rest.strip_prefix("RAW|") {
            let (inside, after) = raw.split_once("|RAW").ok_or("RAW block without an end")?;
            push_text(&mut events, inside);
            rest = after;
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").ok_or("comment without an end")?.1;
        } else if rest.starts_with("<<") {
            let run = rest.len() - rest.trim_start_matches('<').len();
            push_text(&mut events, &rest[..run]);
            rest = &rest[run..];
        } else if is_tag(rest) {
            let end = rest.find('>').ok_or_else(|| format!("tag without an end: {rest:?}"))?;
            tag(&rest[..=end], &mut events)?;
            rest = &rest[end + 1..];
        } else {
            push_text(&mut events, &rest[..first.len_utf8()]);
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(events)
}

fn is_tag(rest: &str) -> bool {
    let Some(name) = rest.strip_prefix('<') else { return false };
    name.strip_prefix('/').unwrap_or(name).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// `<…>` or `</…>`: an element of the vocabulary, or text.
fn tag(written: &str, events: &mut Vec<Event>) -> Result<(), String> {
    let inside = &written[1..written.len() - 1];
    if let Some(name) = inside.strip_prefix('/') {
        match Tag::from_name(name) {
            None => push_text(events, written),
            Some(tag) => events.push(Event::Close(tag)),
        }
        return Ok(());
    }
    let (inside, is_void) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
    let name_end = inside.find(is_space).unwrap_or(inside.len());
    if !attributes_end(&inside[name_end..]) {
        return Err(format!("quote without an end: {written:?}"));
    }
    match Tag::from_name(&inside[..name_end]) {
        None => push_text(events, written),
        Some(tag) => {
            events.push(Event::Open(tag));
            events.extend(is_void.then_some(Event::Close(tag)));
        }
    }
    Ok(())
}

/// Whether every quoted value of a tag ends.
fn attributes_end(attributes: &str) -> bool {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(is_space);
        let Some(first) = rest.chars().next() else { return true };
        let after_name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_:-".contains(c));
        if after_name.len() == rest.len() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        rest = after_name.trim_start_matches(is_space);
        let Some(value) = rest.strip_prefix('=') else { continue };
        let value = value.trim_start_matches(is_space);
        rest = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => match after_quote(&value[1..], quote) {
                Some(after) => after,
                None => return false,
            },
            _ => &value[value.find(is_space).unwrap_or(value.len())..],
        };
    }
}

/// The text after the quote that ends a value. A `\` before a quote skips both.
fn after_quote(value: &str, quote: char) -> Option<&str> {
    let mut rest = value;
    loop {
        let first = rest.chars().next()?;
        if first == quote {
            return Some(&rest[1..]);
        }
        let is_escape = first == '\\' && rest[1..].starts_with(['"', '\'']);
        rest = &rest[if is_escape { 2 } else { first.len_utf8() }..];
    }
}

fn is_space(c: char) -> bool {
    " \t\n\u{b}\u{c}\r".contains(c)
}

fn push_text(events: &mut Vec<Event>, text: &str) {
    match events.last_mut() {
        Some(Event::Text(last)) => last.push_str(text),
        _ => events.push(Event::Text(text.to_owned())),
    }
}
