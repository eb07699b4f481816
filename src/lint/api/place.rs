//! Where in a document a part of its request is written.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::convert::{Located, Request, field_path};
use crate::document::{Block, Declaration, Document};
use crate::element::Tag;
use crate::json::{Json, Kind, StringArena};
use crate::schema::{Step, display};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::nested_elements;

/// Attributes whose names differ from those of their fields.
const ALIASES: [(&str, &str); 8] = [
    ("call_id", "tool_call_id"),
    ("name", "function_name"),
    ("image_url", "src"),
    ("file_url", "src"),
    ("file_data", "src"),
    ("server_url", "mcp_server"),
    ("allowed_tools", "includes"),
    ("allowed_tools", "include"),
];

/// The places of a document.
pub(in crate::lint) struct Places<'d> {
    sources: &'d Sources,
    config: Option<(&'d Declaration<'d>, Span)>,
    /// A `chatmd:request` comment.
    comment: Option<Span>,
    tools: HashMap<Span, &'d Declaration<'d>>,
    are_in_json: bool,
    /// The objects that were asked for. All tools of a request may be in one of them, so it is read once.
    objects: RefCell<HashMap<Span, Option<WrittenObject>>>,
}

/// The first JSON object of a text.
struct WrittenObject {
    start: usize,
    members: HashMap<String, Range<usize>>,
}

impl<'d> Places<'d> {
    pub(in crate::lint) fn new(document: &'d Document<'d>, sources: &'d Sources) -> Self {
        let comment = document.blocks.iter().find(|block| matches!(block.value, Block::Request(_)));
        Self {
            sources,
            config: document.declarations(Tag::Config).next(),
            comment: comment.map(|block| block.span),
            tools: document.declarations(Tag::Tool).map(|(tool, span)| (span, tool)).collect(),
            are_in_json: false,
            objects: RefCell::default(),
        }
    }

    /// The places of a request that is JSON.
    pub(in crate::lint) fn of_json(sources: &'d Sources) -> Self {
        let (tools, objects) = (HashMap::new(), RefCell::default());
        Self { sources, config: None, comment: None, tools, are_in_json: true, objects }
    }

    /// Whether there is no document.
    pub(in crate::lint) fn are_in_json(&self) -> bool {
        self.are_in_json
    }

    /// Where a field of the request is written, and its name there.
    pub(in crate::lint) fn of_field(&self, path: &[Step], request: &Request<'_>) -> (Span, String) {
        let name = display(path);
        if let (true, Some((Step::Key(key), rest))) = (self.are_in_json, path.split_first()) {
            let span = request.fields.get(key).map(|value| span_of(inner(value, rest), request.place.source, 0));
            return (span.unwrap_or(request.place), name);
        }
        let attributes = self.config.iter().flat_map(|(config, _)| config.attributes.with_last());
        let mut attributes = attributes.filter(|(_, is_last)| *is_last);
        let is_here =
            |field: &str| name.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        let attribute = attributes.find_map(|(attribute, _)| {
            let field = field_path(&attribute.name).filter(|field| is_here(field))?;
            Some((attribute.span, format!("{}{}", attribute.name, &name[field.len()..])))
        });
        if let Some(found) = attribute {
            return found;
        }
        let instructions = request.instructions.first().map(|message| message.span).filter(|_| name == "instructions");
        let span = instructions
            .or_else(|| self.in_json(self.config?.0.json()?.1, path))
            .or_else(|| self.in_json(self.comment?, path))
            .or_else(|| Some(self.config?.1))
            .or(self.comment);
        (span.unwrap_or(request.place), name)
    }

