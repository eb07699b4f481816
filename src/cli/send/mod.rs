//! Sends a request with curl, or with a command of the user. There is no network code in this program.

mod curl;
mod process;
mod retry;
mod server;

use std::borrow::Cow;

use crate::diagnostic::{sanitize_line, sanitize_short};
use crate::json::{Json, Object, StringArena};
use crate::{Api, Converter, Error, Input, Reply, ResponseOptions};

use crate::cli::args::TurnArgs;
use crate::cli::display::Show;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::interrupt::{exit_status, is_interrupted};
use crate::cli::options::{command_words, program};
use crate::cli::report::{help, note, warning, without_hidden};
use curl::Curl;
use retry::Retries;
use server::Server;

/// How much of an unexpected response body is shown.
const MAX_BODY_CHARS: usize = 300;
/// How much of the id of a request is shown.
const MAX_ID_CHARS: usize = 100;
/// The lowest status of HTTP of a request that failed.
const FIRST_FAILURE: u16 = 300;

/// How requests are sent.
pub(crate) struct Transport {
    server: Server,
    retries: u32,
    /// The words of a command of the user, which is run in place of curl.
    command: Option<Vec<String>>,
}

/// The body of a request, and the headers that it needs.
struct Body<'b> {
    json: Cow<'b, str>,
    headers: Vec<(String, String)>,
}

/// The answer of a server.
struct Response {
    body: Vec<u8>,
    headers: Headers,
    program: String,
    /// Why the program failed: its messages, or its exit status.
    failure: Option<String>,
}

/// The headers of a response that matter here, if they are known.
#[derive(Default)]
struct Headers {
    /// The status of HTTP.
    status: Option<u16>,
    /// How many seconds the server asks to wait.
    retry_after: Option<u64>,
    /// The id that the server gives to the request.
    request_id: Option<String>,
}

impl Transport {
    /// The transport to an API that the arguments and the environment choose.
    pub(crate) fn new(api: Api, args: &TurnArgs) -> Result<Self> {
        let from_environment = std::env::var("CHATMD_SEND_COMMAND").ok().filter(|command| !command.trim().is_empty());
        let command = args.send_command.as_ref().or(from_environment.as_ref());
        let server = Server::new(api, args)?;
        let command = command_words("--send-command", command.map(String::as_str))?;
        if command.is_some() && (args.retries > 0 || args.key_header.is_some() || !args.header.is_empty()) {
            let message = "`--retries`, `--key-header` and `--header` are for curl, but CHATMD_SEND_COMMAND is set";
            return Err(Failure::new(ExitStatus::Usage, message)
                .with_help("unset it, or leave the retries and the headers to it"));
        }
        Ok(Self { server, retries: args.retries, command })
    }

    /// Returns an error if a key is needed and there is none.
    pub(crate) fn require_key(&self) -> Result<()> {
        if self.command.is_some() || !self.server.needs_key {
            return Ok(());
        }
        let (key, base) = (self.server.endpoint.key, self.server.endpoint.base.0);
        let error = Failure::new(ExitStatus::Usage, "no key is set, so nothing was sent");
        Err(error.with_help(format!("set `{key}`, or name a server that needs no key in `{base}`")))
    }

    /// The command that would be run, without the key.
    pub(crate) fn describe(&self, request: &str, document: &str) -> String {
        let body = self.body(request);
        let size = format!("# request.json has {} bytes: the request of {document}\n", body.json.len());
        match &self.command {
            None => size + &Curl::describe(&self.server, &body),
            Some(words) => {
                let quoted = |words: &[&str]| shlex::try_join(words.iter().copied()).unwrap_or_default();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let url = sanitize_line(&self.server.url);
                format!("{size}CHATMD_URL={} {} < request.json\n", quoted(&[&url]), quoted(&words))
            }
        }
    }

    /// Sends a request and shows the answer. Returns the answer, and the id of the request if it was not reported.
    pub(crate) fn send(&self, request: &str, show: Show) -> Result<(Input, Option<String>)> {
        let body = self.body(request);
        let response = match &self.command {
            None => {
                let curl = Curl::new(&self.server, &body)?;
                let mut retries = Retries::new(self.retries);
                let response = loop {
                    let response = curl.run(show)?;
                    if !retries.wait(&response) {
                        break response;
                    }
                };
                report_status(&response, &body.json, &self.server, &retries);
                response
            }
            Some(words) => {
                let mut command = program(words);
                command.env("CHATMD_URL", &self.server.url);
                process::run(command, body.json.into_owned().into_bytes(), show)?
            }
        };
        let is_reported = response.headers.status.is_some_and(|status| status >= FIRST_FAILURE);
        let request_id = response.headers.request_id.clone().filter(|_| !is_reported);
        Ok((check(response, self)?, request_id))
    }

