//! Items to document.

use std::borrow::Cow;

use super::carry::{ABSENT, can_be_fields, comment};
use super::look;
use crate::document::{
    self, Block, Body, Doc, DocForm, Document, Field, Image, MediaSource, OutputHint, Part, Summary,
};
use crate::source::{SourceId, Span, Spanned};
use crate::syntax::Attributes;
use crate::wire::{self, Item, Json, Kind, Object, ToolOutput, write};

/// How the parts of a tool output are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputStyle {
    /// As their JSON array.
    #[default]
    Json,
    /// As images, documents and text.
    Items,
}

/// The document that says the items; what tags cannot say is carried in comments.
pub fn from_items<'j>(items: &'j [Item<'_>], style: OutputStyle, source: SourceId) -> Document<'j> {
    let conversion = FromItems { style, nowhere: Span::new(source, 0..0) };
    Document { blocks: items.iter().map(|item| conversion.spanned(conversion.block(item))).collect() }
}

struct FromItems {
    style: OutputStyle,
    /// Where everything stands that was never written.
    nowhere: Span,
}

impl FromItems {
    fn spanned<T>(&self, value: T) -> Spanned<T> {
        Spanned::new(value, self.nowhere)
    }

    fn block<'j>(&self, item: &'j Item<'_>) -> Block<'j> {
        let said = match item {
            Item::Message(message) => self.message(message).map(Block::Message),
            Item::ToolCall(call) => self.tool_call(call).map(Block::ToolCall),
            Item::ToolResponse(response) => self.tool_response(response).map(Block::ToolResponse),
            Item::Reasoning(reasoning) => self.reasoning(reasoning).map(Block::Reasoning),
            Item::Other(_) => None,
        };
        said.unwrap_or_else(|| {
            let mut json = String::new();
            item.encode(&mut json);
            Block::Item(super::carry::sealed(json).into())
        })
    }

    fn message<'j>(&self, message: &'j wire::Message<'_>) -> Option<document::Message<'j>> {
        let role = document::Role::from_name(&message.role)?;
        let mut rest = message.rest.clone();
        let id = field(&mut rest, "id");
        // A status attribute needs its id.
        let status = if id == Field::Absent { Field::Absent } else { field(&mut rest, "status") };
        let phase = field(&mut rest, "phase");
        let is_output = role == document::Role::Assistant && id != Field::Absent;
        let lacks_status = is_output && status == Field::Absent && rest.get("status").is_none();
        let absent: &[&str] = if lacks_status { &["status"] } else { &[] };
        let fields = self.fields(&rest, absent)?;
        let (logprobs, body) = match role {
            document::Role::Assistant => self.assistant_body(&message.content, is_output)?,
            document::Role::User | document::Role::System | document::Role::Developer => {
                (Field::Absent, self.body(&message.content, "input_text")?)
            }
        };
        let extra = Attributes::default();
        Some(document::Message { role, id, status, phase, logprobs, instructions: false, extra, fields, body })
    }

    /// An assistant's body, and the `logprobs` that all its texts have in common.
    fn assistant_body<'j>(&self, content: &'j [wire::Part<'_>], is_output: bool) -> Option<(Field<'j>, Body<'j>)> {
        let logprobs = common_logprobs(content);
        let mut body = Vec::new();
        for (index, part) in content.iter().enumerate() {
            let wire::Part::Text(text) = part else {
                self.push_whole(&mut body, part)?;
                continue;
            };
            let mut rest = text.rest.clone();
            let mut absent = Vec::new();
            if text.kind == "output_text" {
                if logprobs != Field::Absent {
                    rest.take("logprobs");
                }
                match rest.get("annotations") {
                    Some(annotations) if is_output && annotations.is_empty_array() => drop(rest.take("annotations")),
                    None if is_output => absent.push("annotations"),
                    _ => {}
                }
            }
            let kind = (text.kind != "output_text").then_some(text.kind.as_ref());
            let is_plain = rest.is_empty() && absent.is_empty() && kind.is_none();
            if index > 0 || !is_plain {
                self.push_carried(&mut body, &rest, kind, &absent)?;
            }
            body.push(self.spanned(Part::Text(Cow::Borrowed(&text.text))));
        }
        Some((logprobs, body))
    }

    /// A body whose parts stand beside each other.
    fn body<'j>(&self, content: &'j [wire::Part<'_>], text_type: &str) -> Option<Body<'j>> {
        let mut body: Body<'j> = Vec::new();
        for part in content {
            match part {
                wire::Part::Text(text) => {
                    let kind = (text.kind != text_type).then_some(text.kind.as_ref());
                    let touches = matches!(body.last(), Some(Spanned { value: Part::Text(_) | Part::Carried(_), .. }));
                    if touches || !text.rest.is_empty() || kind.is_some() {
                        self.push_carried(&mut body, &text.rest, kind, &[])?;
                    }
                    body.push(self.spanned(Part::Text(Cow::Borrowed(&text.text))));
                }
                wire::Part::Image(image) => match as_image(image) {
                    Some(image) => body.push(self.spanned(Part::Image(image))),
                    None => self.push_whole(&mut body, part)?,
                },
                wire::Part::Other(other) => match as_doc(other) {
                    Some(doc) => body.push(self.spanned(Part::Doc(doc))),
                    None => self.push_whole(&mut body, part)?,
                },
                wire::Part::Raw(_) => self.push_whole(&mut body, part)?,
            }
        }
        Some(body)
    }

    fn tool_call<'j>(&self, call: &'j wire::ToolCall<'_>) -> Option<document::ToolCall<'j>> {
        let mut rest = call.rest.clone();
        let (id, status) = (field(&mut rest, "id"), field(&mut rest, "status"));
        let fields = self.fields(&rest, &[])?;
        let body =
            if call.input.is_empty() { Vec::new() } else { vec![self.spanned(Part::Text(Cow::Borrowed(&call.input)))] };
        let (name, call_id) = (Cow::Borrowed(call.name.as_ref()), Cow::Borrowed(call.call_id.as_ref()));
        Some(document::ToolCall {
            kind: kind(call.kind),
            name,
            call_id,
            id,
            status,
            extra: Attributes::default(),
            fields,
            body,
        })
    }

    fn tool_response<'j>(&self, response: &'j wire::ToolResponse<'_>) -> Option<document::ToolResponse<'j>> {
        let mut rest = response.rest.clone();
        let (id, status) = (field(&mut rest, "id"), field(&mut rest, "status"));
        let fields = self.fields(&rest, &[])?;
        let (output, body) = self.output(&response.output)?;
        let (kind, call_id) = (kind(response.kind), Cow::Borrowed(response.call_id.as_ref()));
        Some(document::ToolResponse { kind, call_id, id, status, output, extra: Attributes::default(), fields, body })
    }

    /// A tool output's body, and `output=` exactly where looking at the body would get it wrong.
    fn output<'j>(&self, output: &'j ToolOutput<'_>) -> Option<(Option<OutputHint>, Body<'j>)> {
        match output {
            ToolOutput::Text(text) => {
                let is_seen = matches!(look::output(text), Ok(ToolOutput::Text(_)));
                let body =
                    if text.is_empty() { Vec::new() } else { vec![self.spanned(Part::Text(Cow::Borrowed(text)))] };
                Some(((!is_seen).then_some(OutputHint::Text), body))
            }
            ToolOutput::Content(parts) if parts.is_empty() => Some((Some(OutputHint::Content), Vec::new())),
            ToolOutput::Content(parts) => match self.style {
                OutputStyle::Json => {
                    let mut json = String::new();
                    write::array(&mut json, parts, |out, part| part.encode(out));
                    let is_seen = match look::output(&json) {
                        Ok(seen @ ToolOutput::Content(_)) => seen.to_persisted_string() == json,
                        Ok(ToolOutput::Text(_)) | Err(_) => false,
                    };
                    let body = vec![self.spanned(Part::Text(json.into()))];
                    Some(((!is_seen).then_some(OutputHint::Content), body))
                }
                OutputStyle::Items => self.output_items(parts),
            },
        }
    }

    fn output_items<'j>(&self, parts: &'j [wire::Part<'_>]) -> Option<(Option<OutputHint>, Body<'j>)> {
        let mut body = self.body(parts, "input_text")?;
        let is_text = |part: &Spanned<Part<'_>>| matches!(part.value, Part::Text(_));
        if !body.iter().all(is_text) {
            return Some((None, body));
        }
        let is_array =
            |part: &Spanned<Part<'_>>| matches!(&part.value, Part::Text(text) if text.trim_start().starts_with('['));
        if body.iter().any(is_array) {
            // A body that is a JSON array would be read as that array.
            body.insert(0, self.spanned(Part::Carried(Cow::Borrowed("{}"))));
            return Some((None, body));
        }
        Some((Some(OutputHint::Content), body))
    }

    fn reasoning<'j>(&self, reasoning: &'j wire::Reasoning<'_>) -> Option<document::Reasoning<'j>> {
        let mut rest = reasoning.rest.clone();
        let Field::Text(id) = field(&mut rest, "id") else { return None };
        let (status, encrypted_content) = (field(&mut rest, "status"), field(&mut rest, "encrypted_content"));
        let content = match (&reasoning.content, rest.get("content").map(Json::kind)) {
            (Some(parts), _) if parts.is_empty() => Field::Text(Cow::Borrowed("[]")),
            (None, Some(Kind::Null)) => {
                rest.take("content");
                Field::Null
            }
            _ => Field::Absent,
        };
        let fields = self.fields(&rest, &[])?;
        let is_content =
            |part: &wire::Part<'_>| matches!(part, wire::Part::Text(text) if text.kind == "reasoning_text");
        let contents = reasoning.content.as_deref().unwrap_or_default();
        if reasoning.summary.iter().any(is_content) || !contents.iter().all(is_content) {
            return None;
        }
        let mut body = Vec::new();
        for part in reasoning.summary.iter().chain(contents) {
            self.push_summary(&mut body, part)?;
        }
        let extra = Attributes::default();
        Some(document::Reasoning { id, status, encrypted_content, content, extra, fields, body })
    }

    fn push_summary<'j>(&self, body: &mut Body<'j>, part: &'j wire::Part<'_>) -> Option<()> {
        let wire::Part::Text(text) = part else { return self.push_whole(body, part) };
        let kind = (text.kind != "summary_text").then_some(Cow::Borrowed(text.kind.as_ref()));
        if text.rest.is_empty() && text.kind != "refusal" {
            let summary = Summary { kind, extra: Attributes::default(), text: Cow::Borrowed(&text.text) };
            body.push(self.spanned(Part::Summary(summary)));
        } else {
            self.push_carried(body, &text.rest, kind.as_deref(), &[])?;
            body.push(self.spanned(Part::Text(Cow::Borrowed(&text.text))));
        }
        Some(())
    }

    /// A part that is given whole.
    fn push_whole<'j>(&self, body: &mut Body<'j>, part: &'j wire::Part<'_>) -> Option<()> {
        let json = match part {
            // Without a type it must not get the usual one.
            wire::Part::Raw(raw) => {
                let members = raw
                    .object()
                    .ok()
                    .filter(|members| members.get("type").is_none() && members.get(ABSENT).is_none())?;
                comment(&members, None, &["type"])
            }
            wire::Part::Text(_) | wire::Part::Image(_) | wire::Part::Other(_) => {
                if part.rest().is_some_and(|rest| rest.get(ABSENT).is_some()) {
                    return None;
                }
                let mut json = String::new();
                part.encode(&mut json);
                super::carry::sealed(json)
            }
        };
        body.push(self.spanned(Part::Carried(json.into())));
        Some(())
    }

    /// The fields of the part whose text comes next.
    fn push_carried<'j>(
        &self,
        body: &mut Body<'j>,
        rest: &Object<'j>,
        kind: Option<&str>,
        absent: &[&str],
    ) -> Option<()> {
        if rest.get(ABSENT).is_some() {
            return None;
        }
        body.push(self.spanned(Part::Carried(comment(rest, kind, absent).into())));
        Some(())
    }

    /// The comment for what attributes cannot say; `None` if a comment cannot either.
    #[allow(clippy::option_option)] // outside: whether an element can say it; inside: whether there is anything to say
    fn fields<'j>(&self, rest: &Object<'j>, absent: &[&str]) -> Option<Option<Spanned<Cow<'j, str>>>> {
        if !can_be_fields(rest) {
            return None;
        }
        let is_needed = !rest.is_empty() || !absent.is_empty();
        Some(is_needed.then(|| self.spanned(comment(rest, None, absent).into())))
    }
}

