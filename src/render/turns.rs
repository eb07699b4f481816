//! The turns of a conversation, and the text between them.

use super::Renderer;
use super::html::Html;
use super::outline::Entry;
use crate::document::{
    Block, Body, DataComment, DataKind, Declaration, DeclarationBody, Directive, Document, Field, ItemElement,
    ItemKind, JsonText, Part, Role,
};
use crate::element::Tag;
use crate::json::{Json, Object, StringArena};
use crate::responses::size;
use crate::source::{Span, Spanned};
use crate::syntax::Attribute;
use crate::transcript::turns;

/// How much of a turn the outline shows.
const MAX_ENTRY_LENGTH: usize = 60;
/// How much of a folded turn is shown next to its name.
pub(super) const MAX_PREVIEW_LENGTH: usize = 140;
const MAX_STATUS_LENGTH: usize = 40;

/// Whether a turn is folded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    /// It cannot be folded.
    Never,
    /// Until the reader opens it.
    Closed,
    /// Only if the reader folds it.
    Open,
}

/// The head of a turn.
pub(super) struct Unit<'t> {
    pub(super) anchor: usize,
    pub(super) class: &'static str,
    pub(super) name: &'t str,
    pub(super) badges: &'t [&'t str],
    /// The part that is shown while it is folded.
    pub(super) preview: &'t str,
    pub(super) fold: Fold,
}

impl Renderer<'_, '_> {
    /// All turns in order. The output of a call is shown with the call.
    pub(super) fn turns(&mut self, document: &Document<'_>) {
        for turn in turns(document).iter().filter(|turn| !turn.is_placeholder && !turn.is_output_of_call) {
            self.block(turn.block, turn.output);
        }
    }

    fn block(&mut self, block: &Spanned<Block<'_>>, output: Option<&Spanned<Block<'_>>>) {
        match &block.value {
            Block::Element(element) => match element.kind {
                ItemKind::Message(_) if is_blank_message(element) => {}
                ItemKind::Message(role) => self.message(role, element),
                ItemKind::ToolCall(kind) => self.tool_call(kind, element, output),
                ItemKind::ToolResponse(_) => self.lone_response(element),
                ItemKind::Reasoning => self.reasoning(element, block.span),
            },
            Block::Declaration(declaration) => self.declaration(declaration),
            Block::Import(import) => self.media(import, None, block.span),
            Block::Data(DataComment { kind, json }) => match kind {
                DataKind::Item | DataKind::ItemFiles => self.item(&json.value, block.span, output),
                DataKind::Foreign => self.item(&json.value, block.span, None),
                // The header has them.
                DataKind::Request => {}
            },
            Block::Comment(text) => self.comment(text),
        }
    }

    fn message(&mut self, role: Role, message: &ItemElement<'_>) {
        let (name, class, fold) = match role {
            Role::User => ("User", "user", Fold::Never),
            Role::Assistant => ("Assistant", "assistant", Fold::Never),
            Role::System => ("System", "system", Fold::Closed),
            Role::Developer => ("Developer", "developer", Fold::Closed),
        };
        let (start, anchor) = (self.start_of(&message.body), self.new_anchor());
        let (body, ()) = self.separately(|page| page.body(&page.pieces.of_body(&message.body), Some(role)));
        let status = message.attributes.text("status").filter(|status| *status != "completed");
        let badges: Vec<&str> = status.into_iter().chain(message.attributes.labels()).collect();
        self.unit(&Unit { anchor, class, name, badges: &badges, preview: &start, fold }, &body);
        let text = self.line(&start, MAX_ENTRY_LENGTH);
        self.outline.push(Entry { anchor, role: Some(class), text });
    }

    fn reasoning(&mut self, reasoning: &ItemElement<'_>, span: Span) {
        let is_sealed_field = |fields: &Spanned<JsonText<'_>>| fields.value.contains("encrypted_content");
        let sealed = reasoning.attributes.text("encrypted_content").or_else(|| reasoning.attributes.text("redacted"));
        let has_sealed = sealed.is_some() || reasoning.fields.as_ref().is_some_and(is_sealed_field);
        if has_sealed {
            self.cannot_check_source(span, "encrypted reasoning", "");
        }
        let anchor = self.new_anchor();
        let (body, ()) =
            self.separately(|page| page.body(&page.pieces.of_body(&reasoning.body), Some(Role::Assistant)));
        let preview = self.start_of(&reasoning.body);
        let note = sealed.map(|sealed| format!("encrypted, {}", size(sealed.len()))).unwrap_or_default();
        let (class, name, fold) = ("reasoning", "Reasoning", Fold::Closed);
        self.unit(&Unit { anchor, class, name, badges: &[&note], preview: &preview, fold }, &body);
    }

