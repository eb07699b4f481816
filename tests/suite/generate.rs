//! Arbitrary texts and documents, with many pieces of markup in them.

use std::borrow::Cow;

use chatmd::internal::document::{
    Block, Body, DataComment, DataKind, Declaration, DeclarationBody, DocForm, Document, Field, Fields, ItemElement,
    ItemKind, JsonText, Media, MediaKind, OutputHint, Part, ResponseKind, Role, Summary, ToolKind,
};
use chatmd::internal::element::{AttributeKind, Tag};
use chatmd::internal::source::{SourceId, Sources, Span, Spanned};
use chatmd::internal::syntax::{Attribute, Attributes};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const FRAGMENTS: [&str; 40] = [
    "RAW|",
    "|RAW",
    "RAW",
    "|",
    "<",
    "<<",
    ">",
    "</",
    "/>",
    "<user>",
    "</user>",
    "</assistant>",
    "</tool_response>",
    "<summary>",
    "</summary>",
    "<img src=\"u\"/>",
    "<doc src=",
    "<b>",
    "<b",
    "</b>",
    "<!--",
    "-->",
    "<!-- c -->",
    "<!-- chatmd:part {} -->",
    "chatmd:",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\u{b}",
    "\u{feff}",
    "\0",
    "&lt;",
    "&#92;",
    "\"",
    "'",
    "\\",
    "日本",
    "text",
];

/// Any text, most often one made of pieces of markup.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let fragments = vec(proptest::sample::select(FRAGMENTS.to_vec()), 0..10).prop_map(|pieces| pieces.concat());
    prop_oneof![4 => fragments, 1 => any::<String>()]
}

fn cow() -> impl Strategy<Value = Cow<'static, str>> {
    text().prop_map(Cow::Owned)
}

/// JSON as a document holds it. It cannot end its comment.
fn json() -> impl Strategy<Value = JsonText<'static>> {
    // Long fields are written after the body.
    let text = (text(), prop_oneof![3 => Just(0), 1 => Just(200)]).prop_map(|(text, more)| text + &"x".repeat(more));
    let value = text.prop_map(|text| serde_json::json!({ "key": text }).to_string());
    value.prop_map(|json| json.replace('>', "\\u003e").into())
}

/// A span for values that were not read from a source.
pub(crate) fn nowhere() -> Span {
    thread_local!(static SOURCE: SourceId = Sources::new().add("", String::new(), None));
    SOURCE.with(|source| Span::new(*source, 0..0))
}

pub(crate) fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, nowhere())
}

/// Any attributes of an element that reading could result in, except those that it reads by itself.
fn attributes(tag: Tag) -> impl Strategy<Value = Fields<'static>> {
    let rows: Vec<_> = tag.definition().attributes.iter().filter(|row| row.kind != AttributeKind::Own).collect();
    let values: Vec<_> = rows.iter().map(|row| attribute(row.kind)).collect();
    values.prop_map(move |values| {
        let mut fields = Fields::default();
        for (row, value) in rows.iter().zip(values) {
            // A string is in an attribute or in a file, and only a message with an id has a status.
            let is_twice = fields.iter().any(|(own, _)| own.key.is_some() && own.key == row.key);
            let needs_id = row.name == "status" && tag != Tag::Reasoning && !tag.name().starts_with("tool_");
            if !is_twice && (!needs_id || fields.has("id")) {
                fields.push(row, value);
            }
        }
        fields
    })
}