/// A member as an attribute says it; anything but a string or null stays a member.
fn field<'j>(rest: &mut Object<'j>, key: &str) -> Field<'j> {
    let field = match rest.get(key) {
        Some(value) if value.kind() == Kind::Null => Field::Null,
        Some(value) => value.string().map_or(Field::Absent, Field::Text),
        None => Field::Absent,
    };
    if field != Field::Absent {
        rest.take(key);
    }
    field
}

/// `[]` or null, if every text of an assistant message has it as its `logprobs`.
fn common_logprobs(content: &[wire::Part<'_>]) -> Field<'static> {
    let texts = content.iter().filter_map(|part| match part {
        wire::Part::Text(text) if text.kind == "output_text" => Some(text.rest.get("logprobs")),
        wire::Part::Text(_) | wire::Part::Image(_) | wire::Part::Other(_) | wire::Part::Raw(_) => None,
    });
    let all: Vec<Option<Json<'_>>> = texts.collect();
    let all_are =
        |is: &dyn Fn(Json<'_>) -> bool| !all.is_empty() && all.iter().all(|logprobs| logprobs.is_some_and(is));
    if all_are(&|logprobs| logprobs.is_empty_array()) {
        Field::Text(Cow::Borrowed("[]"))
    } else if all_are(&|logprobs| logprobs.kind() == Kind::Null) {
        Field::Null
    } else {
        Field::Absent
    }
}

/// An image that `<img>` can say.
fn as_image<'j>(image: &'j wire::ImagePart<'_>) -> Option<Image<'j>> {
    let mut rest = image.rest.clone();
    let detail = match field(&mut rest, "detail") {
        Field::Absent => None,
        Field::Text(detail) => Some(detail),
        Field::Null => return None,
    };
    let source = match (&image.image_url, field(&mut rest, "file_id")) {
        (Some(url), Field::Absent) => MediaSource::Url(Cow::Borrowed(url)),
        (None, Field::Text(id)) => MediaSource::FileId(id),
        _ => return None,
    };
    rest.is_empty().then(|| Image { source, detail, extra: Attributes::default() })
}

/// A file that `<doc>` can say.
fn as_doc<'j>(part: &'j Object<'_>) -> Option<Doc<'j>> {
    let mut rest = part.clone();
    let kind = field(&mut rest, "type");
    let source = match (field(&mut rest, "file_url"), field(&mut rest, "file_id")) {
        (Field::Text(url), Field::Absent) => MediaSource::Url(url),
        (Field::Absent, Field::Text(id)) => MediaSource::FileId(id),
        _ => return None,
    };
    let is_file = kind == Field::Text(Cow::Borrowed("input_file")) && rest.is_empty();
    is_file.then(|| Doc { source, form: DocForm::File, extra: Attributes::default() })
}

fn kind(kind: wire::ToolKind) -> document::ToolKind {
    match kind {
        wire::ToolKind::Function => document::ToolKind::Function,
        wire::ToolKind::Custom => document::ToolKind::Custom,
    }
}