    /// Writes a turn. A turn without a body cannot be folded. The title of the page has the level above the headings. The link
    /// to the turn itself is in the body, because a link in a `<summary>` cannot be reached.
    pub(super) fn unit(&mut self, unit: &Unit<'_>, body: &Html) {
        let (open, after_head, close) = match (unit.fold, body.is_empty()) {
            (Fold::Never, _) => ("<article class=\"turn {}\" id=\"item-{}\">", "", "</article>\n"),
            (Fold::Open | Fold::Closed, true) => {
                ("<div class=\"turn {}\" id=\"item-{}\"><div class=\"summary\">", "", "</div></div>\n")
            }
            (Fold::Open, false) => {
                ("<details class=\"turn {}\" id=\"item-{}\" open><summary>", "</summary>", "</details>\n")
            }
            (Fold::Closed, false) => {
                ("<details class=\"turn {}\" id=\"item-{}\"><summary>", "</summary>", "</details>\n")
            }
        };
        self.html.write(open, &[&unit.class, &unit.anchor]);
        self.html.write("<h2>{}</h2>", &[&unit.name]);
        unit.badges.iter().filter(|badge| !badge.is_empty()).for_each(|badge| self.badge(badge));
        if !unit.preview.is_empty() && unit.fold != Fold::Never {
            self.html.write("<span class=\"peek\">{}</span>", &[&unit.preview]);
        }
        self.html.markup(after_head);
        self.html.write("<a class=\"anchor\" href=\"#item-{}\">#{}</a>\n", &[&unit.anchor, &unit.anchor]);
        if unit.fold == Fold::Never || !body.is_empty() {
            self.html.markup("<div class=\"body\" dir=\"auto\">\n");
            self.html.append(body);
            self.html.markup("</div>");
        }
        self.html.markup(close);
    }

    pub(super) fn badge(&mut self, text: &str) {
        let is_error = ["error", "failed"].contains(&text);
        let text = self.line(text, MAX_STATUS_LENGTH);
        let class = if is_error { "badge error" } else { "badge" };
        self.html.write("<span class=\"{}\">{}</span>", &[&class, &text]);
    }

    /// Declarations for the host of the conversation, and settings that change. The header has the first settings and the tools.
    fn declaration(&mut self, declaration: &Declaration<'_>) {
        if declaration.update.is_some() {
            let setting = |attribute: &Attribute<'_>| {
                format!("{}: {}", attribute.name, attribute.value.as_deref().unwrap_or_default())
            };
            let settings: Vec<String> = declaration.attributes.0.iter().map(setting).collect();
            return self.aside("Settings", &settings.join("\n"));
        }
        let name = match declaration.tag {
            Tag::Script => "Script",
            Tag::ShellAccess => "Shell access",
            Tag::ModeratorRuntime => "Moderator",
            _ => return,
        };
        let text = declaration.body.as_ref().map(DeclarationBody::text).unwrap_or_default();
        self.aside(name, &text);
    }

    /// Text that is not part of the conversation.
    fn aside(&mut self, name: &'static str, text: &str) {
        let anchor = self.new_anchor();
        let (body, ()) = self.separately(|renderer| {
            if !text.trim().is_empty() {
                renderer.output_text(text);
            }
        });
        self.unit(&Unit { anchor, class: "aside", name, badges: &[], preview: "", fold: Fold::Closed }, &body);
    }

    /// A comment for people. Its directives for `check` are left out.
    fn comment(&mut self, text: &str) {
        if Directive::parse(text).is_some() {
            return;
        }
        let text = self.prepared(text).into_owned();
        let strings = StringArena::default();
        let (words, members) = about_session(&text, &strings).unwrap_or((text.trim(), Object::default()));
        self.html.write("<p class=\"comment\">{}</p>\n", &[&words]);
        if members.is_empty() {
            return;
        }
        self.html.markup("<table class=\"session\">\n");
        for (key, value) in members.iter() {
            let value = value.as_str().unwrap_or_else(|_| value.compact());
            self.html.write("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", &[&key, &value]);
        }
        self.html.markup("</table>\n");
    }

    /// How a body starts, on one line.
    fn start_of(&mut self, body: &Body<'_>) -> String {
        let text = first_text(body);
        self.plain_line(text, MAX_PREVIEW_LENGTH)
    }
}

/// Whether a message has nothing to show: only white space.
fn is_blank_message(message: &ItemElement<'_>) -> bool {
    let is_blank = |part: &Spanned<Part<'_>>| matches!(&part.value, Part::Text(text) if text.trim().is_empty());
    let is_complete = match message.attributes.get("status") {
        Field::Text(status) => status == "completed",
        Field::Absent | Field::Null => true,
    };
    is_complete && message.body.iter().all(is_blank)
}

/// The words and the members of the comment that `from-response` writes about a session.
fn about_session<'t>(text: &'t str, strings: &'t StringArena) -> Option<(&'t str, Object<'t>)> {
    let at = text.find(" session {")? + " session".len();
    let members = Json::parse(text[at..].trim(), strings).ok()?.object().ok()?;
    Some((text[..at].trim(), members))
}

fn first_text<'b>(body: &'b Body<'_>) -> &'b str {
    let text = body.iter().find_map(|part| match &part.value {
        Part::Text(text) if !text.trim().is_empty() => Some(text.as_ref()),
        Part::Summary(summary) => Some(summary.text.as_ref()),
        Part::Text(_) | Part::Media(_) | Part::Metadata(_) => None,
    });
    text.unwrap_or_default()
}