fn attribute(kind: AttributeKind) -> BoxedStrategy<Field<'static>> {
    let values = match kind {
        // The attributes of declarations are kept as they are written.
        AttributeKind::Own
        | AttributeKind::Number
        | AttributeKind::Integer
        | AttributeKind::Boolean
        | AttributeKind::Object
        | AttributeKind::Array
        | AttributeKind::List
        | AttributeKind::ToolChoice
        | AttributeKind::TextFormat
        | AttributeKind::TextOrObject
        | AttributeKind::Json
        | AttributeKind::Api => Just(Field::Absent).boxed(),
        AttributeKind::Text | AttributeKind::File => cow().prop_map(Field::Text).boxed(),
        AttributeKind::Nullable | AttributeKind::ItemId | AttributeKind::NullableOrObject => {
            prop_oneof![Just(Field::Null), cow().prop_map(Field::Text)].boxed()
        }
        AttributeKind::EmptyList => prop_oneof![Just(Field::Null), Just(Field::Text("[]".into()))].boxed(),
        AttributeKind::Flag => Just(Field::Null).boxed(),
        AttributeKind::FlagOrFalse => prop_oneof![Just(Field::Null), Just(Field::Text("false".into()))].boxed(),
        AttributeKind::CacheControl => {
            prop_oneof![Just(Field::Null), Just(Field::Text("5m".into())), Just(Field::Text("1h".into()))].boxed()
        }
    };
    prop_oneof![2 => Just(Field::Absent), 1 => values].boxed()
}

fn extra() -> impl Strategy<Value = Attributes<'static>> {
    let attribute = |name: &'static str| {
        let value = option::of(option::of(cow()));
        value.prop_map(move |value| value.map(|value| Attribute { name: name.into(), value, span: nowhere() }))
    };
    (attribute("x-one"), attribute("ochat:2")).prop_map(|(one, two)| Attributes(one.into_iter().chain(two).collect()))
}

/// An element with a source that is a URL or a file.
fn by_url_or_path(kind: MediaKind) -> impl Strategy<Value = Media<'static>> {
    (any::<bool>(), cow()).prop_map(move |(is_local, source)| Media::new(kind, is_local, source))
}

fn by_id(kind: MediaKind) -> impl Strategy<Value = Media<'static>> {
    cow().prop_map(move |id| Media::of(kind, Fields::default()).with("file_id", Field::Text(id)))
}

/// The same element with more attributes. Only a file at an API has an issuer.
fn with_attributes(media: impl Strategy<Value = Media<'static>>, tag: Tag) -> impl Strategy<Value = Part<'static>> {
    (media, attributes(tag), extra()).prop_map(|(media, attributes, extra)| {
        let has_issuer = media.attributes.has("file_id");
        let used = attributes.iter().filter(|(row, _)| has_issuer || row.name != "issuer");
        let media = used.fold(media, |media, (row, field)| media.with(row.name, field.clone()));
        Part::Media(Media { extra, ..media })
    })
}

fn image() -> impl Strategy<Value = Part<'static>> {
    with_attributes(prop_oneof![2 => by_url_or_path(MediaKind::Image), 1 => by_id(MediaKind::Image)], Tag::Img)
}

fn doc(forms: &'static [DocForm]) -> impl Strategy<Value = Part<'static>> {
    let kept = (by_url_or_path(MediaKind::Doc), proptest::sample::select(forms), option::of(cow()));
    let doc = kept.prop_map(|(doc, form, filename)| {
        let doc = form.name().map_or(doc.clone(), |name| doc.with(name, Field::Null));
        let filename = filename.filter(|_| form.is_file());
        doc.with("filename", filename.map_or(Field::Absent, Field::Text))
    });
    with_attributes(doc, Tag::Doc)
}

fn doc_by_id() -> impl Strategy<Value = Part<'static>> {
    with_attributes(by_id(MediaKind::Doc), Tag::Doc)
}

fn import() -> impl Strategy<Value = Media<'static>> {
    (text().prop_filter("a path", |path| !path.is_empty()), extra())
        .prop_map(|(path, extra)| Media { extra, ..Media::new(MediaKind::Import, false, path.into()) })
}

fn agent() -> impl Strategy<Value = Part<'static>> {
    (by_url_or_path(MediaKind::Agent), extra(), body(prop_oneof![text_part(), image()]))
        .prop_map(|(agent, extra, body)| Part::Media(Media { extra, body, ..agent }))
}

