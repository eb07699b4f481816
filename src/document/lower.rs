//! A syntax tree to a document.

use std::borrow::Cow;

use super::attribute_reader::AttributeReader;
use super::layout::{Piece, lay_out};
use super::{
    Block, Body, Directive, Document, Field, Message, OutputHint, Part, Reasoning, ResponseKind, Role, ToolCall,
    ToolKind, ToolResponse, body_kind, canonical_tag, has_parts,
};
use crate::diagnostic::{Diagnostics, ElementProblem, OutputProblem};
use crate::element::{AttributeKind, BodyKind, Tag};
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;
use crate::syntax::{Attribute, Element, Node, is_blank};

/// The document that the nodes of a whole text mean.
pub fn lower<'s>(nodes: &[Node<'s>], whitespace: Whitespace, diagnostics: &mut Diagnostics) -> Document<'s> {
    let mut lowering = Lowering { whitespace, diagnostics };
    Document { blocks: nodes.iter().filter_map(|node| lowering.node(node)).collect() }
}

/// The body that the nodes of an imported file mean. Block elements in it are errors.
pub fn lower_body<'s>(nodes: Vec<Node<'s>>, whitespace: Whitespace, diagnostics: &mut Diagnostics) -> Body<'s> {
    let is_block = |node: &Node<'s>| matches!(node, Node::Element(element) if !element.tag.is_inline());
    let (blocks, inline): (Vec<_>, Vec<_>) = nodes.into_iter().partition(is_block);
    for block in blocks {
        if let Node::Element(element) = block {
            diagnostics.report(ElementProblem::BlockInImportedBody(element.tag), element.name_span());
        }
    }
    Lowering { whitespace, diagnostics }.body(BodyKind::Message, &inline)
}

pub(super) struct Lowering<'f> {
    pub(super) whitespace: Whitespace,
    pub(super) diagnostics: &'f mut Diagnostics,
}

