//! Adds a reply to the end of its document without losing either.

mod join;
mod mark;
mod same;
mod tail;

use serde::{Deserialize, Serialize};

use crate::converter::own::UnexpandedDocument;
use crate::converter::{Converter, Error, Input};
use crate::diagnostic::{Diagnostics, Report};
use crate::error::RoundTripError;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::Sources;
use crate::wire::Api;

pub(super) use join::placeholder_after;
pub(super) use tail::ids;

/// How a reply is appended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AppendOptions {
    /// Whether to add an empty `<user>` for the next turn, unless there is one.
    pub next_turn: bool,
    /// The API of the reply. After a reply of the Messages or the Chat API, the next one is marked as a message of its own.
    pub api: Api,
}

/// A document with a reply.
#[derive(Debug)]
#[non_exhaustive]
pub struct Appended {
    /// The document; `None` if there is nothing to write.
    pub text: Option<String>,
    /// Whether the document already ended with this reply, so that it was not added again.
    pub already_present: bool,
    /// The ids of items and calls that both the reply and the document have. The API may reject repeated ids.
    pub repeated_ids: Vec<String>,
}

impl Converter<'_> {
    /// Adds a reply, given as the text of a document, to the end of a document. The result is read back and compared.
    ///
    /// An empty `<user>` at the end stays at the end. A reply that is there already is not added again.
    ///
    /// ```
    /// use chatmd::{AppendOptions, Converter};
    ///
    /// let (document, reply) = ("<user>\nHello.\n</user>\n", "<assistant>\nHi!\n</assistant>\n");
    /// let appended = Converter::new().append(document, reply, &AppendOptions::default())?;
    /// let expected = "<user>\nHello.\n</user>\n\n<assistant>\nHi!\n</assistant>\n";
    /// assert_eq!(appended.text.as_deref(), Some(expected));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn append(
        &self,
        document: impl Into<Input>,
        reply: impl AsRef<str>,
        options: &AppendOptions,
    ) -> Result<Appended, Error> {
        let document: Input = document.into();
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        // Relative references of the reply are resolved like those of the document.
        let reply = sources.add_file("<reply>", document.path.clone(), reply.as_ref().to_owned(), None);
        let old = document.add_to(&sources, &mut diagnostics);
        let joined = if diagnostics.has_errors() {
            None
        } else {
            let old = UnexpandedDocument::read(&sources, old, self.whitespace, &mut diagnostics);
            let reply = UnexpandedDocument::read(&sources, reply, self.whitespace, &mut diagnostics);
            (!diagnostics.has_errors()).then(|| self.append_reply(&sources, &old, reply, options))
        };
        let Some(joined) = joined else {
            return Err(Error::Problems(Report::new(diagnostics.errors(), Vec::new(), sources)));
        };
        let (mut appended, change) = joined?;
        appended.text = change.map(|(start, tail)| {
            // The document was added last. Its text is not copied, because it may be large.
            let mut text = sources.into_last_text();
            text.truncate(start);
            text.push_str(&tail);
            text
        });
        Ok(appended)
    }

    /// Adds the reply. Returns where the text of the document changes and the new text from there on, but not yet the
    /// whole text.
    fn append_reply(
        &self,
        sources: &Sources,
        old: &UnexpandedDocument<'_>,
        mut reply: UnexpandedDocument<'_>,
        options: &AppendOptions,
    ) -> Result<(Appended, Option<(usize, String)>), RoundTripError> {
        let already_present = {
            let strings = StringArena::default();
            let resolver = Resolver::new(sources, self.resources);
            tail::ends_with(&old.document, &reply.document, &self.context(&resolver, &strings))
        };
        if already_present {
            reply.document.blocks.clear();
        }
        let end = old.document.placeholder().unwrap_or(old.document.blocks.len());
        mark::keep_apart(&old.document.blocks[..end], &mut reply.document.blocks, options.api);
        let repeated_ids = tail::repeated_ids(&old.document, &reply.document);
        let change = self.join(old, &reply, options.next_turn)?;
        Ok((Appended { text: None, already_present, repeated_ids }, change))
    }
}
