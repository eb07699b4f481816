//! Turns the library's hints into words about flags.

use crate::diagnostic::{Hint, Hints};

/// The hints of the command line.
pub(crate) struct Flags;

impl Hints for Flags {
    fn words(&self, hint: Hint) -> Option<&'static str> {
        Some(match hint {
            Hint::AllowDirectory => "`--root DIR` allows more",
            Hint::AllowCurrentDirectory => "`--root .` allows the current directory",
            Hint::AllowLargerFiles => "`--max-file-bytes` allows larger ones",
            Hint::AllowMoreBytes => "`--max-total-bytes` allows more",
            Hint::AllowDeeperImports => "`--max-import-depth` allows more",
            Hint::AllowMoreImports => "`--max-imports` allows more",
            Hint::AllowMoreRuns => "`--max-program-runs` allows more",
            Hint::AllowLargerImports => "`--max-import-bytes` allows more",
            Hint::NameModel => "or give `--model`, or set `CHATMD_MODEL`",
            Hint::StartDocument => "`chatmd new FILE` writes a document to start from",
            Hint::DefineTool => "or define it with `--tools FILE`",
            Hint::AllowFetch => "or fetch it with `to-request --fetch-command`",
            Hint::AllowAgents => "or answer it with `to-request --agent-command`",
            Hint::AskForEncryptedReasoning => "use `--stateless` from the first turn to get encrypted reasoning",
            Hint::ListRules => "`chatmd explain` lists the rules",
            Hint::ListProblems => "`chatmd check --format short` lists all",
            Hint::SetMaxTokens => "or give `--set max_tokens=8192`",
            Hint::NameChoice => "`--choice N` chooses one",
            Hint::NameApi => "`--api` names the API",
            Hint::ChangeLineBreaks => "`chatmd fmt --line-endings lf` changes all line breaks",
            Hint::AnswerCall => "`chatmd answer` adds an output",
            Hint::ConvertJson => "`chatmd from-response` converts it to a document",
        })
    }
}
