//! Parts of messages and outputs, both ways.

use std::borrow::Cow;

use super::export::Exporter;
use super::hoist::text_part;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::resources::media::{base64_type, extension_of, media_type_of};
use crate::responses::{ImagePart, ImageUrl, Part, TextPart, is_plain_text_type};
use crate::wire::{Api, Ledger, Members, Overlay, Place, Value, note, report_unsent, rules, unsent_part};

/// What a part belongs to, which decides which types the API accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    User,
    System,
    Assistant,
    Output,
}

impl Owner {
    /// The type of plain texts in the document.
    pub(super) fn text_type(self) -> &'static str {
        if self == Owner::Assistant { "output_text" } else { "input_text" }
    }

    fn accepts(self, kind: &str) -> bool {
        match kind {
            "text" => true,
            "refusal" => self == Owner::Assistant,
            "image_url" | "file" => matches!(self, Owner::User | Owner::Output),
            "input_audio" => self == Owner::User,
            _ => false,
        }
    }
}

impl<'d> Exporter<'_, 'd> {
    /// A part as the API has it. `None` if the part is not sent, which is noted.
    pub(super) fn part(&mut self, part: &Part<'d>, owner: Owner, place: Place<'_>) -> Option<Members<'d>> {
        let overlay = part.rest().map(|rest| Overlay::of(rest, Api::Chat)).unwrap_or_default();
        let mut object = if overlay.get("type").is_some() {
            typed_part(part, &overlay)
        } else {
            self.natural_part(part, owner, place).filter(|object| self.is_accepted(object, owner, place))?
        };
        overlay.apply(&mut object);
        Some(object)
    }

    /// Whether the API takes a part there. The reason why not is noted.
    fn is_accepted(&mut self, part: &Members<'d>, owner: Owner, place: Place<'_>) -> bool {
        let kind = part.get_str("type").unwrap_or_default();
        if owner.accepts(&kind) {
            return true;
        }
        let (rule, message) = match owner {
            Owner::System => (rules::PART_IN_INSTRUCTIONS, "a system message can only have text".to_owned()),
            Owner::User | Owner::Assistant | Owner::Output => {
                (rules::UNSUPPORTED_PART, format!("the Chat API does not accept `{kind}` here"))
            }
        };
        note(self.ledger, rule, place, message);
        false
    }

    fn natural_part(&mut self, part: &Part<'d>, owner: Owner, place: Place<'_>) -> Option<Members<'d>> {
        match part {
            Part::Text(part) => self.text_part(part, owner, place),
            Part::Image(part) => self.image_part(part, place),
            Part::Other(part) => match part.get_str("type").as_deref() {
                Some("input_file") => self.file_part(part, place),
                Some("input_audio") if part.get("input_audio").is_some() => {
                    report_unsent(Api::Chat, part, &["type", "input_audio"], place, self.ledger);
                    let mut object = Members::typed("input_audio");
                    object.insert("input_audio", part.get("input_audio")?);
                    Some(object)
                }
                kind => {
                    let kind = kind.unwrap_or_default();
                    note(self.ledger, rules::UNSUPPORTED_PART, place, format!("the Chat API has no part `{kind}`"));
                    None
                }
            },
            Part::Raw(_) => {
                note(self.ledger, rules::UNSUPPORTED_PART, place, "this is not a part of a message");
                None
            }
        }
    }

    fn text_part(&mut self, part: &TextPart<'d>, owner: Owner, place: Place<'_>) -> Option<Members<'d>> {
        if let Some((rule, message)) = unsent_part(Api::Chat, part) {
            note(self.ledger, rule, place, message);
            if part.text.is_empty() {
                return None;
            }
        }
        let is_refusal = part.kind == "refusal";
        if !is_refusal && !is_plain_text_type(&part.kind) {
            note(self.ledger, rules::UNSUPPORTED_PART, place, format!("the Chat API has no part `{}`", part.kind));
            return None;
        }
        if !is_refusal && part.kind != owner.text_type() {
            note(self.ledger, rules::RESPELLED_FIELD, place, format!("`{}` is sent as a plain text", part.kind));
        }
        // Annotations of a reply of this API have its mark, even if the mark is empty.
        let is_own = part.rest.get(Api::Chat.overlay_key()).is_some();
        let known: &[&str] = if is_own { &[BREAKPOINT, "annotations"] } else { &[BREAKPOINT] };
        report_unsent(Api::Chat, &part.rest, known, place, self.ledger);
        let mut object = if is_refusal {
            let mut object = Members::typed("refusal");
            object.insert("refusal", part.text.clone());
            object
        } else {
            text_part(part.text.clone())
        };
        object.insert_some(BREAKPOINT, part.rest.get(BREAKPOINT));
        Some(object)
    }

    fn image_part(&mut self, part: &ImagePart<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let Some(url) = &part.image_url else {
            note(self.ledger, rules::FOREIGN_FILE, place, "the Chat API does not take images by their file id");
            return None;
        };
        let detail = part.rest.get_present("detail");
        report_unsent(Api::Chat, &part.rest, &["detail", BREAKPOINT], place, self.ledger);
        let mut image = Members::default();
        image.insert("url", Value::Url(url.clone()));
        image.insert_some("detail", detail);
        let mut object = Members::typed("image_url");
        object.insert("image_url", image);
        object.insert_some(BREAKPOINT, part.rest.get(BREAKPOINT));
        Some(object)
    }

    fn file_part(&mut self, part: &Object<'d>, place: Place<'_>) -> Option<Members<'d>> {
        if part.get_str("@issuer").is_some_and(|issuer| issuer != "openai") {
            note(self.ledger, rules::FOREIGN_FILE, place, "the file id belongs to another issuer");
            return None;
        }
        let (data, id) = (part.get_present("file_data"), part.get_present("file_id"));
        if data.is_none() && id.is_none() {
            note(
                self.ledger,
                rules::UNSUPPORTED_FILE,
                place,
                "the Chat API takes files as data or by their id, not as URLs",
            );
            return None;
        }
        report_unsent(Api::Chat, part, &["type", "file_data", "file_id", "filename", BREAKPOINT], place, self.ledger);
        let name = part.get_present("filename").map(Value::from).or_else(|| {
            let data = data?.as_str().ok()?;
            let kind = media_type_of(&data).unwrap_or_else(|| base64_type(&data, ""));
            let extension = extension_of(kind).unwrap_or("pdf");
            let name = format!("file.{extension}");
            if Overlay::of(part, Api::Chat).get("file").is_none() {
                note(self.ledger, rules::ADDED_FILENAME, place, format!("the file is sent as `{name}`"));
            }
            Some(name.into())
        });
        let mut file = Members::default();
        file.insert_some("filename", name);
        file.insert_some("file_data", data);
        file.insert_some("file_id", id);
        let mut object = Members::typed("file");
        object.insert("file", file);
        object.insert_some(BREAKPOINT, part.get(BREAKPOINT));
        Some(object)
    }
}

