//! Converts `<tool_response>` to the outputs of the API's own tools: screenshots, shell output, patches, approvals.

use super::ToItems;
use crate::convert::outputs::detect::json_array;
use crate::diagnostic::{OutputProblem, ResponseBody};
use crate::document::{self, ItemElement, MediaKind, ResponseKind};
use crate::json::write::ObjectWriter;
use crate::json::{Json, Object};
use crate::responses::{Item, Part, is_extension};
use crate::source::Span;

impl<'d> ToItems<'_, 'd> {
    pub(super) fn tool_response(
        &mut self,
        kind: ResponseKind,
        response: &'d ItemElement<'_>,
        span: Span,
    ) -> Option<Item<'d>> {
        match kind {
            ResponseKind::Tool(kind) => self.function_output(kind, response, span),
            ResponseKind::Computer => self.computer_output(response, span),
            ResponseKind::Shell => self.shell_output(response, span),
            ResponseKind::ApplyPatch => self.patch_output(response, span),
            ResponseKind::Approval => self.approval(response, span),
        }
    }

    /// An item of this kind with the id of its call, and with the fields of the element.
    fn hosted(
        &mut self,
        kind: ResponseKind,
        response: &'d ItemElement<'_>,
        own: Vec<(&'static str, Json<'d>)>,
        span: Span,
    ) -> Option<Item<'d>> {
        let mut item = Object::default();
        item.insert("type", self.context.strings.string(kind.item_type()));
        item.insert(kind.id_key(), self.context.strings.string(response.call_id().unwrap_or_default()));
        for (key, value) in own {
            item.insert(key, value);
        }
        let keys: Vec<&str> = item.iter().map(|(key, _)| key).collect();
        let (members, _) = self.members(response, &keys, span)?;
        // An item of the API's own tools is sent to the Responses API only, and as it is.
        members
            .iter()
            .filter(|(key, _)| !is_extension(key))
            .for_each(|(key, value)| item.insert(key.to_owned(), value));
        Some(Item::Other(item))
    }

    /// A screenshot: exactly one image.
    fn computer_output(&mut self, response: &'d ItemElement<'_>, span: Span) -> Option<Item<'d>> {
        let [part] = response.body.as_slice() else {
            return self.report_body(ResponseBody::OneImage, response.body.get(1).map_or(span, |part| part.span));
        };
        let media = if let document::Part::Media(media) = &part.value { Some(media) } else { None };
        let Some(image) = media.filter(|media| media.kind == MediaKind::Image) else {
            return self.report_body(ResponseBody::OneImage, part.span);
        };
        let Part::Image(image) = self.context.image(image, part.span, self.diagnostics)? else { return None };
        let output = self.context.strings.write_object(|object| {
            object.text("type", "computer_screenshot");
            if let Some(url) = &image.image_url {
                url.encode(object.key("image_url"));
            }
            object.members(&image.rest);
        });
        self.hosted(ResponseKind::Computer, response, vec![("output", output)], span)
    }

    /// The output of shell commands: an array, or the standard output of one command that succeeded.
    fn shell_output(&mut self, response: &'d ItemElement<'_>, span: Span) -> Option<Item<'d>> {
        let text = self.kept_text(&response.body);
        let output = json_array(text, self.context.strings)
            .unwrap_or_else(|| self.context.strings.json(|out| write_shell_output(out, text, false)));
        self.hosted(ResponseKind::Shell, response, vec![("output", output)], span)
    }

    fn patch_output(&mut self, response: &'d ItemElement<'_>, span: Span) -> Option<Item<'d>> {
        let mut members = Vec::new();
        if !response.body.is_empty() {
            let text = self.text(&response.body);
            members.push(("output", self.context.strings.string(&text)));
        }
        self.hosted(ResponseKind::ApplyPatch, response, members, span)
    }

    /// `approve` or `deny`, and perhaps a reason on the next lines.
    fn approval(&mut self, response: &'d ItemElement<'_>, span: Span) -> Option<Item<'d>> {
        let text = self.text(&response.body);
        let (answer, reason) = match text.split_once('\n') {
            Some((answer, reason)) => (answer.strip_suffix('\r').unwrap_or(answer), Some(reason)),
            None => (text.as_ref(), None),
        };
        let approve = match answer {
            "approve" => Json::TRUE,
            "deny" => Json::FALSE,
            _ => {
                let place = response.body.first().map_or(span, |part| part.span);
                return self.report_body(ResponseBody::Approval, place);
            }
        };
        let mut members = vec![("approve", approve)];
        members.extend(reason.map(|reason| ("reason", self.context.strings.string(reason))));
        self.hosted(ResponseKind::Approval, response, members, span)
    }

    fn report_body<T>(&mut self, wanted: ResponseBody, span: Span) -> Option<T> {
        self.diagnostics.report(OutputProblem::WrongResponseBody(wanted), span);
        None
    }
}

/// Writes the output of a shell call with one command that printed this.
pub(crate) fn write_shell_output(out: &mut String, text: &str, is_error: bool) {
    out.push('[');
    let mut chunk = ObjectWriter::new(out);
    chunk.text("stdout", text);
    chunk.text("stderr", "");
    let outcome = if is_error { r#"{"type":"exit","exit_code":1}"# } else { r#"{"type":"exit","exit_code":0}"# };
    chunk.key("outcome").push_str(outcome);
    chunk.end();
    out.push(']');
}
