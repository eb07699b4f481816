//! Document to items.

use std::borrow::Cow;

use super::World;
use super::carry::Carried;
use super::look::{self, Refusal};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{self, Block, DocForm, Document, Field, OutputHint, Part};
use crate::source::{Span, Spanned};
use crate::wire::write::ObjectWriter;
use crate::wire::{self, Item, Json, Kind, Object, ToolOutput, text_key, text_type};

/// The items that a document with its imports expanded stands for.
///
/// Messages that belong in the instructions are no items; with `all_instructions` every system and developer message does.
pub(super) fn to_items<'d>(
    document: &'d Document<'_>,
    world: &World<'d>,
    all_instructions: bool,
    found: &mut Diagnostics,
) -> Vec<(Item<'d>, Span)> {
    let mut conversion = ToItems { world, all_instructions, found };
    document.blocks.iter().filter_map(|block| Some((conversion.item(block)?, block.span))).collect()
}

/// The text of a message that belongs in the instructions, its parts on lines of their own.
pub(super) fn instruction_text(message: &document::Message<'_>, world: &World<'_>, found: &mut Diagnostics) -> String {
    let mut conversion = ToItems { world, all_instructions: true, found };
    let mut texts = Vec::new();
    for part in &message.body {
        match &part.value {
            Part::Text(_) | Part::Agent(_) => texts.push(conversion.text(std::slice::from_ref(part))),
            Part::Doc(doc) if doc.form != DocForm::File => texts.push(conversion.text(std::slice::from_ref(part))),
            Part::Doc(_) | Part::Image(_) | Part::Import(_) | Part::Summary(_) => {
                conversion.found.report(Problem::PartInInstructions, part.span);
            }
            // That a part begins is said by its line; what else it says has no place.
            Part::Carried(json) => {
                if !Carried::read(json, part.span, conversion.found).members.is_empty() {
                    conversion.found.report(Problem::PartInInstructions, part.span);
                }
            }
        }
    }
    texts.join("\n")
}

struct ToItems<'w, 'd> {
    world: &'w World<'d>,
    all_instructions: bool,
    found: &'w mut Diagnostics,
}

