//! Calls, and the outputs that answer them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::document::{Block, ItemKind, ResponseKind};
use crate::json::{Object, StringArena};
use crate::responses::Item;
use crate::source::Spanned;

/// What a call and its output have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallKey<'a> {
    /// The kind of the output.
    pub kind: ResponseKind,
    /// The id of the call.
    pub call_id: Cow<'a, str>,
}

/// A call or an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side<'a> {
    /// A call, or a request for approval.
    Call(CallKey<'a>),
    /// The output of a call, or the answer to a request for approval.
    Output(CallKey<'a>),
}

impl<'a> Side<'a> {
    /// The call or the output that a block is.
    pub fn of_block(block: &'a Block<'_>) -> Option<Self> {
        match block {
            Block::Element(element) => {
                let key = |kind| Some(CallKey { kind, call_id: element.call_id()?.into() });
                match element.kind {
                    ItemKind::ToolCall(kind) => key(ResponseKind::Tool(kind)).map(Self::Call),
                    ItemKind::ToolResponse(kind) => key(kind).map(Self::Output),
                    ItemKind::Message(_) | ItemKind::Reasoning => None,
                }
            }
            block => Self::of_members(&block.item(&StringArena::default())?),
        }
    }

    /// The call or the output that an item is.
    pub fn of_item(item: &'a Item<'_>) -> Option<Self> {
        match item {
            Item::ToolCall(call) => {
                let kind = ResponseKind::from_call_type(call.kind.call_type())?;
                Some(Self::Call(CallKey { kind, call_id: (&*call.call_id).into() }))
            }
            Item::ToolResponse(response) => {
                let kind = ResponseKind::from_call_type(response.kind.call_type())?;
                Some(Self::Output(CallKey { kind, call_id: (&*response.call_id).into() }))
            }
            Item::Other(members) => Self::of_members(members),
            Item::Message(_) | Item::Reasoning(_) | Item::Foreign(_) => None,
        }
    }

    /// The call or the output that the members of an item are.
    fn of_members(members: &Object<'_>) -> Option<Self> {
        let item_type = members.get_str("type")?;
        let key = |kind: ResponseKind, id_key: &str| {
            Some(CallKey { kind, call_id: Cow::Owned(members.get_str(id_key)?.into_owned()) })
        };
        if let Some(kind) = ResponseKind::from_call_type(&item_type) {
            return key(kind, kind.call_id_key()).map(Self::Call);
        }
        let kind = ResponseKind::from_item_type(&item_type)?;
        key(kind, kind.id_key()).map(Self::Output)
    }

    /// What it has in common with the other side.
    pub fn key(&self) -> &CallKey<'a> {
        match self {
            Self::Call(key) | Self::Output(key) => key,
        }
    }
}

/// The calls and the outputs with one key, by their indices and in order.
#[derive(Debug)]
pub struct Pair<'a> {
    /// What they have in common.
    pub key: CallKey<'a>,
    /// The calls. There is more than one only if an id is repeated.
    pub calls: Vec<usize>,
    /// The outputs.
    pub outputs: Vec<usize>,
}

/// The calls and outputs of a list of blocks or items.
#[derive(Debug, Default)]
pub struct Pairs<'a> {
    list: Vec<Pair<'a>>,
    by_key: HashMap<CallKey<'a>, usize>,
    by_index: HashMap<usize, usize>,
    /// The output of each call, and the call of each output.
    partners: HashMap<usize, usize>,
}

impl<'a> Pairs<'a> {
    /// Finds the calls and outputs of blocks.
    pub fn of_blocks(blocks: &'a [Spanned<Block<'_>>]) -> Self {
        Self::new(blocks.iter().map(|block| Side::of_block(&block.value)))
    }

    /// Finds the calls and outputs of a list, of whose elements these are the sides.
    pub fn new(sides: impl Iterator<Item = Option<Side<'a>>>) -> Self {
        let mut all = Self::default();
        for (index, side) in sides.enumerate() {
            let Some(side) = side else { continue };
            let list = &mut all.list;
            let pair = *all.by_key.entry(side.key().clone()).or_insert_with_key(|key| {
                list.push(Pair { key: key.clone(), calls: Vec::new(), outputs: Vec::new() });
                list.len() - 1
            });
            all.by_index.insert(index, pair);
            match side {
                Side::Call(_) => list[pair].calls.push(index),
                Side::Output(_) => list[pair].outputs.push(index),
            }
        }
        for pair in &all.list {
            let mut outputs = pair.outputs.iter().copied().peekable();
            for call in pair.calls.iter().copied() {
                while outputs.next_if(|output| *output < call).is_some() {}
                if let Some(output) = outputs.next() {
                    all.partners.extend([(call, output), (output, call)]);
                }
            }
        }
        all
    }

    /// All pairs, in the order of their first elements.
    pub fn iter(&self) -> impl Iterator<Item = &Pair<'a>> {
        self.list.iter()
    }

    /// The calls and outputs with a key.
    pub fn get(&self, key: &CallKey<'_>) -> Option<&Pair<'a>> {
        self.by_key.get(key).map(|pair| &self.list[*pair])
    }

    /// The calls and outputs with the key of an element.
    pub fn pair_of(&self, index: usize) -> Option<&Pair<'a>> {
        self.by_index.get(&index).map(|pair| &self.list[*pair])
    }

    /// The output of a call: the first one after it that answers it and is not that of an earlier call.
    pub fn output_of(&self, call: usize) -> Option<usize> {
        self.partners.get(&call).copied().filter(|output| *output > call)
    }

    /// The call whose output this is.
    pub fn call_of(&self, output: usize) -> Option<usize> {
        self.partners.get(&output).copied().filter(|call| *call < output)
    }
}
