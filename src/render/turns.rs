//! The turns of a conversation, and the text between them.

use std::borrow::Cow;

use super::Renderer;
use super::html::Html;
use super::outline::{Entry, EntryKind};
use crate::document::{
    Block, Body, DataComment, DataKind, Declaration, DeclarationBody, Directive, Document, Field, ItemElement,
    ItemKind, Part, Role,
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

/// A turn that can be folded.
pub(super) struct Unit<'t> {
    pub(super) anchor: usize,
    pub(super) class: &'static str,
    pub(super) name: &'t str,
    pub(super) badges: &'t [&'t str],
    /// The part that is shown while it is folded.
    pub(super) peek: &'t str,
    pub(super) is_open: bool,
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
                ItemKind::ToolResponse(_) => self.lone_response(element, block.span),
                ItemKind::Reasoning => self.reasoning(element, block.span),
            },
            Block::Declaration(declaration) => self.declaration(declaration),
            Block::Import(import) => self.chip("import", &import.path, "not found"),
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
        let (name, class) = match role {
            Role::User => ("User", "user"),
            Role::Assistant => ("Assistant", "assistant"),
            Role::System => ("System", "system"),
            Role::Developer => ("Developer", "developer"),
        };
        let start = self.start_of(&message.body);
        let is_folded = matches!(role, Role::System | Role::Developer);
        self.html.markup(if is_folded { "<details class=\"turn " } else { "<article class=\"turn " });
        self.html.markup(class);
        self.html.markup("\"");
        let anchor = self.new_anchor();
        self.id(anchor);
        self.html.markup(">");
        if is_folded {
            self.html.markup("<summary>");
        }
        self.heading(name);
        self.badge(message.attributes.get("status"));
        for label in message.attributes.labels() {
            self.badge_text(label);
        }
        if is_folded {
            self.peek(&start);
            self.html.markup("</summary>");
        }
        self.anchor_link(anchor);
        self.html.markup("<div class=\"body\" dir=\"auto\">\n");
        self.message_body(&message.body, role);
        self.html.markup(if is_folded { "</div></details>\n" } else { "</div></article>\n" });
        let start = self.line(&start, MAX_ENTRY_LENGTH);
        self.outline.push(Entry { anchor, kind: EntryKind::Message(class, start) });
    }

    fn reasoning(&mut self, reasoning: &ItemElement<'_>, span: Span) {
        let is_sealed_field = |fields: &Spanned<Cow<'_, str>>| fields.value.contains("encrypted_content");
        let sealed = reasoning.attributes.text("encrypted_content").or_else(|| reasoning.attributes.text("redacted"));
        let has_sealed = sealed.is_some() || reasoning.fields.as_ref().is_some_and(is_sealed_field);
        if has_sealed && self.options.has_source {
            self.cannot_check(span, "encrypted reasoning", "");
        }
        let anchor = self.new_anchor();
        let body = self.separately(|renderer| renderer.message_body(&reasoning.body, Role::Assistant));
        let peek = self.start_of(&reasoning.body);
        let note = sealed.map(|sealed| format!("encrypted, {}", size(sealed.len()))).unwrap_or_default();
        let unit =
            Unit { anchor, class: "reasoning", name: "Reasoning", badges: &[&note], peek: &peek, is_open: false };
        self.unit(&unit, &body);
    }

    /// Writes a turn that can be folded, if it has a body.
    pub(super) fn unit(&mut self, unit: &Unit<'_>, body: &Html) {
        let is_empty = body.is_empty();
        self.html.markup(if is_empty { "<div class=\"turn " } else { "<details class=\"turn " });
        self.html.markup(unit.class);
        self.html.markup("\"");
        self.id(unit.anchor);
        self.html.markup(match (is_empty, unit.is_open) {
            (true, _) => "><div class=\"summary\">",
            (false, true) => " open><summary>",
            (false, false) => "><summary>",
        });
        self.heading(unit.name);
        for badge in unit.badges.iter().filter(|badge| !badge.is_empty()) {
            self.badge_text(badge);
        }
        self.peek(unit.peek);
        if is_empty {
            self.anchor_link(unit.anchor);
            self.html.markup("</div></div>\n");
        } else {
            self.html.markup("</summary>");
            self.anchor_link(unit.anchor);
            self.html.markup("<div class=\"body\" dir=\"auto\">\n");
            self.html.append(body);
            self.html.markup("</div></details>\n");
        }
    }

    /// The name of a turn. The title of the page has the level above.
    fn heading(&mut self, name: &str) {
        self.html.text_between("<h2>", name, "</h2>");
    }

    /// A link to the turn itself. If the turn can be folded, the link is in its body, because a link in a `<summary>` cannot be
    /// reached.
    fn anchor_link(&mut self, anchor: usize) {
        self.html.markup("<a class=\"anchor\"");
        self.html.attribute("href", &format!("#item-{anchor}"));
        self.html.markup(">#");
        self.html.number(anchor);
        self.html.markup("</a>\n");
    }

    fn peek(&mut self, text: &str) {
        if !text.is_empty() {
            self.html.text_between("<span class=\"peek\">", text, "</span>");
        }
    }

    /// A status other than `completed`.
    fn badge(&mut self, status: &Field<'_>) {
        if let Field::Text(status) = status
            && status != "completed"
        {
            self.badge_text(status);
        }
    }

    pub(super) fn badge_text(&mut self, text: &str) {
        let is_error = ["error", "failed"].contains(&text);
        self.html.markup(if is_error { "<span class=\"badge error\">" } else { "<span class=\"badge\">" });
        let text = self.line(text, MAX_STATUS_LENGTH);
        self.html.text(&text);
        self.html.markup("</span>");
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
        let body = self.separately(|renderer| {
            if !text.trim().is_empty() {
                renderer.output_text(text);
            }
        });
        self.unit(&Unit { anchor, class: "aside", name, badges: &[], peek: "", is_open: false }, &body);
    }

    /// A comment for people. Its directives for `check` are left out.
    fn comment(&mut self, text: &str) {
        if Directive::parse(text).is_some() {
            return;
        }
        let text = self.prepared(text).into_owned();
        let strings = StringArena::default();
        let (words, members) = about_session(&text, &strings).unwrap_or((text.trim(), Object::default()));
        self.html.text_between("<p class=\"comment\">", words, "</p>\n");
        if members.is_empty() {
            return;
        }
        self.html.markup("<table class=\"session\">\n");
        for (key, value) in members.iter() {
            self.html.text_between("<tr><th scope=\"row\">", key, "</th><td>");
            self.html.text(&value.as_str().unwrap_or_else(|_| value.compact()));
            self.html.markup("</td></tr>\n");
        }
        self.html.markup("</table>\n");
    }
}

impl Renderer<'_, '_> {
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
        Part::Text(_) | Part::Image(_) | Part::Doc(_) | Part::Agent(_) | Part::Import(_) | Part::Metadata(_) => None,
    });
    text.unwrap_or_default()
}
