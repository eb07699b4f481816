//! Divides items into messages, and finds the marks that keep the messages of a request as they are.
//!
//! The assistant side is assistant texts, reasoning, calls and foreign blocks. A turn is a maximal run of them. Exporter
//! and importer share [`Last`], so that an exported request has exactly the messages that were imported.

use std::collections::HashMap;

use super::{Api, LedgerRule, rules};
use crate::responses::Item;

/// A mark of an element: where it goes, whatever the rules say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It begins a message.
    New,
    /// It joins the message before it.
    Join,
    /// It stays where it is.
    Here,
}

impl Mark {
    /// Its spelling in documents.
    pub fn name(self) -> &'static str {
        match self {
            Mark::New => "new",
            Mark::Join => "join",
            Mark::Here => "here",
        }
    }

    /// The mark of this spelling.
    pub fn named(name: &str) -> Option<Self> {
        [Mark::New, Mark::Join, Mark::Here].into_iter().find(|mark| mark.name() == name)
    }
}

/// What an element is, as far as the division into messages depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitKind<'a> {
    /// A system or developer message.
    System,
    /// A user message.
    User,
    /// The output of the call of this id.
    Output(&'a str),
    /// An assistant message.
    Text,
    /// Reasoning. Sealed reasoning is signed or encrypted, so that its turn must not change.
    Reasoning {
        /// Whether it is sealed.
        is_sealed: bool,
    },
    /// A call of this id.
    Call(&'a str),
    /// A block that only this API knows.
    Foreign,
    /// A whole message that only this API knows.
    Whole,
}

/// One element and its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    /// What it is.
    pub kind: UnitKind<'a>,
    /// Its mark.
    pub mark: Option<Mark>,
}

/// An element that the rules have moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The index of the element.
    pub unit: usize,
    /// The rule of the ledger.
    pub rule: &'static LedgerRule,
    /// Whether sealed reasoning follows its new place.
    pub prefix: bool,
}

/// Which elements are in which message. Elements are named by their indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The leading system messages, which have a field of their own on the Messages API.
    pub system: Vec<usize>,
    /// The elements of each message, in order.
    pub messages: Vec<Vec<usize>>,
    /// The elements that are not where the document has them.
    pub moved: Vec<Moved>,
    /// Elements that would have to move in a turn with sealed reasoning.
    pub signed: Vec<usize>,
}

impl UnitKind<'_> {
    fn is_assistant(self) -> bool {
        match self {
            UnitKind::Text | UnitKind::Reasoning { .. } | UnitKind::Call(_) | UnitKind::Foreign => true,
            UnitKind::System | UnitKind::User | UnitKind::Output(_) | UnitKind::Whole => false,
        }
    }

    /// What a message of a role is.
    pub fn of_role(role: &str) -> Self {
        match role {
            "assistant" => UnitKind::Text,
            "system" | "developer" => UnitKind::System,
            _ => UnitKind::User,
        }
    }

    /// The role of its message.
    pub fn role_name(self) -> &'static str {
        match self.role() {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant | Role::Closed => "assistant",
        }
    }

    fn role(self) -> Role {
        match self {
            UnitKind::System => Role::System,
            UnitKind::User | UnitKind::Output(_) => Role::User,
            UnitKind::Text | UnitKind::Reasoning { .. } | UnitKind::Call(_) | UnitKind::Foreign => Role::Assistant,
            UnitKind::Whole => Role::Closed,
        }
    }
}

/// The role of a message, which decides what can join it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    System,
    User,
    Assistant,
    /// Nothing joins it.
    Closed,
}

/// The last message so far.
#[derive(Debug, Clone, Copy)]
struct Last {
    api: Api,
    role: Role,
    has_only_outputs: bool,
    has_call: bool,
}

impl Last {
    fn new(api: Api) -> Self {
        Self { api, role: Role::Closed, has_only_outputs: false, has_call: false }
    }

    /// Whether an element begins a message, if its mark does not say otherwise.
    fn begins_by_rule(self, kind: UnitKind<'_>) -> bool {
        let joins_outputs = self.api == Api::Messages && self.has_only_outputs;
        match kind {
            kind if kind.is_assistant() => self.role != Role::Assistant,
            UnitKind::Output(_) | UnitKind::User => !joins_outputs,
            _ => true,
        }
    }