fn summary() -> impl Strategy<Value = Part<'static>> {
    let kind = option::of(cow().prop_filter("another type", |kind| kind != "summary_text"));
    (kind, extra(), cow()).prop_map(|(kind, extra, text)| Part::Summary(Summary { kind, extra, text }))
}

fn text_part() -> impl Strategy<Value = Part<'static>> {
    cow().prop_map(Part::Text)
}

fn metadata() -> impl Strategy<Value = Part<'static>> {
    json().prop_map(Part::Metadata)
}

/// A list of parts. If two texts are adjacent, the second is left out.
fn body(part: impl Strategy<Value = Part<'static>>) -> impl Strategy<Value = Body<'static>> {
    vec(part, 0..5).prop_map(|parts| {
        let mut body: Body<'static> = Vec::new();
        for part in parts {
            let touches = matches!(body.last(), Some(Spanned { value: Part::Text(_), .. }));
            if !(touches && matches!(part, Part::Text(_))) {
                body.push(spanned(part));
            }
        }
        body
    })
}

const TEXT_FORMS: &[DocForm] = &[DocForm::Text, DocForm::Strip, DocForm::Markdown];
const ALL_FORMS: &[DocForm] = &[DocForm::Text, DocForm::Strip, DocForm::Markdown, DocForm::File, DocForm::Base64];

fn message_body() -> impl Strategy<Value = Body<'static>> {
    let import = import().prop_map(Part::Media);
    body(
        prop_oneof![4 => text_part(), 1 => image(), 1 => doc(ALL_FORMS), 1 => doc_by_id(), 1 => agent(), 1 => import, 1 => metadata()],
    )
}

fn fields() -> impl Strategy<Value = Option<Spanned<JsonText<'static>>>> {
    option::of(json().prop_map(spanned))
}

fn message() -> impl Strategy<Value = Block<'static>> {
    let prompt = (proptest::sample::select(&[Role::User, Role::System, Role::Developer][..]), message_body());
    let answer = (Just(Role::Assistant), body(prop_oneof![3 => text_part(), 1 => doc(TEXT_FORMS), 1 => metadata()]));
    let role_and_body = prop_oneof![prompt, answer];
    let built =
        role_and_body.prop_flat_map(|(role, body)| (Just((role, body)), attributes(role.tag()), extra(), fields()));
    built.prop_map(|((role, body), attributes, extra, fields)| {
        Block::Element(ItemElement { kind: ItemKind::Message(role), attributes, extra, fields, body })
    })
}

fn kind() -> impl Strategy<Value = ToolKind> {
    prop_oneof![Just(ToolKind::Function), Just(ToolKind::Custom)]
}

fn hosted_kind() -> impl Strategy<Value = ResponseKind> {
    proptest::sample::select(&[ResponseKind::Shell, ResponseKind::ApplyPatch, ResponseKind::Approval][..])
}

fn tool_call() -> impl Strategy<Value = Block<'static>> {
    let body = body(prop_oneof![3 => text_part(), 1 => doc(TEXT_FORMS)]);
    let built = (kind(), cow(), cow(), attributes(Tag::ToolCall), extra(), fields(), body);
    built.prop_map(|(kind, name, call_id, attributes, extra, fields, body)| {
        let attributes = attributes.with(Tag::ToolCall, "function_name", Field::Text(name)).with(
            Tag::ToolCall,
            "tool_call_id",
            Field::Text(call_id),
        );
        Block::Element(ItemElement { kind: ItemKind::ToolCall(kind), attributes, extra, fields, body })
    })
}

