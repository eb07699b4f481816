//! The answers of agents.

use super::files::text_of;
use crate::convert::{Context, Request, Wanted};
use crate::diagnostic::{Diagnostics, FileProblem};
use crate::document::{Block, ItemElement, Media, Role};
use crate::options::RequestOptions;
use crate::resolve::Content;
use crate::source::{Span, Spanned};

/// How deep agents may nest.
const MAX_AGENT_DEPTH: usize = 8;

impl<'d> Context<'d> {
    /// The answer of another prompt to a question, if a program may answer it.
    pub(in crate::convert) fn answer(
        &self,
        agent: &Media<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<&'d str> {
        let answer = self.resolver.once(span, || {
            if !self.resolver.can_ask() {
                diagnostics.report(FileProblem::AgentRefused, span);
                return None;
            }
            // Nothing will be sent, so do not ask.
            if diagnostics.has_errors() {
                return None;
            }
            if self.agents == MAX_AGENT_DEPTH {
                diagnostics.report(FileProblem::AgentTooDeep { limit: MAX_AGENT_DEPTH }, span);
                return None;
            }
            let request = self.agent_request(agent, span, diagnostics)?;
            let answer = self.resolver.answer(&request, agent.source().target(), span, diagnostics)?;
            Some(Content { bytes: answer.into_bytes(), path: None })
        });
        std::str::from_utf8(&answer?.bytes).ok()
    }

    /// The other prompt with the question as its last message.
    fn agent_request(&self, agent: &Media<'_>, span: Span, diagnostics: &mut Diagnostics) -> Option<String> {
        let prompt = self.resolver.prompt(agent.source(), span, diagnostics)?;
        let name = agent.source().target();
        let text = text_of(name, &prompt.bytes, span, diagnostics)?.to_owned();
        let source = self.sources.add_file(name.to_string(), prompt.path, text, Some(span));
        let context = Context { agents: self.agents + 1, check: None, ..*self };
        let mut document = context.read(source, diagnostics);
        // The question is the next turn.
        document.remove_placeholder();
        let question = ItemElement::message(Role::User, agent.body.clone());
        document.blocks.push(Spanned::new(Block::Element(question), span));
        let options = RequestOptions { default_model: self.model.map(str::to_owned), ..RequestOptions::default() };
        let place = Span::new(source, 0..0);
        let request = Request::of(&document, &context, &options, Wanted::Request, place, diagnostics);
        (!diagnostics.has_errors()).then(|| request.to_json())
    }
}
