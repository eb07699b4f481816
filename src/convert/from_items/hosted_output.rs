//! Converts the outputs of the API's own tools to `<tool_response>`, if the element reads back as the same item.

use std::borrow::Cow;

use super::output::{output_json, text_output};
use super::{WriteOptions, fields, spanned, text_body};
use crate::convert::outputs::detect::json_array;
use crate::document::{Body, Field, ItemElement, ItemKind, OutputHint, Part, ResponseKind, ToolKind};
use crate::element::Tag;
use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::{ToolOutput, is_extension};

impl WriteOptions<'_> {
    /// The element of a hosted output; `None` if no element can express it.
    pub(super) fn hosted_output<'j>(&self, item: &Object<'j>) -> Option<ItemElement<'j>> {
        let mut rest = item.clone();
        if rest.iter().any(|(key, _)| is_extension(key)) {
            return None;
        }
        let kind = ResponseKind::from_item_type(&rest.take_str("type")?)?;
        if kind == ResponseKind::Tool(ToolKind::Function) {
            return self.named_output(rest);
        }
        let call_id = Field::Text(rest.take_str(kind.id_key())?);
        let body = match kind {
            ResponseKind::Tool(_) => return None,
            ResponseKind::Computer => self.screenshot(rest.take("output")?)?,
            ResponseKind::Shell => shell_body(rest.take("output")?)?,
            ResponseKind::ApplyPatch => patch_body(&mut rest)?,
            ResponseKind::Approval => approval_body(&mut rest)?,
        };
        let has_status = rest.get("status").is_some();
        let absent: &[&str] = if kind == ResponseKind::ApplyPatch && !has_status { &["status"] } else { &[] };
        self.response(kind, &mut rest, [("tool_call_id", call_id)], absent, body)
    }

    /// The element of an output without a call id, identified by its tool name.
    fn named_output<'j>(&self, mut rest: Object<'j>) -> Option<ItemElement<'j>> {
        let call_id = match rest.take("call_id") {
            None => Field::Absent,
            Some(id) if id.kind() == Kind::Null => Field::Null,
            Some(_) => return None,
        };
        let name = rest.take_str("name")?;
        let (output, body) = match ToolOutput::decode(rest.take("output")?).ok()? {
            ToolOutput::Text(text) => text_output(text),
            // Written as a comment, whose images can be stored in files.
            ToolOutput::Content(_) if self.media.is_some() => return None,
            output @ ToolOutput::Content(_) => output_json(&output),
        };
        let own = [("tool_call_id", call_id), ("name", Field::Text(name)), ("output", output_attribute(output))];
        self.response(ResponseKind::Tool(ToolKind::Function), &mut rest, own, &[], body)
    }

    /// An output with attributes of its own and those for the members that are left.
    pub(super) fn response<'j>(
        &self,
        kind: ResponseKind,
        rest: &mut Object<'j>,
        own: impl IntoIterator<Item = (&'static str, Field<'j>)>,
        absent: &[&str],
        body: Body<'j>,
    ) -> Option<ItemElement<'j>> {
        let mut attributes = self.attributes(Tag::ToolResponse, rest, &[]);
        own.into_iter().for_each(|(name, field)| attributes.set(Tag::ToolResponse, name, field));
        let fields = fields(rest, absent)?;
        Some(ItemElement { attributes, fields, ..ItemElement::new(ItemKind::ToolResponse(kind), body) })
    }

    fn screenshot<'j>(&self, output: Json<'j>) -> Option<Body<'j>> {
        let mut rest = output.object().ok()?;
        if rest.take_str("type")? != "computer_screenshot" {
            return None;
        }
        let image_url = rest.take_str("image_url");
        let image = self.as_image(image_url, &rest)?;
        Some(vec![spanned(Part::Media(image))])
    }
}

fn shell_body(output: Json<'_>) -> Option<Body<'_>> {
    let plain = plain_stdout(output).filter(|stdout| json_array(stdout, &StringArena::default()).is_none());
    match plain {
        Some(stdout) => Some(text_body(stdout)),
        None if output.kind() == Kind::Array => Some(text_body(output.compact())),
        None => None,
    }
}

fn patch_body<'j>(rest: &mut Object<'j>) -> Option<Body<'j>> {
    match rest.take("output") {
        None => Some(Vec::new()),
        Some(output) => Some(vec![spanned(Part::Text(output.as_str().ok()?))]),
    }
}

fn approval_body<'j>(rest: &mut Object<'j>) -> Option<Body<'j>> {
    let answer = match rest.take("approve")?.raw() {
        "true" => "approve",
        "false" => "deny",
        _ => return None,
    };
    let body = match rest.take_str("reason") {
        Some(reason) => Cow::Owned(format!("{answer}\n{reason}")),
        None => Cow::Borrowed(answer),
    };
    Some(text_body(body))
}

/// The attribute `output` for a hint.
pub(super) fn output_attribute(hint: Option<OutputHint>) -> Field<'static> {
    hint.map_or(Field::Absent, |hint| Field::Text(hint.name().into()))
}

/// The output of one command that succeeded and printed no error.
fn plain_stdout(output: Json<'_>) -> Option<Cow<'_, str>> {
    let [chunk] = output.array().ok()?.try_into().ok()?;
    let mut chunk = chunk.object().ok()?;
    let stdout = chunk.take_str("stdout")?;
    let mut outcome = chunk.take("outcome")?.object().ok()?;
    let is_exit = outcome.take_str("type")? == "exit" && outcome.take("exit_code")?.raw() == "0";
    let is_plain = is_exit && outcome.is_empty() && chunk.take_str("stderr")?.is_empty() && chunk.is_empty();
    is_plain.then_some(stdout)
}