    /// The body of a request. The Messages API takes `betas` as a header; a command of the user gets them in the request. The
    /// Chat API reports the usage of a stream only if it is asked to.
    fn body<'b>(&self, request: &'b str) -> Body<'b> {
        let strings = StringArena::default();
        let mut headers = Vec::new();
        let changed = match self.server.api {
            Api::Messages if self.command.is_none() => {
                let mut fields = object(request, &strings);
                let betas = fields.take("betas").and_then(|betas| betas.array().ok()).unwrap_or_default();
                let betas: Vec<_> = betas.into_iter().filter_map(|beta| beta.as_str().ok()).collect();
                headers.extend((!betas.is_empty()).then(|| ("anthropic-beta".to_owned(), betas.join(","))));
                (!betas.is_empty()).then_some(fields)
            }
            Api::Chat => {
                let mut fields = object(request, &strings);
                let streams = fields.get("stream").is_some_and(|stream| stream.raw() == "true");
                let adds_usage = streams && fields.get("stream_options").is_none();
                fields.insert("stream_options", Json::scalar("{\"include_usage\":true}"));
                adds_usage.then_some(fields)
            }
            Api::Messages | Api::Responses => None,
        };
        let changed = changed.map(|fields| Cow::Owned(strings.object(&fields).raw().to_owned()));
        Body { json: changed.unwrap_or(Cow::Borrowed(request)), headers }
    }
}

/// The members of a request.
fn object<'j>(request: &'j str, strings: &'j StringArena) -> Object<'j> {
    Json::parse(request, strings).and_then(Json::object).unwrap_or_default()
}

/// Says how the server has answered a request that failed: the status, the id of the request, and what was tried.
fn report_status(response: &Response, request: &str, server: &Server, retries: &Retries) {
    let Some(status) = response.headers.status.filter(|status| *status >= FIRST_FAILURE) else { return };
    let id = response.headers.request_id.clone().or_else(|| body_request_id(&response.body));
    let id = id.map(|id| format!(", {}", named_id(&id))).unwrap_or_default();
    let details = id + &retries.describe();
    let advice = match status {
        400 | 422 if server.api == Api::Chat => {
            let text = String::from_utf8_lossy(&response.body);
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let is_named = |field: &&str| words.contains(field) && request.contains(&format!("\"{field}\":"));
            let field = ["reasoning_content", "reasoning"].into_iter().find(is_named);
            field.map(|field| format!("`--without-reasoning` leaves out `{field}`"))
        }
        401 if server.has_key => Some(format!("the key is the value of {}", server.endpoint.key)),
        401 => Some(format!("no key was sent: {} is not set", server.endpoint.key)),
        _ => None,
    };
    // The error says the status of any other body.
    if !details.is_empty() || advice.is_some() || is_api_error(&response.body) {
        note(&format!("the server answered with status {status}{details}"));
    }
    if let Some(advice) = advice {
        help(&advice);
    }
}

/// The id of a request in words.
fn named_id(id: &str) -> String {
    format!("request id `{}`", sanitize_short(id, MAX_ID_CHARS))
}

/// Names the request of a stream that brought an error.
pub(crate) fn report_request(id: &str) {
    note(&named_id(id));
}

/// The id of the request, as the body of an error has it.
fn body_request_id(body: &[u8]) -> Option<String> {
    let strings = StringArena::default();
    object(std::str::from_utf8(body).ok()?, &strings).get_str("request_id").map(Cow::into_owned)
}

/// The answer, if there is one to convert.
fn check(response: Response, transport: &Transport) -> Result<Input> {
    let Response { body, headers: Headers { status, .. }, program, failure: ended } = response;
    if let Some(exit) = exit_status().filter(|_| body.is_empty()) {
        return Err(Failure::reported(exit));
    }
    // Redirections are not followed: the key would go to another server.
    let failure = status.filter(|status| *status >= FIRST_FAILURE);
    if let Some(status) = failure {
        if has_answer(&body) {
            warning(&format!("the server answered with status {status}, but it sent a reply"));
        } else if !is_api_error(&body) {
            let text = String::from_utf8_lossy(&body);
            let words: Vec<&str> = text.split_whitespace().collect();
            let shown = sanitize_short(&without_hidden(&words.join(" ")), MAX_BODY_CHARS);
            let separator = if shown.is_empty() { "" } else { ": " };
            let message = format!("the server answered with status {status}{separator}{shown}");
            let endpoint = transport.server.endpoint;
            let help =
                format!("the URL is `{}` followed by `{}`; `--dry-run` shows it", endpoint.base.0, endpoint.path);
            return Err(Failure::new(ExitStatus::ApiError, message).with_help(help));
        }
    }
    if body.is_empty() {
        let message = ended.unwrap_or_else(|| match status {
            Some(status) => format!("the server answered with status {status} and nothing else"),
            None => format!("{program} printed nothing"),
        });
        return Err(Failure::new(ExitStatus::Io, message));
    }
    // Whatever has arrived is appended.
    if let Some(failure) = ended.filter(|_| !is_interrupted()) {
        warning(&failure);
    }
    Ok(Input::from(body).with_name("<response>"))
}

/// Whether a body is a reply, or a part of one.
fn has_answer(body: &[u8]) -> bool {
    matches!(converted(body), Ok(reply) if reply.has_items)
}

fn is_api_error(body: &[u8]) -> bool {
    matches!(converted(body), Err(Error::Api(_)))
}

fn converted(body: &[u8]) -> Result<Reply, Error> {
    Converter::new().from_response(body.to_owned(), &ResponseOptions::default())
}