    /// Where the elements of a field are written, if it is an array in JSON.
    pub(in crate::lint) fn of_elements(&self, field: &str, request: &Request<'_>) -> Vec<Span> {
        let spans = |array: Json<'_>, source: SourceId, at: usize| -> Vec<Span> {
            array.array().unwrap_or_default().into_iter().map(|element| span_of(element, source, at)).collect()
        };
        if self.are_in_json {
            return request.fields.get(field).map(|array| spans(array, request.place.source, 0)).unwrap_or_default();
        }
        let written = |span: Span| {
            let text = self.sources.slice(span);
            let range = WrittenObject::read(text)?.members.get(field)?.clone();
            let strings = StringArena::default();
            Some(spans(Json::parse_at(&text[range.clone()], range.start, &strings).ok()?, span.source, span.start))
        };
        let config = self.config.and_then(|(config, _)| config.json()).and_then(|(_, span)| written(span));
        config.or_else(|| self.comment.and_then(written)).unwrap_or_default()
    }

    /// Where a part of a tool is written.
    pub(in crate::lint) fn of_tool(&self, declared: Span, path: &[Step]) -> Span {
        let Some(tool) = self.tools.get(&declared) else { return self.in_json(declared, path).unwrap_or(declared) };
        let body = || {
            let (_, span) = tool.json()?;
            let is_parameters =
                !tool.attributes.has("type") && path.first() == Some(&Step::Key("parameters".to_owned()));
            self.in_json(span, if is_parameters { &path[1..] } else { path })
        };
        self.in_tag(declared, path).or_else(body).unwrap_or(declared)
    }

    /// Where a part of an item is written.
    pub(in crate::lint) fn of_item(&self, located: &Located<'_>, path: &[Step]) -> Span {
        let (span, path) = match path {
            [Step::Key(list), Step::Index(index), rest @ ..] => {
                let spans = located.lists.iter().find(|(name, _)| name == list);
                match spans.and_then(|(_, spans)| spans.get(*index)) {
                    Some(span) => (*span, rest),
                    None => (located.span, path),
                }
            }
            path => (located.span, path),
        };
        let fields = || self.in_json(located.fields?, path);
        self.in_tag(span, path).or_else(|| self.in_json(span, path)).or_else(fields).unwrap_or(span)
    }

    /// The attribute of an opening tag that sets the first step of a path.
    fn in_tag(&self, tag: Span, path: &[Step]) -> Option<Span> {
        let Some(Step::Key(key)) = path.first() else { return None };
        let text = self.sources.slice(tag);
        let name = text.strip_prefix('<')?;
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?];
        let attributes = nested_elements(text, name, tag.source).into_iter().next()?;
        let aliases = ALIASES.iter().filter(|(field, _)| field == key).map(|(_, attribute)| *attribute);
        let attribute = aliases.chain([key.as_str()]).find_map(|name| attributes.get(name))?;
        Some(Span::new(tag.source, tag.start + attribute.span.start..tag.start + attribute.span.end))
    }

    /// The value at a path of the JSON in a text, or the last one on the way to it. `None` if not even the first step
    /// is there.
    fn in_json(&self, span: Span, path: &[Step]) -> Option<Span> {
        let text = self.sources.slice(span);
        let mut objects = self.objects.borrow_mut();
        let object = objects.entry(span).or_insert_with(|| WrittenObject::read(text)).as_ref()?;
        let Some((first, rest)) = path.split_first() else {
            let start = span.start + object.start;
            return Some(Span::new(span.source, start..start + 1));
        };
        let Step::Key(key) = first else { return None };
        let range = object.members.get(key)?;
        let strings = StringArena::default();
        let value = Json::parse_at(&text[range.clone()], range.start, &strings).ok()?;
        Some(span_of(inner(value, rest), span.source, span.start))
    }
}

impl WrittenObject {
    fn read(text: &str) -> Option<Self> {
        // A string is not JSON that is written there, even if it holds some.
        let start = text.find('{').filter(|_| !text.starts_with('"'))?;
        let strings = StringArena::default();
        let (json, _) = Json::parse_first(&text[start..], start, &strings).ok()?;
        let range = |value: Json<'_>| value.offset()..value.offset() + value.raw().len();
        let members = json.object().ok()?.iter().map(|(key, value)| (key.to_owned(), range(value))).collect();
        Some(Self { start, members })
    }
}

/// The value at a path, or the last one on the way to it.
fn inner<'j>(mut json: Json<'j>, path: &[Step]) -> Json<'j> {
    for step in path {
        let inner = match step {
            Step::Key(key) => json.object().ok().and_then(|object| object.get(key)),
            Step::Index(index) => json.array().ok().and_then(|array| array.get(*index).copied()),
        };
        match inner {
            Some(inner) => json = inner,
            None => return json,
        }
    }
    json
}

/// Where a value of a text that starts at `at` is written.
fn span_of(json: Json<'_>, source: SourceId, at: usize) -> Span {
    let start = at + json.offset();
    // For a value over several lines, the start of the value.
    let length = if matches!(json.kind(), Kind::Array | Kind::Object) { 1 } else { json.raw().len() };
    Span::new(source, start..start + length)
}
