//! The server that requests are sent to, and the headers that it gets.

use std::env;

use crate::cli::args::TurnArgs;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::report::hide;

/// How an API is reached. Everything that differs between APIs is here.
pub(super) struct Endpoint {
    /// The variable of the URL, and its default.
    pub(super) base: (&'static str, &'static str),
    /// What follows the URL.
    pub(super) path: &'static str,
    /// The variable of the key.
    pub(super) key: &'static str,
    /// The header of the key, and what precedes the key.
    key_header: (&'static str, &'static str),
    /// Headers whose values are variables.
    headers: &'static [(&'static str, &'static str)],
}

/// The Responses API.
pub(super) const RESPONSES: Endpoint = Endpoint {
    base: ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    path: "/responses",
    key: "OPENAI_API_KEY",
    key_header: ("Authorization", "Bearer "),
    headers: &[("OpenAI-Organization", "OPENAI_ORGANIZATION"), ("OpenAI-Project", "OPENAI_PROJECT")],
};

/// Where requests are sent.
pub(crate) struct Server {
    pub(super) api: &'static Endpoint,
    pub(super) url: String,
    /// Names and values. The values are never shown.
    pub(super) headers: Vec<(String, String)>,
    pub(super) has_key: bool,
    is_default: bool,
}

impl Server {
    /// The server and the headers that the arguments and the environment choose.
    pub(super) fn new(api: &'static Endpoint, args: &TurnArgs) -> Result<Self, CliError> {
        let (base_variable, default_base) = api.base;
        let base = variable(base_variable)?;
        let is_default = base.is_none();
        let base = base.unwrap_or_else(|| default_base.to_owned());
        if !["https://", "http://"].iter().any(|scheme| base.starts_with(scheme)) {
            return Err(usage(format!("{base_variable} must start with `https://` or `http://`")));
        }
        let mut headers = args.header.iter().map(|header| parse(header)).collect::<Result<Vec<_>, _>>()?;
        let name = args.key_header.as_deref().unwrap_or(api.key_header.0);
        if !is_name(name) {
            return Err(
                usage("--key-header: not the name of a header".to_owned()).with_help("write `--key-header api-key`")
            );
        }
        let is_given = |headers: &[(String, String)], name: &str| {
            headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        let mut has_key = ["Authorization", "api-key", "x-api-key", name].iter().any(|name| is_given(&headers, name));
        let scheme = if name.eq_ignore_ascii_case("Authorization") { api.key_header.1 } else { "" };
        let key = variable(api.key)?;
        for (_, value) in &headers {
            hide(value);
        }
        if let Some(key) = key.filter(|_| !is_given(&headers, name)) {
            hide(&key);
            headers.push((name.to_owned(), format!("{scheme}{key}")));
            has_key = true;
        }
        for (name, from) in api.headers {
            if let Some(value) = variable(from)?.filter(|_| !is_given(&headers, name)) {
                headers.push(((*name).to_owned(), value));
            }
        }
        Ok(Self { api, url: endpoint(&base, api.path), headers, has_key, is_default })
    }

    /// Returns an error if the default server would get no key.
    pub(super) fn require_key(&self) -> Result<(), CliError> {
        if self.has_key || !self.is_default {
            return Ok(());
        }
        let (key, base) = (self.api.key, self.api.base.0);
        let error = usage(format!("there is no key: {key} is not set, so nothing was sent"));
        Err(error.with_help(format!("set {key}, or name a server that needs no key in {base}")))
    }
}

fn usage(message: String) -> CliError {
    CliError::new(ExitStatus::Usage, message)
}

/// Reads the `Name: value` of `--header`. The value is never shown.
fn parse(header: &str) -> Result<(String, String), CliError> {
    let wrong = |what: &str| usage(format!("--header: {what}")).with_help("write `--header 'Name: value'`");
    let (name, value) = header.split_once(':').ok_or_else(|| wrong("there is no `:`"))?;
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
fn endpoint(base: &str, endpoint: &str) -> String {
    let (path, query) = base.split_at(base.find('?').unwrap_or(base.len()));
    format!("{}{endpoint}{query}", path.trim_end_matches('/'))
}

/// A variable of the environment without spaces around it; `None` if it is empty. Its value is never shown.
fn variable(name: &str) -> Result<Option<String>, CliError> {
    let wrong = |what: &str| CliError::new(ExitStatus::Usage, format!("{name} {what}"));
    let Some(value) = env::var_os(name) else { return Ok(None) };
    let value = value.into_string().map_err(|_| wrong("is not UTF-8"))?;
    let value = value.trim();
    if value.chars().any(char::is_control) {
        return Err(wrong("contains a line break or another control character"));
    }
    Ok(Some(value.to_owned()).filter(|value| !value.is_empty()))
}
