//! Problems of the request: its fields, its tools and the options of the conversion.

use crate::diagnostic::message::{Hint, Message};
use crate::diagnostic::rule::rules;
use crate::element::Tag;
use crate::source::Span;

/// Problems of the request: its fields, its tools and the options of the conversion. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RequestProblem {
    /// `<config max_tokens="many"/>`
    InvalidConfig {
        /// The attribute.
        name: String,
        /// What its value must be.
        wanted: &'static str,
        /// What it is.
        found: Option<String>,
    },
    /// `<config>model: gpt-5</config>`
    MalformedBody {
        /// The element.
        tag: Tag,
        /// What is wrong with its body.
        what: String,
    },
    /// `<config>{"input":[]}</config>`
    InputInConfig,
    /// `<config>{"store":"yes"}</config>`
    SuspectField {
        /// The error that the API would return.
        what: String,
    },
    /// `<config model="a">{"model":"b"}</config>`
    DuplicateField(String),
    /// `<tool name="a">{}</tool><tool name="a">{}</tool>`
    DuplicateTool {
        /// The name.
        name: String,
        /// The first tool of this name.
        first: Span,
    },
    /// `<config/><config/>`
    RepeatedConfig {
        /// The one that counts.
        first: Span,
    },
    /// `<config/><user>Hi.</user><config reasoning_effort="low"/><config reasoning_effort="high"/>`
    RepeatedUpdate,
    /// `<reasoning encrypted_content="x"></reasoning><tool name="read_file"/>`
    LateDeclaration {
        /// The reasoning that belongs to a request without the declaration.
        reasoning: Span,
    },
    /// the option `collapse_stale`, and `<reasoning encrypted_content="x">` after two outputs for one file
    CollapsedOutput {
        /// The reasoning that belongs to a request with the output.
        reasoning: Span,
    },
    /// `<tool name="t" schema="schema.json"/>`, where the file holds `[]`
    InvalidSchema {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// `<tool name="unheard_of"/>`
    UnknownTool(String),
    /// `<tool mcp_server="stdio:server"/>`
    UnreachableServer(String),
    /// `<user>hello</user>`
    MissingModel {
        /// Whether the document is empty.
        is_empty: bool,
        /// The model of the session that the document comes from.
        of_session: Option<String>,
    },
    /// the option `set` with the path `input.0.role.x`
    InvalidSet {
        /// The path.
        path: String,
        /// Why it cannot be set.
        why: String,
    },
    /// the option `tools` with the text `{}`
    InvalidTools(String),
    /// an API error about `input[0].content[0]`
    ApiError {
        /// The message of the API.
        message: String,
        /// The path of the rejected value.
        param: String,
    },
}

rules! {
    /// Each variant with its rule.
    REQUEST of RequestProblem;
    "wrong-type" Error Malformed: InvalidConfig;
    "malformed-body" Error Malformed: MalformedBody;
    "forbidden-field" Error Malformed: InputInConfig;
    "wrong-type" Warning Malformed is_allowable: SuspectField;
    "repeated-field" Error Malformed: DuplicateField;
    "repeated-tool" Error Malformed: DuplicateTool;
    "repeated-config" Warning Malformed is_allowable: RepeatedConfig;
    "repeated-config" Error Malformed: RepeatedUpdate;
    "late-declaration" Warning Malformed is_allowable: LateDeclaration;
    "late-declaration" Warning Malformed is_allowable: CollapsedOutput;
    "invalid-schema" Error Malformed: InvalidSchema;
    "unknown-tool" Error Malformed is_allowable: UnknownTool;
    "unreachable-server" Warning Malformed is_allowable: UnreachableServer;
    "missing-model" Error Malformed: MissingModel;
    "invalid-option" Error Malformed: InvalidSet;
    "invalid-option" Error Malformed: InvalidTools;
    "api-error" Error Api: ApiError;
}

/// The types of tools that are mistaken for names.
const HOSTED_TOOLS: [&str; 9] = [
    "apply_patch",
    "code_interpreter",
    "computer",
    "computer_use_preview",
    "file_search",
    "image_generation",
    "local_shell",
    "web_search",
    "web_search_preview",
];