fn tool_response() -> impl Strategy<Value = Block<'static>> {
    let text = (option::of(Just(OutputHint::Text)), body(prop_oneof![text_part(), doc(TEXT_FORMS)]));
    let parts = body(prop_oneof![3 => text_part(), 2 => image(), 1 => doc(ALL_FORMS), 1 => metadata()]);
    let output = prop_oneof![text, (option::of(Just(OutputHint::Content)), parts)];
    let tool = (kind().prop_map(ResponseKind::Tool), output);
    let hosted = (hosted_kind(), Just(None), body(prop_oneof![text_part(), doc(TEXT_FORMS)]));
    let computer = (Just(ResponseKind::Computer), Just(None), body(prop_oneof![text_part(), image()]));
    let hosted = prop_oneof![hosted, computer].prop_map(|(kind, output, body)| (kind, (output, body)));
    let call_id = prop_oneof![4 => cow().prop_map(Field::Text), 1 => Just(Field::Null), 1 => Just(Field::Absent)];
    let built = (prop_oneof![2 => tool, 1 => hosted], call_id, attributes(Tag::ToolResponse), extra(), fields());
    built.prop_map(|((kind, (output, body)), call_id, attributes, extra, fields)| {
        let output = output.map_or(Field::Absent, |output: OutputHint| Field::Text(output.name().into()));
        let mut attributes = attributes.with(Tag::ToolResponse, "output", output);
        // An output of a function without the id of a call has a name.
        let call_id = match call_id {
            Field::Null | Field::Absent if kind != ResponseKind::Tool(ToolKind::Function) => Field::Text("c".into()),
            call_id => call_id,
        };
        if call_id.text().is_none() {
            attributes.set(Tag::ToolResponse, "name", Field::Text("f".into()));
        }
        attributes.set(Tag::ToolResponse, "tool_call_id", call_id);
        Block::Element(ItemElement { kind: ItemKind::ToolResponse(kind), attributes, extra, fields, body })
    })
}

fn reasoning() -> impl Strategy<Value = Block<'static>> {
    let body = body(prop_oneof![2 => summary(), 1 => text_part(), 1 => metadata()]);
    (attributes(Tag::Reasoning), extra(), fields(), body).prop_map(|(attributes, extra, fields, body)| {
        Block::Element(ItemElement { kind: ItemKind::Reasoning, attributes, extra, fields, body })
    })
}

fn declaration() -> BoxedStrategy<Block<'static>> {
    const HOST_TAGS: &[Tag] = &[Tag::Script, Tag::ShellAccess, Tag::ModeratorRuntime];
    let source = "[a-z \n{}|&\"]{0,12}".prop_map(|text| DeclarationBody::Source(text.into()));
    let json = (text(), text()).prop_map(|(key, value)| {
        let json = serde_json::json!({ key: [{ "value": value }, 1.5, [], {}] }).to_string();
        DeclarationBody::Json(spanned(json.into()))
    });
    let host = (proptest::sample::select(HOST_TAGS), option::of(source));
    let own = (proptest::sample::select(&[Tag::Config, Tag::Tool][..]), option::of(json));
    let parts = (prop_oneof![host.boxed(), own.boxed()], extra());
    parts
        .prop_map(|((tag, body), attributes)| Block::Declaration(Declaration { tag, attributes, body, update: None }))
        .boxed()
}

fn comment() -> impl Strategy<Value = Block<'static>> {
    let is_comment = |text: &String| !text.contains("-->") && !text.trim_start().starts_with("chatmd:");
    text().prop_filter("one comment", is_comment).prop_map(|text| Block::Comment(text.into()))
}

fn data() -> impl Strategy<Value = Block<'static>> {
    const KINDS: [DataKind; 4] = [DataKind::Item, DataKind::ItemFiles, DataKind::Request, DataKind::Foreign];
    let built = (proptest::sample::select(&KINDS[..]), json().prop_map(spanned));
    built.prop_map(|(kind, json)| Block::Data(DataComment { kind, json }))
}

/// Any document that reading could result in.
pub(crate) fn document() -> impl Strategy<Value = Document<'static>> {
    // Boxed, because a strategy as large as all of these together would overflow the stack.
    let block = prop_oneof![
        4 => message().boxed(), 2 => tool_call().boxed(), 4 => tool_response().boxed(), 2 => reasoning().boxed(),
        1 => declaration().boxed(), 1 => comment(),
        1 => import().prop_map(Block::Import), 4 => data(),
    ];
    vec(block.prop_map(spanned), 0..4).prop_map(|blocks| Document { blocks })
}
