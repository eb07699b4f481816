//! Advice for commands and flags that other programs have.

use std::path::Path;

use clap::error::{ContextKind, ContextValue};

/// Words that are typed in place of a command, and what does that here.
const COMMANDS: &[(&[&str], &str)] = &[
    (
        &["chat", "talk", "prompt", "query", "question", "say", "complete", "completion", "run", "message"],
        "to ask a question: 'chatmd ask TEXT'; to keep the conversation in a file: 'chatmd ask -f chat.md TEXT'",
    ),
    (
        &["ls", "list", "history", "log", "logs", "conversations"],
        "a conversation is a file, so 'ls' lists them; 'chatmd show FILE' shows one, 'chatmd calls FILE' lists its open calls",
    ),
    (&["init", "create", "start"], "to create a document: 'chatmd new FILE'"),
    (&["view", "cat", "print", "less", "read", "display", "transcript"], "to read a document: 'chatmd show FILE'"),
    (&["html", "page", "export", "publish", "share"], "to make a page: 'chatmd render FILE -o PAGE.html'"),
    (&["lint", "validate", "verify", "test", "doctor"], "to find errors: 'chatmd check FILE'"),
    (&["format", "tidy", "pretty"], "to format a document: 'chatmd fmt FILE'"),
    (&["tokens", "count", "cost", "size", "usage", "wc"], "to count tokens: 'chatmd stats FILE'"),
    (&["undo", "pop", "rewind", "reset", "remove", "delete", "rm"], "to remove the last answer: 'chatmd cut FILE'"),
    (&["fork", "branch", "copy", "clone"], "to write a copy up to a place: 'chatmd cut FILE PLACE -o NEW'"),
    (&["retry", "again", "regenerate"], "to ask for another answer: 'chatmd send --again FILE'"),
    (&["continue", "resume", "submit", "post"], "to send a document: 'chatmd send FILE'"),
    (&["tools", "pending", "calls-list"], "to list the calls that wait: 'chatmd calls FILE'"),
    (&["reply", "respond", "tool"], "to add the output of a tool: 'chatmd answer FILE CALL_ID'"),
    (&["convert", "request", "to-json", "encode", "export-json"], "to convert a document: 'chatmd to-request FILE'"),
    (&["response", "append", "decode", "load"], "to convert a response: 'chatmd from-response FILE'"),
    (
        &["config", "settings", "set", "models", "model", "use"],
        "'chatmd send --model NAME FILE' chooses a model; defaults are in the file 'chatmd.toml'",
    ),
    (&["key", "keys", "auth", "login"], "the key is the environment variable 'OPENAI_API_KEY'"),
    (&["docs", "doc", "syntax", "reference", "tutorial"], "to read about the language: 'chatmd help language'"),
    (&["mcp", "agent"], "to let programs answer calls: 'chatmd send --run DIR FILE'"),
    (&["version"], "to print the version: 'chatmd --version'"),
];

/// The same for flags.
const FLAGS: &[(&[&str], &str)] = &[
    (
        &["--system", "--instruction", "--system-prompt"],
        "to set a system message: 'chatmd ask --system TEXT' or 'chatmd new --system TEXT'; in a document it is '<system>'",
    ),
    (
        &[
            "--temperature",
            "--top-p",
            "--max-tokens",
            "--effort",
            "--reasoning",
            "--reasoning-effort",
            "--schema",
            "--format",
        ],
        "to set a field of the request: '--set PATH=JSON', such as --set temperature=0.2; in a document '<config>' has it",
    ),
    (&["--key", "--api-key", "--token"], "the key is the environment variable 'OPENAI_API_KEY'"),
    (
        &["--url", "--base-url", "--host", "--endpoint", "--server", "--provider"],
        "the server is the environment variable 'OPENAI_BASE_URL'",
    ),
    (&["--image", "--images", "--attachment", "--pdf"], "to add a picture or a file: 'chatmd ask --attach PATH TEXT'"),
    (&["--stream"], "an answer is shown as it arrives; '--no-stream' waits for all of it"),
    (&["--prompt", "--message", "--text", "--user"], "to send a text: 'chatmd ask TEXT'"),
    (&["--exec", "--tools-dir", "--functions"], "to let programs answer calls: '--run DIR'"),
    (
        &["-f", "--file", "--input"],
        "the document is an argument: 'chatmd send FILE'; to add a message and send it: 'chatmd ask -f FILE TEXT'",
    ),
    (&["--regenerate", "--retry"], "to ask for another answer: 'chatmd send --again FILE'"),
    (
        &["--chat", "--conversation", "--session", "--history"],
        "to go on with a conversation: 'chatmd ask -f FILE TEXT'",
    ),
];

/// Adds advice to an error about a word that is not a command or a flag.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.clone()),
        _ => None,
    };
    let tip = match (named(ContextKind::InvalidSubcommand), named(ContextKind::InvalidArg)) {
        (Some(name), _) => advice(COMMANDS, &name).or_else(|| file_advice(&name)).or_else(|| {
            // A question is in place of a command.
            name.contains(' ').then(|| "to ask a question: 'chatmd ask TEXT'".to_owned())
        }),
        // A message stands after the document of `send`.
        (None, Some(text)) if !text.starts_with('-') => {
            let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
            usage.contains("chatmd send").then(|| "to add a message and send it: 'chatmd ask -f FILE TEXT'".to_owned())
        }
        (None, Some(flag)) => advice(FLAGS, flag.split('=').next().unwrap_or_default()),
        (None, None) => None,
    };
    if let Some(tip) = tip {
        // The nearest spelling, and a usage that has it, would contradict the advice.
        for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::Usage] {
            error.remove(kind);
        }
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn advice(table: &[(&[&str], &str)], word: &str) -> Option<String> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, tip)| (*tip).to_owned())
}

/// Advice if the name of a file is in place of a command.
fn file_advice(name: &str) -> Option<String> {
    let path = Path::new(name);
    let is_document = path.is_file() || path.extension().is_some_and(|extension| extension == "md");
    let name = shlex::try_quote(name).ok().filter(|_| is_document)?;
    Some(format!("to send a document: 'chatmd send {name}'; to read it: 'chatmd show {name}'"))
}
