//! The server that requests are sent to, and the key for it.

use std::env;

use crate::cli::error::{CliError, ExitStatus};
use crate::cli::report::hide;

const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";

/// Where requests are sent.
pub(crate) struct Server {
    pub(super) url: String,
    /// The name of the header with the key, what precedes the key, and the key.
    pub(super) key_header: Option<(String, &'static str, String)>,
}

impl Server {
    /// The server of `OPENAI_BASE_URL` and the key of `OPENAI_API_KEY`.
    pub(super) fn from_environment(key_header: Option<&str>) -> Result<Self, CliError> {
        let base = variable("OPENAI_BASE_URL")?.unwrap_or_else(|| DEFAULT_BASE_URL.to_owned());
        let usage = |message: String| CliError::new(ExitStatus::Usage, message);
        if !["https://", "http://"].iter().any(|scheme| base.starts_with(scheme)) {
            return Err(usage("OPENAI_BASE_URL must start with `https://` or `http://`".to_owned()));
        }
        let name = key_header.unwrap_or("Authorization");
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
            return Err(
                usage("--key-header: not the name of a header".to_owned()).with_help("write `--key-header api-key`")
            );
        }
        let scheme = if name.eq_ignore_ascii_case("Authorization") { "Bearer " } else { "" };
        let key = variable("OPENAI_API_KEY")?;
        if let Some(key) = &key {
            hide(key);
        }
        let key = key.map(|key| (name.to_owned(), scheme, key));
        Ok(Self { url: endpoint(&base), key_header: key })
    }
}

/// The URL of the endpoint. A query stays at the end.
fn endpoint(base: &str) -> String {
    let (path, query) = base.split_at(base.find('?').unwrap_or(base.len()));
    format!("{}/responses{query}", path.trim_end_matches('/'))
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
