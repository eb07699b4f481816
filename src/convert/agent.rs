//! What programs say: fetched documents and agents' answers.

use super::files::text_of;
use super::request::RequestOptions;
use super::{Context, to_request};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{Agent, Block, MediaSource, Message, Role};
use crate::source::{Span, Spanned};

/// How many agents may ask each other.
const DEEPEST: usize = 8;

impl Context<'_> {
    /// The document behind a URL, if the user allows a program to fetch it.
    pub(super) fn fetched(&self, url: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Vec<u8>> {
        // Anything else could name a file, or be taken for an option of the program.
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        match is_web.then(|| self.programs.fetch(url)).flatten() {
            None => diagnostics.report(Problem::RemoteDoc(url.to_owned()), span),
            Some(Err(error)) => {
                diagnostics.report(Problem::FetchFailed { url: url.to_owned(), why: error.to_string() }, span);
            }
            Some(Ok(bytes)) => return Some(bytes),
        }
        None
    }

    /// The answer of another prompt to what it is asked, if the user allows a program to ask it.
    pub(super) fn answer(&self, agent: &Agent<'_>, span: Span, diagnostics: &mut Diagnostics) -> Option<String> {
        if !self.programs.can_ask() {
            diagnostics.report(Problem::AgentRefused, span);
            return None;
        }
        // Nothing will be sent: there is no use in asking.
        if diagnostics.has_errors() {
            return None;
        }
        if self.agents == DEEPEST {
            diagnostics.report(Problem::AgentTooDeep { limit: DEEPEST }, span);
            return None;
        }
        let request = self.agent_request(agent, span, diagnostics)?;
        match self.programs.ask(&request)? {
            Ok(answer) => match String::from_utf8(answer) {
                Ok(answer) => return Some(answer.strip_suffix('\n').unwrap_or(&answer).to_owned()),
                Err(error) => {
                    diagnostics.report(Problem::AgentFailed { why: format!("it is not UTF-8: {error}") }, span);
                }
            },
            Err(error) => diagnostics.report(Problem::AgentFailed { why: error.to_string() }, span),
        }
        None
    }

    /// The other prompt with the question as its last message.
    fn agent_request(&self, agent: &Agent<'_>, span: Span, diagnostics: &mut Diagnostics) -> Option<String> {
        let (name, bytes, path) = match &agent.source {
            MediaSource::Local(path) => {
                let file = self.file(path, span, diagnostics)?;
                (path, file.bytes, Some(file.path))
            }
            MediaSource::Url(url) | MediaSource::FileId(url) => (url, self.fetched(url, span, diagnostics)?, None),
        };
        let text = text_of(name, bytes, span, diagnostics)?;
        let source = self.sources.add_file(name.to_string(), path, text, Some(span));
        let context = Context { agents: self.agents + 1, ..*self };
        let mut document = context.read(source, self.whitespace, self.limits, diagnostics);
        // The question is the next turn.
        document.remove_placeholder();
        let question = Message::plain(Role::User, agent.body.clone());
        document.blocks.push(Spanned::new(Block::Message(question), span));
        let options = RequestOptions { default_model: self.model, ..RequestOptions::default() };
        let request = to_request(&document, &context, &options, Span::new(source, 0..0), diagnostics);
        (!diagnostics.has_errors()).then_some(request)
    }
}
