//! A syntax tree to what it means.

use std::borrow::Cow;

use super::attribute_reader::AttributeReader;
use super::layout::{BodyKind, Piece, body_kind, carried_data, is_call, lay_out};
use super::{
    Block, Body, Declaration, Document, Field, Message, OutputHint, Part, Reasoning, Role, ToolCall, ToolResponse,
};
use crate::diagnostic::{Diagnostics, Problem};
use crate::element::Tag;
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;
use crate::syntax::{Attribute, Element, Node, is_whitespace};

/// What the nodes of a whole document mean.
pub fn lower<'s>(nodes: &[Node<'s>], whitespace: Whitespace, diagnostics: &mut Diagnostics) -> Document<'s> {
    let mut lowering = Lowering { whitespace, diagnostics };
    let blocks = nodes.iter().filter_map(|node| match node {
        Node::Element(element) => lowering.block(element).map(|block| Spanned::new(block, element.opening)),
        Node::Comment(comment) => lowering.comment(*comment).map(|block| Spanned::new(block, comment.span)),
        Node::Text(_) | Node::Raw(_) => None,
    });
    Document { blocks: blocks.collect() }
}

/// What the nodes of a file mean that is imported into a body. Blocks have no place there.
pub fn lower_body<'s>(nodes: Vec<Node<'s>>, whitespace: Whitespace, diagnostics: &mut Diagnostics) -> Body<'s> {
    let is_block = |node: &Node<'s>| matches!(node, Node::Element(element) if !element.tag.is_inline());
    let (blocks, inline): (Vec<_>, Vec<_>) = nodes.into_iter().partition(is_block);
    for block in blocks {
        if let Node::Element(element) = block {
            diagnostics.report(Problem::BlockInImportedBody(element.tag), element.name_span());
        }
    }
    Lowering { whitespace, diagnostics }.body(BodyKind::Message, &inline)
}

pub(super) struct Lowering<'f> {
    pub(super) whitespace: Whitespace,
    pub(super) diagnostics: &'f mut Diagnostics,
}

