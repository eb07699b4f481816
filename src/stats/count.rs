//! Counts the cost of a request.

use super::{Cost, Image, ItemName, Row, Stats, Subject};
use crate::api::Api;
use crate::convert::{Pairs, Request, Side};
use crate::diagnostic::sanitize_line;
use crate::json::{Json, Object, StringArena};
use crate::resources::media::{DataUrl, dimensions, image_type};
use crate::responses::{ImageUrl, Item, Part, ToolOutput};
use crate::source::{Sources, Span};
use crate::tokens::{Detail, image_tokens, text_tokens};

/// Longer names are cut: a call's name is repeated for each of its outputs.
const MAX_NAME_LENGTH: usize = 100;
/// What comes later in a name is not looked at.
const MAX_SANITIZED_LENGTH: usize = 10 * MAX_NAME_LENGTH;
/// A shorter string under a key for base64 counts as text.
const MIN_BASE64_LENGTH: usize = 48;

/// What each part of a request costs.
pub fn count(request: &Request<'_>) -> Stats {
    let (strings, sources) = (StringArena::default(), request.sources);
    let fields = request.sent_fields(&strings);
    let model = fields.get_str("model");
    let counter = Counter { model: model.as_deref().unwrap_or_default(), api: request.api };
    let mut rows = Vec::with_capacity(request.items.len() + 2);
    for (key, subject, span) in [
        ("instructions", Subject::Instructions, request.instructions.first().map(|message| message.span)),
        ("tools", Subject::Tools, request.tools.first().map(|tool| tool.span)),
    ] {
        if let Some(value) = fields.get_present(key) {
            rows.push(Row { subject, line: span.map(|span| line(span, sources)), cost: counter.field(value) });
        }
    }
    let pairs = Pairs::new(request.items.iter().map(|located| Side::of_item(&located.item)));
    let mut sent = String::new();
    for (index, located) in request.items.iter().enumerate() {
        sent.clear();
        located.item.encode(&mut sent);
        let mut cost = Cost { bytes: sent.len(), ..Cost::default() };
        counter.item(&located.item, &sent, &mut cost);
        let subject = Subject::Item(item_name(index, request, &pairs));
        rows.push(Row { subject, line: Some(line(located.span, sources)), cost });
    }
    Stats { model: model.as_deref().map(shown), rows, usage: None }
}

/// The keys of an item. An output has the name of the tool that was called.
fn item_name(index: usize, request: &Request<'_>, pairs: &Pairs<'_>) -> ItemName {
    let item = &request.items[index].item;
    let name = ItemName { index, ..ItemName::default() };
    match item {
        Item::Message(message) => ItemName { kind: "message".to_owned(), role: Some(shown(&message.role)), ..name },
        Item::ToolCall(call) => {
            let call_id = Some(shown(&call.call_id));
            ItemName { kind: call.kind.call_type().to_owned(), name: Some(shown(&call.name)), call_id, ..name }
        }
        Item::ToolResponse(response) => {
            let calls = pairs.pair_of(index).map_or(&[][..], |pair| &pair.calls);
            let before = calls.partition_point(|call| *call < index);
            let call = calls[..before].last().map(|call| &request.items[*call].item);
            let tool =
                call.and_then(|call| if let Item::ToolCall(call) = call { Some(shown(&call.name)) } else { None });
            let call_id = Some(shown(&response.call_id));
            ItemName { kind: response.kind.output_type().to_owned(), name: tool, call_id, ..name }
        }
        Item::Foreign(members) => {
            let block = members.get_object("block").or_else(|| members.get_object("message"));
            let kind = block.and_then(|block| Some(shown(&block.get_str("type").or_else(|| block.get_str("role"))?)));
            ItemName { kind: kind.unwrap_or_else(|| "block".to_owned()), ..name }
        }
        Item::Reasoning(_) => ItemName { kind: "reasoning".to_owned(), ..name },
        Item::Other(members) => {
            let kind = members.get_str("type");
            ItemName { kind: kind.map_or_else(|| "item".to_owned(), |kind| shown(&kind)), ..name }
        }
    }
}

/// A name, sanitized.
fn shown(name: &str) -> String {
    let end = name.char_indices().nth(MAX_SANITIZED_LENGTH).map_or(name.len(), |(end, _)| end);
    let harmless = sanitize_line(&name[..end]);
    match harmless.char_indices().nth(MAX_NAME_LENGTH) {
        Some((end, _)) => format!("{}…", &harmless[..end]),
        None => harmless,
    }
}

fn line(span: Span, sources: &Sources) -> usize {
    let span = sources.import_chain(span.source).last().unwrap_or(span);
    sources.line_column(span).0
}

/// Adds up the texts and images that models read.
struct Counter<'m> {
    model: &'m str,
    api: Api,
}

