//! Problems of the files, pages and agents that a document names.

use super::problems;
use crate::diagnostic::message::{Hint, Message};

/// The limit that a file exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceiling {
    /// The size of one file.
    File,
    /// The size of everything that is read.
    Total,
}

/// What would allow a document to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Naming a regular file.
    RegularFile,
    /// Allowing the directory that it is in.
    Directory,
    /// Allowing the current directory.
    CurrentDirectory,
    /// Saving the prompt that was fetched to a file.
    LocalPrompt,
}

problems! {
    /// Problems of the files, pages and agents that a document names. Each variant shows the shortest text that causes it.
    FileProblem FILE

    /// `<user><img src="nowhere.png" local/></user>`
    MissingFile {
        /// The path as it is written in the document.
        path: String,
        /// Whether it is below the current directory, which the document may not read.
        is_in_current_dir: bool,
    }: "missing-file" Error Missing is_about_other_file => missing(path, *is_in_current_dir);

    /// `<user><img src="/etc/passwd" local/></user>`
    ForbiddenFile {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not allowed.
        why: String,
        /// What would allow it.
        remedy: Remedy,
    }: "forbidden-file" Error Refused is_allowable is_about_other_file => {
        let own_directory = "a document may only read files below its own directory";
        let message = |help: &str| Message::new(format!("cannot read `{path}`: {why}"), "named here", help);
        match remedy {
            Remedy::RegularFile => message("name a regular file"),
            Remedy::Directory => message(own_directory).hint(Hint::AllowDirectory),
            Remedy::CurrentDirectory => message(own_directory).hint(Hint::AllowCurrentDirectory),
            Remedy::LocalPrompt => message("save the prompt to a file and name that with `local`"),
        }
    };

    /// a link to itself, a name that is not valid
    UnusableFile {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not read.
        why: String,
    }: "unusable-file" Error Malformed is_about_other_file => {
        Message::new(format!("cannot read `{path}`: {why}"), "named here", "name another file")
    };

    /// a file that is larger than a limit
    FileTooLarge {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not read.
        why: String,
        /// The limit that the file exceeds.
        ceiling: Ceiling,
    }: "limit-exceeded" Error Malformed is_about_other_file => {
        let (help, hint) = match ceiling {
            Ceiling::File => ("name a smaller file", Hint::AllowLargerFiles),
            Ceiling::Total => ("name fewer or smaller files", Hint::AllowMoreBytes),
        };
        Message::new(format!("cannot read `{path}`: {why}"), "named here", help).hint(hint)
    };

    /// a file that the operating system does not allow to be read
    UnreadableFile {
        /// The path as it is written in the document.
        path: String,
        /// The error of the operating system.
        why: String,
    }: "unreadable-file" Error Unreadable is_about_other_file => {
        Message::new(format!("cannot read `{path}`: {why}"), "named here", "check the file's permissions")
    };

    /// `<import src="a.md"/>` in `a.md`
    ImportCycle: "import-cycle" Error Malformed is_about_other_file => {
        Message::new("a file imports itself", "imports a file that is being read", "remove one of the imports")
    };

    /// a file that imports a file that imports a file …
    ImportTooDeep {
        /// How deep imports may be nested.
        limit: usize,
    }: "limit-exceeded" Error Malformed is_about_other_file => Message::new(
        format!("imports are nested more than {limit} deep"),
        "one level too deep",
        "import the files next to each other",
    )
    .hint(Hint::AllowDeeperImports);

    /// two imports of two imports of two imports …
    TooManyImports {
        /// How many there may be.
        limit: usize,
    }: "limit-exceeded" Error Malformed is_about_other_file => Message::new(
        format!("more than {limit} imports"),
        "one too many",
        "if each file imports the next one twice, the number doubles at every level",
    )
    .hint(Hint::AllowMoreImports);

    /// an import of a very large file
    ImportsTooLarge {
        /// How many bytes all imported files may have.
        limit: usize,
    }: "limit-exceeded" Error Malformed is_about_other_file => {
        Message::new(format!("imported files exceed {limit} bytes"), "exceeds the limit", "import less")
            .hint(Hint::AllowLargerImports)
    };

    /// `<user><img src="notes.txt" local/></user>`
    NotAnImage(path: String): "unsupported-image" Error Malformed => Message::new(
        format!("`{path}` is not an image that the API accepts"),
        "must be PNG, JPEG, WebP or a still GIF",
        "convert it; the file's content counts, not its name",
    );

    /// `<user><doc src="photo.png" local/></user>`
    NotText(path: String): "unusable-file" Error Malformed => {
        let title = format!("`{path}` is not plain text in UTF-8");
        Message::new(title, "sent as text", "add `file` to send the file itself")
    };

    /// `<user><doc src="https://example.com"/></user>`
    RemoteDoc(url: String): "forbidden-file" Error Refused is_allowable => remote(url);

    /// `<user><doc src="page.html" local strip/></user>`, where the page cannot be laid out
    HtmlNotConverted {
        /// The file.
        path: String,
        /// Why it is not converted.
        why: &'static str,
    }: "unusable-file" Error Malformed => Message::new(
        format!("cannot convert the HTML of `{path}`: {why}"),
        "converted here",
        "remove `strip` or `markdown` to send the HTML as it is",
    );

    /// `<user><doc src="https://example.com"/></user>`, and a fetch command that fails
    FetchFailed {
        /// What was to be fetched.
        url: String,
        /// What went wrong.
        why: String,
    }: "program-failed" Error Unreadable => Message::new(
        format!("cannot fetch `{url}`: {why}"),
        "named here",
        "run the fetch command by itself with this URL",
    );

    /// `<user><agent src="a.md" local>x</agent></user>`, and an agent command that fails
    AgentFailed {
        /// What went wrong.
        why: String,
    }: "program-failed" Error Unreadable => Message::new(
        format!("the agent gave no answer: {why}"),
        "asked here",
        "run the agent command by itself",
    );

    /// `<agent src="a.md" local>x</agent>` in a message of `a.md`
    AgentTooDeep {
        /// How deep agents may be nested.
        limit: usize,
    }: "limit-exceeded" Error Malformed => Message::new(
        format!("agents are nested more than {limit} deep"),
        "one level too deep",
        "remove one of the agents",
    );

    /// `<user><agent src="a.md" local>x</agent></user>`
    AgentRefused: "agent-refused" Error Refused is_allowable => Message::new(
        "`<agent>` needs a program to answer it, and none is allowed",
        "not allowed",
        "put the answer in the document",
    )
    .hint(Hint::AllowAgents);

    /// 101 times `<doc src="https://a"/>`, with a program that fetches it
    TooManyRuns {
        /// How often programs may run.
        limit: u64,
    }: "limit-exceeded" Error Malformed => Message::new(
        format!("programs would run more than {limit} time{}", if *limit == 1 { "" } else { "s" }),
        "one too many",
        "each `<doc>` URL and each `<agent>` is one run",
    )
    .hint(Hint::AllowMoreRuns);
}

fn missing(path: &str, is_in_current_dir: bool) -> Message {
    let message = |help: &str| Message::new(format!("file `{path}` not found"), "named here", help);
    if is_in_current_dir {
        message("it is below the current directory, which this document may not read").hint(Hint::AllowCurrentDirectory)
    } else if path.starts_with('~') || path.contains('$') {
        message("`~` and variables are not expanded: write the whole path")
    } else if path.contains("://") || path.starts_with("data:") {
        message("this is a URL: remove `local`")
    } else {
        message("a relative path starts at the file that names it, then at each allowed directory")
    }
}

fn remote(url: &str) -> Message {
    if !url.contains("://") {
        Message::new(
            format!("`{url}` is not a URL, and not marked as a local file"),
            "named here",
            "add `local` for a file next to the document",
        )
    } else if !url.starts_with("http") {
        Message::new(
            format!("cannot fetch `{url}`: only `https://` and `http://` are supported"),
            "named here",
            "add `local` for a file next to the document, without a scheme",
        )
    } else {
        Message::new(
            format!("`{url}` is not fetched: network access is off"),
            "not a local file",
            "add `file` to have the API fetch it",
        )
        .hint(Hint::AllowFetch)
    }
}
