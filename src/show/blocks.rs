//! How each kind of block is shown.

use anstyle::{AnsiColor, Style};

use super::body::text_size;
use super::clean::clean;
use super::marker::{attributes, media};
use super::page::Page;
use super::styled::Styled;
use crate::convert::describe_usage;
use crate::document::{
    Block, DataKind, Declaration, Directive, DirectiveKind, Field, Fields, ItemElement, ItemKind, JsonText, Part,
    ResponseKind, Role,
};
use crate::json::{Json, StringArena};
use crate::resources::media::short_hash;
use crate::responses::size;
use crate::source::Spanned;
use crate::syntax::write::{Opening, close};
use crate::transcript::{Pieces, Shown, Turn, all, known};

pub(super) const DIM: Style = Style::new().dimmed();
const MAX_NAME_LENGTH: usize = 100;
pub(super) const TOOL: Style = AnsiColor::Blue.on_default();

/// Shows the blocks of a document.
pub(super) struct Blocks<'d> {
    pub(super) page: Page,
    pub(super) pieces: Pieces<'d>,
    pub(super) renders_markdown: bool,
    pub(super) full: bool,
    pub(super) exact: bool,
}

impl Blocks<'_> {
    /// Whether a block takes more than one line, so that blank lines separate it from others.
    pub(super) fn is_tall(&self, block: &Block<'_>) -> bool {
        match block {
            Block::Element(element) => element.role().is_some() || self.full,
            Block::Data(data) => data.kind != DataKind::Request && self.full && !self.exact,
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => false,
        }
    }

    pub(super) fn turn(&mut self, turn: &Turn<'_, '_>) {
        match &turn.block.value {
            Block::Element(element) => match element.kind {
                ItemKind::Message(role) => self.message(role, element),
                ItemKind::ToolCall(_) => self.tool_call(element),
                ItemKind::ToolResponse(kind) => self.tool_response(kind, element, turn.call),
                ItemKind::Reasoning => self.reasoning(element),
            },
            Block::Declaration(declaration) => self.declaration(declaration),
            Block::Import(import) => self.marker(&media(import, None, self.exact)),
            Block::Data(data) if data.kind == DataKind::Request => self.aside(&data.directive().to_string()),
            Block::Data(data) => self.item(data.directive()),
            Block::Comment(text) => match describe_usage(text).filter(|_| !self.full) {
                Some(usage) => self.aside(&usage),
                None => self.aside(&format!("<!--{text}-->")),
            },
        }
    }

    fn message(&mut self, role: Role, message: &ItemElement<'_>) {
        let color = match role {
            Role::User => AnsiColor::Green,
            Role::Assistant => AnsiColor::Cyan,
            Role::System | Role::Developer => AnsiColor::Yellow,
        };
        self.page.write(role.name(), color.on_default().bold());
        self.unusual_status(&message.attributes);
        for label in message.attributes.labels().filter(|_| !self.exact) {
            self.page.write(&clean_line(&format!(" {label}")), DIM);
        }
        if message.attributes.has("instructions") {
            self.page.write(" instructions", DIM);
        }
        self.attributes(message, &["instructions"]);
        self.page.end_line();
        self.fields(message.fields.as_ref());
        self.body(&self.pieces.of_body(&message.body), Style::new());
    }

    fn tool_call(&mut self, call: &ItemElement<'_>) {
        self.page.write(&clean_line(&format!("→ {}", call.tool_name())), TOOL);
        self.unusual_status(&call.attributes);
        self.attributes(call, &[]);
        let pieces = self.pieces.of_body(&call.body);
        self.opened_or_folded(&self.text(&pieces), text_size(&pieces).0);
        self.fields(call.fields.as_ref());
    }

    fn tool_response(&mut self, kind: ResponseKind, response: &ItemElement<'_>, call: Option<&Spanned<Block<'_>>>) {
        let name = match kind {
            ResponseKind::Tool(_) => match call.and_then(|call| call.value.element()) {
                Some(call) => call.tool_name(),
                None => response.call_id().or(response.attributes.text("name")).unwrap_or_default(),
            },
            ResponseKind::Computer => "computer",
            ResponseKind::Shell => "shell",
            ResponseKind::ApplyPatch => "apply_patch",
            ResponseKind::Approval => "mcp",
        };
        let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
        self.page.write(&clean_line(&format!("← {name}")), TOOL);
        self.unusual_status(&response.attributes);
        if response.has_failed() && !self.exact {
            self.page.write(" error", AnsiColor::Red.on_default());
        }
        self.attributes(response, &[]);
        let pieces = self.pieces.of_output(response);
        let is_text = matches!(pieces.as_slice(), [Spanned { value: Shown::Text(_), .. }]);
        if let (true, false, [Spanned { value: Part::Text(_), .. }]) = (self.exact, is_text, response.body.as_slice()) {
            self.page.write(&format!(" parts={}", pieces.len()), DIM);
        }
        // The marker of each image and file has its size.
        let size = Some(text_size(&pieces)).filter(|(_, is_all)| *is_all).map_or(0, |(size, _)| size);
        self.opened_or_folded(&self.text(&pieces), size);
        self.fields(response.fields.as_ref());
    }

    fn reasoning(&mut self, reasoning: &ItemElement<'_>) {
        self.page.write("reasoning", DIM);
        let attributes = &reasoning.attributes;
        self.unusual_status(attributes);
        let sealed_field = reasoning.fields.as_ref().and_then(|fields| only_encrypted(&fields.value));
        let redacted = || attributes.text("redacted").filter(|_| !self.exact);
        if let Some(sealed) = attributes.text("encrypted_content").or(sealed_field.as_deref()).or_else(redacted) {
            let hash = if self.exact { format!(" #{}", short_hash(sealed.as_bytes())) } else { String::new() };
            self.page.write(&format!(" (encrypted, {}{hash})", size(sealed.len())), DIM);
        } else if let Some(path) = attributes.text("encrypted_src") {
            self.page.write(&clean_line(&format!(" (encrypted, {path})")), DIM);
        }
        if let Some(issuer) = attributes.text("issuer") {
            self.page.write(&clean_line(&format!(" ({issuer})")), DIM);
        }
        for name in ["signature", "redacted"] {
            if let (Some(value), true) = (attributes.text(name), self.exact) {
                self.page.write(&format!(" {name}=#{}", short_hash(value.as_bytes())), DIM);
            }
        }
        let shown_fields = reasoning.fields.as_ref().filter(|_| sealed_field.is_none());
        let has_null = *attributes.get("encrypted_content") == Field::Null;
        let sealed = if has_null { "encrypted_src" } else { "encrypted_content" };
        let hidden = [sealed, "encrypted_src", "issuer", "signature", "redacted"];
        self.attributes(reasoning, &hidden);
        let pieces = self.pieces.of_body(&reasoning.body);
        if self.full {
            self.page.end_line();
            self.fields(shown_fields);
            self.body(&pieces, DIM);
            return;
        }
        self.page.write("  ", Style::new());
        self.page.fold(&clean(&self.text(&pieces)), DIM, "");
        self.page.end_line();
        self.fields(shown_fields);
    }

    /// A declaration with its body, on one line.
    fn declaration(&mut self, declaration: &Declaration<'_>) {
        let mut tag = String::new();
        let mut opening = Opening::new(&mut tag, declaration.tag);
        opening.attributes(&declaration.attributes);
        match &declaration.body {
            None => opening.end_void(),
            Some(body) => {
                opening.end();
                tag.push_str(&body.text());
                close(&mut tag, declaration.tag);
            }
        }
        self.aside(&tag);
    }

    /// Content that is not part of the conversation.
    pub(super) fn aside(&mut self, text: &str) {
        let text = clean(text);
        if !self.full {
            self.page.indent();
            self.page.fold(&text, DIM, "");
            self.page.end_line();
            return;
        }
        let (first, rest) = text.split_once('\n').map_or((text.as_ref(), None), |(first, rest)| (first, Some(rest)));
        self.page.lines(&Styled::fixed(first, DIM));
        if let Some(rest) = rest {
            // Indented like a body, so that no line looks like a header.
            self.page.open_body();
            self.page.lines(&Styled::fixed(rest, DIM));
            self.page.close_body();
        }
    }

    fn fields(&mut self, fields: Option<&Spanned<JsonText<'_>>>) {
        if let Some(fields) = fields {
            self.page.open_body();
            let comment = Directive { kind: DirectiveKind::Fields, data: &fields.value };
            self.aside(&comment.to_string());
            self.page.close_body();
        }
    }

    /// All attributes of a block, if everything has to be shown.
    fn attributes(&mut self, element: &ItemElement<'_>, hidden: &[&str]) {
        if self.exact {
            let kind = element.kind.type_attribute().map(|kind| format!(" type={kind}")).unwrap_or_default();
            let call_id = element.call_id().map(|call_id| format!(" call_id={call_id}")).unwrap_or_default();
            // A call begins with its name.
            let hidden = [hidden, &["function_name", "tool_call_id"]].concat();
            let known = known(&element.attributes).filter(|(name, _)| !hidden.contains(name));
            let shown = attributes(known.chain(all(&element.extra)));
            self.page.write(&clean_line(&[kind, call_id, shown].concat()), DIM);
        }
    }

    /// A status other than `completed`, and the id of the item.
    fn unusual_status(&mut self, attributes: &Fields<'_>) {
        let Some(status) = attributes.text("status") else { return };
        if status != "completed" && !self.exact {
            let id = attributes.text("id").unwrap_or_default();
            self.page.write(&clean_line(&format!(" {status} {id}")), AnsiColor::Red.on_default());
        }
    }

    /// The rest of a header, and a text on the same line or on the lines after it.
    fn opened_or_folded(&mut self, text: &str, bytes: usize) {
        let text = clean(text);
        let size = if bytes > 0 { format!("  {}", size(bytes)) } else { String::new() };
        if !self.full {
            self.page.write(" ", Style::new());
            self.page.fold(&text, Style::new(), &size);
            self.page.end_line();
            return;
        }
        self.page.write(&size, DIM);
        self.page.end_line();
        self.below(&text, Style::new());
    }

    /// The lines of a text below a header.
    pub(super) fn below(&mut self, text: &str, style: Style) {
        let text = text.trim_end().trim_start_matches('\n');
        if !text.is_empty() {
            self.page.open_body();
            self.page.lines(&Styled::fixed(text, style));
            self.page.close_body();
        }
    }
}

/// The encrypted reasoning of fields that hold nothing else.
fn only_encrypted(fields: &str) -> Option<String> {
    let strings = StringArena::default();
    let mut members = Json::parse(fields, &strings).and_then(Json::object).ok()?;
    let sealed = members.get_str("encrypted_content")?.into_owned();
    members.take("encrypted_content");
    members.is_empty().then_some(sealed)
}

/// A text without control characters, on one line.
pub(super) fn clean_line(text: &str) -> String {
    clean(text).trim_end().replace('\n', " ")
}
