//! Where in a document a part of its request is written.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use crate::convert::{Context, Located, Request, field_path};
use crate::document::{Declaration, Directive, Document};
use crate::element::Tag;
use crate::json::{Json, Kind, Object, Step, StringArena};
use crate::lint::source::each_element;
use crate::schema::display;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Attributes, Node};
use crate::wire::LocatedTool;

/// Attributes that have other names than their fields.
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

/// Finds the places of a request.
pub(in crate::lint) struct Places<'p> {
    sources: &'p Sources,
    strings: &'p StringArena,
    /// The nodes of all sources of the document.
    nodes: &'p [(SourceId, Vec<Node<'p>>)],
    /// The attributes of each element among them, by its opening tag.
    attributes: OnceCell<HashMap<Span, &'p Attributes<'p>>>,
    tools: HashMap<Span, &'p Declaration<'p>>,
    are_in_json: bool,
    /// The objects in comments that were asked for. Each of them is read once.
    objects: RefCell<HashMap<Span, Option<Object<'p>>>>,
}

impl<'p> Places<'p> {
    /// The places of the request of a document. `nodes` are the nodes of all its sources.
    pub(in crate::lint) fn new(
        document: &'p Document<'p>,
        nodes: &'p [(SourceId, Vec<Node<'p>>)],
        context: &Context<'p>,
    ) -> Self {
        let tools = document.declarations(Tag::Tool).map(|(tool, span)| (span, tool)).collect();
        Self { nodes, tools, are_in_json: false, ..Self::of_json(context.sources, context.strings) }
    }

    /// The places of a request that is JSON.
    pub(in crate::lint) fn of_json(sources: &'p Sources, strings: &'p StringArena) -> Self {
        Self {
            sources,
            strings,
            nodes: &[],
            attributes: OnceCell::new(),
            tools: HashMap::new(),
            are_in_json: true,
            objects: RefCell::default(),
        }
    }

    /// Whether there is no document.
    pub(in crate::lint) fn are_in_json(&self) -> bool {
        self.are_in_json
    }

    /// Where a field of the request is written, and its name there.
    pub(in crate::lint) fn of_field(&self, path: &[Step], request: &Request<'_>) -> (Span, String) {
        let name = display(path);
        if self.are_in_json {
            let span = self.in_object(&request.fields, request.place, path).filter(|_| !path.is_empty());
            return (span.unwrap_or(request.place), name);
        }
        let config = request.config.as_ref();
        let attributes = config.iter().flat_map(|config| config.declaration.attributes.with_last());
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
        let instructions = request.instructions.first().filter(|_| name == "instructions");
        let mut objects = config.and_then(|config| config.body.as_ref()).into_iter().chain(&request.comment);
        let span = instructions
            .map(|message| message.span)
            .or_else(|| objects.find_map(|object| self.in_object(&object.value, object.span, path)))
            .or(config.map(|config| config.span))
            .or(request.comment.as_ref().map(|comment| comment.span));
        (span.unwrap_or(request.place), name)
    }

    /// Where a value of the fields of a request is written; `None` if it is not written as JSON.
    pub(in crate::lint) fn of_value(&self, value: Json<'_>, request: &Request<'_>) -> Option<Span> {
        let body = request.config.as_ref().and_then(|config| config.body.as_ref());
        let mut spans = body.into_iter().chain(&request.comment).map(|object| object.span).chain([request.place]);
        spans.find_map(|span| self.span_of(value, span.source))
    }

    /// Where a part of a tool is written.
    pub(in crate::lint) fn of_tool(&self, located: &LocatedTool<'_>, path: &[Step]) -> Span {
        let span = match self.tools.get(&located.span) {
            None => located.json.object().ok().and_then(|tool| self.in_object(&tool, located.span, path)),
            Some(tool) => attribute_of(&tool.attributes, path).or_else(|| {
                let (json, span) = tool.json()?;
                let is_parameters =
                    !tool.attributes.has("type") && path.first() == Some(&Step::Key("parameters".to_owned()));
                let body = Json::parse(json, self.strings).and_then(Json::object).ok()?;
                self.in_object(&body, span, if is_parameters { &path[1..] } else { path })
            }),
        };
        span.unwrap_or(located.span)
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
        let attributes = self.attributes.get_or_init(|| {
            let mut attributes = HashMap::new();
            for (_, nodes) in self.nodes {
                each_element(nodes, &mut |element| attributes.extend([(element.opening, &element.attributes)]));
            }
            attributes
        });
        let attribute = attributes.get(&span).and_then(|attributes| attribute_of(attributes, path));
        let mut texts = [Some(span), located.fields].into_iter().flatten();
        attribute.or_else(|| texts.find_map(|text| self.in_text(text, path))).unwrap_or(span)
    }

    /// The value at a path of the JSON object that a text is, or that a directive has.
    fn in_text(&self, span: Span, path: &[Step]) -> Option<Span> {
        let mut objects = self.objects.borrow_mut();
        let object = objects.entry(span).or_insert_with(|| {
            let text = self.sources.slice(span);
            let comment = text.strip_prefix("<!--").and_then(|text| text.strip_suffix("-->"));
            let json = comment.and_then(Directive::parse).map_or(text, |directive| directive.data);
            Json::parse(json, self.strings).and_then(Json::object).ok()
        });
        self.in_object(object.as_ref()?, span, path)
    }

    /// The value at a path of an object, or the last one on the way to it. `None` if not even the first step is there.
    /// `whole` is where the object is written.
    fn in_object(&self, object: &Object<'_>, whole: Span, path: &[Step]) -> Option<Span> {
        let Some((first, rest)) = path.split_first() else { return Some(whole.head(1)) };
        let Step::Key(key) = first else { return None };
        Some(self.span_of(inner(object.get(key)?, rest), whole.source).unwrap_or(whole))
    }

    /// Where a value is written. For a value over several lines, the start of the value.
    fn span_of(&self, json: Json<'_>, source: SourceId) -> Option<Span> {
        let start = self.sources.offset_of(source, json.raw())?;
        let length = if matches!(json.kind(), Kind::Array | Kind::Object) { 1 } else { json.raw().len() };
        Some(Span::new(source, start..start + length))
    }
}

/// The attribute that sets the first step of a path.
fn attribute_of(attributes: &Attributes<'_>, path: &[Step]) -> Option<Span> {
    let Some(Step::Key(key)) = path.first() else { return None };
    let aliases = ALIASES.iter().filter(|(field, _)| field == key).map(|(_, attribute)| *attribute);
    aliases.chain([key.as_str()]).find_map(|name| attributes.get(name)).map(|attribute| attribute.span)
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
