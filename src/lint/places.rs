//! Where the parts of a request are written.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use super::source::each_node;
use crate::convert::{Located, Request, field_path};
use crate::document::Directive;
use crate::document::layout::raw_content;
use crate::json::{Json, Kind, Object, Step, StringArena};
use crate::schema::display;
use crate::source::{SourceId, Span};
use crate::syntax::{Attributes, Element, Node, is_blank};
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
pub(super) struct Places<'p> {
    request: &'p Request<'p>,
    strings: &'p StringArena,
    /// The nodes of all sources of the document. `None` for a request that is JSON.
    nodes: Option<&'p [(SourceId, Vec<Node<'p>>)]>,
    /// Each element among them, by its opening tag.
    elements: OnceCell<HashMap<Span, &'p Element<'p>>>,
    /// The objects in comments and bodies that were asked for. Each of them is read once.
    objects: RefCell<HashMap<Span, Option<Object<'p>>>>,
    /// The values of a request for another API than Responses, by JSON pointers.
    pointers: OnceCell<HashMap<String, Span>>,
}

impl<'p> Places<'p> {
    pub(super) fn new(
        request: &'p Request<'p>,
        strings: &'p StringArena,
        nodes: Option<&'p [(SourceId, Vec<Node<'p>>)]>,
    ) -> Self {
        let (elements, objects, pointers) = (OnceCell::new(), RefCell::default(), OnceCell::new());
        Self { request, strings, nodes, elements, objects, pointers }
    }

    /// Whether there is no document.
    pub(super) fn are_in_json(&self) -> bool {
        self.nodes.is_none()
    }

    /// Where a field of the request is written, and its name there.
    pub(super) fn of_field(&self, path: &[Step]) -> (Span, String) {
        let (request, name) = (self.request, display(path));
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
            .or(request.comment.as_ref().map(|comment| comment.span))
            .or_else(|| self.in_object(&request.fields, request.place, path).filter(|_| !path.is_empty()));
        (span.unwrap_or(request.place), name)
    }

    /// Where a value of the fields of a request is written; `None` if it is not written as JSON.
    pub(super) fn of_value(&self, value: Json<'_>) -> Option<Span> {
        let body = self.request.config.as_ref().and_then(|config| config.body.as_ref());
        let spans = body.into_iter().chain(&self.request.comment).map(|object| object.span);
        spans.chain([self.request.place]).find_map(|span| self.span_of(value, span.source))
    }

    /// Where a value of a request for another API than Responses is written, or the value around it.
    pub(super) fn of_sent(&self, mut pointer: &str, json: Json<'_>) -> Span {
        if self.are_in_json() {
            return Span::new(self.request.place.source, json.range());
        }
        let pointers = self.pointers.get_or_init(|| self.request.places().into_iter().collect());
        while !pointer.is_empty() {
            if let Some(span) = pointers.get(pointer) {
                return *span;
            }
            pointer = pointer.rsplit_once('/').map_or("", |(around, _)| around);
        }
        self.request.place
    }

    /// Where a part of a tool is written.
    pub(super) fn of_tool(&self, tool: &LocatedTool<'_>, path: &[Step]) -> Span {
        let Some(element) = self.element(tool.span) else {
            let given = tool.json.object().ok().and_then(|json| self.in_object(&json, tool.span, path));
            return given.unwrap_or(tool.span);
        };
        let mut body = element.children.iter().filter_map(|node| match node {
            Node::Text(text) if is_blank(text.value) => None,
            Node::Raw(raw) => Some(raw_content(*raw).span),
            Node::Text(_) | Node::Element(_) | Node::Comment(_) => Some(node.span()),
        });
        let in_body = match path {
            [Step::Key(key), rest @ ..] if key == "parameters" && !element.attributes.has("type") => rest,
            path => path,
        };
        let attribute = attribute_of(&element.attributes, path);
        attribute.or_else(|| self.in_text(body.next()?, in_body)).unwrap_or(tool.span)
    }

    /// Where a part of an item is written.
    pub(super) fn of_item(&self, located: &Located<'_>, path: &[Step]) -> Span {
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
        let attribute = self.element(span).and_then(|element| attribute_of(&element.attributes, path));
        let mut texts = [Some(span), located.fields].into_iter().flatten();
        attribute.or_else(|| texts.find_map(|text| self.in_text(text, path))).unwrap_or(span)
    }

    /// The element with an opening tag.
    fn element(&self, opening: Span) -> Option<&'p Element<'p>> {
        let elements = self.elements.get_or_init(|| {
            let mut elements = HashMap::new();
            for (_, nodes) in self.nodes.into_iter().flatten() {
                each_node(nodes, &mut |node| {
                    if let Node::Element(element) = node {
                        elements.insert(element.opening, element);
                    }
                });
            }
            elements
        });
        elements.get(&opening).copied()
    }

    /// The value at a path of the JSON object that a text is, or that a directive has.
    fn in_text(&self, span: Span, path: &[Step]) -> Option<Span> {
        let mut objects = self.objects.borrow_mut();
        let object = objects.entry(span).or_insert_with(|| {
            let text = self.request.sources.slice(span);
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
        let start = self.request.sources.offset_of(source, json.raw())?;
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
