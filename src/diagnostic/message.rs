//! What is told about each problem: what, where, why, and what to do.

use super::problem::{Ceiling, Problem, Remedy};
use super::sanitize::sanitize_short;
use crate::element::Tag;
use crate::source::Span;

/// A problem in words.
pub(super) struct Message {
    pub(super) code: &'static str,
    /// What is wrong.
    pub(super) title: String,
    /// What stands at its place.
    pub(super) label: String,
    /// A second place that belongs to it.
    pub(super) related: Option<(Span, String)>,
    /// What to do.
    pub(super) help: Option<String>,
}

impl Message {
    pub(super) fn new(code: &'static str, title: impl Into<String>, label: impl Into<String>) -> Self {
        Self { code, title: cut(title.into()), label: label.into(), related: None, help: None }
    }

    pub(super) fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(cut(help.into()));
        self
    }
}

/// A text of bounded length: names and paths may be as long as a document.
fn cut(text: String) -> String {
    const LONGEST: usize = 500;
    if text.len() > LONGEST { sanitize_short(&text, LONGEST) } else { text }
}

impl Problem {
    // A table, one row a problem.
    #[allow(clippy::too_many_lines)]
    pub(super) fn message(&self) -> Message {
        match self {
            Problem::Lint(lint) => lint.message(),
            Problem::NotUtf8 { byte, offset, looks_like_utf16 } => {
                let title = format!("the text is not UTF-8 at byte offset {offset}");
                let message = Message::new("E0101", title, format!("byte 0x{byte:02x} is no character"));
                if *looks_like_utf16 {
                    message.help("it begins like UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`")
                } else {
                    message.help("save the file as UTF-8; nothing is ever replaced for you")
                }
            }
            Problem::TextAtTopLevel { meant, is_json } => {
                let message = Message::new("E0102", "text outside of any element", "not inside an element");
                match meant {
                    _ if *is_json => message.help("this looks like JSON: `chatmd from-response` converts it to a document"),
                    Some(tag) => message.help(format!("did you mean `<{}>`?", tag.name())),
                    None => message.help("put it into a message, such as `<user>…</user>`, or into a comment"),
                }
            }
            Problem::UnterminatedComment => {
                Message::new("E0103", "comment is never closed", "opened here").help("end it with `-->`")
            }
            Problem::UnterminatedRaw => Message::new("E0104", "RAW block is never closed", "opened here")
                .help("end it with `|RAW` on a line of its own"),
            Problem::UnterminatedTag(tag) => {
                Message::new("E0105", format!("tag `<{}` has no `>`", tag.name()), "begins here")
                    .help("end the tag with `>`; if it is meant as text, wrap it in `RAW|` and `|RAW`")
            }
            Problem::UnterminatedQuote { quote } => {
                Message::new("E0106", "quoted value is never closed", "opened here").help(format!("end the value with `{quote}`"))
            }
            Problem::StrayQuote { quote, value_began } => {
                let message = Message::new("E0107", format!("`{quote}` where an attribute should begin"), "unexpected");
                match value_began {
                    Some(span) => message.related(*span, "this value began here").help("the quote that ends that value is missing"),
                    None => message.help("a quote before this place is missing or one too many"),
                }
            }
            Problem::StrayCharacters => Message::new("W0108", "characters that are no attribute", "ignored")
                .help("an attribute is `name`, `name=value` or `name=\"value\"`; names hold letters, digits, `_`, `:` and `-`"),
            Problem::Unclosed { tag, misspelt_at } => {
                let message = Message::new("E0109", format!("`<{}>` is never closed", tag.name()), "opened here");
                let message = message.help(format!("end it with `</{}>`", tag.name()));
                match misspelt_at {
                    Some(span) => message.related(*span, "this is text: did you mean to close it here?"),
                    None => message,
                }
            }
            Problem::Mismatched { opened, opened_at, closed, closes_outer } => {
                let title = format!("`<{}>` is closed by `</{}>`", opened.name(), closed.name());
                let verb = if *closes_outer { "close it first with" } else { "close it with" };
                let help = format!("{verb} `</{}>`; if the tag is meant as text, wrap it in `RAW|` and `|RAW`", opened.name());
                Message::new("E0110", title, "closed here").related(*opened_at, "opened here").help(help)
            }
            Problem::StrayClose(tag) => {
                Message::new("E0111", format!("`</{}>` closes nothing", tag.name()), "no element is open here")
                    .help(format!("remove it, or open the element with `<{}>`", tag.name()))
            }
            Problem::TooDeep { limit } => Message::new("E0112", format!("more than {limit} elements inside each other"), "one too deep")
                .help("close the elements around it; text that shows tags belongs in `RAW|` and `|RAW`"),
            Problem::MissingAttribute { tag: tag @ (Tag::Img | Tag::Doc), .. } => {
                let name = tag.name();
                Message::new("E0201", format!("`<{name}>` needs `src` or `file_id`"), "missing here")
                    .help(format!("write `<{name} src=\"…\"/>` or `<{name} file_id=\"file-…\"/>`"))
            }
            Problem::MissingAttribute { tag, name } => {
                let message = Message::new("E0201", format!("`<{}>` needs `{name}`", tag.name()), "missing here");
                message.help(format!("write `<{} {name}=\"…\" …>`", tag.name()))
            }
            Problem::UnknownRole(role) => Message::new("E0202", format!("`{role}` is no role"), "unknown role")
                .help("a role is `user`, `assistant`, `system`, `developer` or `tool`"),
            Problem::StatusWithoutId => Message::new("E0203", "a message's `status` needs its `id`", "there is no `id`")
                .help("add `id=\"msg_…\"`, or remove `status`"),
            Problem::InlineAtTopLevel(tag) => {
                Message::new("E0204", format!("`<{}>` stands outside of any message", tag.name()), "at top level")
                    .help("put it into a message, such as `<user>…</user>`")
            }
            Problem::NestedToolTrace(tag) => {
                Message::new("E0205", format!("`<{}>` inside another element", tag.name()), "is an item of its own")
                    .help("close the element before it; if it is meant as text, wrap it in `RAW|` and `|RAW`")
            }
            Problem::NestedBlock(tag) => {
                Message::new("W0206", format!("`<{}>` inside another element is text", tag.name()), "sent as written")
                    .help("wrap it in `RAW|` and `|RAW`, so that every reader takes it for text")
            }
            Problem::MisplacedCarried { kind } => {
                let (label, help) = match kind.as_str() {
                    "item" | "request" => ("stands at top level only", "move it out of the element"),
                    "fields" => ("stands directly behind an opening tag only", "move it to the tag whose item it belongs to"),
                    "part" => ("stands in the body of a message, an output or reasoning only", "move it there"),
                    _ => ("there is no such comment", "`chatmd:` comments are `item`, `request`, `fields`, `part` and `allow`"),
                };
                Message::new("E0207", format!("`chatmd:{kind}` means nothing here"), label)
                    .help(format!("{help}; if it is meant as text, wrap it in `RAW|` and `|RAW`"))
            }
            Problem::RepeatedAttribute(name) => {
                Message::new("W0208", format!("`{name}` is given more than once"), "does not count").help("the last one counts: remove this one")
            }
            Problem::UnknownAttribute { tag, name } => {
                Message::new("W0209", format!("`<{}>` has no attribute `{name}`", tag.name()), "ignored").help("remove it, or check its spelling")
            }
            Problem::UnknownToolType(kind) => {
                Message::new("W0210", format!("`{kind}` is no type of tool call"), "taken for a function call")
                    .help("leave `type` out for a function, or write `type=\"custom_tool_call\"`")
            }
            Problem::UnknownOutput => Message::new("E0211", "`output` is neither `text` nor `content`", "unknown value")
                .help("leave `output` out to have the body looked at, or write `output=\"text\"` or `output=\"content\"`"),
            Problem::PartInTextOutput => Message::new("E0212", "an output that is text holds more than text", "not text")
                .help("remove `output=\"text\"`, so that the parts are sent as parts"),
            Problem::PartInText(tag) => {
                Message::new("E0213", format!("`<{}>` holds more than text", tag.name()), "not text")
                    .help("only text, and documents by their text, can stand here")
            }
            Problem::TwoSources(tag) => {
                Message::new("E0214", format!("`<{}>` has both `src` and `file_id`", tag.name()), "two sources").help("remove one of them")
            }
            Problem::IgnoredContent(tag) => {
                Message::new("W0215", format!("what is inside `<{}>` is not sent", tag.name()), "ignored")
                    .help(format!("write `<{} …/>`, and text beside it", tag.name()))
            }
            Problem::NotAnEmptyList(name) => {
                Message::new("E0216", format!("`{name}` can only be `[]` here"), "unexpected value")
                    .help(format!("write `{name}=\"[]\"`, or a bare `{name}` for null; anything else goes into a `chatmd:part` comment"))
            }
            Problem::BlockInImportedBody(tag) => {
                Message::new("E0217", format!("`<{}>` in a file that is imported into a message", tag.name()), "cannot stand in a body")
                    .help("import the file at top level, or wrap the tag in `RAW|` and `|RAW`")
            }
            Problem::FileMissing { path, is_in_current_dir } => {
                let message = Message::new("E0301", format!("there is no file `{path}`"), "named here");
                if *is_in_current_dir {
                    message.help("it is below the current directory, where this document may not read: `--root .` allows that")
                } else if path.starts_with('~') || path.contains('$') {
                    message.help("`~` and variables are not expanded: write the path out")
                } else if path.contains("://") || path.starts_with("data:") {
                    message.help("this is a URL: remove `local`")
                } else {
                    message.help("a relative path starts at the file that names it, then at each `--root`")
                }
            }
            Problem::FileRefused { path, why, remedy } => Message::new("E0302", format!("cannot read `{path}`: {why}"), "named here")
                .help(match remedy {
                    Remedy::RegularFile => "name a regular file",
                    Remedy::Root => "a document reads only files below its own directory; `--root DIR` allows more",
                    Remedy::CurrentDir => "a document reads only files below its own directory; `--root .` allows those below the current one",
                    Remedy::LocalPrompt => "save the prompt to a file and name that with `local`",
                }),
            Problem::FileUnfit { path, why, ceiling } => Message::new("E0303", format!("cannot read `{path}`: {why}"), "named here")
                .help(match ceiling {
                    None => "name another file",
                    Some(Ceiling::File) => "name another file; `--max-file-bytes` allows larger ones",
                    Some(Ceiling::Total) => "name fewer or smaller files; `--max-total-bytes` allows more",
                }),
            Problem::FileUnreadable { path, why } => Message::new("E0322", format!("cannot read `{path}`: {why}"), "named here")
                .help("see to it that you may read the file"),
            Problem::ImportCycle => Message::new("E0304", "a file imports itself", "leads back to a file that is open")
                .help("remove one of the imports of the chain"),
            Problem::ImportTooDeep { limit } => {
                Message::new("E0305", format!("more than {limit} imports inside each other"), "one too deep")
                    .help("import the files side by side; `--max-import-depth` allows more")
            }
            Problem::TooManyImports { limit } => Message::new("E0306", format!("more than {limit} imports"), "one too many")
                .help("files that import each other twice double with every level; `--max-imports` allows more"),
            Problem::ImportsTooLarge { limit } => {
                Message::new("E0307", format!("imports bring more than {limit} bytes"), "goes over it")
                    .help("`--max-import-bytes` allows more")
            }
            Problem::CarriedInImport => Message::new("E0308", "a `chatmd:` comment in an imported file", "not allowed here")
                .help("only the document itself may hold them: move it there"),
            Problem::MalformedCarried(what) => {
                Message::new("E0309", format!("malformed `chatmd:` comment: {what}"), "in this comment")
                    .help("it holds one JSON object; `--` and `>` in it are written `-\\u002d` and `\\u003e`")
            }
            Problem::ForbiddenField(key) => Message::new("E0310", format!("`chatmd:fields` cannot set `{key}`"), "in this comment")
                .help("the element's tag and body say that"),
            Problem::SaidTwice(key) => {
                Message::new("E0311", format!("`{key}` is said by an element and by `chatmd:request`"), "said again here")
                    .help("remove it from one of them")
            }
            Problem::SecondRequest => Message::new("E0312", "a second `chatmd:request`", "there is one before")
                .help("put all fields into one"),
            Problem::RefusedMedia { index, kind } => {
                Message::new("E0313", format!("part {index} of this output is `{kind}`, which the API does not take"), "in this output")
                    .help("remove it or describe it in words; `output=\"text\"` sends the JSON as text")
            }
            Problem::MalformedParts(what) => Message::new("E0314", format!("malformed part of this output: {what}"), "in this output")
                .help("mend the part; `output=\"text\"` sends the JSON as text"),
            Problem::NotAnImage(path) => {
                Message::new("E0315", format!("`{path}` is no image that the API takes"), "PNG, JPEG, WebP or a still GIF is wanted")
                    .help("convert it; the file's content counts, not its name")
            }
            Problem::NotText(path) => Message::new("E0316", format!("`{path}` is not UTF-8 text"), "sent as text")
                .help("add `file` to send the file itself"),
            Problem::RemoteDoc(url) if !url.contains("://") => {
                Message::new("E0317", format!("`{url}` is no URL, and not marked as a local file"), "named here")
                    .help("add `local` for a file beside the document")
            }
            Problem::RemoteDoc(url) if !url.starts_with("http") => {
                Message::new("E0317", format!("`{url}` is not fetched: only `https://` and `http://` are"), "named here")
                    .help("add `local` for a file beside the document, without a scheme")
            }
            Problem::RemoteDoc(url) => {
                Message::new("E0317", format!("`{url}` is not fetched: there is no network here"), "not a local file")
                    .help("`to-request --fetch-command` fetches it; or add `file` to have the API fetch it")
            }
            Problem::BadHtml(path) => Message::new("E0320", format!("the HTML of `{path}` nests too deep to be laid out"), "asked for here")
                .help("remove `strip` or `markdown` to send the HTML as it is"),
            Problem::FetchFailed { url, why } => Message::new("E0323", format!("cannot fetch `{url}`: {why}"), "named here")
                .help("run the command of `--fetch-command` with this URL by hand to see what is wrong"),
            Problem::AgentFailed { why } => Message::new("E0324", format!("the agent gives no answer: {why}"), "asked here")
                .help("run the command of `--agent-command` by hand to see what is wrong"),
            Problem::AgentTooDeep { limit } => {
                Message::new("E0325", format!("more than {limit} agents ask each other"), "one too deep").help("remove one of the agents")
            }
            Problem::BadConfig { name, wanted } => {
                Message::new("E0326", format!("`{name}` must be {wanted}"), "not that").help(format!("write `{name}=\"…\"` with {wanted}"))
            }
            Problem::SecondConfig { first } => Message::new("W0327", "only the first `<config>` counts", "ignored")
                .related(*first, "this one counts")
                .help("move its attributes there"),
            Problem::BadSchema { path, what } => {
                Message::new("E0328", format!("`{path}` is no JSON Schema: {what}"), "named here").help("the file must hold one JSON object")
            }
            Problem::UnknownTool(name) => Message::new("E0329", format!("`{name}` is no tool that is known"), "how is it called?")
                .help("add `schema=\"file.json\"` with its parameters, or give it by `--tools FILE`; `type=\"hosted\"` is for the API's own tools"),
            Problem::UnreachableServer(server) => Message::new("W0330", format!("the API cannot reach `{server}`"), "left out")
                .help("only an `https://` server can be sent"),
            Problem::ReasoningLeftOut => Message::new("W0331", "reasoning without `encrypted_content` means nothing to a stateless API", "left out")
                .help("ask for it with `--stateless` from the first turn on"),
            Problem::AgentRefused => Message::new("E0318", "`<agent>` asks another prompt, and no program is run for that", "not allowed")
                .help("put the answer into the document, or have `to-request --agent-command` ask for it"),
            Problem::NoModel => Message::new("E0321", "model is required, and the document names none", "no model for this request")
                .help("write `<config model=\"…\"/>`, or give `--model`, or set CHATMD_MODEL; `--input-only` needs none"),
            Problem::BadSet { path, why } => Message::new("E0332", format!("`--set {path}` has no place: {why}"), "in this request")
                .help("a path goes through fields by name and through arrays by number, from 0"),
            Problem::PartInInstructions => Message::new("E0319", "instructions hold more than text", "not text")
                .help("move it into a message of its own"),
            Problem::MalformedJson { path, message } if path.is_empty() => Message::new("E0401", message.clone(), "here")
                .help("responses, streams, requests, items and lists of them can be converted"),
            Problem::MalformedJson { path, message } => Message::new("E0401", format!("`{path}`: {message}"), "here")
                .help("this is not what the API sends or takes: mend it where it comes from"),
            Problem::ApiRefused { message, param } => Message::new("E0403", message.clone(), format!("`{param}` comes from here"))
                .help("mend it here and send the request again"),
            Problem::RepeatedKey(key) => Message::new("W0402", format!("the key `{key}` is given more than once"), "does not count")
                .help("the last one counts"),
        }
    }
}
