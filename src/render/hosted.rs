//! Items that no element expresses: searches, code, shell commands, generated images.

use super::Renderer;
use super::calls::CallHead;
use super::markdown::is_safe_link;
use super::turns::MAX_PREVIEW_LENGTH;
use crate::document::{Block, Media, MediaKind};
use crate::json::{Json, Object, StringArena};
use crate::responses::Item;
use crate::source::{Span, Spanned};
use crate::transcript::{HostedItem, describe};

impl Renderer<'_, '_> {
    /// An item and its output.
    pub(super) fn item(&mut self, json: &str, span: Span, output: Option<&Spanned<Block<'_>>>) {
        self.call(|renderer| {
            renderer.item_body(json, span);
            let is_failed = output.is_some_and(|output| renderer.output(output));
            let strings = StringArena::default();
            let described = Json::parse(json, &strings).and_then(Json::object).map(|item| describe(&item));
            let HostedItem { title, detail, code, .. } = described.unwrap_or_default();
            let name = if title == "$" { "shell".to_owned() } else { title };
            let preview = if detail.is_empty() { code } else { detail };
            CallHead { name, preview, badges: [if is_failed { "error" } else { "" }, "", ""] }
        });
    }

    /// The code, the result and the images of an item.
    pub(super) fn item_body(&mut self, json: &str, span: Span) {
        // The item with the contents of its files, if it could be read.
        if let Some(Item::Other(item)) = self.items.get(&(span.source, span.start)).copied() {
            return self.described(item, span);
        }
        let strings = StringArena::default();
        match Json::parse(json, &strings).and_then(Json::object) {
            Ok(item) => self.described(&item, span),
            Err(_) => self.verbatim(json),
        }
    }

    fn described(&mut self, item: &Object<'_>, span: Span) {
        if item.get("encrypted_content").is_some() {
            self.cannot_check_source(span, "encrypted text", "");
        }
        let HostedItem { title, detail, code, output } = describe(item);
        if title == "$" {
            self.code_block("sh", &detail);
        }
        if !code.trim().is_empty() {
            match title.as_str() {
                "code_interpreter" => self.code_block("python", &code),
                "apply_patch" => self.code_block("diff", &code),
                _ => self.verbatim(&code),
            }
        }
        let images = images(item);
        if !output.trim().is_empty() && images.is_empty() {
            self.result(&output);
        }
        for image in images {
            self.media(&Media::new(MediaKind::Image, false, image.into()), None, span);
        }
    }

    /// A list of links, or text.
    fn result(&mut self, output: &str) {
        if !output.lines().all(is_safe_link) {
            return self.output_text(output);
        }
        self.html.markup("<ul class=\"sources\">\n");
        for url in output.lines() {
            let name = self.line(url, MAX_PREVIEW_LENGTH);
            self.html.markup("<li>");
            self.link_or_text(url, &name);
            self.html.markup("</li>\n");
        }
        self.html.markup("</ul>\n");
    }
}

/// The URLs of the images that an item has made or seen.
fn images(item: &Object<'_>) -> Vec<String> {
    let text = |object: Object<'_>, key: &str| object.get_str(key).unwrap_or_default().into_owned();
    let mut urls = match item.get_str("type").as_deref() {
        Some("image_generation_call") => {
            let result = item.get_str("result").unwrap_or_default();
            let is_base64 = !result.is_empty() && !result.contains(':');
            vec![if is_base64 { format!("data:image/png;base64,{result}") } else { result.into_owned() }]
        }
        Some("computer_call_output") => vec![text(item.get_object("output").unwrap_or_default(), "image_url")],
        Some("code_interpreter_call") => item.get_objects("outputs").map(|output| text(output, "url")).collect(),
        Some(_) | None => Vec::new(),
    };
    urls.retain(|url| !url.is_empty());
    urls
}
