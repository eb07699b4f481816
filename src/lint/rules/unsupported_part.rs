//! `unsupported-part`: audio or video in a message or an output.

use crate::convert::{Located, audio_or_video_file, is_refused_type};
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::Object;
use crate::lint::entry::Lint;
use crate::lint::request::parts;
use crate::resources::media::{file_type, is_audio_or_video};
use crate::responses::Part;

/// `<user><!-- chatmd:part {"type":"input_audio",…} --></user>`
pub(super) struct UnsupportedPart {
    kind: String,
}

impl Lint for UnsupportedPart {
    const RULE: Rule = rule!("unsupported-part" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            format!("the API does not accept {}", self.kind),
            "not accepted",
            "remove it, or send a transcript as text",
        )
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            for (part, span) in parts(located) {
                let Part::Other(members) = part else { continue };
                let Some(kind) = members.get_str("type") else { continue };
                if is_unsupported(&kind) {
                    UnsupportedPart { kind: format!("`{kind}`") }.report(span, diagnostics);
                } else if kind == "input_file" && is_media_file(members) {
                    UnsupportedPart { kind: "an `input_file` with audio or video".to_owned() }
                        .report(span, diagnostics);
                }
            }
        }
    }
}

/// Whether a part of this type is audio or video.
pub(in crate::lint) fn is_unsupported(kind: &str) -> bool {
    is_refused_type(kind) || kind == "output_audio"
}

/// Whether a file is audio or video by its content or by the end of its URL.
fn is_media_file(file: &Object<'_>) -> bool {
    let is_named = |url: &str| {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        is_audio_or_video(file_type(&[], path))
    };
    audio_or_video_file(file).is_some() || file.get_str("file_url").is_some_and(|url| is_named(&url))
}
