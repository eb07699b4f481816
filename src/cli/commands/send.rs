//! `chatmd send`: a whole turn. Converts the document, sends it, shows the answer and appends it.

use crate::cli::args::SendArgs;
use crate::cli::conversation::Conversation;
use crate::cli::error::{ExitStatus, Result};
use crate::cli::talk::{AfterAnswer, Talk};

pub(crate) fn run(args: &SendArgs) -> Result<ExitStatus> {
    let after_answer = match (args.again, args.continues) {
        (true, _) => AfterAnswer::Again,
        (false, true) => AfterAnswer::Continue,
        (false, false) => AfterAnswer::Refuse,
    };
    let conversation = Conversation::in_file(&args.file)?;
    Talk { conversation, after_answer, args: &args.send }.run()
}
