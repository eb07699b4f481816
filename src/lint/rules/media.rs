//! Images, files and long outputs.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::json::Object;
use crate::lint::request::parts;
use crate::resources::media::{DataUrl, base64_type, decode_base64, image_type, is_animated_gif, is_data_url};
use crate::responses::{ImagePart, ImageUrl, Item, Part, ToolOutput};

/// An output or an image that is larger than the API accepts: `<tool_response …>` with 11 MB of text,
/// `<img src="data:image/png;base64,…"/>` with 21 MB
const LIMIT_EXCEEDED: Rule = rule!("limit-exceeded" Error Malformed is_allowable);
/// An image or a file whose base64 cannot be decoded: `<img src="data:image/png;base64,iVBOR"/>`
const BROKEN_BASE64: Rule = rule!("broken-base64" Error Malformed is_allowable);
/// A `data:` URL whose content is not of the type that the URL names: `<img src="data:image/png;base64,R0lGODlh…"/>`
const WRONG_MEDIA_TYPE: Rule = rule!("wrong-media-type" Error Malformed is_allowable);
/// An image of a type that the API does not accept, or with several frames: `<img src="data:image/svg+xml;base64,…"/>`
const UNSUPPORTED_IMAGE: Rule = rule!("unsupported-image" Error Malformed is_allowable);
/// An image or a file that names no source: `<img src=""/>`
const EMPTY_SOURCE: Rule = rule!("empty-source" Error Malformed is_allowable);

const MAX_OUTPUT_LENGTH: usize = 10 * 1024 * 1024;
const MAX_URL_LENGTH: usize = 20 * 1024 * 1024;
const SUPPORTED: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

pub(super) const RULES: &[Rule] = &[LIMIT_EXCEEDED, BROKEN_BASE64, WRONG_MEDIA_TYPE, UNSUPPORTED_IMAGE, EMPTY_SOURCE];

pub(super) fn check_item(located: &Located<'_>, diagnostics: &mut Diagnostics) {
    let length = output_length(&located.item);
    if length > MAX_OUTPUT_LENGTH {
        let message = too_large("this output", length, "too long", MAX_OUTPUT_LENGTH, "shorten it");
        diagnostics.add(&LIMIT_EXCEEDED, message, located.span);
    }
    for (part, span) in parts(located) {
        if let Some((rule, message)) = problem(part) {
            diagnostics.add(rule, message, span);
        }
    }
}

type Problem = (&'static Rule, Message);

/// The length of the longest text of an output.
fn output_length(item: &Item<'_>) -> usize {
    let text_length = |part: &Part<'_>| match part {
        Part::Text(text) => text.text.chars().count(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => 0,
    };
    match item {
        Item::ToolResponse(response) => match &response.output {
            ToolOutput::Text(text) => text.chars().count(),
            ToolOutput::Content(parts) => parts.iter().map(text_length).max().unwrap_or_default(),
        },
        Item::Message(_) | Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => 0,
    }
}

fn too_large(what: &str, length: usize, label: &str, most: usize, remedy: &str) -> Message {
    let help = format!("the API accepts at most {}: {remedy}, or upload it and use its file id", thousands(most));
    Message::new(format!("{what} has {} characters", thousands(length)), label, help)
}

/// What is wrong with a part that is an image or a file.
fn problem(part: &Part<'_>) -> Option<Problem> {
    match part {
        Part::Image(image) => problem_of_image(image),
        Part::Other(file) if file.get_str("type").is_some_and(|kind| kind == "input_file") => problem_of_file(file),
        Part::Text(_) | Part::Other(_) | Part::Raw(_) => None,
    }
}

fn problem_of_image(image: &ImagePart<'_>) -> Option<Problem> {
    let url = image.image_url.as_ref().map(ImageUrl::text).filter(|url| !url.is_empty());
    let Some(url) = url else {
        let has_file_id = image.rest.get_str("file_id").is_some_and(|id| !id.is_empty());
        return (!has_file_id).then(empty_source);
    };
    if url.len() > MAX_URL_LENGTH {
        let (what, remedy) = ("the URL of this image", "make the image smaller");
        return Some((&LIMIT_EXCEEDED, too_large(what, url.len(), "too large", MAX_URL_LENGTH, remedy)));
    }
    is_data_url(&url).then(|| problem_of_data(&url, true)).flatten()
}

fn problem_of_file(file: &Object<'_>) -> Option<Problem> {
    let source = |key: &str| file.get_str(key).filter(|source| !source.is_empty());
    match (source("file_data"), source("file_url")) {
        (Some(data), _) => problem_of_data(&data, false),
        (None, Some(url)) => is_data_url(&url).then(|| problem_of_data(&url, false)).flatten(),
        (None, None) => source("file_id").is_none().then(empty_source),
    }
}

fn empty_source() -> Problem {
    let help = "give it `src` or `file_id`, or remove it";
    (&EMPTY_SOURCE, Message::new("an image or a file without a source", "empty", help))
}

/// What is wrong with the content of a `data:` URL, or with base64.
fn problem_of_data(data: &str, is_image: bool) -> Option<Problem> {
    let (declared, bytes) = match DataUrl::parse(data) {
        Some(url) => (url.media_type, url.bytes()),
        None => (base64_type(data, ""), decode_base64(data)),
    };
    let Some(bytes) = bytes else {
        let help = "it may be cut off: encode the file again, or refer to it by `src=\"…\" local`";
        let message = Message::new("the base64 of this image or file is not valid", "cannot be decoded", help);
        return Some((&BROKEN_BASE64, message));
    };
    if is_animated_gif(&bytes) {
        let help = "the API only accepts still images: send one frame of it";
        return Some((&UNSUPPORTED_IMAGE, Message::new("this GIF has several frames", "not a still image", help)));
    }
    let actual = image_type(&bytes);
    if is_image && actual.is_none() && declared.starts_with("image/") && !SUPPORTED.contains(&declared) {
        let title = format!("the API does not accept images of type `{declared}`");
        let help = "convert it to PNG, JPEG, WebP or a still GIF";
        return Some((&UNSUPPORTED_IMAGE, Message::new(title, "unsupported type", help)));
    }
    let matches = if is_image { is_image_of(declared, &bytes) } else { may_be_file_of(declared, &bytes) };
    (!matches).then(|| (&WRONG_MEDIA_TYPE, wrong_media_type(declared, actual)))
}

fn wrong_media_type(declared: &str, actual: Option<&str>) -> Message {
    match actual {
        Some(actual) => Message::new(
            format!("this is `{actual}`, but its URL says `{declared}`"),
            "does not match",
            format!("write `data:{actual};base64,…`"),
        ),
        None => Message::new(
            format!("this is not `{declared}`, the type in its URL"),
            "does not match",
            "the API accepts PNG, JPEG, WebP and still GIF images, and PDF files as `application/pdf`",
        ),
    }
}

fn is_image_of(declared: &str, bytes: &[u8]) -> bool {
    let declared = if declared.eq_ignore_ascii_case("image/jpg") { "image/jpeg" } else { declared };
    image_type(bytes).is_some_and(|actual| actual.eq_ignore_ascii_case(declared))
}

/// Whether the bytes do not contradict the type. Only PDF files and images can be recognized.
fn may_be_file_of(declared: &str, bytes: &[u8]) -> bool {
    match declared {
        "application/pdf" => bytes.starts_with(b"%PDF-"),
        _ if declared.starts_with("image/") => image_type(bytes).is_none() || is_image_of(declared, bytes),
        _ => true,
    }
}