impl Counter<'_> {
    /// Whether a block or a message that only one API has belongs to the API of the request.
    fn is_own(&self, foreign: &Object<'_>) -> bool {
        let is = |key, name: &str| foreign.get_str(key).is_some_and(|value| value == name);
        is("issuer", self.api.issuer()) || is("api", self.api.name())
    }

    fn field(&self, value: Json<'_>) -> Cost {
        let sent = value.compact();
        let mut cost = Cost { bytes: sent.len(), ..Cost::default() };
        match value.as_str() {
            Ok(text) => cost.text_tokens = text_tokens(&text),
            Err(_) => self.json(&sent, &mut cost),
        }
        cost
    }

    fn item(&self, item: &Item<'_>, sent: &str, cost: &mut Cost) {
        match item {
            Item::Message(message) => self.parts(&message.content, cost),
            Item::ToolCall(call) => cost.text_tokens += text_tokens(&call.name) + text_tokens(&call.input),
            Item::ToolResponse(response) => match &response.output {
                ToolOutput::Text(text) => cost.text_tokens += text_tokens(text),
                ToolOutput::Content(parts) => self.parts(parts, cost),
            },
            Item::Reasoning(reasoning) => {
                self.parts(&reasoning.summary, cost);
                self.parts(reasoning.content.as_deref().unwrap_or_default(), cost);
            }
            Item::Other(_) => self.json(sent, cost),
            Item::Foreign(members) if self.is_own(members) => self.json(sent, cost),
            // The API does not get it.
            Item::Foreign(_) => {}
        }
    }

    fn parts(&self, parts: &[Part<'_>], cost: &mut Cost) {
        for part in parts {
            match part {
                Part::Text(part) => cost.text_tokens += text_tokens(&part.text),
                Part::Image(part) => {
                    let url = part.image_url.as_ref().map(ImageUrl::text).unwrap_or_default();
                    cost.images.push(self.image(&url, detail(&part.rest)));
                }
                Part::Other(part) if is_file(part) => cost.files += 1,
                Part::Other(_) | Part::Raw(_) => {
                    let mut sent = String::new();
                    part.encode(&mut sent);
                    self.json(&sent, cost);
                }
            }
        }
    }

    /// JSON that the model reads as it is, except for images, files and encrypted content in it.
    fn json(&self, json: &str, cost: &mut Cost) {
        let (mut text, mut rest) = (String::new(), 0);
        let strings = StringArena::default();
        for (key, value) in strings.written(json).strings() {
            if self.count_non_text(key, value, cost) {
                text.push_str(&json[rest..value.offset()]);
                rest = value.offset() + value.raw().len();
            }
        }
        text.push_str(&json[rest..]);
        cost.text_tokens += text_tokens(&text);
    }

    /// Counts a string that is not text for the model. Returns false if it is text.
    fn count_non_text(&self, key: &str, value: Json<'_>, cost: &mut Cost) -> bool {
        let Ok(text) = value.as_str() else { return false };
        match key {
            "encrypted_content" => {}
            "file_data" => cost.files += 1,
            "image_url" => cost.images.push(self.image(&text, Detail::High)),
            "url" | "result" | "data" => {
                let Some(data) = base64_of(&text) else { return false };
                match data.bytes() {
                    Some(bytes) if image_type(&bytes).is_some() => cost.images.push(self.known(&bytes, Detail::High)),
                    Some(_) => cost.files += 1,
                    None => return false,
                }
            }
            _ => return false,
        }
        true
    }

    fn image(&self, url: &str, detail: Detail) -> Image {
        let Some(data) = DataUrl::parse(url) else { return Image::default() };
        let bytes = data.bytes().unwrap_or_default();
        match image_type(&bytes) {
            Some(_) => self.known(&bytes, detail),
            None => Image { media_type: Some(shown(data.media_type)), ..Image::default() },
        }
    }

    fn known(&self, bytes: &[u8], detail: Detail) -> Image {
        let size = dimensions(bytes);
        Image {
            size,
            media_type: image_type(bytes).map(str::to_owned),
            bytes: Some(bytes.len()),
            tokens: size.map(|size| image_tokens(self.model, size, detail)),
        }
    }
}

/// The base64 of a `data:` URL, or a string that may be all base64.
fn base64_of(text: &str) -> Option<DataUrl<'_>> {
    let bare = || (text.len() >= MIN_BASE64_LENGTH).then_some(DataUrl { media_type: "", base64: text });
    DataUrl::parse(text).or_else(bare)
}

fn detail(image: &Object<'_>) -> Detail {
    let detail = image.get_str("detail");
    if detail.is_some_and(|detail| detail == "low") { Detail::Low } else { Detail::High }
}

fn is_file(part: &Object<'_>) -> bool {
    part.get_str("type").is_some_and(|kind| kind == "input_file")
}
