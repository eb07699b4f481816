//! Messages about files that cannot be read.

use crate::diagnostic::message::{Hint, Message};
use crate::diagnostic::problem::{Ceiling, Remedy};

pub(super) fn missing(path: &str, is_in_current_dir: bool) -> Message {
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

pub(super) fn forbidden(path: &str, why: &str, remedy: Remedy) -> Message {
    let message = |help: &str| Message::new(format!("cannot read `{path}`: {why}"), "named here", help);
    let own_directory = "a document may only read files below its own directory";
    match remedy {
        Remedy::RegularFile => message("name a regular file"),
        Remedy::Directory => message(own_directory).hint(Hint::AllowDirectory),
        Remedy::CurrentDirectory => message(own_directory).hint(Hint::AllowCurrentDirectory),
        Remedy::LocalPrompt => message("save the prompt to a file and name that with `local`"),
    }
}

pub(super) fn too_large(path: &str, why: &str, ceiling: Ceiling) -> Message {
    let (help, hint) = match ceiling {
        Ceiling::File => ("name a smaller file", Hint::AllowLargerFiles),
        Ceiling::Total => ("name fewer or smaller files", Hint::AllowMoreBytes),
    };
    Message::new(format!("cannot read `{path}`: {why}"), "named here", help).hint(hint)
}

pub(super) fn remote(url: &str) -> Message {
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
            format!("`{url}` is not fetched: there is no network access"),
            "not a local file",
            "add `file` to have the API fetch it",
        )
        .hint(Hint::AllowFetch)
    }
}
