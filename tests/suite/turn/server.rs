//! A small HTTP server on a local port that speaks like the API.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The key that no other process may see.
pub(crate) const KEY: &str = "key-that-nobody-may-see-4711";

/// What the server does with a request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Answers with these items, as a stream if the request asks for one.
    Items(Vec<Value>),
    /// The same, with the model and the usage.
    Counted(Vec<Value>),
    /// Answers with this status, these headers and this body.
    Status(u16, &'static str, String),
    /// Answers with this text as a stream.
    Stream(String),
    /// Streams a message in so many pieces of this text, with pauses between them.
    Pieces(&'static str, usize),
    /// Starts a stream with a text, and closes the connection.
    Cut,
    /// Starts a stream with a text, and keeps the connection open for a while.
    Hang,
    /// Closes the connection at once.
    Close,
    /// Waits for a while, and then answers with these items.
    Slow(Vec<Value>),
}

/// A request that has arrived.
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) requests: Arc<Mutex<Vec<Request>>>,
    arrived: Receiver<()>,
}

/// A message with this text.
pub(crate) fn message(text: &str) -> Value {
    let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
    json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content })
}

/// A call of a function.
pub(crate) fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed" })
}

/// The JSON of an error.
pub(crate) fn error(message: &str) -> String {
    json!({ "error": { "message": message, "type": "invalid_request_error", "param": null, "code": null } }).to_string()
}

impl Server {
    /// A server that answers each request with the next of these replies, and then with the last one.
    pub(crate) fn start(replies: Vec<Reply>) -> Self {
        Self::respond(move |index, _| replies[index.min(replies.len() - 1)].clone())
    }

    /// A server that chooses its replies.
    pub(crate) fn respond(choose: impl Fn(usize, &Value) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (sender, arrived) = mpsc::channel();
        let received = Arc::clone(&requests);
        thread::spawn(move || {
            for connection in listener.incoming() {
                let mut connection = connection.unwrap();
                let Some(request) = read_request(&connection) else { continue };
                let mut received = received.lock().unwrap();
                let reply = choose(received.len(), &request.body);
                let streams = request.body["stream"] == true;
                received.push(request);
                drop(received);
                let _ = sender.send(());
                // The program may have gone away.
                let _ = answer(&mut connection, reply, streams);
            }
        });
        Self { url, requests, arrived }
    }

    /// Waits until a request has arrived.
    pub(crate) fn wait_for_request(&self) {
        self.arrived.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    pub(crate) fn count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// The body of a request.
    pub(crate) fn body(&self, index: usize) -> Value {
        self.requests.lock().unwrap()[index].body.clone()
    }

    /// The command in a folder, with this server and the key.
    pub(crate) fn command(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chatmd"));
        command.current_dir(directory).args(arguments);
        command.env("OPENAI_BASE_URL", &self.url).env("OPENAI_API_KEY", KEY).env("HOME", directory);
        for name in ["CHATMD_MODEL", "CHATMD_SEND_COMMAND", "CHATMD_ROOT", "http_proxy", "HTTP_PROXY", "ALL_PROXY"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, directory: &Path, arguments: &[&str]) -> Output {
        self.command(directory, arguments).output().unwrap()
    }
}

fn read_request(connection: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(connection);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { head, body: serde_json::from_slice(&body).ok()? })
}

fn answer(connection: &mut TcpStream, reply: Reply, streams: bool) -> std::io::Result<()> {
    let stream_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let added = json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": [] } });
    let delta = json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "The answer is" });
    match reply {
        Reply::Slow(items) => {
            thread::sleep(Duration::from_millis(1500));
            answer(connection, Reply::Items(items), streams)
        }
        Reply::Items(ref items) | Reply::Counted(ref items) if streams => {
            connection.write_all(stream_head.as_bytes())?;
            for (index, item) in items.iter().enumerate() {
                let started = json!({ "type": "response.output_item.added", "output_index": index, "item": item });
                write_event(connection, &started)?;
                let done = json!({ "type": "response.output_item.done", "output_index": index, "item": item });
                write_event(connection, &done)?;
            }
            write_event(connection, &json!({ "type": "response.completed", "response": response(&reply, items) }))?;
            connection.write_all(b"0\r\n\r\n")
        }
        Reply::Items(ref items) | Reply::Counted(ref items) => {
            write_plain(connection, 200, "", &response(&reply, items).to_string())
        }
        Reply::Status(status, headers, body) => write_plain(connection, status, headers, &body),
        Reply::Stream(text) => {
            connection.write_all(stream_head.as_bytes())?;
            // Chunks that cut events and characters.
            for chunk in text.as_bytes().chunks(7) {
                write!(connection, "{:x}\r\n", chunk.len())?;
                connection.write_all(&[chunk, b"\r\n"].concat())?;
            }
            connection.write_all(b"0\r\n\r\n")
        }
        Reply::Pieces(piece, count) => {
            connection.write_all(stream_head.as_bytes())?;
            write_event(connection, &added)?;
            for _ in 0..count {
                let delta = json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": piece });
                write_event(connection, &delta)?;
                thread::sleep(Duration::from_millis(250));
            }
            let items = [message(&piece.repeat(count))];
            write_event(
                connection,
                &json!({ "type": "response.output_item.done", "output_index": 0, "item": items[0] }),
            )?;
            write_event(connection, &json!({ "type": "response.completed", "response": response(&reply, &items) }))?;
            connection.write_all(b"0\r\n\r\n")
        }
        Reply::Cut | Reply::Hang => {
            connection.write_all(stream_head.as_bytes())?;
            write_event(connection, &added)?;
            write_event(connection, &delta)?;
            if matches!(reply, Reply::Hang) {
                thread::sleep(Duration::from_secs(20));
            }
            Ok(())
        }
        Reply::Close => Ok(()),
    }
}

fn response(reply: &Reply, items: &[Value]) -> Value {
    let mut response = json!({ "object": "response", "status": "completed", "output": items });
    if matches!(reply, Reply::Counted(_)) {
        response["model"] = "m-2026".into();
        response["usage"] = json!({ "input_tokens": 412, "input_tokens_details": { "cached_tokens": 300 }, "output_tokens": 96, "output_tokens_details": { "reasoning_tokens": 64 }, "total_tokens": 508 });
    }
    response
}

fn write_event(connection: &mut TcpStream, event: &Value) -> std::io::Result<()> {
    let text = format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    write!(connection, "{:x}\r\n{text}\r\n", text.len())?;
    connection.flush()
}

fn write_plain(connection: &mut TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 {status} Status\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Whether curl is installed. Tests that need it print a note and end.
pub(crate) fn has_curl() -> bool {
    let has_curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_curl {
        eprintln!("skipped: there is no curl");
    }
    has_curl
}
