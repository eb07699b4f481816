//! Request fields, from the names of the Responses API to those of this API.

use crate::json::{Json, Kind, Object, StringArena};
use crate::wire::{Api, Ledger, Outgoing, Overlay, Place, SERVER_FIELDS, report_unsent, unsent_field, unsent_member};

const API: Api = Api::Messages;
/// The fields that a document gives in the words of the Responses API, whichever API it is for.
pub(super) const NEUTRAL: [&str; 29] = [
    "model",
    "stream",
    "max_output_tokens",
    "temperature",
    "top_p",
    "reasoning",
    "text",
    "instructions",
    "tool_choice",
    "parallel_tool_calls",
    "tools",
    "safety_identifier",
    "user",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "store",
    "moderation",
    "service_tier",
    "include",
    "truncation",
    "background",
    "max_tool_calls",
    "top_logprobs",
    "previous_response_id",
    "conversation",
    "prompt",
    "input",
];

/// The fields of the request, without the conversation, `system` and the tools. `tool_choice` is among them.
pub(super) fn export_fields<'d>(
    outgoing: &Outgoing<'_, 'd>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
) -> Object<'d> {
    let mut export =
        Fields { sent: Object::default(), output: Object::default(), ledger, strings, span: outgoing.place };
    for (key, value) in outgoing.fields.iter() {
        export.field(key, value, outgoing);
    }
    export.tool_choice(outgoing.fields);
    export.finish(outgoing.fields)
}

struct Fields<'l, 'd> {
    sent: Object<'d>,
    /// The members of `output_config`.
    output: Object<'d>,
    ledger: &'l mut Ledger,
    strings: &'d StringArena,
    span: crate::source::Span,
}

