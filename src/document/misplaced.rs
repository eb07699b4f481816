//! Reports elements and directives in the wrong place.

use super::lower::Lowering;
use super::{Directive, DirectiveKind};
use crate::diagnostic::{DirectivePlace, DirectiveProblem, ElementProblem};
use crate::element::Placement;
use crate::source::Span;
use crate::syntax::{Element, Node};

impl Lowering<'_> {
    /// Reports an element that is text in its body.
    pub(super) fn report_nested(&mut self, element: &Element<'_>) {
        match element.tag.definition().placement {
            Placement::ToolTrace => {
                self.diagnostics.report(ElementProblem::NestedToolTrace(element.tag), element.name_span());
            }
            Placement::TopLevel => {
                self.diagnostics.report(ElementProblem::NestedBlock(element.tag), element.name_span());
            }
            Placement::TopLevelOrText | Placement::ReasoningOnly | Placement::Inline(_) => {}
        }
        self.report_inside(&element.children);
    }

    /// Reports tool calls, tool responses and metadata inside an element whose content is not read.
    pub(super) fn report_inside(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            match node {
                Node::Element(element) => {
                    if element.tag.definition().placement == Placement::ToolTrace {
                        self.diagnostics.report(ElementProblem::NestedToolTrace(element.tag), element.name_span());
                    }
                    self.report_inside(&element.children);
                }
                Node::Comment(comment) => {
                    if let Some(directive) = Directive::metadata(comment.value) {
                        self.report_misplaced(directive.kind, comment.span);
                    }
                }
                Node::Text(_) | Node::Raw(_) => {}
            }
        }
    }

    /// Reports a directive where its kind has no meaning.
    pub(super) fn report_misplaced(&mut self, kind: DirectiveKind<'_>, span: Span) {
        let place = match kind {
            DirectiveKind::Data(_) => DirectivePlace::TopLevel,
            DirectiveKind::Fields => DirectivePlace::Tag,
            DirectiveKind::Part => DirectivePlace::Body,
            DirectiveKind::Allow | DirectiveKind::Unknown(_) => DirectivePlace::Unknown,
        };
        self.diagnostics.report(DirectiveProblem::MisplacedDirective { kind: kind.name().to_owned(), place }, span);
    }
}