/// The key of a member that both APIs have on parts.
const BREAKPOINT: &str = "prompt_cache_breakpoint";

/// A part whose type only this API has.
fn typed_part<'d>(part: &Part<'d>, overlay: &Overlay<'d>) -> Members<'d> {
    let is_text = overlay.get("type").is_some_and(|kind| kind.raw() == "\"text\"");
    match part {
        Part::Text(text) if is_text => text_part(text.text.clone()),
        Part::Text(_) | Part::Image(_) | Part::Other(_) | Part::Raw(_) => Members::default(),
    }
}

/// Reads a part. A part that no element can say is a part of this API alone. `None` if not even that can say it.
pub(super) fn import_part<'j>(
    json: Json<'j>,
    owner: Owner,
    strings: &'j StringArena,
) -> Result<Option<Part<'j>>, JsonError> {
    let Some(wanted) = json.object().ok().filter(Overlay::can_hold) else { return Ok(None) };
    if let Some(mut part) = read_part(&wanted, owner)? {
        let mut ledger = Ledger::new(Api::Chat);
        let derived = Exporter::new(strings, &mut ledger).part(&part, owner, Place::default());
        if let Some(derived) = derived {
            set_overlay(&mut part, &Overlay::between(&derived, &wanted, strings), strings);
            return Ok(Some(part));
        }
    }
    if wanted.get_str("type").is_none() {
        return Ok(None);
    }
    let mut part = Part::text(owner.text_type(), "");
    set_overlay(&mut part, &Overlay::between(&Members::default(), &wanted, strings), strings);
    Ok(Some(part))
}

/// Adds the members for this API to a part.
pub(super) fn set_overlay<'j>(part: &mut Part<'j>, overlay: &Overlay<'j>, strings: &'j StringArena) {
    let rest = match part {
        Part::Text(part) => &mut part.rest,
        Part::Image(part) => &mut part.rest,
        Part::Other(part) => part,
        Part::Raw(_) => return,
    };
    overlay.insert_into(rest, Api::Chat, strings);
}

/// The part of the document that says the same, as far as there is one.
fn read_part<'j>(part: &Object<'j>, owner: Owner) -> Result<Option<Part<'j>>, JsonError> {
    let member = |key: &str| part.get(key).and_then(|value| value.object().ok());
    let string = |object: &Object<'j>, key: &str| {
        object.get(key).filter(|value| value.kind() == Kind::String).map(Json::as_str).transpose()
    };
    let mut rest = Object::default();
    if let Some(breakpoint) = part.get(BREAKPOINT) {
        rest.insert(BREAKPOINT, breakpoint);
    }
    let text = |kind: &'static str, text: Cow<'j, str>, rest: Object<'j>| {
        Some(Part::Text(TextPart { kind: kind.into(), text, rest }))
    };
    Ok(match part.get_str("type").as_deref() {
        Some("text") => string(part, "text")?.and_then(|own| text(owner.text_type(), own, rest)),
        Some("refusal") => string(part, "refusal")?.and_then(|own| text("refusal", own, rest)),
        Some("image_url") => {
            let (image, address) = (member("image_url").unwrap_or_default(), part.get("image_url"));
            let url = match address.filter(|address| address.kind() == Kind::String) {
                Some(address) => Some(address.as_str()?),
                None => string(&image, "url")?,
            };
            if let Some(detail) = image.get("detail") {
                rest.insert("detail", detail);
            }
            url.map(|url| Part::Image(ImagePart { image_url: Some(ImageUrl::Text(url)), rest }))
        }
        Some("file") => {
            let mut members = Object::default();
            members.insert("type", Json::scalar("\"input_file\""));
            for key in ["filename", "file_data", "file_id"] {
                if let Some(value) = member("file").and_then(|file| file.get(key)) {
                    members.insert(key, value);
                }
            }
            rest.iter().for_each(|(key, value)| members.insert(key.to_owned(), value));
            Some(Part::Other(members))
        }
        Some("input_audio") => {
            let mut members = Object::default();
            members.insert("type", Json::scalar("\"input_audio\""));
            if let Some(audio) = part.get("input_audio") {
                members.insert("input_audio", audio);
            }
            Some(Part::Other(members))
        }
        _ => None,
    })
}