impl<'d> Fields<'_, 'd> {
    fn note(&mut self, path: &str, rule: &'static str, message: String) {
        self.ledger.push(Place::new(path, self.span).entry(rule, message));
    }

    fn unsent(&mut self, path: &str) {
        self.note(path, "unsent-setting", format!("the Messages API has no `{path}`"));
    }

    fn field(&mut self, key: &str, value: Json<'d>, outgoing: &Outgoing<'_, 'd>) {
        match key {
            "model" | "stream" | "temperature" | "top_p" => self.sent.insert(key.to_owned(), value),
            "max_output_tokens" if value.kind() != Kind::Null => self.sent.insert(API.max_tokens_field(), value),
            "reasoning" => self.reasoning(value),
            "text" => self.text(value),
            "tool_choice" | "parallel_tool_calls" | "tools" | "instructions" => {}
            "safety_identifier" | "user" => self.user(key, value, outgoing),
            "service_tier" if value.raw() == "\"auto\"" => self.sent.insert(key.to_owned(), value),
            key if SERVER_FIELDS.contains(&key) && value.kind() != Kind::Null => {
                let message = format!("`{key}` names messages that only the server of the Responses API has");
                self.note(key, "server-history", message);
            }
            "@cache_control" => self.sent.insert("cache_control", value),
            key if key.starts_with('@') => {
                let mut members = Object::default();
                members.insert(key.to_owned(), value);
                let mut entries = Vec::new();
                report_unsent(API, &members, &[], &Place::new(key, self.span), &mut entries);
                self.ledger.extend(entries);
            }
            "max_tokens_key" => self.unsent(key),
            key if outgoing.declared == Some(API) && !NEUTRAL.contains(&key) => self.own(key, value),
            key => {
                let rule = unsent_field(key);
                self.note(key, rule, format!("the Messages API has no `{key}`"));
            }
        }
    }

    /// A field of this API.
    fn own(&mut self, key: &str, value: Json<'d>) {
        match value.object() {
            Ok(members) if key == "output_config" => {
                members.iter().for_each(|(key, value)| self.output.replace(key.to_owned(), value));
                if members.is_empty() {
                    self.sent.replace(key.to_owned(), value);
                }
            }
            _ => self.sent.replace(key.to_owned(), value),
        }
    }

    fn reasoning(&mut self, value: Json<'d>) {
        for (key, value) in value.object().unwrap_or_default().iter() {
            match (key, value.as_str().ok().as_deref()) {
                ("effort", Some("minimal")) => {
                    self.output.insert("effort", self.strings.string("low"));
                    self.note("reasoning.effort", "respelled-field", "`minimal` is sent as `low`".to_owned());
                }
                ("effort", Some("none")) => {
                    let disabled = self.strings.write_object(|thinking| thinking.text("type", "disabled"));
                    self.sent.insert("thinking", disabled);
                    let message = "`none` is sent as `thinking: {\"type\":\"disabled\"}`".to_owned();
                    self.note("reasoning.effort", "respelled-field", message);
                }
                ("effort", Some(_)) => self.output.insert("effort", value),
                (key, _) => self.unsent(&format!("reasoning.{key}")),
            }
        }
    }

    fn text(&mut self, value: Json<'d>) {
        for (key, value) in value.object().unwrap_or_default().iter() {
            match (key, value.object()) {
                ("format", Ok(format)) => self.format(&format),
                (key, _) => self.unsent(&format!("text.{key}")),
            }
        }
    }

    fn format(&mut self, format: &Object<'d>) {
        match format.get_str("type").as_deref() {
            Some("json_schema") => {
                let sent = ["type", "schema"].iter().filter_map(|key| Some((*key, format.get(key)?)));
                let mut object = Object::default();
                sent.for_each(|(key, value)| object.insert(key, value));
                self.output.insert("format", self.strings.object(&object));
                for (key, _) in format.iter().filter(|(key, _)| !["type", "schema"].contains(key)) {
                    self.unsent(&format!("text.format.{key}"));
                }
            }
            Some("text") => self.unsent("text.format"),
            kind => {
                let kind = kind.unwrap_or("this");
                let message = format!("the Messages API has no output format like `{kind}`");
                self.note("text.format", "unsent-field", message);
            }
        }
    }

    fn user(&mut self, key: &str, value: Json<'d>, outgoing: &Outgoing<'_, 'd>) {
        let is_second = key == "user" && outgoing.fields.get("safety_identifier").is_some();
        if is_second || value.kind() == Kind::Null {
            self.unsent(key);
            return;
        }
        let metadata = self.strings.write_object(|metadata| metadata.json("user_id", value));
        self.sent.insert("metadata", metadata);
        // In a document for this API, the field is the only name of `metadata.user_id`.
        if outgoing.declared != Some(API) || key == "user" {
            self.note(key, "moved-field", "it is sent as `metadata.user_id`".to_owned());
        }
    }

    fn tool_choice(&mut self, fields: &Object<'d>) {
        let parallel = fields.get("parallel_tool_calls").filter(|value| value.kind() == Kind::Boolean);
        if fields.get("parallel_tool_calls").is_some() && parallel.is_none() {
            self.unsent("parallel_tool_calls");
        }
        let choice = fields.get("tool_choice").and_then(|choice| self.choice(choice));
        let mut choice = match (choice, parallel.map(Json::raw)) {
            (Some(choice), _) => choice,
            (None, Some("false")) => self.typed("auto"),
            (None, Some(_)) => {
                self.unsent("parallel_tool_calls");
                return;
            }
            (None, None) => return,
        };
        match parallel.map(Json::raw) {
            Some(_) if choice.get_str("type").as_deref() == Some("none") => self.unsent("parallel_tool_calls"),
            Some(value) => {
                let is_disabled = if value == "true" { Json::FALSE } else { Json::TRUE };
                choice.insert("disable_parallel_tool_use", is_disabled);
            }
            None => {}
        }
        self.sent.insert("tool_choice", self.strings.object(&choice));
    }

    fn typed(&self, kind: &str) -> Object<'d> {
        let mut object = Object::default();
        object.insert("type", self.strings.string(kind));
        object
    }

    /// The members of `tool_choice`, without the parallel calls.
    fn choice(&mut self, choice: Json<'d>) -> Option<Object<'d>> {
        let mode = |mode: &str| match mode {
            "required" => "any",
            "none" => "none",
            _ => "auto",
        };
        if let Ok(name) = choice.as_str() {
            return Some(self.typed(mode(&name)));
        }
        let object = choice.object().unwrap_or_default();
        match (object.get_str("type").as_deref(), object.get_str("name")) {
            (Some("function" | "custom"), Some(name)) => {
                let mut sent = self.typed("tool");
                sent.insert("name", self.strings.string(&name));
                Some(sent)
            }
            (Some("allowed_tools"), _) => {
                let message = "only the allowed tools are sent".to_owned();
                self.note("tool_choice", "respelled-field", message);
                Some(self.typed(mode(&object.get_str("mode").unwrap_or_default())))
            }
            (_, _) if choice.kind() == Kind::Null => {
                self.unsent("tool_choice");
                None
            }
            (kind, _) => {
                let message = format!("the Messages API cannot choose `{}`", kind.unwrap_or("this tool"));
                self.note("tool_choice", "unsent-field", message);
                None
            }
        }
    }

    fn finish(mut self, fields: &Object<'d>) -> Object<'d> {
        if !self.output.is_empty() {
            self.sent.replace("output_config", self.strings.object(&self.output));
        }
        let overlay = Overlay::of(fields, API);
        let has_limit = [&self.sent].iter().any(|sent| sent.get("max_tokens").is_some());
        if !has_limit && overlay.get("max_tokens").is_none() {
            let message = "the Messages API needs `max_tokens`, the limit of the answer's length".to_owned();
            self.note("max_output_tokens", "missing-max-tokens", message);
        }
        self.sent
    }
}

/// The rule of a member of a tool that this API does not have.
pub(super) fn unsent_tool_member(key: &str) -> &'static str {
    match unsent_member(key) {
        "unsent-keys" => "unsent-setting",
        rule => rule,
    }
}
