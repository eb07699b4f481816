//! Items as blocks of messages.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::{Item, Message, Part, Reasoning, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::wire::{
    Api, Entry, Members, Overlay, Place, Placed, Unit, UnitKind, Value, note, report_unsent, rules, sent_call_id,
    unit_kind, unsent_item,
};

const API: Api = Api::Messages;
/// Blocks of user messages and outputs. Among the blocks of a turn their place is unknown.
pub(super) const USER_BLOCKS: [&str; 7] =
    ["search_result", "tool_reference", "tool_result", "document", "image", "container_upload", "browser_state"];

/// A block of a message and where it is written.
#[derive(Debug)]
pub(super) struct Block<'a, 'd> {
    pub(super) object: Members<'d>,
    pub(super) place: Place<'a>,
    /// Where the blocks inside it are written.
    pub(super) inner: Vec<Place<'a>>,
    pub(super) entries: Vec<Entry>,
}

/// An element of the document that is sent.
#[derive(Debug)]
pub(super) struct Element<'a, 'd> {
    pub(super) unit: Unit<'a>,
    pub(super) blocks: Vec<Block<'a, 'd>>,
    /// The members of its message.
    pub(super) message: Overlay<'d>,
    /// A message that is sent as it is.
    pub(super) whole: Option<Json<'d>>,
    pub(super) place: Place<'a>,
}

/// Converts items to blocks, and collects the entries about them.
#[derive(Debug)]
pub(super) struct Exporter<'d> {
    pub(super) strings: &'d StringArena,
    pub(super) entries: Vec<Entry>,
}

impl<'d> Exporter<'d> {
    pub(super) fn new(strings: &'d StringArena) -> Self {
        Self { strings, entries: Vec::new() }
    }