impl<'d> ToItems<'_, 'd> {
    fn item(&mut self, block: &'d Spanned<Block<'_>>) -> Option<Item<'d>> {
        match &block.value {
            Block::Message(message) if message.is_instructions(self.all_instructions) => None,
            Block::Message(message) => Some(Item::Message(self.message(message))),
            Block::ToolCall(call) => Some(Item::ToolCall(self.tool_call(call))),
            Block::ToolResponse(response) => self.tool_response(response, block.span).map(Item::ToolResponse),
            Block::Reasoning(reasoning) => Some(Item::Reasoning(self.reasoning(reasoning))),
            Block::Item(json) => self.carried_item(json, block.span),
            Block::Declaration(_) | Block::Import(_) | Block::Request(_) | Block::Comment(_) => None,
        }
    }

    fn carried_item(&mut self, json: &'d str, span: Span) -> Option<Item<'d>> {
        match Json::parse(json).and_then(Item::decode) {
            Ok(item) => Some(item),
            Err(error) => {
                self.found.report(Problem::MalformedCarried(error.to_string()), span);
                None
            }
        }
    }

    fn message(&mut self, message: &'d document::Message<'_>) -> wire::Message<'d> {
        let fields = self.fields(message.fields.as_ref());
        let is_output = message.role == document::Role::Assistant && message.id != Field::Absent;
        let mut rest = Object::default();
        self.insert(&mut rest, "id", &message.id);
        self.insert(&mut rest, "status", &message.status);
        if is_output && message.status == Field::Absent && fields.is_silent("status") {
            rest.insert("status", self.world.texts.string("completed"));
        }
        self.insert(&mut rest, "phase", &message.phase);
        self.extend(&mut rest, &fields, &[], message.fields.as_ref());
        let role = message.role.name();
        let content = match message.role {
            document::Role::Assistant => self.assistant_content(message, is_output),
            document::Role::User | document::Role::System | document::Role::Developer => {
                self.content(&message.body, text_type(role))
            }
        };
        wire::Message { role: role.into(), content, rest }
    }

    /// One part for each text between carried boundaries.
    fn assistant_content(&mut self, message: &'d document::Message<'_>, is_output: bool) -> Vec<wire::Part<'d>> {
        let mut content = Vec::new();
        let mut body = message.body.as_slice();
        while let Some(first) = body.first() {
            let carried = match &first.value {
                Part::Carried(json) => {
                    body = &body[1..];
                    Carried::read(json, first.span, self.found)
                }
                _ => Carried::default(),
            };
            let end = body.iter().position(|part| matches!(part.value, Part::Carried(_))).unwrap_or(body.len());
            let (own, behind) = body.split_at(end);
            body = behind;
            let text = if own.is_empty() { None } else { Some(self.text(own)) };
            let mut part = self.part(carried, text, "output_text", first.span);
            if let Some((wire::Part::Text(text), silent)) = part.as_mut().map(|(part, silent)| (part, silent))
                && text.kind == "output_text"
            {
                if is_output && silent.is_silent("annotations") {
                    text.rest.insert("annotations", Json::EMPTY_ARRAY);
                }
                if silent.is_silent("logprobs") {
                    match message.logprobs {
                        Field::Absent => {}
                        Field::Null => text.rest.insert("logprobs", Json::NULL),
                        Field::Text(_) => text.rest.insert("logprobs", Json::EMPTY_ARRAY),
                    }
                }
            }
            content.extend(part.map(|(part, _)| part));
        }
        content
    }

    /// One part for each part of the body.
    fn content(&mut self, body: &'d [Spanned<Part<'_>>], text_type: &'static str) -> Vec<wire::Part<'d>> {
        let mut content = Vec::new();
        let mut parts = body.iter().peekable();
        while let Some(part) = parts.next() {
            content.extend(match &part.value {
                Part::Text(text) => Some(wire::Part::text(text_type, text.as_ref())),
                Part::Image(image) => self.world.image(image, part.span, self.found),
                Part::Doc(doc) if doc.form == DocForm::File => self.world.doc_file(doc, part.span, self.found),
                Part::Doc(_) | Part::Agent(_) => {
                    Some(wire::Part::text(text_type, self.text(std::slice::from_ref(part))))
                }
                Part::Import(_) => None,
                Part::Summary(summary) => {
                    let kind = summary.kind.as_deref().unwrap_or("summary_text");
                    Some(wire::Part::text(kind, summary.text.as_ref()))
                }
                Part::Carried(json) => {
                    let carried = Carried::read(json, part.span, self.found);
                    let text = parts.next_if(|next| matches!(next.value, Part::Text(_)));
                    let text = text.map(|text| self.text(std::slice::from_ref(text)));
                    self.part(carried, text, text_type, part.span).map(|(part, _)| part)
                }
            });
        }
        content
    }

    /// The part that a `chatmd:part` and the text behind it make, and what the comment said.
    fn part(
        &mut self,
        mut carried: Carried<'d>,
        text: Option<Cow<'d, str>>,
        text_type: &'static str,
        span: Span,
    ) -> Option<(wire::Part<'d>, Carried<'d>)> {
        let kind = match carried.members.get("type").map(Json::string) {
            None => Cow::Borrowed(text_type),
            Some(Ok(kind)) => kind,
            Some(Err(error)) => {
                self.found.report(Problem::MalformedCarried(error.within("type").to_string()), span);
                return None;
            }
        };
        let is_text =
            matches!(kind.as_ref(), "input_text" | "output_text" | "summary_text" | "reasoning_text" | "refusal");
        let text = match text {
            Some(_) if carried.members.get(text_key(&kind)).is_some() => {
                let key = text_key(&kind);
                let message = format!("`{key}` is given by the comment and by the text behind it");
                self.found.report(Problem::MalformedCarried(message), span);
                return None;
            }
            Some(text) => text,
            None if is_text && carried.members.get(text_key(&kind)).is_none() && !carried.is_absent("type") => {
                Cow::Borrowed("")
            }
            None => {
                let whole = self.whole_part(&mut carried, &kind, span)?;
                return Some((whole, carried));
            }
        };
        let mut rest = carried.members.clone();
        rest.take("type");
        Some((wire::Part::Text(wire::TextPart { kind, text, rest }), carried))
    }

    /// A part that its comment gives whole.
    fn whole_part(&mut self, carried: &mut Carried<'d>, kind: &str, span: Span) -> Option<wire::Part<'d>> {
        let mut members = std::mem::take(&mut carried.members);
        if members.get("type").is_none() && !carried.is_absent("type") {
            members.insert("type", self.world.texts.string(kind));
        }
        let mut json = String::new();
        let mut object = ObjectWriter::new(&mut json);
        object.members(&members);
        object.end();
        match wire::Part::decode(self.world.made(json)) {
            Ok(part) => Some(part),
            Err(error) => {
                self.found.report(Problem::MalformedCarried(error.to_string()), span);
                None
            }
        }
    }

    fn tool_call(&mut self, call: &'d document::ToolCall<'_>) -> wire::ToolCall<'d> {
        let fields = self.fields(call.fields.as_ref());
        let mut rest = Object::default();
        self.insert(&mut rest, "id", &call.id);
        self.insert(&mut rest, "status", &call.status);
        self.extend(&mut rest, &fields, &["call_id", "name"], call.fields.as_ref());
        let input = self.text(&call.body);
        wire::ToolCall {
            kind: kind(call.kind),
            call_id: Cow::Borrowed(&call.call_id),
            name: Cow::Borrowed(&call.name),
            input,
            rest,
        }
    }

    fn tool_response(
        &mut self,
        response: &'d document::ToolResponse<'_>,
        span: Span,
    ) -> Option<wire::ToolResponse<'d>> {
        let fields = self.fields(response.fields.as_ref());
        let mut rest = Object::default();
        self.insert(&mut rest, "id", &response.id);
        self.insert(&mut rest, "status", &response.status);
        self.extend(&mut rest, &fields, &["call_id"], response.fields.as_ref());
        let output = self.tool_output(response, span)?;
        Some(wire::ToolResponse { kind: kind(response.kind), call_id: Cow::Borrowed(&response.call_id), output, rest })
    }

    /// The output's branch: by its parts, by `output=`, or by looking at the text.
    fn tool_output(&mut self, response: &'d document::ToolResponse<'_>, span: Span) -> Option<ToolOutput<'d>> {
        let is_part = |part: &Spanned<Part<'_>>| match &part.value {
            Part::Image(_) | Part::Carried(_) => true,
            Part::Doc(doc) => doc.form == DocForm::File,
            Part::Text(_) | Part::Agent(_) | Part::Import(_) | Part::Summary(_) => false,
        };
        if response.body.iter().any(is_part) {
            return Some(ToolOutput::Content(self.content(&response.body, "input_text")));
        }
        let text = self.kept_text(&response.body);
        let decoded = match response.output {
            Some(OutputHint::Text) => return Some(ToolOutput::Text(text.into())),
            Some(OutputHint::Content) if response.body.is_empty() => return Some(ToolOutput::Content(Vec::new())),
            Some(OutputHint::Content) => match Json::parse(text).ok().filter(|json| json.kind() == Kind::Array) {
                Some(array) => ToolOutput::decode(array).map_err(Refusal::Malformed),
                None => return Some(ToolOutput::Content(vec![wire::Part::text("input_text", text)])),
            },
            None => look::output(text),
        };
        match decoded {
            Ok(output) => Some(output),
            Err(refusal) => {
                let (problem, offset) = match refusal {
                    Refusal::Media { index, kind, offset } => (Problem::RefusedMedia { index, kind }, offset),
                    Refusal::Malformed(error) => (Problem::MalformedParts(error.to_string()), error.offset),
                };
                let place = self.world.sources.offset_of(span.source, text).map(|start| start + offset);
                self.found.report(problem, place.map_or(span, |start| Span::new(span.source, start..start + 1)));
                None
            }
        }
    }

    fn reasoning(&mut self, reasoning: &'d document::Reasoning<'_>) -> wire::Reasoning<'d> {
        let fields = self.fields(reasoning.fields.as_ref());
        let mut rest = Object::default();
        rest.insert("id", self.world.texts.string(&reasoning.id));
        self.insert(&mut rest, "status", &reasoning.status);
        self.insert(&mut rest, "encrypted_content", &reasoning.encrypted_content);
        self.extend(&mut rest, &fields, &[], reasoning.fields.as_ref());
        let is_content =
            |part: &wire::Part<'_>| matches!(part, wire::Part::Text(text) if text.kind == "reasoning_text");
        let (content, summary): (Vec<_>, Vec<_>) =
            self.content(&reasoning.body, "summary_text").into_iter().partition(is_content);
        let mut content = (!content.is_empty()).then_some(content);
        match &reasoning.content {
            Field::Absent => {}
            Field::Null => rest.insert("content", Json::NULL),
            Field::Text(_) => content = content.or(Some(Vec::new())),
        }
        wire::Reasoning { summary, content, rest }
    }

    /// The text of a body that is one text.
    fn text(&mut self, body: &'d [Spanned<Part<'_>>]) -> Cow<'d, str> {
        let mut whole = Cow::Borrowed("");
        for part in body {
            whole += match &part.value {
                Part::Text(text) => Cow::Borrowed(text.as_ref()),
                Part::Doc(doc) => Cow::Owned(self.world.doc_text(doc, part.span, self.found).unwrap_or_default()),
                Part::Agent(agent) => Cow::Owned(self.world.answer(agent, part.span, self.found).unwrap_or_default()),
                Part::Image(_) | Part::Import(_) | Part::Summary(_) | Part::Carried(_) => Cow::Borrowed(""),
            };
        }
        whole
    }

    fn kept_text(&mut self, body: &'d [Spanned<Part<'_>>]) -> &'d str {
        match self.text(body) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => self.world.texts.keep(text),
        }
    }

    fn fields(&mut self, fields: Option<&'d Spanned<Cow<'_, str>>>) -> Carried<'d> {
        fields.map(|json| Carried::fields(&json.value, json.span, self.found)).unwrap_or_default()
    }

    /// Adds carried fields, none of which may say what the element says already.
    fn extend(
        &mut self,
        object: &mut Object<'d>,
        fields: &Carried<'d>,
        own: &[&str],
        comment: Option<&Spanned<Cow<'_, str>>>,
    ) {
        let mut said: Vec<String> = object.iter().map(|(key, _)| key.to_owned()).collect();
        said.extend(own.iter().map(|key| (*key).to_owned()));
        for (key, value) in fields.members.iter() {
            object.insert(key.to_owned(), value);
        }
        let twice = said.into_iter().find(|key| !fields.is_silent(key));
        if let (Some(key), Some(comment)) = (twice, comment) {
            self.found.report(Problem::ForbiddenField(key), comment.span);
        }
    }

    fn insert(&self, object: &mut Object<'d>, key: &'static str, field: &Field<'_>) {
        match field {
            Field::Absent => {}
            Field::Null => object.insert(key, Json::NULL),
            Field::Text(text) => object.insert(key, self.world.texts.string(text)),
        }
    }
}

fn kind(kind: document::ToolKind) -> wire::ToolKind {
    match kind {
        document::ToolKind::Function => wire::ToolKind::Function,
        document::ToolKind::Custom => wire::ToolKind::Custom,
    }
}
