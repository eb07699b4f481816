//! Sessions of other programs to documents.

use std::io::BufRead;

use super::{Converter, Error, InputKind, Reply, ResponseOptions};
use crate::convert::{Envelope, WriteOptions};
use crate::diagnostic::{Diagnostics, ReplyProblem, Report};
use crate::responses::Completion;
use crate::sessions::{self, BrokenLine, Format, Session};
use crate::source::{Sources, Span};

impl Converter<'_> {
    /// Converts a session of another program to a document. It is read line by line, and may be larger than memory.
    ///
    /// ```
    /// use chatmd::internal::sessions::Format;
    /// use chatmd::{Converter, ResponseOptions};
    ///
    /// let mut session = r#"{"timestamp":"","type":"response_item","payload":{"role":"user","content":"Hello."}}"#.as_bytes();
    /// let reply = Converter::new().from_session(&mut session, Format::Codex, "a.jsonl", &ResponseOptions::default())?;
    /// assert_eq!(reply.text, "<user>\nHello.\n</user>\n");
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    #[allow(clippy::wrong_self_convention)] // the counterpart of `to_request`
    pub fn from_session(
        &self,
        session: &mut dyn BufRead,
        format: Format,
        name: &str,
        options: &ResponseOptions,
    ) -> Result<Reply, Error> {
        let store = self.media_store(options);
        let write_options = WriteOptions { envelope: Envelope::None, ..self.write_options(options, store.as_ref()) };
        let session = sessions::read(session, format, options.session, write_options)?;
        let Session { text, origins, has_items, omitted, first_line, broken, is_cut } = session;
        Ok(Reply {
            completion: if is_cut { Completion::Truncated } else { Completion::Complete },
            warnings: warnings(broken, (!has_items).then(|| first_line.unwrap_or((1, String::new()))), name),
            input_kind: InputKind::Session,
            has_items,
            omitted,
            ..self.reply(text, origins, options, store)
        })
    }
}

/// Warnings for unreadable lines, and for a session without items, which is reported at its first line. The text that
/// they refer to has only these lines.
fn warnings(broken: Vec<BrokenLine>, first_of_empty: Option<(usize, String)>, name: &str) -> Report {
    let (mut text, mut lines, mut places) = (String::new(), 1, Vec::new());
    let mut add = |number: usize, start: &str| {
        text.extend(std::iter::repeat_n('\n', number - lines));
        lines = number;
        let from = text.len();
        text.push_str(start);
        from..text.len()
    };
    if let Some((number, start)) = first_of_empty {
        let is_broken = broken.first().is_some_and(|line| line.number == number);
        let place = add(number, if is_broken { "" } else { &start });
        places.push((ReplyProblem::EmptySession, place.start..place.start));
    }
    for BrokenLine { number, start, why } in broken {
        places.push((ReplyProblem::BrokenLine(why), add(number, &start)));
    }
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add(name, text, None);
    for (problem, range) in places {
        diagnostics.report(problem, Span::new(source, range));
    }
    Report::new(diagnostics, Vec::new(), sources)
}
