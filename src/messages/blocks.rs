//! Parts, calls, outputs and reasoning as blocks of the API.

use crate::json::{Json, Kind, Object, StringArena};
use crate::resources::media::{DataUrl, base64_type, decode_base64, is_data_url, is_web_url, media_type_of};
use crate::responses::{
    ImagePart, Part, Reasoning, TextPart, ToolCall, ToolKind, ToolOutput, ToolResponse, is_plain_text_type,
};
use crate::wire::{Api, Entry, Overlay, Place, report_unsent, sent_call_id, unsent_part};

const API: Api = Api::Messages;
/// The types of images that the API accepts.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Converts parts and items to blocks, and collects the entries about them.
#[derive(Debug)]
pub(super) struct Blocks<'d> {
    pub(super) strings: &'d StringArena,
    pub(super) entries: Vec<Entry>,
}

impl<'d> Blocks<'d> {
    pub(super) fn new(strings: &'d StringArena) -> Self {
        Self { strings, entries: Vec::new() }
    }

    pub(super) fn note(&mut self, place: &Place, rule: &'static str, message: impl Into<String>) {
        self.entries.push(place.entry(rule, message));
    }

    fn typed(&self, kind: &str) -> Object<'d> {
        let mut object = Object::default();
        object.insert("type", self.strings.string(kind));
        object
    }

    /// The block of a part, if it has one. `keeps_empty`: an empty text is sent.
    pub(super) fn part(&mut self, part: &Part<'d>, place: &Place, keeps_empty: bool) -> Option<Object<'d>> {
        let overlay = part.rest().map(|rest| Overlay::of(rest, API)).unwrap_or_default();
        let mut block = match part {
            Part::Text(_) | Part::Image(_) | Part::Other(_) if overlay.get("type").is_some() => {
                self.own_part(part, &overlay)
            }
            Part::Text(text) => self.text(text, place, keeps_empty)?,
            Part::Image(image) => self.image(image, place)?,
            Part::Other(other) if other.get_str("type").as_deref() == Some("input_file") => self.file(other, place)?,
            Part::Other(_) | Part::Raw(_) => {
                let kind = part.rest().and_then(|rest| rest.get_str("type")).unwrap_or_default();
                self.note(place, "unsupported-part", format!("the Messages API has no part like `{kind}`"));
                return None;
            }
        };
        overlay.apply(&mut block);
        if let (Part::Text(text), Some(_)) = (part, overlay.get("source")) {
            self.set_document_text(&mut block, &text.text);
        }
        Some(block)
    }

    /// A block that only this API has.
    fn own_part(&mut self, part: &Part<'d>, overlay: &Overlay<'d>) -> Object<'d> {
        let mut block = Object::default();
        let kind = overlay.get("type").and_then(|kind| kind.as_str().ok());
        if let (Part::Text(text), Some("text")) = (part, kind.as_deref()) {
            block.insert("text", self.strings.string(&text.text));
        }
        block
    }

    /// Sets the text of a document whose source has none.
    fn set_document_text(&mut self, block: &mut Object<'d>, text: &str) {
        let Some(mut source) = block.get("source").and_then(|source| source.object().ok()) else { return };
        if source.get_str("type").as_deref() == Some("text") && source.get("data").is_none() {
            source.insert("data", self.strings.string(text));
            block.replace("source", self.strings.object(&source));
        }
    }

    /// Notes that a text is not of the type that the texts of its owner have.
    pub(super) fn note_type(&mut self, part: &Part<'d>, text_type: &str, place: &Place) {
        if let Part::Text(part) = part
            && part.kind != text_type
            && matches!(part.kind.as_ref(), "input_text" | "output_text" | "text")
        {
            self.note(place, "respelled-field", format!("`{}` is sent as a plain text", part.kind));
        }
    }

    fn text(&mut self, part: &TextPart<'d>, place: &Place, keeps_empty: bool) -> Option<Object<'d>> {
        if let Some((rule, message)) = unsent_part(API, part) {
            self.note(place, rule, message);
            if part.text.is_empty() {
                return None;
            }
        }
        if part.text.is_empty() && !keeps_empty {
            self.note(place, "empty-text", "the Messages API takes no empty text");
            return None;
        }
        match part.kind.as_ref() {
            kind if is_plain_text_type(kind) => {}
            "refusal" => self.note(place, "respelled-refusal", "the refusal is sent as text"),
            kind => {
                self.note(place, "unsupported-part", format!("the Messages API has no part like `{kind}`"));
                return None;
            }
        }
        report_unsent(API, &part.rest, &[], place, &mut self.entries);
        let mut block = self.typed("text");
        block.insert("text", self.strings.string(&part.text));
        cache_control(&mut block, &part.rest);
        Some(block)
    }

    fn image(&mut self, part: &ImagePart<'d>, place: &Place) -> Option<Object<'d>> {
        let url = part.image_url.as_ref().map(|url| url.text());
        let source = match url.as_deref() {
            None => self.file_source(&part.rest, place)?,
            Some(url) if is_web_url(url) => self.url_source(url),
            Some(url) => {
                let data = DataUrl::parse(url).filter(|data| IMAGES.contains(&data.media_type));
                let Some(data) = data else {
                    let kind = media_type_of(url).unwrap_or("this URL");
                    let message = format!("the Messages API takes PNG, JPEG, GIF and WebP images, not `{kind}`");
                    self.note(place, "unsupported-image", message);
                    return None;
                };
                self.data_source(data)
            }
        };
        report_unsent(API, &part.rest, &["file_id", "image_url", "filename"], place, &mut self.entries);
        let mut block = self.typed("image");
        block.insert("source", source);
        cache_control(&mut block, &part.rest);
        Some(block)
    }

    fn file(&mut self, part: &Object<'d>, place: &Place) -> Option<Object<'d>> {
        let source = match (part.get_str("file_data"), part.get_str("file_url")) {
            (Some(data), _) => self.file_data_source(&data, part, place)?,
            (None, Some(url)) => self.url_source(&url),
            (None, None) => self.file_source(part, place)?,
        };
        let taken = ["type", "file_data", "file_url", "file_id", "filename"];
        report_unsent(API, part, &taken, place, &mut self.entries);
        let mut block = self.typed("document");
        block.insert("source", source);
        if let Some(title) = part.get("filename") {
            block.insert("title", title);
        }
        cache_control(&mut block, part);
        Some(block)
    }

    fn file_data_source(&mut self, url: &str, file: &Object<'_>, place: &Place) -> Option<Json<'d>> {
        let name = || file.get_str("filename").unwrap_or_default();
        let plain = || DataUrl { media_type: base64_type(url, &name()), base64: url };
        let data = if is_data_url(url) { DataUrl::parse(url) } else { Some(plain()) };
        match data.map(|data| data.media_type) {
            Some("application/pdf") => data.map(|data| self.data_source(data)),
            Some("text/plain") => {
                let text =
                    data.and_then(|data| decode_base64(data.base64)).and_then(|text| String::from_utf8(text).ok());
                let Some(text) = text else {
                    self.note(place, "unsupported-file", "the data of the file is not UTF-8 text in base64");
                    return None;
                };
                self.note(place, "respelled-file", "the file is sent as the text of a document");
                Some(self.strings.write_object(|source| {
                    source.text("type", "text");
                    source.text("media_type", "text/plain");
                    source.text("data", &text);
                }))
            }
            kind => {
                let kind = kind.or_else(|| media_type_of(url)).unwrap_or("this data");
                let message = format!("the Messages API takes PDF and plain text files, not `{kind}`");
                self.note(place, "unsupported-file", message);
                None
            }
        }
    }

    fn data_source(&self, data: DataUrl<'_>) -> Json<'d> {
        self.strings.write_object(|source| {
            source.text("type", "base64");
            source.text("media_type", data.media_type);
            source.text("data", data.base64);
        })
    }

    fn url_source(&self, url: &str) -> Json<'d> {
        self.strings.write_object(|source| {
            source.text("type", "url");
            source.text("url", url);
        })
    }

    /// The source of a file that the API has already.
    fn file_source(&mut self, rest: &Object<'d>, place: &Place) -> Option<Json<'d>> {
        let issuer = rest.get_str("@issuer");
        let Some(id) = rest.get_str("file_id").filter(|_| issuer.as_deref() == Some(API.issuer())) else {
            let message = "the file id belongs to another API; `issuer=\"anthropic\"` marks ids of this API";
            self.note(place, "foreign-file", message);
            return None;
        };
        Some(self.strings.write_object(|source| {
            source.text("type", "file");
            source.text("file_id", &id);
        }))
    }

    /// The block of a call.
    pub(super) fn call(&mut self, call: &ToolCall<'d>, place: &Place) -> Option<Object<'d>> {
        let overlay = Overlay::of(&call.rest, API);
        let mut block = self.typed("tool_use");
        block.insert("id", self.call_id(&call.call_id, overlay.get("id").is_some(), place));
        let namespace = call.rest.get_str("namespace");
        match &namespace {
            Some(namespace) => {
                self.note(place, "respelled-tool", "the namespace is a part of the tool's name");
                block.insert("name", self.strings.string(&format!("{namespace}__{}", call.name)));
            }
            None => block.insert("name", self.strings.string(&call.name)),
        }
        block.insert("input", self.input(call, overlay.get("input").is_some(), place)?);
        let mut taken = vec![];
        taken.extend(namespace.map(|_| "namespace"));
        if let Some(caller) = call.rest.get("caller").filter(|caller| is_direct(*caller)) {
            block.insert("caller", caller);
            taken.push("caller");
        }
        report_unsent(API, &call.rest, &taken, place, &mut self.entries);
        cache_control(&mut block, &call.rest);
        overlay.apply(&mut block);
        Some(block)
    }

    fn call_id(&mut self, id: &str, is_set: bool, place: &Place) -> Json<'d> {
        let sent = sent_call_id(API, id);
        if sent != id && !is_set {
            self.note(place, "respelled-id", format!("the call is sent with the id `{sent}`"));
        }
        self.strings.string(&sent)
    }

    fn input(&mut self, call: &ToolCall<'d>, is_set: bool, place: &Place) -> Option<Json<'d>> {
        match call.kind {
            ToolKind::Custom => {
                self.note(place, "respelled-tool", "the call of a custom tool is sent as the call of a function");
                Some(self.strings.write_object(|input| input.text("input", &call.input)))
            }
            ToolKind::Function if call.input.is_empty() => {
                if !is_set {
                    self.note(place, "respelled-arguments", "empty arguments are sent as `{}`");
                }
                Some(self.strings.json(|out| out.push_str("{}")))
            }
            ToolKind::Function => {
                let text = self.strings.keep(call.input.to_string());
                let input = Json::parse(text, self.strings).ok().filter(|input| input.kind() == Kind::Object);
                match input {
                    Some(input) => Some(input),
                    None if is_set => Some(Json::NULL),
                    None => {
                        let message = "the Messages API takes only a JSON object as the arguments of a call";
                        self.note(place, "arguments-not-object", message);
                        None
                    }
                }
            }
        }
    }

    /// The block of an output.
    pub(super) fn output(
        &mut self,
        output: &ToolResponse<'d>,
        place: &Place,
        part_places: &[Place],
        keeps_empty: bool,
    ) -> Object<'d> {
        let overlay = Overlay::of(&output.rest, API);
        let mut block = self.typed("tool_result");
        block.insert("tool_use_id", self.call_id(&output.call_id, overlay.get("tool_use_id").is_some(), place));
        if output.kind == ToolKind::Custom {
            self.note(place, "respelled-tool", "the output of a custom tool is sent as the output of a function");
        }
        let content = match &output.output {
            ToolOutput::Text(text) => self.strings.string(text),
            ToolOutput::Content(parts) => {
                let mut block = |(index, part): (usize, &Part<'d>)| {
                    let place = part_places.get(index).unwrap_or(place);
                    self.note_type(part, "input_text", place);
                    self.part(part, place, keeps_empty)
                };
                let blocks: Vec<Object<'d>> = parts.iter().enumerate().filter_map(&mut block).collect();
                self.list(&blocks)
            }
        };
        block.insert("content", content);
        if let Some(is_error) = output.rest.get("@error") {
            block.insert("is_error", is_error);
        }
        report_unsent(API, &output.rest, &[], place, &mut self.entries);
        cache_control(&mut block, &output.rest);
        overlay.apply(&mut block);
        block
    }

    pub(super) fn list(&self, blocks: &[Object<'d>]) -> Json<'d> {
        self.strings.json(|out| {
            crate::json::write::array(out, blocks, |out, block| {
                let mut object = crate::json::write::ObjectWriter::new(out);
                object.members(block);
                object.end();
            });
        })
    }

    /// The block of reasoning, if this API issued it.
    pub(super) fn reasoning(&mut self, reasoning: &Reasoning<'d>, place: &Place) -> Option<Object<'d>> {
        let rest = &reasoning.rest;
        let overlay = Overlay::of(rest, API);
        let issuer = rest.get_str("@issuer");
        match issuer.as_deref() {
            Some(issuer) if issuer == API.issuer() => {}
            Some(issuer) => {
                self.note(place, "foreign-blocks", format!("only `{issuer}` can read this reasoning"));
                return None;
            }
            None => {
                self.note(place, "unsent-reasoning", "the Messages API takes only its own reasoning");
                return None;
            }
        }
        let mut block = if let Some(data) = rest.get("@redacted") {
            let mut block = self.typed("redacted_thinking");
            block.insert("data", data);
            block
        } else if rest.get("@signature").is_some() || overlay.get("type").is_some() {
            let mut block = self.typed("thinking");
            block.insert("thinking", self.strings.string(&reasoning_text(reasoning)));
            if let Some(signature) = rest.get("@signature") {
                block.insert("signature", signature);
            }
            block
        } else {
            self.note(place, "unsent-reasoning", "the Messages API takes only reasoning with a signature");
            return None;
        };
        let taken = ["@issuer", "@redacted", "@signature"];
        report_unsent(API, rest, &taken, place, &mut self.entries);
        overlay.apply(&mut block);
        Some(block)
    }
}

/// Adds the cache mark of an item or a part.
pub(super) fn cache_control<'d>(block: &mut Object<'d>, rest: &Object<'d>) {
    if let Some(cache_control) = rest.get("@cache_control") {
        block.replace("cache_control", cache_control);
    }
}

/// Whether a caller is the model itself, which several APIs say in the same words.
pub(super) fn is_direct(caller: Json<'_>) -> bool {
    let members = caller.object().ok().filter(|members| members.iter().count() == 1);
    members.is_some_and(|members| members.get_str("type").as_deref() == Some("direct"))
}

/// The text of reasoning.
fn reasoning_text(reasoning: &Reasoning<'_>) -> String {
    let texts = reasoning.summary.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.text.as_ref()),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
    });
    texts.collect()
}
