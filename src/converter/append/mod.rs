//! Adds a reply to the end of its document without losing either.

mod mark;
mod same;
mod tail;

use serde::{Deserialize, Serialize};

use crate::convert::Context;
use crate::converter::edit::{Change, UnexpandedDocument};
use crate::converter::{Converter, Error, Input};
use crate::document::Document;
use crate::error::RoundTripError;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::Sources;
use crate::wire::Api;

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
        let (document, sources): (Input, Sources) = (document.into(), Sources::new());
        // Relative references of the reply are resolved like those of the document.
        let reply = sources.add_file("<reply>", document.path.clone(), reply.as_ref().to_owned(), None);
        let (appended, text) = self.edit(sources, document, |old, sources, diagnostics| {
            let reply = UnexpandedDocument::read(sources, reply, self.whitespace, diagnostics).document;
            let resolver = Resolver::new(sources, self.resources);
            let strings = StringArena::default();
            Ok(append_reply(old, reply, options, &self.context(&resolver, &strings))?)
        })?;
        let text = appended.text.map(|_| text);
        Ok(Appended { text, ..appended })
    }
}

/// Adds the reply. The text of the result is not the whole text yet.
fn append_reply(
    old: &UnexpandedDocument<'_>,
    mut reply: Document<'_>,
    options: &AppendOptions,
    context: &Context<'_>,
) -> Result<(Appended, Option<Change>), RoundTripError> {
    let already_present = tail::ends_with(&old.document, &reply, context);
    if already_present {
        reply.blocks.clear();
    }
    let end = old.end();
    mark::keep_apart(&old.document.blocks[..end], &mut reply.blocks, options.api);
    let repeated_ids = tail::repeated_ids(&old.document, &reply);
    let adds_placeholder = options.next_turn && old.document.placeholder().is_none();
    let is_changed = adds_placeholder || !reply.blocks.is_empty();
    let change = || old.replaced(end..end, &reply, adds_placeholder, "the document with the reply");
    let appended = Appended { text: is_changed.then(String::new), already_present, repeated_ids };
    Ok((appended, is_changed.then(change).transpose()?))
}