    fn begins(self, unit: Unit<'_>) -> bool {
        match unit.mark {
            Some(Mark::New) => true,
            Some(Mark::Join) => self.role != unit.kind.role() || self.role == Role::Closed,
            Some(Mark::Here) | None => self.begins_by_rule(unit.kind),
        }
    }

    /// Adds an element, which may begin a message.
    fn add(&mut self, kind: UnitKind<'_>, begins: bool) {
        let is_output = matches!(kind, UnitKind::Output(_));
        if begins {
            *self = Self { role: kind.role(), has_only_outputs: is_output, ..Self::new(self.api) };
        }
        self.has_only_outputs &= is_output;
        self.has_call |= matches!(kind, UnitKind::Call(_));
    }

    /// Whether a text or reasoning has to go before the calls of its message.
    fn moves_text(self, kind: UnitKind<'_>) -> bool {
        self.has_call && matches!(kind, UnitKind::Text | UnitKind::Reasoning { .. })
    }
}

/// Where outputs belong: directly after the turn of their call, after the outputs that already stand there.
#[derive(Debug, Default)]
struct Turns<'a> {
    /// How many turns have begun.
    count: usize,
    /// Whether the last element belongs to the assistant side.
    is_inside: bool,
    /// Whether only outputs have followed the last turn.
    takes_outputs: bool,
    /// The turn of the last call of each id.
    calls: HashMap<&'a str, usize>,
}

impl<'a> Turns<'a> {
    /// Adds an element. Returns the turn that an output belongs to, if that is not where it stands.
    fn add(&mut self, unit: Unit<'a>, api: Api) -> Option<usize> {
        let is_assistant = unit.kind.is_assistant();
        if is_assistant && (!self.is_inside || api == Api::Chat && unit.mark == Some(Mark::New)) {
            self.count += 1;
        }
        if let UnitKind::Call(id) = unit.kind {
            self.calls.insert(id, self.count);
        }
        self.is_inside = is_assistant;
        let UnitKind::Output(id) = unit.kind else {
            self.takes_outputs = is_assistant;
            return None;
        };
        let turn = self.calls.get(id).copied()?;
        (turn != self.count || !self.takes_outputs).then_some(turn)
    }
}

/// What an item is for the division into messages.
pub fn unit_kind<'a>(api: Api, item: &'a Item<'_>) -> UnitKind<'a> {
    match item {
        Item::Message(message) => UnitKind::of_role(&message.role),
        Item::ToolCall(call) => UnitKind::Call(&call.call_id),
        Item::ToolResponse(output) => UnitKind::Output(&output.call_id),
        Item::Reasoning(_) => UnitKind::Reasoning { is_sealed: api == Api::Messages },
        Item::Foreign(foreign) if api == Api::Messages && foreign.get("message").is_none() => UnitKind::Foreign,
        Item::Foreign(_) | Item::Other(_) => UnitKind::Whole,
    }
}