    /// An item as it is sent; `None` if nothing of it is.
    pub(super) fn element<'a>(
        &mut self,
        placed: &Placed<'a, 'd>,
        place: Place<'a>,
        answered: &HashSet<&str>,
    ) -> Option<Element<'a, 'd>> {
        let overlay = Overlay::of(placed.item.rest(), API);
        let unit = Unit { kind: unit_kind(API, placed.item), mark: overlay.mark() };
        let mut inner = Vec::new();
        let object = match placed.item {
            Item::Message(message) => return self.message(message, place),
            Item::Foreign(foreign) => return self.foreign(foreign, place, &overlay),
            Item::ToolCall(call) => {
                if placed.is_open_call(answered) {
                    let message = "the Messages API has no late outputs: answer the call first";
                    note(&mut self.entries, rules::CALL_WITHOUT_OUTPUT, place, message);
                }
                self.call(call, place)?
            }
            Item::ToolResponse(output) => self.output(output, place, unit.mark.is_some(), &mut inner),
            Item::Reasoning(reasoning) => self.reasoning(reasoning, place)?,
            Item::Other(other) => {
                let (rule, message) = unsent_item(API, other);
                note(&mut self.entries, rule, place, message);
                return None;
            }
        };
        let blocks = vec![Block { object, place, inner, entries: std::mem::take(&mut self.entries) }];
        Some(Element { unit, blocks, message: overlay.message_members(), whole: None, place })
    }

    /// A message of any role.
    pub(super) fn message<'a>(&mut self, message: &'a Message<'d>, place: Place<'a>) -> Option<Element<'a, 'd>> {
        let overlay = Overlay::of(&message.rest, API);
        let kind = UnitKind::of_role(&message.role);
        let mut blocks: Vec<Block<'a, 'd>> = Vec::with_capacity(message.content.len());
        for (index, part) in message.content.iter().enumerate() {
            let place = place.part("content", index);
            if kind == UnitKind::System && !matches!(part, Part::Text(_)) {
                let text = "the Messages API takes only text in system messages";
                note(&mut self.entries, rules::PART_IN_INSTRUCTIONS, place, text);
                continue;
            }
            self.note_type(part, if kind == UnitKind::Text { "output_text" } else { "input_text" }, place);
            let Some(object) = self.part(part, place, overlay.mark().is_some()) else { continue };
            blocks.push(Block { object, place, inner: Vec::new(), entries: std::mem::take(&mut self.entries) });
        }
        report_unsent(API, &message.rest, &[], place, &mut self.entries);
        if message.role != kind.role_name() {
            let text = format!("the message is sent as `{}`", kind.role_name());
            note(&mut self.entries, rules::RESPELLED_ROLE, place, text);
        }
        if message.content.is_empty() {
            note(&mut self.entries, rules::EMPTY_TEXT, place, "the Messages API takes no message without content");
        }
        let last = blocks.last_mut()?;
        last.entries.append(&mut self.entries);
        if last.object.get("cache_control").is_none() {
            cache_control(&mut last.object, &message.rest);
        }
        Some(Element { unit: Unit { kind, mark: overlay.mark() }, blocks, message: overlay, whole: None, place })
    }

    /// A block or a message that an API alone knows.
    fn foreign<'a>(
        &mut self,
        foreign: &Object<'d>,
        place: Place<'a>,
        overlay: &Overlay<'d>,
    ) -> Option<Element<'a, 'd>> {
        let is_ours = foreign.get_str("issuer").as_deref() == Some(API.issuer());
        let block = foreign.get("block").filter(|_| is_ours).and_then(|block| block.object().ok()).map(Members::from);
        let whole = foreign.get("message").filter(|_| foreign.get_str("api").as_deref() == Some(API.name()));
        let (kind, blocks) = match (block, whole) {
            (Some(object), _) => {
                let kind = object.get_str("type").unwrap_or_default();
                if USER_BLOCKS.contains(&kind.as_ref()) && overlay.mark().is_none() {
                    let message = format!("the place of the block `{kind}` in its message is unknown");
                    note(&mut self.entries, rules::UNSENT_PART, place, message);
                    return None;
                }
                (UnitKind::Foreign, vec![Block { object, place, inner: Vec::new(), entries: Vec::new() }])
            }
            (None, Some(_)) => (UnitKind::Whole, Vec::new()),
            (None, None) => {
                note(&mut self.entries, rules::FOREIGN_BLOCKS, place, "only the API that made this block can read it");
                return None;
            }
        };
        let whole = whole.filter(|_| blocks.is_empty());
        Some(Element {
            unit: Unit { kind, mark: overlay.mark() },
            blocks,
            message: overlay.message_members(),
            whole,
            place,
        })
    }

    /// The block of a call.
    pub(super) fn call(&mut self, call: &ToolCall<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let overlay = Overlay::of(&call.rest, API);
        let mut block = Members::typed("tool_use");
        block.insert("id", self.call_id(&call.call_id, overlay.get("id").is_some(), place));
        let namespace = call.rest.get_str("namespace");
        match &namespace {
            Some(namespace) => {
                note(&mut self.entries, rules::RESPELLED_TOOL, place, "the namespace is a part of the tool's name");
                block.insert("name", format!("{namespace}__{}", call.name));
            }
            None => block.insert("name", call.name.clone()),
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

    fn call_id(&mut self, id: &Cow<'d, str>, is_set: bool, place: Place<'_>) -> Cow<'d, str> {
        match sent_call_id(API, id) {
            Cow::Borrowed(_) => id.clone(),
            Cow::Owned(sent) => {
                if !is_set {
                    note(
                        &mut self.entries,
                        rules::RESPELLED_ID,
                        place,
                        format!("the call is sent with the id `{sent}`"),
                    );
                }
                Cow::Owned(sent)
            }
        }
    }

    fn input(&mut self, call: &ToolCall<'d>, is_set: bool, place: Place<'_>) -> Option<Value<'d>> {
        match call.kind {
            ToolKind::Custom => {
                note(
                    &mut self.entries,
                    rules::RESPELLED_TOOL,
                    place,
                    "the call of a custom tool is sent as the call of a function",
                );
                let mut input = Members::default();
                input.insert("input", call.input.clone());
                Some(input.into())
            }
            ToolKind::Function if call.input.is_empty() => {
                if !is_set {
                    note(&mut self.entries, rules::RESPELLED_ARGUMENTS, place, "empty arguments are sent as `{}`");
                }
                Some(Members::default().into())
            }
            ToolKind::Function => {
                let text = match &call.input {
                    Cow::Borrowed(text) => *text,
                    Cow::Owned(text) => self.strings.keep(text.clone()),
                };
                let input = Json::parse(text, self.strings).ok().filter(|input| input.kind() == Kind::Object);
                match input {
                    Some(input) => Some(input.into()),
                    None if is_set => Some(Json::NULL.into()),
                    None => {
                        let message = "the Messages API takes only a JSON object as the arguments of a call";
                        note(&mut self.entries, rules::ARGUMENTS_NOT_OBJECT, place, message);
                        None
                    }
                }
            }
        }
    }

    /// The block of an output, whose parts are added to `inner`.
    pub(super) fn output<'a>(
        &mut self,
        output: &ToolResponse<'d>,
        place: Place<'a>,
        keeps_empty: bool,
        inner: &mut Vec<Place<'a>>,
    ) -> Members<'d> {
        let overlay = Overlay::of(&output.rest, API);
        let mut block = Members::typed("tool_result");
        block.insert("tool_use_id", self.call_id(&output.call_id, overlay.get("tool_use_id").is_some(), place));
        if output.kind == ToolKind::Custom {
            note(
                &mut self.entries,
                rules::RESPELLED_TOOL,
                place,
                "the output of a custom tool is sent as the output of a function",
            );
        }
        let content: Value<'d> = match &output.output {
            ToolOutput::Text(text) => text.clone().into(),
            ToolOutput::Content(parts) => {
                let mut blocks = Vec::with_capacity(parts.len());
                for (index, part) in parts.iter().enumerate() {
                    let place = place.part("output", index);
                    self.note_type(part, "input_text", place);
                    if let Some(block) = self.part(part, place, keeps_empty) {
                        blocks.push(block);
                        inner.push(place);
                    }
                }
                blocks.into()
            }
        };
        block.insert("content", content);
        block.insert_some("is_error", output.rest.get("@error"));
        report_unsent(API, &output.rest, &[], place, &mut self.entries);
        cache_control(&mut block, &output.rest);
        overlay.apply(&mut block);
        block
    }

    /// The block of reasoning, if this API issued it.
    pub(super) fn reasoning(&mut self, reasoning: &Reasoning<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let rest = &reasoning.rest;
        let overlay = Overlay::of(rest, API);
        let issuer = rest.get_str("@issuer");
        match issuer.as_deref() {
            Some(issuer) if issuer == API.issuer() => {}
            Some(issuer) => {
                note(
                    &mut self.entries,
                    rules::FOREIGN_BLOCKS,
                    place,
                    format!("only `{issuer}` can read this reasoning"),
                );
                return None;
            }
            None => {
                note(
                    &mut self.entries,
                    rules::UNSENT_REASONING,
                    place,
                    "the Messages API takes only its own reasoning",
                );
                return None;
            }
        }
        let mut block = if let Some(data) = rest.get("@redacted") {
            let mut block = Members::typed("redacted_thinking");
            block.insert("data", data);
            block
        } else if rest.get("@signature").is_some() || overlay.get("type").is_some() {
            let mut block = Members::typed("thinking");
            block.insert("thinking", reasoning_text(reasoning));
            block.insert_some("signature", rest.get("@signature"));
            block
        } else {
            note(
                &mut self.entries,
                rules::UNSENT_REASONING,
                place,
                "the Messages API takes only reasoning with a signature",
            );
            return None;
        };
        let taken = ["@issuer", "@redacted", "@signature"];
        report_unsent(API, rest, &taken, place, &mut self.entries);
        overlay.apply(&mut block);
        Some(block)
    }
}

/// Adds the cache mark of an item or a part.
pub(super) fn cache_control<'d>(block: &mut Members<'d>, rest: &Object<'d>) {
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
