//! A syntax tree to a document.

use std::borrow::Cow;

use super::attribute_reader::AttributeReader;
use super::layout::{Piece, lay_out};
use super::{
    Block, Body, DataComment, Directive, DirectiveKind, Document, Field, Fields, ItemElement, ItemKind, JsonText,
    OutputHint, Part, ResponseKind, Role, ToolKind, body_kind, canonical_tag, has_parts,
};
use crate::diagnostic::{Diagnostics, ElementProblem, OutputProblem};
use crate::element::{AttributeDefinition, AttributeKind, BodyKind, Tag};
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
        let mut attributes = self.attributes(element);
        let kind = match canonical_tag(element.tag, &element.attributes) {
            Tag::User => ItemKind::Message(Role::User),
            Tag::Assistant => ItemKind::Message(Role::Assistant),
            Tag::System => ItemKind::Message(Role::System),
            Tag::Developer => ItemKind::Message(Role::Developer),
            Tag::ToolCall => ItemKind::ToolCall(attributes.tool_kind(self.diagnostics)),
            Tag::ToolResponse => ItemKind::ToolResponse(attributes.response_kind(self.diagnostics)),
            Tag::Reasoning => ItemKind::Reasoning,
            Tag::Msg => {
                if let Some(Attribute { value: Some(name), span, .. }) = element.attributes.get("role") {
                    self.diagnostics.report(ElementProblem::UnknownRole(name.to_string()), *span);
                }
                return None;
            }
            Tag::Config | Tag::Tool | Tag::Script | Tag::ShellAccess | Tag::ModeratorRuntime => {
                self.report_inside(&element.children);
                return Some(Block::Declaration(self.declaration(element)));
            }
            Tag::Import => return self.import(element, attributes).map(Block::Import),
            Tag::Img | Tag::Doc | Tag::Agent | Tag::Summary => {
                self.diagnostics.report(ElementProblem::InlineAtTopLevel(element.tag), element.name_span());
                return None;
            }
        };
        let known = self.item_attributes(kind, element, &mut attributes);
        let (fields, body) = self.body_with_fields(element);
        self.report_body(kind, element.tag, known.text("output"), &body);
        let extra = attributes.extra(self.diagnostics);
        Some(Block::Element(ItemElement { kind, attributes: known, extra, fields, body }))
    }

    fn comment<'s>(&mut self, comment: Spanned<&'s str>) -> Option<Block<'s>> {
        let Some(Directive { kind, data }) = Directive::parse(comment.value) else {
            return Some(Block::Comment(comment.value.into()));
        };
        match kind {
            DirectiveKind::Allow => Some(Block::Comment(comment.value.into())),
            DirectiveKind::Data(kind) => Some(Block::Data(DataComment { kind, json: spanned_data(comment, data) })),
            DirectiveKind::Fields | DirectiveKind::Part | DirectiveKind::Unknown(_) => {
                self.report_misplaced(kind, comment.span);
                None
            }
        }
    }

    /// The attributes of a block. Those that choose the meaning of a `<msg>` are read already.
    fn attributes<'e, 's>(&mut self, element: &'e Element<'s>) -> AttributeReader<'e, 's> {
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

    /// The attributes of an item that have a meaning.
    fn item_attributes<'s>(
        &mut self,
        kind: ItemKind,
        element: &Element<'s>,
        attributes: &mut AttributeReader<'_, 's>,
    ) -> Fields<'s> {
        let (tag, mut own) = (kind.tag(), Vec::new());
        if let ItemKind::ToolCall(_) = kind {
            own.extend(
                ["function_name", "tool_call_id"].map(|name| (name, attributes.required(name, self.diagnostics))),
            );
        }
        let mut known = attributes.fields(&[], self.diagnostics);
        match kind {
            ItemKind::Message(_) => {
                if let (false, Some(status)) = (known.has("id"), element.attributes.get("status")) {
                    self.diagnostics.report(ElementProblem::StatusWithoutId, status.span);
                }
            }
            ItemKind::ToolCall(_) => {}
            ItemKind::ToolResponse(kind) => {
                let is_named = kind == ResponseKind::Tool(ToolKind::Function) && known.has("name");
                let call_id = match attributes.text("tool_call_id") {
                    Some(call_id) => Field::Text(call_id),
                    None if !is_named => Field::Text(attributes.required("tool_call_id", self.diagnostics)),
                    None if attributes.flag("tool_call_id") => Field::Null,
                    None => Field::Absent,
                };
                known.set(tag, "tool_call_id", call_id);
                let output = matches!(kind, ResponseKind::Tool(_)).then(|| self.output_hint(attributes)).flatten();
                own.extend(output.map(|output| ("output", output.name().into())));
            }
            ItemKind::Reasoning => {
                for (file, _) in known.iter().filter(|(row, _)| row.kind == AttributeKind::File) {
                    if let Some((text, _)) = known.iter().find(|(row, _)| row.key == file.key && row.name != file.name)
                    {
                        let problem = ElementProblem::TwoSources { tag: element.tag, names: [text.name, file.name] };
                        self.diagnostics.report(problem, element.name_span());
                    }
                }
            }
        }
        for (name, value) in own {
            known.set(tag, name, Field::Text(value));
        }
        known
    }

    /// Reports the parts that an item of this kind cannot have. `output` is the value of `output=`.
    fn report_body(&mut self, kind: ItemKind, tag: Tag, output: Option<&str>, body: &Body<'_>) {
        let is_text = |part: &Part<'_>| part.is_text();
        match kind {
            ItemKind::Message(Role::Assistant) => {
                self.report_parts(tag, body, |part| part.is_text() || matches!(part, Part::Metadata(_)));
                self.report_joined(body);
            }
            ItemKind::ToolCall(_) => {
                self.report_parts(tag, body, is_text);
                self.report_joined(body);
            }
            ItemKind::ToolResponse(kind) => {
                if !has_parts(body) {
                    self.report_joined(body);
                }
                match kind {
                    ResponseKind::Tool(_) if output == Some(OutputHint::Text.name()) => {
                        for part in body.iter().filter(|part| !part.value.is_text()) {
                            self.diagnostics.report(OutputProblem::PartInTextOutput, part.span);
                        }
                    }
                    // A screenshot is checked where it is converted.
                    ResponseKind::Tool(_) | ResponseKind::Computer => {}
                    ResponseKind::Shell | ResponseKind::ApplyPatch | ResponseKind::Approval => {
                        self.report_parts(tag, body, is_text);
                    }
                }
            }
            ItemKind::Message(_) | ItemKind::Reasoning => {}
        }
    }

    /// The value of `output=`.
    fn output_hint(&mut self, attributes: &mut AttributeReader<'_, '_>) -> Option<OutputHint> {
        let Attribute { value, span, .. } = attributes.take("output")?;
        let output = value.as_deref().and_then(OutputHint::from_name);
        if output.is_none() {
            self.diagnostics.report(OutputProblem::UnknownOutput, span);
        }
        output
    }

    /// Reports attributes of a document whose text joins the text around it: they need a part of their own.
    fn report_joined(&mut self, body: &Body<'_>) {
        for part in body {
            let Part::Media(doc) = &part.value else { continue };
            let is_member = |row: &AttributeDefinition| row.kind != AttributeKind::Own;
            for (row, _) in doc.attributes.iter().filter(|(row, _)| part.value.is_text() && is_member(row)) {
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
    fn body_with_fields<'s>(&mut self, element: &Element<'s>) -> (Option<Spanned<JsonText<'s>>>, Body<'s>) {
        let kind = body_kind(element.tag, &element.attributes);
        // Line breaks between a tag and the comment are layout.
        let is_break = |node: Option<&Node<'s>>| {
            let is_layout = matches!(node, Some(Node::Text(text)) if is_layout(text.value));
            self.whitespace == Whitespace::Layout && is_layout
        };
        let children = element.children.as_slice();
        let after_opening = if is_break(children.first()) { &children[1..] } else { children };
        let before_closing = if is_break(children.last()) { &children[..children.len() - 1] } else { children };
        let fields_of = |node: Option<&Node<'s>>| {
            let Some(Node::Comment(comment)) = node else { return None };
            let json = Directive::data_of(comment.value, DirectiveKind::Fields)?;
            Some(Spanned::new(json.into(), comment.span))
        };
        let (fields, body) = match (fields_of(after_opening.first()), fields_of(before_closing.last())) {
            (Some(fields), _) => (Some(fields), &after_opening[1..]),
            (None, Some(fields)) => (Some(fields), &before_closing[..before_closing.len() - 1]),
            (None, None) => (None, children),
        };
        (fields, self.body(kind, body))
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
            Piece::Text { text, .. } => push_text(body, text.value, text.span),
            Piece::Literal(element) => {
                self.report_nested(element);
                push_text(body, element.written.into(), element.span);
            }
            Piece::Inline(element) => self.inline(element, body),
            Piece::Directive(Spanned { value: Directive { kind: DirectiveKind::Part, data }, span }) => {
                body.push(Spanned::new(Part::Metadata(data.into()), span));
            }
            Piece::Directive(directive) => self.report_misplaced(directive.value.kind, directive.span),
        }
    }
}

/// The data of a directive with its place.
fn spanned_data<'s>(comment: Spanned<&'s str>, data: &'s str) -> Spanned<JsonText<'s>> {
    let start = comment.span.start + "<!--".len() + (data.as_ptr() as usize - comment.value.as_ptr() as usize);
    Spanned::new(data.into(), Span::new(comment.span.source, start..start + data.len()))
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