/// Divides elements into messages.
pub fn arrange(api: Api, units: &[Unit<'_>]) -> Plan {
    let mut plan = Plan::default();
    let order = with_moved_outputs(api, units, &mut plan);
    let mut last = Last::new(api);
    for index in order {
        let unit = units[index];
        let begins = last.begins(unit);
        last.add(unit.kind, begins);
        if begins {
            plan.messages.push(Vec::new());
        }
        if let Some(message) = plan.messages.last_mut() {
            message.push(index);
        }
    }
    for index in 0..plan.messages.len() {
        order_turn(api, units, index, &mut plan);
    }
    mark_prefixes(units, &mut plan);
    plan
}

/// The elements in order, without leading system messages, and with outputs after the turns of their calls.
fn with_moved_outputs(api: Api, units: &[Unit<'_>], plan: &mut Plan) -> Vec<usize> {
    let (mut turns, mut is_leading) = (Turns::default(), api == Api::Messages);
    let mut moved: HashMap<usize, Vec<usize>> = HashMap::new();
    // Each element that stays, with the turn whose outputs may follow it.
    let mut stays: Vec<(usize, usize)> = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let is_free = unit.mark.is_none();
        if is_leading && is_free && unit.kind == UnitKind::System {
            plan.system.push(index);
            plan.moved.push(Moved { unit: index, rule: rules::MOVED_SYSTEM, prefix: false });
            continue;
        }
        is_leading = false;
        match turns.add(*unit, api).filter(|_| is_free) {
            Some(turn) => {
                moved.entry(turn).or_default().push(index);
                plan.moved.push(Moved { unit: index, rule: rules::MOVED_OUTPUT, prefix: false });
            }
            None => stays.push((index, if turns.is_inside || turns.takes_outputs { turns.count } else { 0 })),
        }
    }
    let mut order = Vec::with_capacity(units.len());
    for (position, (index, turn)) in stays.iter().enumerate() {
        order.push(*index);
        let is_end = stays.get(position + 1).is_none_or(|(_, next)| next != turn);
        if is_end && let Some(outputs) = moved.remove(turn) {
            order.extend(outputs);
        }
    }
    order
}

/// Moves texts and reasoning of a message before its first call.
fn order_turn(api: Api, units: &[Unit<'_>], index: usize, plan: &mut Plan) {
    let mut last = Last::new(api);
    let (mut before, mut after, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_sealed = false;
    for unit in plan.messages[index].iter().copied() {
        let Unit { kind, mark } = units[unit];
        is_sealed |= kind == UnitKind::Reasoning { is_sealed: true };
        if last.moves_text(kind) && mark.is_none() {
            moved.push(unit);
            before.push(unit);
        } else if last.has_call || matches!(kind, UnitKind::Call(_)) {
            after.push(unit);
        } else {
            before.push(unit);
        }
        last.add(kind, false);
    }
    if moved.is_empty() {
        return;
    }
    if is_sealed && api == Api::Messages {
        plan.signed.extend(moved);
        return;
    }
    before.append(&mut after);
    plan.messages[index] = before;
    plan.moved.extend(moved.into_iter().map(|unit| Moved { unit, rule: rules::MOVED_TEXT, prefix: false }));
}

/// Finds the moved outputs before which an earlier request ended, and which sealed reasoning follows.
fn mark_prefixes(units: &[Unit<'_>], plan: &mut Plan) {
    let order: Vec<usize> = plan.messages.iter().flatten().copied().collect();
    let is_sealed = |index: &usize| units[*index].kind == UnitKind::Reasoning { is_sealed: true };
    let Some(last_sealed) = order.iter().rposition(is_sealed) else { return };
    let mut positions = vec![0; units.len()];
    for (position, index) in order.iter().enumerate() {
        positions[*index] = position;
    }
    for moved in plan.moved.iter_mut().filter(|moved| moved.rule == rules::MOVED_OUTPUT) {
        moved.prefix = positions[moved.unit] < last_sealed;
    }
}

/// The marks that make [`arrange`] give exactly these messages. Each element says what it is, and whether it has an empty
/// text that only a mark keeps.
pub fn marks(api: Api, messages: &[Vec<(UnitKind<'_>, bool)>]) -> Vec<Vec<Option<Mark>>> {
    let (mut last, mut turns, mut is_leading) = (Last::new(api), Turns::default(), api == Api::Messages);
    let mut all = Vec::with_capacity(messages.len());
    for message in messages {
        let mut marks = Vec::with_capacity(message.len());
        for (index, (kind, needs_mark)) in message.iter().copied().enumerate() {
            let begins = index == 0;
            let is_new = begins && !last.begins_by_rule(kind);
            let unit = Unit { kind, mark: is_new.then_some(Mark::New) };
            let is_moved = is_leading && kind == UnitKind::System
                || turns.add(unit, api).is_some()
                || !begins && last.moves_text(kind);
            let mark = match (begins, last.begins_by_rule(kind)) {
                (true, false) => Some(Mark::New),
                (false, true) => Some(Mark::Join),
                (true, true) | (false, false) if is_moved || needs_mark => Some(Mark::Here),
                (true, true) | (false, false) => None,
            };
            is_leading = false;
            last.add(kind, begins);
            marks.push(mark);
        }
        all.push(marks);
    }
    all
}

#[cfg(test)]
#[path = "../../tests/unit/wire_turns.rs"]
mod tests;
