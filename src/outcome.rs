//! The outcome of a reply: how it ended, the error of the API, and the tokens.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::json::{Json, Object};

/// How a response ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Completion {
    /// It is complete.
    #[default]
    Complete,
    /// The model stopped early, and the reason if there is one.
    Incomplete(Option<String>),
    /// It was cancelled.
    Cancelled,
    /// The stream ended before its terminal event.
    Truncated,
    /// The response completed, but one of its items never got a `done` event.
    Unfinished,
    /// The response is complete, but an event of its stream could not be read.
    Damaged,
    /// It is not ready: its status is `queued` or `in_progress`.
    Pending(String),
    /// The API reported an error after some items had arrived.
    Failed(ApiError),
}

/// An error that the API reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// `invalid_request_error`, `rate_limit_exceeded`, …
    pub code: Option<String>,
    /// The message of the API.
    pub message: String,
    /// Which part of the request it is about.
    pub param: Option<String>,
}

/// The error that a body has or is, as some servers send it. `None` if it is something else.
pub(crate) fn error_of<'j>(body: &Object<'j>, json: Json<'j>) -> Option<Json<'j>> {
    let is_error = || body.get_str("object").is_some_and(|name| name == "error");
    body.get_present("error").or_else(|| is_error().then_some(json))
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        let message = if self.message.is_empty() { "no message" } else { &self.message };
        let param = self.param.as_ref().map(|param| format!(" (param: {param})")).unwrap_or_default();
        // The server writes these texts: no line of them may look like another message.
        f.write_str(&format!("API error{code}: {message}{param}").replace('\n', "\n    "))
    }
}

impl std::error::Error for ApiError {}

impl ApiError {
    /// Reads an error of any shape.
    pub(crate) fn decode(error: Json<'_>) -> Self {
        let Ok(object) = error.object() else {
            let message = error.as_str().unwrap_or_else(|_| error.compact());
            return Self { message: message.into_owned(), ..Self::default() };
        };
        if let (Some(inner), None) = (object.get_present("error"), object.get_str("message")) {
            return Self::decode(inner);
        }
        // The type `error` adds no information.
        let is_specific = |kind: &Json<'_>| kind.raw() != "\"error\"";
        let code = object.get_present("code").or_else(|| object.get_present("type").filter(is_specific));
        Self {
            code: code.map(|code| code.as_str().unwrap_or_else(|_| code.compact()).into_owned()),
            message: object
                .get_str("message")
                .unwrap_or_else(|| if object.is_empty() { Cow::Borrowed("") } else { error.compact() })
                .into_owned()
                + &misalignment(&object),
            param: object.get_str("param").filter(|param| !param.is_empty()).map(Cow::into_owned),
        }
    }
}

/// What an error says about a misaligned model: its kind, the explanation, and how to go on.
fn misalignment(error: &Object<'_>) -> String {
    let details = error.get_present("misalignment").and_then(|details| details.object().ok()).unwrap_or_default();
    let steer = details.get_present("steer").and_then(|steer| steer.object().ok()).unwrap_or_default();
    let to_go_on = steer.get_str("message").map(|message| format!("to go on: {message}").into());
    let texts = [details.get_str("error_type"), details.get_str("detailed_explanation"), to_go_on];
    texts.into_iter().flatten().fold(String::new(), |all, text| format!("{all}; {text}"))
}

/// The tokens that an API has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// The tokens of the requests.
    pub input_tokens: u64,
    /// The tokens among them that the API had in a cache.
    pub cached_tokens: u64,
    /// The tokens of the answers.
    pub output_tokens: u64,
    /// The tokens among them that are reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// The usage of a response, if its fields have one. The keys are those of the Responses, the Chat Completions and the
    /// Messages API.
    pub fn of_response(fields: &Object<'_>) -> Option<Self> {
        let usage = fields.get_object("usage")?;
        let number = |path: &[&str]| {
            let (last, parents) = path.split_last()?;
            let holder = parents.iter().try_fold(usage.clone(), |object, key| object.get_object(key))?;
            holder.get(last)?.raw().parse::<u64>().ok()
        };
        let first = |paths: &[&[&str]]| paths.iter().find_map(|path| number(path));
        // The input of the Messages API is without cached tokens, that of the other APIs includes them.
        let (read, written) = (number(&["cache_read_input_tokens"]), number(&["cache_creation_input_tokens"]));
        let input = first(&[&["input_tokens"], &["prompt_tokens"]]);
        let output = first(&[&["output_tokens"], &["completion_tokens"]]);
        if input.is_none() && output.is_none() {
            return None;
        }
        let cached =
            first(&[&["input_tokens_details", "cached_tokens"], &["prompt_tokens_details", "cached_tokens"]]).or(read);
        let reasoning = first(&[
            &["output_tokens_details", "reasoning_tokens"],
            &["completion_tokens_details", "reasoning_tokens"],
        ]);
        let all = [input, read, written].into_iter().flatten().fold(0, u64::saturating_add);
        Some(Self {
            input_tokens: all,
            cached_tokens: cached.unwrap_or_default(),
            output_tokens: output.unwrap_or_default(),
            reasoning_tokens: reasoning.unwrap_or_default(),
        })
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(other.reasoning_tokens),
        }
    }
}

impl fmt::Display for Usage {
    /// `412 input (300 cached), 96 output tokens (64 reasoning)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |count: u64, what: &str| if count == 0 { String::new() } else { format!(" ({count} {what})") };
        let (cached, reasoning) = (part(self.cached_tokens, "cached"), part(self.reasoning_tokens, "reasoning"));
        let output = if self.output_tokens == 1 { "token" } else { "tokens" };
        write!(f, "{} input{cached}, {} output {output}{reasoning}", self.input_tokens, self.output_tokens)
    }
}
