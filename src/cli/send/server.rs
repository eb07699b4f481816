//! The server that requests are sent to, and the headers that it gets.

use std::env;

use crate::Api;
use crate::cli::args::TurnArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::report::hide;

/// How an API is reached. Everything that differs between APIs is here.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// The variable of the URL, and its default.
    pub(super) base: (&'static str, &'static str),
    /// What follows the URL.
    pub(super) path: &'static str,
    /// The variable of the key.
    pub(super) key: &'static str,
    /// The header of the key.
    key_header: &'static str,
    /// Headers whose values are variables.
    headers: &'static [(&'static str, &'static str)],
    /// Headers that are always the same.
    fixed: &'static [(&'static str, &'static str)],
}

/// The Responses API.
const RESPONSES: Endpoint = Endpoint {
    base: ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    path: "/responses",
    key: "OPENAI_API_KEY",
    key_header: "Authorization",
    headers: &[("OpenAI-Organization", "OPENAI_ORGANIZATION"), ("OpenAI-Project", "OPENAI_PROJECT")],
    fixed: &[],
};

/// The Chat API.
const CHAT: Endpoint = Endpoint { path: "/chat/completions", ..RESPONSES };

/// The Messages API.
const MESSAGES: Endpoint = Endpoint {
    base: ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    path: "/v1/messages",
    key: "ANTHROPIC_API_KEY",
    key_header: "x-api-key",
    headers: &[],
    fixed: &[("anthropic-version", "2023-06-01")],
};

/// The variables of the keys of all APIs.
pub(super) const KEYS: [&str; 2] = [RESPONSES.key, MESSAGES.key];

/// Where requests are sent.
pub(crate) struct Server {
    pub(super) api: Api,
    pub(super) endpoint: &'static Endpoint,
    pub(super) url: String,
    /// Names and values. The values are never shown.
    pub(super) headers: Vec<(String, String)>,
    /// Names and values that may be shown.
    pub(super) shown_headers: Vec<(String, String)>,
    pub(super) has_key: bool,
    /// Whether the default server would get no key.
    pub(super) needs_key: bool,
}

impl Server {
    /// The server and the headers that the arguments and the environment choose.
    pub(super) fn new(api: Api, args: &TurnArgs) -> Result<Self> {
        let endpoint = match api {
            Api::Responses => &RESPONSES,
            Api::Messages => &MESSAGES,
            Api::Chat => &CHAT,
        };
        let (base_variable, default_base) = endpoint.base;
        let base = variable(base_variable)?;
        let base = base.unwrap_or_else(|| default_base.to_owned());
        let is_default = base.trim_end_matches('/') == default_base;
        if !["https://", "http://"].iter().any(|scheme| base.starts_with(scheme)) {
            return Err(usage(format!("{base_variable} must start with `https://` or `http://`")));
        }
        let mut headers = args.header.iter().map(|header| parse(header)).collect::<Result<Vec<_>, _>>()?;
        let name = args.key_header.as_deref().unwrap_or(endpoint.key_header);
        if !is_name(name) {
            return Err(
                usage("--key-header: not the name of a header".to_owned()).with_help("write `--key-header api-key`")
            );
        }
        let is_given = |headers: &[(String, String)], name: &str| {
            headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        let mut has_key = ["Authorization", "api-key", "x-api-key", name].iter().any(|name| is_given(&headers, name));
        let scheme = if name.eq_ignore_ascii_case("Authorization") { "Bearer " } else { "" };
        let key = variable(endpoint.key)?;
        for (_, value) in &headers {
            hide(value);
        }
        if let Some(key) = key.filter(|_| !is_given(&headers, name)) {
            hide(&key);
            headers.push((name.to_owned(), format!("{scheme}{key}")));
            has_key = true;
        }
        for (name, from) in endpoint.headers {
            if let Some(value) = variable(from)?.filter(|_| !is_given(&headers, name)) {
                headers.push(((*name).to_owned(), value));
            }
        }
        let fixed = endpoint.fixed.iter().filter(|(name, _)| !is_given(&headers, name));
        let shown_headers = fixed.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Ok(Self {
            api,
            endpoint,
            url: joined(&base, endpoint.path),
            headers,
            shown_headers,
            has_key,
            needs_key: is_default && !has_key,
        })
    }
}

fn usage(message: String) -> Failure {
    Failure::new(ExitStatus::Usage, message)
}

/// Reads the `Name: value` of `--header`. The value is never shown.
fn parse(header: &str) -> Result<(String, String)> {
    let wrong = |what: &str| usage(format!("--header: {what}")).with_help("write `--header 'Name: value'`");
    let (name, value) = header.split_once(':').ok_or_else(|| wrong("`:` is missing"))?;
    if !is_name(name) {
        return Err(wrong("the name is not the name of a header"));
    }
    if value.chars().any(char::is_control) {
        return Err(wrong("the value contains a line break or another control character"));
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The URL of the endpoint. A query stays at the end.
fn joined(base: &str, path: &str) -> String {
    let (start, query) = base.split_at(base.find('?').unwrap_or(base.len()));
    format!("{}{path}{query}", start.trim_end_matches('/'))
}

/// A variable of the environment without spaces around it; `None` if it is empty. Its value is never shown.
fn variable(name: &str) -> Result<Option<String>> {
    let wrong = |what: &str| Failure::new(ExitStatus::Usage, format!("{name} {what}"));
    let Some(value) = env::var_os(name) else { return Ok(None) };
    let value = value.into_string().map_err(|_| wrong("is not UTF-8"))?;
    let value = value.trim();
    if value.chars().any(char::is_control) {
        return Err(wrong("contains a line break or another control character"));
    }
    Ok(Some(value.to_owned()).filter(|value| !value.is_empty()))
}
