//! The message of each problem.

mod declarations;
mod directives;
mod files;
mod outputs;
mod tags;

use super::message::{Hint, Message};
use super::problem::Problem;
use crate::element::Tag;

impl Problem {
    /// The problem in words.
    #[allow(clippy::too_many_lines)] // a table: one arm for each problem
    pub fn message(&self) -> Message {
        match self {
            Problem::NotUtf8 { byte, offset, looks_like_utf16 } => {
                let help = if *looks_like_utf16 {
                    "the file looks like UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`"
                } else {
                    "save the file as UTF-8"
                };
                let title = format!("the text is not valid UTF-8 at byte offset {offset}");
                Message::new(title, format!("invalid byte 0x{byte:02x}"), help)
            }
            Problem::TextAtTopLevel { misspelt, is_json } => tags::text_at_top_level(misspelt.as_ref(), *is_json),
            Problem::UnterminatedComment => Message::new("comment is never closed", "opened here", "end it with `-->`"),
            Problem::UnterminatedRaw => {
                Message::new("RAW block is never closed", "opened here", "end it with `|RAW` on a line of its own")
            }
            Problem::UnterminatedTag(tag) => Message::new(
                format!("tag `<{}` has no `>`", tag.name()),
                "starts here",
                "end the tag with `>`; if it is meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            Problem::UnterminatedQuote { quote } => {
                Message::new("quoted value is never closed", "opened here", format!("end the value with `{quote}`"))
            }
            Problem::StrayQuote { quote, value_began } => {
                let title = format!("found `{quote}` where an attribute should start");
                Message::new(title, "unexpected quote", "add the missing quote at the end of that value")
                    .related(*value_began, "this value started here")
            }
            Problem::StrayCharacters => Message::new(
                "these characters are not an attribute",
                "ignored",
                "an attribute is `name`, `name=value` or `name=\"value\"`; names have letters, digits, `_`, `:` and `-`",
            ),
            Problem::UnclosedElement { tag, misspelt_at } => tags::unclosed(*tag, *misspelt_at),
            Problem::MissingSlash(tag) => Message::new(
                format!("`<{}>` is never closed", tag.name()),
                format!("read as `<{} …/>`", tag.name()),
                "end it with `/>`; if it is meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            Problem::MismatchedTag { opened, opened_at, closed, closes_outer } => {
                let title = format!("`<{}>` is closed by `</{}>`", opened.name(), closed.name());
                let verb = if *closes_outer { "close it first with" } else { "close it with" };
                let help =
                    format!("{verb} `</{}>`; if the tag is meant as text, wrap it in `RAW|` and `|RAW`", opened.name());
                Message::new(title, "closed here", help).related(*opened_at, "opened here")
            }
            Problem::StrayClosingTag(tag) => Message::new(
                format!("`</{}>` closes nothing", tag.name()),
                "no element is open here",
                format!("remove it, or open the element with `<{}>`", tag.name()),
            ),
            Problem::NestingTooDeep { limit } => Message::new(
                format!("elements are nested more than {limit} deep"),
                "one level too deep",
                "close the elements around it; put text that shows tags between `RAW|` and `|RAW`",
            ),
            Problem::MissingAttribute { tag: tag @ (Tag::Img | Tag::Doc), is_in_code, .. } => {
                let name = tag.name();
                let help = if *is_in_code {
                    "tags in Markdown code are tags too: wrap it in `RAW|` and `|RAW`".to_owned()
                } else {
                    format!("write `<{name} src=\"…\"/>` or `<{name} file_id=\"file-…\"/>`")
                };
                Message::new(format!("`<{name}>` needs `src` or `file_id`"), "missing here", help)
            }
            Problem::MissingAttribute { tag, name, .. } => Message::new(
                format!("`<{}>` needs `{name}`", tag.name()),
                "missing here",
                format!("write `<{} {name}=\"…\" …>`", tag.name()),
            ),
            Problem::UnknownRole(role) => Message::new(
                format!("unknown role `{role}`"),
                "not a role",
                "a role is `user`, `assistant`, `system`, `developer` or `tool`",
            ),
            Problem::StatusWithoutId => Message::new(
                "a message with `status` needs an `id`",
                "there is no `id`",
                "add `id=\"msg_…\"`, or remove `status`",
            ),
            Problem::InlineAtTopLevel(tag) => Message::new(
                format!("`<{}>` is outside of any message", tag.name()),
                "at top level",
                "put it in a message, such as `<user>…</user>`",
            ),
            Problem::NestedToolTrace(tag) => Message::new(
                format!("`<{}>` inside another element", tag.name()),
                "must be at top level",
                "close the element before it; if it is meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            Problem::NestedBlock(tag) => Message::new(
                format!("`<{}>` inside another element is sent as text", tag.name()),
                "sent as written",
                "if it is meant as text, wrap it in `RAW|` and `|RAW`; otherwise close the element around it first",
            ),
            Problem::MisplacedDirective { kind } => directives::misplaced(kind),
            Problem::RepeatedAttribute(name) => {
                Message::new(format!("duplicate attribute `{name}`"), "ignored", "the last one counts: remove this one")
            }
            Problem::UnknownAttribute { tag, name, known } => declarations::unknown_attribute(*tag, name, known),
            Problem::UnknownToolType(kind) => Message::new(
                format!("unknown type of tool call `{kind}`"),
                "read as a function call",
                "remove `type` for a function, or write `type=\"custom_tool_call\"`",
            ),
            Problem::UnknownResponseType(kind) => outputs::unknown_type(kind),
            Problem::WrongResponseBody(wanted) => outputs::wrong_body(*wanted),
            Problem::UnknownOutput => Message::new(
                "`output` must be `text` or `content`",
                "unknown value",
                "remove `output` to decide by the body, or write `output=\"text\"` or `output=\"content\"`",
            ),
            Problem::PartInTextOutput => Message::new(
                "an output with `output=\"text\"` holds more than text",
                "not text",
                "remove `output=\"text\"` to send the parts as parts",
            ),
            Problem::PartInText(tag) => Message::new(
                format!("`<{}>` holds more than text", tag.name()),
                "not text",
                "only text, and documents by their text, are allowed here",
            ),
            Problem::TwoSources { tag, names: [one, other] } => {
                let title = format!("`<{}>` has both `{one}` and `{other}`", tag.name());
                Message::new(title, "two sources", "remove one of them")
            }
            Problem::NotAUrl => Message::new(
                "the API cannot fetch this: it is not an `https://` URL",
                "read as a URL",
                "add `local` for a file next to the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            Problem::IgnoredContent(tag) => Message::new(
                format!("the content of `<{}>` is not sent", tag.name()),
                "ignored",
                format!("write `<{} …/>`, and the text next to it", tag.name()),
            ),
            Problem::NotAnEmptyList(name) => Message::new(
                format!("`{name}` must be `[]` here"),
                "unexpected value",
                format!(
                    "write `{name}=\"[]\"`, or a bare `{name}` for null; anything else goes in a `chatmd:part` comment"
                ),
            ),
            Problem::BlockInImportedBody(tag) => Message::new(
                format!("`<{}>` in a file that is imported into a message", tag.name()),
                "not allowed in a body",
                "import the file at top level, or wrap the tag in `RAW|` and `|RAW`",
            ),
            Problem::MissingFile { path, is_in_current_dir } => files::missing(path, *is_in_current_dir),
            Problem::ForbiddenFile { path, why, remedy } => files::forbidden(path, why, *remedy),
            Problem::UnusableFile { path, why } => {
                Message::new(format!("cannot read `{path}`: {why}"), "named here", "name another file")
            }
            Problem::FileTooLarge { path, why, ceiling } => files::too_large(path, why, *ceiling),
            Problem::UnreadableFile { path, why } => {
                Message::new(format!("cannot read `{path}`: {why}"), "named here", "check the file's permissions")
            }
            Problem::ImportCycle => {
                Message::new("a file imports itself", "imports a file that is being read", "remove one of the imports")
            }
            Problem::ImportTooDeep { limit } => Message::new(
                format!("imports are nested more than {limit} deep"),
                "one level too deep",
                "import the files next to each other",
            )
            .hint(Hint::AllowDeeperImports),
            Problem::TooManyImports { limit } => Message::new(
                format!("more than {limit} imports"),
                "one too many",
                "if each file imports the next one twice, the number doubles at every level",
            )
            .hint(Hint::AllowMoreImports),
            Problem::ImportsTooLarge { limit } => {
                Message::new(format!("imported files exceed {limit} bytes"), "exceeds the limit", "import less")
                    .hint(Hint::AllowLargerImports)
            }
            Problem::DirectiveInImport => Message::new(
                "a `chatmd:` comment in an imported file",
                "not allowed here",
                "only the document itself may have such comments: move it there",
            ),
            Problem::MalformedDirective(what) => Message::new(
                format!("malformed `chatmd:` comment: {what}"),
                "in this comment",
                "it holds one JSON object; write `--` and `>` in it as `-\\u002d` and `\\u003e`",
            ),
            Problem::ForbiddenField(key) => Message::new(
                format!("`chatmd:fields` cannot set `{key}`"),
                "in this comment",
                "the element's tag and body set it",
            ),
            Problem::DuplicateField(key) => {
                Message::new(format!("`{key}` is set twice"), "set again here", "remove one of them")
            }
            Problem::RepeatedRequest => {
                Message::new("a second `chatmd:request`", "there is one before it", "put all fields in one comment")
            }
            Problem::UnsupportedMedia { index, kind } => outputs::unsupported_media(*index, kind),
            Problem::UnsentKeys(keys) => outputs::unsent_keys(keys),
            Problem::MalformedParts(what) => Message::new(
                format!("malformed part of this output: {what}"),
                "in this output",
                "fix the part; `output=\"text\"` sends the JSON as text",
            ),
            Problem::NotAnImage(path) => Message::new(
                format!("`{path}` is not an image that the API accepts"),
                "must be PNG, JPEG, WebP or a still GIF",
                "convert it; the file's content counts, not its name",
            ),
            Problem::NotText(path) => {
                let title = format!("`{path}` is not UTF-8 text");
                Message::new(title, "sent as text", "add `file` to send the file itself")
            }
            Problem::RemoteDoc(url) => files::remote(url),
            Problem::HtmlNotConverted { path, why } => Message::new(
                format!("cannot convert the HTML of `{path}`: {why}"),
                "converted here",
                "remove `strip` or `markdown` to send the HTML as it is",
            ),
            Problem::FetchFailed { url, why } => Message::new(
                format!("cannot fetch `{url}`: {why}"),
                "named here",
                "run the fetch command by itself with this URL",
            ),
            Problem::AgentFailed { why } => Message::new(
                format!("the agent gave no answer: {why}"),
                "asked here",
                "run the agent command by itself",
            ),
            Problem::AgentTooDeep { limit } => Message::new(
                format!("agents are nested more than {limit} deep"),
                "one level too deep",
                "remove one of the agents",
            ),
            Problem::TooManyRuns { limit } => Message::new(
                format!("programs would run more than {limit} time{}", if *limit == 1 { "" } else { "s" }),
                "one too many",
                "each `<doc>` URL and each `<agent>` is one run",
            )
            .hint(Hint::AllowMoreRuns),
            Problem::InvalidConfig { name, wanted, found } => {
                declarations::invalid_config(name, wanted, found.as_deref())
            }
            Problem::SuspectField { what } => declarations::suspect_field(what),
            Problem::DuplicateTool { name, first } => {
                let title = format!("two tools are called `{name}`");
                Message::new(title, "declared again here", "the API rejects the request: rename or remove one of them")
                    .related(*first, "the first one")
            }
            Problem::MalformedBody { tag, what } => declarations::malformed_body(*tag, what),
            Problem::InputInConfig => Message::new(
                "`<config>` cannot set `input`",
                "holds `input`",
                "write the items as elements, such as `<user>…</user>`",
            ),
            Problem::RepeatedConfig { first } => {
                Message::new("only the first `<config>` counts", "ignored", "move its attributes to the first one")
                    .related(*first, "this one counts")
            }
            Problem::InvalidSchema { path, what } => Message::new(
                format!("`{path}` is not a JSON Schema: {what}"),
                "named here",
                "the file must hold one JSON object",
            ),
            Problem::UnknownTool(name) => Message::new(
                format!("unknown tool `{name}`"),
                "has no parameters",
                "write its parameters as JSON between the tags, or name a file of them with `schema=\"file.json\"`; for a tool \
                 of the API, write `type=\"web_search\"`",
            )
            .hint(Hint::DefineTool),
            Problem::UnreachableServer(server) => {
                let title = format!("the API cannot reach `{server}`");
                Message::new(title, "not sent", "only `https://` servers can be sent")
            }
            Problem::ReasoningOmitted => Message::new(
                "reasoning without `encrypted_content` cannot be used in stateless mode",
                "not sent",
                "remove it, or keep the encrypted reasoning of the next turns",
            )
            .hint(Hint::AskForEncryptedReasoning),
            Problem::ForeignBlocks(count) => outputs::foreign_blocks(*count),
            Problem::AgentRefused => Message::new(
                "`<agent>` needs a program to answer it, and none is allowed",
                "not allowed",
                "put the answer in the document",
            )
            .hint(Hint::AllowAgents),
            Problem::MissingModel { is_empty } => declarations::missing_model(*is_empty),
            Problem::InvalidSet { path, why } => Message::new(
                format!("cannot set `{path}`: {why}"),
                "in this request",
                "a path goes through fields by name and through arrays by number, from 0",
            ),
            Problem::InvalidTools(why) => Message::new(
                format!("the given tools cannot be used: {why}"),
                "here",
                "give a JSON array of tools in the format of the API",
            ),
            Problem::PartInInstructions => {
                Message::new("instructions hold more than text", "not text", "move it to a message of its own")
            }
            Problem::MalformedJson { path, message, is_cut } => outputs::malformed_json(path, message, *is_cut),
            Problem::ForeignInput { what, help } => Message::new(*what, "here", *help),
            Problem::MalformedItem { path, message } => {
                let what = if path.is_empty() { message.clone() } else { format!("`{path}`: {message}") };
                Message::new(
                    format!("malformed item: {what}"),
                    "kept as JSON in a comment",
                    "it is sent back unchanged; the API may reject it",
                )
            }
            Problem::MalformedEvent(message) => Message::new(
                format!("malformed event of the stream: {message}"),
                "skipped",
                "check what the server sent; the rest of the stream is converted",
            ),
            Problem::DroppedText(why) => Message::new(
                format!("text of the stream is left out: {why}"),
                "not in any item",
                "check what the server sent; the rest of the stream is converted",
            ),
            Problem::NoItems => {
                let title = "the response is complete and has no items";
                Message::new(title, "nothing to write", "the model gave no output: check the request")
            }
            Problem::BrokenLine(why) => outputs::broken_line(why),
            Problem::EmptySession => outputs::empty_session(),
            Problem::ApiError { message, param } => Message::new(
                message.clone(),
                format!("`{param}` comes from here"),
                "fix it here and send the request again",
            ),
            Problem::RepeatedKey(key) => {
                Message::new(format!("duplicate key `{key}`"), "ignored", "the last one counts")
            }
        }
    }
}