impl Lowering<'_> {
    /// The block that a node at top level means.
    pub(super) fn node<'s>(&mut self, node: &Node<'s>) -> Option<Spanned<Block<'s>>> {
        match node {
            Node::Element(element) => self.block(element).map(|block| Spanned::new(block, element.opening)),
            Node::Comment(comment) => self.comment(*comment).map(|block| Spanned::new(block, comment.span)),
            Node::Text(_) | Node::Raw(_) => None,
        }
    }

    fn block<'s>(&mut self, element: &Element<'s>) -> Option<Block<'s>> {
        let block = match canonical_tag(element.tag, &element.attributes) {
            Tag::User => Block::Message(self.message(Role::User, element)),
            Tag::Assistant => Block::Message(self.message(Role::Assistant, element)),
            Tag::System => Block::Message(self.message(Role::System, element)),
            Tag::Developer => Block::Message(self.message(Role::Developer, element)),
            Tag::Msg => {
                self.report_role(element);
                return None;
            }
            Tag::ToolCall => Block::ToolCall(self.tool_call(element)),
            Tag::ToolResponse => Block::ToolResponse(self.tool_response(element)),
            Tag::Reasoning => Block::Reasoning(self.reasoning(element)),
            Tag::Config | Tag::Tool | Tag::Script | Tag::ShellAccess | Tag::ModeratorRuntime => {
                // Created only to report repeated attributes.
                AttributeReader::new(element, self.diagnostics);
                self.report_inside(&element.children);
                Block::Declaration(self.declaration(element))
            }
            Tag::Import => Block::Import(self.import(element)?),
            Tag::Img | Tag::Doc | Tag::Agent | Tag::Summary => {
                AttributeReader::new(element, self.diagnostics);
                self.diagnostics.report(ElementProblem::InlineAtTopLevel(element.tag), element.name_span());
                return None;
            }
        };
        Some(block)
    }

    fn comment<'s>(&mut self, comment: Spanned<&'s str>) -> Option<Block<'s>> {
        match Directive::parse(comment.value) {
            None | Some(Directive::Allow(_)) => Some(Block::Comment(comment.value.into())),
            Some(Directive::Item(json)) => Some(Block::Item(json.into())),
            Some(Directive::ItemFiles(json)) => Some(Block::ItemFiles(data_of(comment, json))),
            Some(Directive::Request(json)) => Some(Block::Request(json.into())),
            Some(Directive::Foreign(json)) => Some(Block::Foreign(json.into())),
            Some(directive @ (Directive::Fields(_) | Directive::Part(_) | Directive::Unknown { .. })) => {
                self.report_misplaced(Spanned::new(directive, comment.span));
                None
            }
        }
    }

    /// The attributes of a block. Those that choose the meaning of a `<msg>` are read already.
    fn attributes<'s>(&mut self, element: &Element<'s>) -> AttributeReader<'s> {
        let mut attributes = AttributeReader::new(element, self.diagnostics);
        if element.tag == Tag::Msg {
            attributes.required("role", self.diagnostics);
            if canonical_tag(element.tag, &element.attributes) == Tag::ToolCall {
                attributes.flag("tool_call");
                attributes.flag("function_call");
            }
        }
        attributes
    }

    /// Reports a `<msg>` without a role, or with an unknown one.
    fn report_role(&mut self, element: &Element<'_>) {
        self.attributes(element);
        if let Some(Attribute { value: Some(name), span, .. }) = element.attributes.get("role") {
            self.diagnostics.report(ElementProblem::UnknownRole(name.to_string()), *span);
        }
    }

    fn message<'s>(&mut self, role: Role, element: &Element<'s>) -> Message<'s> {
        let mut attributes = self.attributes(element);
        let known = attributes.fields(&[], self.diagnostics);
        if let (false, Some(status)) = (known.has("id"), element.attributes.get("status")) {
            self.diagnostics.report(ElementProblem::StatusWithoutId, status.span);
        }
        let (fields, body) = self.body_with_fields(element);
        if role == Role::Assistant {
            let is_text = |part: &Part| part.is_text() || matches!(part, Part::Metadata(_));
            self.report_parts(element.tag, &body, is_text);
            self.report_joined(&body);
        }
        let extra = attributes.extra(self.diagnostics);
        Message { role, attributes: known, extra, fields, body }
    }

    fn tool_call<'s>(&mut self, element: &Element<'s>) -> ToolCall<'s> {
        let mut attributes = self.attributes(element);
        let kind = attributes.tool_kind(self.diagnostics);
        let name = attributes.required("function_name", self.diagnostics);
        let call_id = attributes.required("tool_call_id", self.diagnostics);
        let known = attributes.fields(&[], self.diagnostics);
        let (fields, body) = self.body_with_fields(element);
        self.report_parts(element.tag, &body, |part: &Part<'_>| part.is_text());
        self.report_joined(&body);
        let extra = attributes.extra(self.diagnostics);
        ToolCall { kind, name, call_id, attributes: known, extra, fields, body }
    }

    fn tool_response<'s>(&mut self, element: &Element<'s>) -> ToolResponse<'s> {
        let mut attributes = self.attributes(element);
        let kind = attributes.response_kind(self.diagnostics);
        let mut known = attributes.fields(&[], self.diagnostics);
        let is_named = kind == ResponseKind::Tool(ToolKind::Function) && known.has("name");
        let call_id = match attributes.text("tool_call_id") {
            Some(call_id) => Field::Text(call_id),
            None if !is_named => Field::Text(attributes.required("tool_call_id", self.diagnostics)),
            None if attributes.flag("tool_call_id") => Field::Null,
            None => Field::Absent,
        };
        let output = match kind {
            ResponseKind::Tool(_) => self.output_hint(&mut attributes),
            ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch | ResponseKind::Approval => None,
        };
        if let Some(output) = output {
            known.set(Tag::ToolResponse, "output", Field::Text(output.name().into()));
        }
        let (fields, body) = self.body_with_fields(element);
        if !has_parts(&body) {
            self.report_joined(&body);
        }
        match kind {
            ResponseKind::Tool(_) if output == Some(OutputHint::Text) => {
                for part in body.iter().filter(|part| !part.value.is_text()) {
                    self.diagnostics.report(OutputProblem::PartInTextOutput, part.span);
                }
            }
            // A screenshot is checked where it is converted.
            ResponseKind::Tool(_) | ResponseKind::Computer => {}
            ResponseKind::Shell | ResponseKind::ApplyPatch | ResponseKind::Approval => {
                self.report_parts(element.tag, &body, |part: &Part<'_>| part.is_text());
            }
        }
        let extra = attributes.extra(self.diagnostics);
        ToolResponse { kind, call_id, attributes: known, extra, fields, body }
    }

    /// The value of `output=`.
    fn output_hint(&mut self, attributes: &mut AttributeReader<'_>) -> Option<OutputHint> {
        let Attribute { value, span, .. } = attributes.take("output")?;
        let output = value.as_deref().and_then(OutputHint::from_name);
        if output.is_none() {
            self.diagnostics.report(OutputProblem::UnknownOutput, span);
        }
        output
    }

    fn reasoning<'s>(&mut self, element: &Element<'s>) -> Reasoning<'s> {
        let mut attributes = self.attributes(element);
        let known = attributes.fields(&[], self.diagnostics);
        for (file, _) in known.iter().filter(|(row, _)| row.kind == AttributeKind::File) {
            if let Some((text, _)) = known.iter().find(|(row, _)| row.key == file.key && row.name != file.name) {
                let problem = ElementProblem::TwoSources { tag: element.tag, names: [text.name, file.name] };
                self.diagnostics.report(problem, element.name_span());
            }
        }
        let (fields, body) = self.body_with_fields(element);
        let extra = attributes.extra(self.diagnostics);
        Reasoning { attributes: known, extra, fields, body }
    }

    /// Reports attributes of a document whose text joins the text around it: they need a part of their own.
    fn report_joined(&mut self, body: &Body<'_>) {
        for part in body {
            let Part::Doc(doc) = &part.value else { continue };
            for (row, _) in doc.attributes.iter().filter(|_| part.value.is_text()) {
                let problem = ElementProblem::UnknownAttribute { tag: Tag::Doc, name: row.name.to_owned() };
                self.diagnostics.report(problem, part.span);
            }
        }
    }

    /// Reports the parts of a body that must be one text.
    fn report_parts(&mut self, tag: Tag, body: &Body<'_>, is_text: impl Fn(&Part<'_>) -> bool) {
        for part in body.iter().filter(|part| !is_text(&part.value)) {
            self.diagnostics.report(ElementProblem::PartInText(tag), part.span);
        }
    }

    /// A body, and the `chatmd:fields` directly after the opening tag or directly before the closing tag.
    fn body_with_fields<'s>(&mut self, element: &Element<'s>) -> (Option<Spanned<Cow<'s, str>>>, Body<'s>) {
        let kind = body_kind(element.tag, &element.attributes);
        // Line breaks between a tag and the comment are layout.
        let is_break = |node: Option<&Node<'s>>| {
            let is_layout = matches!(node, Some(Node::Text(text)) if is_layout(text.value));
            self.whitespace == Whitespace::Layout && is_layout
        };
        let children = element.children.as_slice();
        let after_opening = if is_break(children.first()) { &children[1..] } else { children };
        let before_closing = if is_break(children.last()) { &children[..children.len() - 1] } else { children };
        let (comment, body) = match (after_opening, before_closing) {
            ([Node::Comment(comment), body @ ..], _) if is_fields(comment.value) => (comment, body),
            (_, [body @ .., Node::Comment(comment)]) if is_fields(comment.value) => (comment, body),
            (_, _) => return (None, self.body(kind, children)),
        };
        let json = match Directive::parse(comment.value) {
            Some(Directive::Fields(json)) => Spanned::new(json.into(), comment.span),
            Some(_) | None => return (None, self.body(kind, children)),
        };
        (Some(json), self.body(kind, body))
    }

    /// The parts of a body.
    pub(super) fn body<'s>(&mut self, kind: BodyKind, nodes: &[Node<'s>]) -> Body<'s> {
        // Most bodies are one text, so memory for more parts is not reserved.
        let mut body: Body<'s> = Vec::with_capacity(usize::from(!nodes.is_empty()));
        for piece in lay_out(kind, nodes, self.whitespace) {
            self.piece(piece, &mut body);
        }
        body
    }

    /// Adds the parts that a piece of a body means.
    pub(super) fn piece<'s>(&mut self, piece: Piece<'_, 's>, body: &mut Body<'s>) {
        match piece {
            Piece::Text(text) => push_text(body, text.value, text.span),
            Piece::Literal(element) => {
                self.report_nested(element);
                push_text(body, element.written.into(), element.span);
            }
            Piece::Inline(element) => self.inline(element, body),
            Piece::Directive(Spanned { value: Directive::Part(json), span }) => {
                body.push(Spanned::new(Part::Metadata(json.into()), span));
            }
            Piece::Directive(directive) => self.report_misplaced(directive),
        }
    }
}

/// The data of a directive with its place.
fn data_of<'s>(comment: Spanned<&'s str>, data: &'s str) -> Spanned<Cow<'s, str>> {
    let start = comment.span.start + "<!--".len() + comment.value.find(data).unwrap_or_default();
    Spanned::new(data.into(), Span::new(comment.span.source, start..start + data.len()))
}

fn is_fields(comment: &str) -> bool {
    matches!(Directive::parse(comment), Some(Directive::Fields(_)))
}

/// Whether the text between an opening tag and a comment is layout.
fn is_layout(text: &str) -> bool {
    is_blank(text) && text.contains('\n')
}

fn push_text<'s>(body: &mut Body<'s>, text: Cow<'s, str>, span: Span) {
    if let Some(Spanned { value: Part::Text(last), span: last_span }) = body.last_mut() {
        last.to_mut().push_str(&text);
        *last_span = last_span.to(span);
    } else {
        body.push(Spanned::new(Part::Text(text), span));
    }
}
