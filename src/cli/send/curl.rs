//! Runs curl. The key and the URL go through its standard input, so that no list of processes shows them.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use crate::diagnostic::sanitize_line;
use tempfile::{NamedTempFile, TempDir};

use super::process::run;
use super::server::{KEYS, Server};
use super::{Body, Headers, Response};
use crate::cli::display::Show;
use crate::cli::error::Result;
use crate::cli::interrupt::temporary;
use crate::cli::output::write_error;
use crate::cli::replace::private_directory;

/// The options of every run of curl:
///
/// - `-q` is first, because a `.curlrc` could log the key;
/// - `-N` shows the answer as it arrives;
/// - `--globoff` takes the URL as it is;
/// - without `Expect:`, a large request would wait for an answer to its headers.
const ARGUMENTS: [&str; 13] = [
    "-q",
    "--silent",
    "--show-error",
    "-N",
    "--globoff",
    "--proto",
    "=http,https",
    "--connect-timeout",
    "30",
    "-H",
    "Expect:",
    "-H",
    "Content-Type: application/json",
];

/// A request that curl can send several times. Its files are private, and are removed when it is dropped.
pub(super) struct Curl<'s> {
    server: &'s Server,
    request: &'s Body<'s>,
    body: NamedTempFile,
    directory: TempDir,
}

impl<'s> Curl<'s> {
    /// Writes the request to a file that only its owner can read.
    pub(super) fn new(server: &'s Server, request: &'s Body<'s>) -> Result<Self> {
        let failed = |error: io::Error| {
            write_error(&env::temp_dir().join("request.json"), &error)
                .with_help("`TMPDIR` names the directory of temporary files")
        };
        // Locked before the directory is created, so that an interrupt always knows it.
        let mut temporary = temporary();
        let directory = private_directory().map_err(failed)?;
        temporary.push(directory.path().to_owned());
        drop(temporary);
        // Only its owner can read it.
        let body = tempfile::Builder::new().prefix("request.json").rand_bytes(0).tempfile_in(directory.path());
        let curl = Self { server, request, body: body.map_err(failed)?, directory };
        curl.body.as_file().write_all(request.json.as_bytes()).map_err(failed)?;
        Ok(curl)
    }

    fn headers(&self) -> PathBuf {
        self.directory.path().join("headers")
    }

    /// Sends the request once.
    pub(super) fn run(&self, show: Show) -> Result<Response> {
        let mut command = Command::new("curl");
        command.args(ARGUMENTS).arg("--dump-header").arg(self.headers());
        command.arg("--data-binary").arg(format!("@{}", self.body.path().display())).args(["--config", "-"]);
        for key in KEYS {
            command.env_remove(key);
        }
        // Remove the headers of an earlier attempt.
        let _ = fs::remove_file(self.headers());
        let response = run(command, config(self.server, self.request, false).into_bytes(), show)
            .map_err(|error| error.with_help("install curl, or send with another program: `--send-command CMD`"))?;
        let headers = fs::read(self.headers()).unwrap_or_default();
        Ok(Response { headers: read_headers(&String::from_utf8_lossy(&headers)), ..response })
    }

    /// The command line and its standard input, without the key.
    pub(super) fn describe(server: &Server, request: &Body<'_>) -> String {
        let words = ["curl"].into_iter().chain(ARGUMENTS).chain(["--data-binary", "@request.json", "--config", "-"]);
        let command_line = shlex::try_join(words).unwrap_or_default();
        format!("{command_line} <<'END'\n{}END\n", config(server, request, true))
    }
}

impl Drop for Curl<'_> {
    fn drop(&mut self) {
        // An interrupt waits until the directory is removed.
        let mut temporary = temporary();
        let _ = fs::remove_dir_all(self.directory.path());
        temporary.retain(|path| path != self.directory.path());
    }
}

/// The part of curl's configuration that others must not see.
fn config(server: &Server, request: &Body<'_>, is_masked: bool) -> String {
    let url = if is_masked { sanitize_line(&server.url) } else { server.url.clone() };
    let url = format!("url = {}\n", quoted(&url));
    let headers = server.headers.iter().map(|(name, value)| {
        // The word before a key, such as `Bearer`, is not a secret.
        let masked = value.split_once(' ').filter(|(scheme, _)| *scheme == "Bearer").map_or("***", |_| "Bearer ***");
        let value = if is_masked { masked } else { value };
        format!("header = {}\n", quoted(&format!("{name}: {value}")))
    });
    let shown = server.shown_headers.iter().chain(&request.headers);
    let shown =
        shown.map(|(name, value)| format!("header = {}\n", quoted(&format!("{name}: {}", sanitize_line(value)))));
    url + &headers.chain(shown).collect::<String>()
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The headers of the last response. A proxy or status 100 may come before it.
fn read_headers(headers: &str) -> Headers {
    let mut read = Headers::default();
    for line in headers.lines() {
        // The name of a header ends with a colon.
        if let Some((version, rest)) = line.split_once(' ')
            && version.starts_with("HTTP/")
            && !version.contains(':')
        {
            read = Headers {
                status: rest.split_whitespace().next().and_then(|status| status.parse().ok()),
                ..Headers::default()
            };
        } else if let Some((name, value)) = line.split_once(':') {
            match name.to_ascii_lowercase().as_str() {
                "retry-after" => read.retry_after = value.trim().split('.').next().and_then(|text| text.parse().ok()),
                "x-request-id" | "request-id" => read.request_id = Some(value.trim().to_owned()),
                _ => {}
            }
        }
    }
    read
}
