//! The attributes of elements: one row for each.

/// One attribute of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeDefinition {
    /// The name as it is written.
    pub name: &'static str,
    /// The key of the item, the part or the tool whose value the attribute is, or the path of the request field.
    ///
    /// A key that begins with `@` is not one of the Responses API.
    pub key: Option<&'static str>,
    /// Which values the attribute has.
    pub kind: AttributeKind,
    /// Who needs the attribute.
    pub usage: Usage,
    /// The name of the only API that has the attribute.
    pub api: Option<&'static str>,
}

/// Who needs an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The conversion.
    Conversion,
    /// The conversion, and people: the value is shown next to the heading of the element.
    Label,
    /// The program that runs the conversation or the tool. The attribute is never sent.
    Host,
    /// The conversion, only on a tool that the API runs.
    Hosted,
}

/// Which values an attribute has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    /// The element reads the attribute by itself: it chooses what the element is, or where content comes from.
    Own,
    /// A string, whatever it looks like. The attribute needs a value.
    Text,
    /// A string, or null without a value.
    Nullable,
    /// Like [`AttributeKind::Nullable`]. Digits are the numbering of another program and not the item's id.
    ItemId,
    /// The JSON of an object or null, or else a string.
    TextOrObject,
    /// The JSON of an object, or else a string. Null without a value.
    NullableOrObject,
    /// JSON that is not a string, or else a string.
    Json,
    /// `[]`, or null without a value.
    EmptyList,
    /// True, whatever the value is.
    Flag,
    /// False for `false`, else true.
    FlagOrFalse,
    /// How long a prompt is cached: `5m` or `1h`, or no value for the default. `null` is null.
    CacheControl,
    /// The path of a file with the string.
    File,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`. Without a value it is `true`.
    Boolean,
    /// A JSON object.
    Object,
    /// A JSON array.
    Array,
    /// Names separated by commas, or a JSON array.
    List,
    /// `auto`, `none`, `required`, the name of a tool, or a JSON object.
    ToolChoice,
    /// `text`, `json_object`, or a JSON Schema file.
    TextFormat,
    /// The name of an API.
    Api,
}

use AttributeKind::{
    Api, Array, Boolean, CacheControl, Flag, Integer, ItemId, List, Nullable, Number, Object, Own, Text, TextFormat,
    TextOrObject, ToolChoice,
};

impl AttributeDefinition {
    /// The same attribute of one API only.
    pub(super) const fn only_for(self, api: &'static str) -> Self {
        Self { api: Some(api), ..self }
    }

    const fn used_by(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }
}

/// An attribute that is a member of the item, the part or the tool.
pub(super) const fn member(name: &'static str, key: &'static str, kind: AttributeKind) -> AttributeDefinition {
    AttributeDefinition { key: Some(key), ..other(name, kind) }
}

/// An attribute that is not a member by itself.
pub(super) const fn other(name: &'static str, kind: AttributeKind) -> AttributeDefinition {
    AttributeDefinition { name, key: None, kind, usage: Usage::Conversion, api: None }
}

pub(super) const fn text(name: &'static str, key: &'static str) -> AttributeDefinition {
    member(name, key, Text)
}

pub(super) const fn own(name: &'static str) -> AttributeDefinition {
    other(name, Own)
}

/// An attribute with the name of its field.
const fn same(name: &'static str, kind: AttributeKind) -> AttributeDefinition {
    member(name, name, kind)
}

const fn host(name: &'static str) -> AttributeDefinition {
    own(name).used_by(Usage::Host)
}

const fn hosted(name: &'static str, kind: AttributeKind) -> AttributeDefinition {
    same(name, kind).used_by(Usage::Hosted)
}

pub(super) const ID: AttributeDefinition = same("id", Nullable);
pub(super) const CALL_ITEM_ID: AttributeDefinition = same("id", ItemId);
pub(super) const STATUS: AttributeDefinition = same("status", Nullable);
pub(super) const PHASE: AttributeDefinition = same("phase", Nullable).used_by(Usage::Label);
pub(super) const INSTRUCTIONS: AttributeDefinition = other("instructions", Flag);
pub(super) const NAME: AttributeDefinition = text("name", "@name").used_by(Usage::Label).only_for("chat");
pub(super) const ISSUER: AttributeDefinition = text("issuer", "@issuer");
pub(super) const CACHE: AttributeDefinition =
    member("cache_control", "@cache_control", CacheControl).only_for("messages");

/// The attributes of `<config>`: the fields of a request.
pub(super) const CONFIG: &[AttributeDefinition] = &[
    member("api", "@api", Api),
    same("model", Text),
    member("max_tokens", "max_output_tokens", Integer),
    same("max_tokens_key", Text).only_for("chat"),
    same("temperature", Number),
    same("top_p", Number),
    text("reasoning_effort", "reasoning.effort"),
    text("reasoning_summary", "reasoning.summary"),
    member("text_format", "text.format", TextFormat),
    text("text_format_name", "text.format.name"),
    member("text_format_strict", "text.format.strict", Boolean),
    text("text_format_description", "text.format.description"),
    text("verbosity", "text.verbosity"),
    same("tool_choice", ToolChoice),
    same("parallel_tool_calls", Boolean),
    same("max_tool_calls", Integer),
    same("store", Boolean),
    same("include", List),
    same("stream", Boolean),
    same("background", Boolean),
    same("service_tier", Text),
    same("truncation", Text),
    same("previous_response_id", Text),
    same("conversation", TextOrObject),
    same("prompt_cache_key", Text),
    same("prompt_cache_retention", Text),
    same("safety_identifier", Text),
    same("user", Text),
    same("top_logprobs", Integer),
    same("metadata", Object),
    same("prompt", Object),
    same("context_management", Array),
    same("stream_options", Object),
    CACHE,
    host("id"),
    host("show_tool_call"),
];

/// The attributes of `<tool>`. Those that are not here are fields of a tool that the API runs.
pub(super) const TOOL: &[AttributeDefinition] = &[
    own("type"),
    same("name", Text),
    same("description", Nullable),
    same("async", Boolean),
    own("strict"),
    host("schema"),
    host("input_schema"),
    host("command"),
    host("agent"),
    host("local"),
    CACHE,
    ISSUER.used_by(Usage::Hosted),
    own("mcp_server").used_by(Usage::Hosted),
    own("include").used_by(Usage::Hosted),
    own("includes").used_by(Usage::Hosted),
    host("client_id_env"),
    host("client_secret_env"),
    hosted("action", Text),
    hosted("authorization", Text),
    hosted("background", Text),
    hosted("connector_id", Text),
    hosted("container", TextOrObject),
    hosted("environment", TextOrObject),
    hosted("execution", Text),
    hosted("input_fidelity", Text),
    hosted("model", Text),
    hosted("moderation", Text),
    hosted("output_format", Text),
    hosted("quality", Text),
    hosted("require_approval", TextOrObject),
    hosted("search_context_size", Text),
    hosted("server_description", Text),
    hosted("server_label", Text),
    hosted("server_url", Text),
    hosted("size", Text),
    hosted("tunnel_id", Text),
];

/// Whether an attribute is for ochat alone, so that it is never reported as unknown.
pub fn is_of_ochat(name: &str) -> bool {
    name.starts_with("ochat-")
}