impl RequestProblem {
    /// The problem in words.
    pub(super) fn message(&self) -> Message {
        match self {
            RequestProblem::InvalidConfig { name, wanted, found } => {
                invalid_config(name, wanted, found.as_deref())
            }
            RequestProblem::MalformedBody { tag, what } => malformed_body(*tag, what),
            RequestProblem::InputInConfig => Message::new(
                "`<config>` cannot set `input`",
                "holds `input`",
                "write the items as elements, such as `<user>…</user>`",
            ),
            RequestProblem::SuspectField { what } => suspect_field(what),
            RequestProblem::DuplicateField(key) => {
                Message::new(format!("`{key}` is set twice"), "set again here", "remove one of them")
            }
            RequestProblem::DuplicateTool { name, first } => {
                let title = format!("two tools are called `{name}`");
                Message::new(title, "declared again here", "the API rejects the request: rename or remove one of them")
                    .related(*first, "the first one")
            }
            RequestProblem::RepeatedConfig { first } => {
                let help = "move its attributes to the first one; after a message, a `<config>` can change only \
                            `reasoning_effort` and `text_format`";
                Message::new("only the first `<config>` counts", "ignored", help).related(*first, "this one counts")
            }
            RequestProblem::RepeatedUpdate => Message::new(
                "two changes of the configuration without a message between them",
                "changed again here",
                "put the attributes of both into one `<config>`",
            ),
            RequestProblem::LateDeclaration { reasoning } => late(
                "this declaration changes the request before reasoning that belongs to it",
                "after the reasoning",
                "move it before the first turn, or remove the reasoning: the API may not use the reasoning",
                *reasoning,
            ),
            RequestProblem::CollapsedOutput { reasoning } => late(
                "leaving out this output changes the request before reasoning that belongs to it",
                "left out",
                "send all outputs while there is such reasoning: the API may not use it",
                *reasoning,
            ),
            RequestProblem::InvalidSchema { path, what } => Message::new(
                format!("`{path}` is not a JSON Schema: {what}"),
                "named here",
                "the file must hold one JSON object",
            ),
            RequestProblem::UnknownTool(name) if HOSTED_TOOLS.contains(&name.as_str()) => Message::new(
                format!("unknown function `{name}`"),
                "has no parameters",
                format!("for the tool of the API, write `<tool type=\"{name}\"/>`"),
            ),
            RequestProblem::UnknownTool(name) => Message::new(
                format!("unknown tool `{name}`"),
                "has no parameters",
                "write its parameters as JSON between the tags, or name a file of them with `schema=\"file.json\"`; for a tool \
                 of the API, write its type in place of its name, such as `type=\"web_search\"`",
            )
            .hint(Hint::DefineTool),
            RequestProblem::UnreachableServer(server) => {
                let title = format!("the API cannot reach `{server}`");
                Message::new(title, "not sent", "only `https://` servers can be sent")
            }
            RequestProblem::MissingModel { is_empty, of_session } => missing_model(*is_empty, of_session.as_deref()),
            RequestProblem::InvalidSet { path, why } => Message::new(
                format!("cannot set `{path}`: {why}"),
                "in this request",
                "a path goes through fields by name and through arrays by number, from 0",
            ),
            RequestProblem::InvalidTools(why) => Message::new(
                format!("the given tools cannot be used: {why}"),
                "here",
                "give a JSON array of tools in the format of the API",
            ),
            RequestProblem::ApiError { message, param } => Message::new(
                message.clone(),
                format!("`{param}` comes from here"),
                "fix it here and send the request again",
            ),
        }
    }
}

fn late(title: &str, label: &str, help: &str, reasoning: Span) -> Message {
    Message::new(title, label, help).related(reasoning, "this reasoning is bound to everything before it")
}

fn invalid_config(name: &str, wanted: &str, found: Option<&str>) -> Message {
    let found =
        found.map(|found| if found.is_empty() { ", found nothing".to_owned() } else { format!(", found `{found}`") });
    Message::new(
        format!("`{name}` must be {wanted}{}", found.unwrap_or_default()),
        "invalid value",
        format!("write `{name}=\"…\"` with {wanted}"),
    )
}

fn malformed_body(tag: Tag, what: &str) -> Message {
    let help = if tag == Tag::Config {
        "write one JSON object with fields of the request"
    } else {
        "write one JSON object: the parameters of a function, or more fields of another kind of tool"
    };
    Message::new(format!("the body of `<{}>` is not one JSON object: {what}", tag.name()), "here", help)
}

fn suspect_field(what: &str) -> Message {
    Message::new(
        format!("the API would reject this: {what}"),
        "sent as it is written",
        "fix it here; JSON in a body is sent as it is",
    )
}

fn missing_model(is_empty: bool, of_session: Option<&str>) -> Message {
    if is_empty {
        let help = "write `<config model=\"…\"/>` and `<user>…</user>`";
        return Message::new("the document is empty", "nothing to send", help).hint(Hint::StartDocument);
    }
    let title = "model is required, and the document does not name one";
    let label = match of_session {
        Some(model) => format!("no model for this request; that of the session was `{model}`"),
        None => "no model for this request".to_owned(),
    };
    Message::new(title, label, "write `<config model=\"…\"/>`").hint(Hint::NameModel)
}