impl Lowering<'_> {
    fn block<'s>(&mut self, element: &Element<'s>) -> Option<Block<'s>> {
        let mut attributes = AttributeReader::new(element, self.diagnostics);
        let block = match element.tag {
            Tag::User => Block::Message(self.message(Role::User, element, attributes)),
            Tag::Assistant => Block::Message(self.message(Role::Assistant, element, attributes)),
            Tag::System => Block::Message(self.message(Role::System, element, attributes)),
            Tag::Developer => Block::Message(self.message(Role::Developer, element, attributes)),
            Tag::Msg => return self.msg(element, attributes),
            Tag::ToolCall => Block::ToolCall(self.tool_call(element, attributes)),
            Tag::ToolResponse => Block::ToolResponse(self.tool_response(element, attributes)),
            Tag::Reasoning => Block::Reasoning(self.reasoning(element, attributes)),
            Tag::Config | Tag::Tool | Tag::Script | Tag::ShellAccess | Tag::ModeratorRuntime => {
                self.report_inside(&element.children);
                Block::Declaration(declaration(element))
            }
            Tag::Import => {
                let import = self.import(element, &mut attributes)?;
                Block::Import(import)
            }
            Tag::Img | Tag::Doc | Tag::Agent | Tag::Summary => {
                self.diagnostics.report(Problem::InlineAtTopLevel(element.tag), element.name_span());
                return None;
            }
        };
        Some(block)
    }

    fn comment<'s>(&mut self, comment: Spanned<&'s str>) -> Option<Block<'s>> {
        match carried_data(comment.value) {
            None | Some(("allow", _)) => Some(Block::Comment(comment.value.into())),
            Some(("item", json)) => Some(Block::Item(json.into())),
            Some(("request", json)) => Some(Block::Request(json.into())),
            Some(_) => {
                self.report_carried(comment);
                None
            }
        }
    }

    /// `<msg>` by its role and its other attributes.
    fn msg<'s>(&mut self, element: &Element<'s>, mut attributes: AttributeReader<'s>) -> Option<Block<'s>> {
        let role = attributes.required("role", self.diagnostics);
        let block = match role.as_ref() {
            "assistant" | "tool" if is_call(&element.attributes) => {
                attributes.flag("tool_call");
                attributes.flag("function_call");
                Block::ToolCall(self.tool_call(element, attributes))
            }
            "tool" => Block::ToolResponse(self.tool_response(element, attributes)),
            name => {
                let Some(role) = Role::from_name(name) else {
                    if let Some(attribute) = element.attributes.get("role").filter(|role| role.value.is_some()) {
                        self.diagnostics.report(Problem::UnknownRole(name.to_owned()), attribute.span);
                    }
                    return None;
                };
                Block::Message(self.message(role, element, attributes))
            }
        };
        Some(block)
    }

    fn message<'s>(&mut self, role: Role, element: &Element<'s>, mut attributes: AttributeReader<'s>) -> Message<'s> {
        let id = attributes.field("id");
        let status = attributes.field("status");
        let phase = attributes.field("phase");
        if let (Field::Absent, Some(status)) = (&id, element.attributes.get("status")) {
            self.diagnostics.report(Problem::StatusWithoutId, status.span);
        }
        let logprobs =
            if role == Role::Assistant { attributes.list("logprobs", self.diagnostics) } else { Field::Absent };
        let is_prompt = matches!(role, Role::System | Role::Developer);
        let instructions = is_prompt && attributes.flag("instructions");
        let (fields, body) = self.body_with_fields(element);
        if role == Role::Assistant {
            let is_text = |part: &Part| part.is_text() || matches!(part, Part::Metadata(_));
            self.report_parts(element.tag, &body, is_text);
        }
        let extra = attributes.extra(self.diagnostics);
        Message { role, id, status, phase, logprobs, instructions, extra, fields, body }
    }

    fn tool_call<'s>(&mut self, element: &Element<'s>, mut attributes: AttributeReader<'s>) -> ToolCall<'s> {
        let kind = attributes.tool_kind(&["function_call"], &["custom_tool_call"], self.diagnostics);
        let name = attributes.required("function_name", self.diagnostics);
        let call_id = attributes.required("tool_call_id", self.diagnostics);
        let (id, status) = (attributes.field("id"), attributes.field("status"));
        let (fields, body) = self.body_with_fields(element);
        self.report_parts(element.tag, &body, |part: &Part<'_>| part.is_text());
        let extra = attributes.extra(self.diagnostics);
        ToolCall { kind, name, call_id, id, status, extra, fields, body }
    }

    fn tool_response<'s>(&mut self, element: &Element<'s>, mut attributes: AttributeReader<'s>) -> ToolResponse<'s> {
        let functions = ["function_call", "function_call_output"];
        let kind = attributes.tool_kind(&functions, &["custom_tool_call", "custom_tool_call_output"], self.diagnostics);
        let call_id = attributes.required("tool_call_id", self.diagnostics);
        let (id, status) = (attributes.field("id"), attributes.field("status"));
        let output = match (attributes.take("output"), element.attributes.get("output")) {
            (Some(Attribute { value: Some(value), .. }), _) if value == "text" => Some(OutputHint::Text),
            (Some(Attribute { value: Some(value), .. }), _) if value == "content" => Some(OutputHint::Content),
            (_, Some(attribute)) => {
                self.diagnostics.report(Problem::UnknownOutput, attribute.span);
                None
            }
            (_, None) => None,
        };
        let (fields, body) = self.body_with_fields(element);
        if output == Some(OutputHint::Text) {
            for part in body.iter().filter(|part| !part.value.is_text()) {
                self.diagnostics.report(Problem::PartInTextOutput, part.span);
            }
        }
        let extra = attributes.extra(self.diagnostics);
        ToolResponse { kind, call_id, id, status, output, extra, fields, body }
    }

    fn reasoning<'s>(&mut self, element: &Element<'s>, mut attributes: AttributeReader<'s>) -> Reasoning<'s> {
        let (id, status) = (attributes.field("id"), attributes.field("status"));
        let encrypted_content = attributes.field("encrypted_content");
        let content = attributes.list("content", self.diagnostics);
        let (fields, body) = self.body_with_fields(element);
        let extra = attributes.extra(self.diagnostics);
        Reasoning { id, status, encrypted_content, content, extra, fields, body }
    }

    /// Reports what cannot stand in a body that is one text.
    fn report_parts(&mut self, tag: Tag, body: &Body<'_>, is_text: impl Fn(&Part<'_>) -> bool) {
        for part in body.iter().filter(|part| !is_text(&part.value)) {
            self.diagnostics.report(Problem::PartInText(tag), part.span);
        }
    }

    /// A body, and the `chatmd:fields` that stand directly behind the opening tag.
    fn body_with_fields<'s>(&mut self, element: &Element<'s>) -> (Option<Spanned<Cow<'s, str>>>, Body<'s>) {
        let kind = body_kind(element.tag, &element.attributes);
        let children = match element.children.as_slice() {
            // Line breaks between the tag and the comment are layout.
            [Node::Text(text), rest @ ..] if self.whitespace == Whitespace::Layout && is_layout(text.value) => rest,
            all => all,
        };
        if let [Node::Comment(comment), rest @ ..] = children
            && let Some(("fields", json)) = carried_data(comment.value)
        {
            return (Some(Spanned::new(json.into(), comment.span)), self.body(kind, rest));
        }
        (None, self.body(kind, &element.children))
    }

    pub(super) fn body<'s>(&mut self, kind: BodyKind, nodes: &[Node<'s>]) -> Body<'s> {
        let mut body: Body<'s> = Vec::new();
        for piece in lay_out(kind, nodes, self.whitespace) {
            self.piece(piece, &mut body);
        }
        body
    }

    /// Adds what a piece of a body means.
    pub(super) fn piece<'s>(&mut self, piece: Piece<'_, 's>, body: &mut Body<'s>) {
        match piece {
            Piece::Text(text) => push_text(body, text.value, text.span),
            Piece::Written(element) => {
                self.report_nested(element);
                push_text(body, element.written.into(), element.span);
            }
            Piece::Inline(element) if element.tag == Tag::Summary => self.summaries(element, body),
            Piece::Inline(element) => {
                if let Some(part) = self.part(element) {
                    body.push(Spanned::new(part, element.opening));
                }
            }
            Piece::Metadata(comment) => match carried_data(comment.value) {
                Some(("part", json)) => {
                    body.push(Spanned::new(Part::Metadata(json.into()), comment.span));
                }
                _ => self.report_carried(comment),
            },
        }
    }

    /// Reports an element that is text where it stands.
    fn report_nested(&mut self, element: &Element) {
        match element.tag {
            Tag::ToolCall | Tag::ToolResponse => {
                self.diagnostics.report(Problem::NestedToolTrace(element.tag), element.name_span());
            }
            Tag::Img | Tag::Doc | Tag::Agent | Tag::Import | Tag::Summary | Tag::Script => {}
            Tag::User
            | Tag::Assistant
            | Tag::System
            | Tag::Developer
            | Tag::Msg
            | Tag::Reasoning
            | Tag::Config
            | Tag::Tool
            | Tag::ShellAccess
            | Tag::ModeratorRuntime => {
                self.diagnostics.report(Problem::NestedBlock(element.tag), element.name_span());
            }
        }
        self.report_inside(&element.children);
    }

    /// Reports what can stand nowhere inside an element whose content is not looked at.
    pub(super) fn report_inside(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Element(element) => {
                    if matches!(element.tag, Tag::ToolCall | Tag::ToolResponse) {
                        self.diagnostics.report(Problem::NestedToolTrace(element.tag), element.name_span());
                    }
                    self.report_inside(&element.children);
                }
                Node::Comment(comment) => self.report_carried(*comment),
                Node::Text(_) | Node::Raw(_) => {}
            }
        }
    }

    /// Reports a comment that carries data where none can stand.
    pub(super) fn report_carried(&mut self, comment: Spanned<&str>) {
        if let Some((kind, _)) = carried_data(comment.value).filter(|(kind, _)| *kind != "allow") {
            self.diagnostics.report(Problem::MisplacedDirective { kind: kind.to_owned() }, comment.span);
        }
    }
}

/// Whether a text between a tag and what follows is only there for the eye.
fn is_layout(text: &str) -> bool {
    text.contains('\n') && text.trim_matches(is_whitespace).is_empty()
}

fn push_text<'s>(body: &mut Body<'s>, text: Cow<'s, str>, span: Span) {
    if let Some(Spanned { value: Part::Text(last), span: last_span }) = body.last_mut() {
        last.to_mut().push_str(&text);
        *last_span = last_span.to(span);
    } else {
        body.push(Spanned::new(Part::Text(text), span));
    }
}

fn declaration<'s>(element: &Element<'s>) -> Declaration<'s> {
    let is_void = element.written.ends_with("/>") && element.span == element.opening;
    let inner = element.opening.end - element.span.start..element.written.len();
    let body = element.written.get(inner).and_then(|rest| rest.rfind("</").map(|end| &rest[..end]));
    let body = body.filter(|_| !is_void).map(Cow::Borrowed);
    Declaration { tag: element.tag, attributes: element.attributes.clone(), body }
}
