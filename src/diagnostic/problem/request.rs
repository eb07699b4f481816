//! Problems of the request: its fields, its tools and the options of the conversion.

use super::problems;
use crate::diagnostic::message::{Hint, Message};
use crate::element::Tag;
use crate::source::Span;

problems! {
    /// Problems of the request: its fields, its tools and the options of the conversion. Each variant shows the shortest text that causes it.
    RequestProblem REQUEST

    /// `<config max_tokens="many"/>`
    InvalidConfig {
        /// The attribute.
        name: String,
        /// What its value must be.
        wanted: &'static str,
        /// What it is.
        found: Option<String>,
    }: "wrong-type" Error Malformed => {
        let found = match found.as_deref() {
            None => String::new(),
            Some("") => ", found nothing".to_owned(),
            Some(found) => format!(", found `{found}`"),
        };
        let help = format!("write `{name}=\"…\"` with {wanted}");
        Message::new(format!("`{name}` must be {wanted}{found}"), "invalid value", help)
    };

    /// `<config>model: gpt-5</config>`
    MalformedBody {
        /// The element.
        tag: Tag,
        /// What is wrong with its body.
        what: String,
    }: "malformed-body" Error Malformed => {
        let help = if *tag == Tag::Config {
            "write one JSON object with fields of the request"
        } else {
            "write one JSON object: the parameters of a function, or more fields of another kind of tool"
        };
        Message::new(format!("the body of `<{}>` is not one JSON object: {what}", tag.name()), "here", help)
    };

    /// `<config>{"input":[]}</config>`
    InputInConfig: "forbidden-field" Error Malformed => Message::new(
        "`<config>` cannot set `input`",
        "holds `input`",
        "write the items as elements, such as `<user>…</user>`",
    );

    /// `<config>{"store":"yes"}</config>`
    WrongField {
        /// The error that the API would return.
        what: String,
    }: "wrong-type" Warning Malformed is_allowable => Message::new(
        format!("the API would reject this: {what}"),
        "sent as it is written",
        "fix it here; JSON in a body is sent as it is",
    );

    /// `<config model="a">{"model":"b"}</config>`
    DuplicateField(key: String): "repeated-field" Error Malformed => {
        Message::new(format!("`{key}` is set twice"), "set again here", "remove one of them")
    };

    /// `<tool name="a">{}</tool><tool name="a">{}</tool>`
    DuplicateTool {
        /// The name.
        name: String,
        /// The first tool of this name.
        first: Span,
    }: "repeated-tool" Error Malformed => {
        let title = format!("two tools are called `{name}`");
        Message::new(title, "declared again here", "the API rejects the request: rename or remove one of them")
            .related(*first, "the first one")
    };

    /// `<config/><config/>`
    RepeatedConfig {
        /// The element that counts.
        first: Span,
    }: "repeated-config" Warning Malformed is_allowable => {
        let help = "move its attributes to the first one; after a message, a `<config>` can change only \
                    `reasoning_effort` and `text_format`";
        Message::new("only the first `<config>` counts", "ignored", help).related(*first, "this one counts")
    };

    /// `<config/><user>Hi.</user><config reasoning_effort="low"/><config reasoning_effort="high"/>`
    RepeatedUpdate: "repeated-config" Error Malformed => Message::new(
        "two changes of the configuration without a message between them",
        "changed again here",
        "put the attributes of both into one `<config>`",
    );

    /// `<reasoning encrypted_content="x"></reasoning><tool name="read_file"/>`
    LateDeclaration {
        /// The reasoning that belongs to a request without the declaration.
        reasoning: Span,
    }: "late-declaration" Warning Malformed is_allowable => late(
        "this declaration changes the request before reasoning that belongs to it",
        "after the reasoning",
        "move it before the first turn, or remove the reasoning: the API may not use the reasoning",
        *reasoning,
    );

    /// the option `collapse_stale`, and `<reasoning encrypted_content="x">` after two outputs for one file
    CollapsedOutput {
        /// The reasoning that belongs to a request with the output.
        reasoning: Span,
    }: "late-declaration" Warning Malformed is_allowable => late(
        "leaving out this output changes the request before reasoning that belongs to it",
        "left out",
        "send all outputs while there is such reasoning: the API may not use it",
        *reasoning,
    );

    /// `<tool name="t" schema="schema.json"/>`, where the file holds `[]`
    InvalidSchema {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    }: "invalid-schema" Error Malformed => Message::new(
        format!("`{path}` is not a JSON Schema: {what}"),
        "named here",
        "the file must hold one JSON object",
    );

    /// `<tool name="unheard_of"/>`
    UnknownTool(name: String): "unknown-tool" Error Malformed is_allowable => unknown_tool(name);

    /// `<tool mcp_server="stdio:server"/>`
    UnreachableServer(server: String): "unreachable-server" Warning Malformed is_allowable => {
        let title = format!("the API cannot reach `{server}`");
        Message::new(title, "not sent", "only `https://` servers can be sent")
    };

    /// `<user>hello</user>`
    MissingModel {
        /// Whether the document is empty.
        is_empty: bool,
        /// The model of the session that the document comes from.
        of_session: Option<String>,
    }: "missing-model" Error Malformed => missing_model(*is_empty, of_session.as_deref());

    /// the option `set` with the path `input.0.role.x`
    InvalidSet {
        /// The path.
        path: String,
        /// Why it cannot be set.
        why: String,
    }: "invalid-option" Error Malformed => Message::new(
        format!("cannot set `{path}`: {why}"),
        "in this request",
        "a path goes through fields by name and through arrays by number, from 0",
    );

    /// the option `tools` with the text `{}`
    InvalidTools(why: String): "invalid-option" Error Malformed => Message::new(
        format!("the given tools cannot be used: {why}"),
        "here",
        "give a JSON array of tools in the format of the API",
    );

    /// an API error about `input[0].content[0]`
    ApiError {
        /// The message of the API.
        message: String,
        /// The path of the rejected value.
        param: String,
    }: "api-error" Error Api => Message::new(
        message.clone(),
        format!("`{param}` comes from here"),
        "fix it here and send the request again",
    );
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

fn unknown_tool(name: &str) -> Message {
    if HOSTED_TOOLS.contains(&name) {
        let help = format!("for the tool of the API, write `<tool type=\"{name}\"/>`");
        return Message::new(format!("unknown function `{name}`"), "has no parameters", help);
    }
    Message::new(
        format!("unknown tool `{name}`"),
        "has no parameters",
        "write its parameters as JSON between the tags, or name a file of them with `schema=\"file.json\"`; for a tool \
         of the API, write its type in place of its name, such as `type=\"web_search\"`",
    )
    .hint(Hint::DefineTool)
}

fn late(title: &str, label: &str, help: &str, reasoning: Span) -> Message {
    Message::new(title, label, help).related(reasoning, "this reasoning is bound to everything before it")
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
