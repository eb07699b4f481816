//! Replies of the Messages and the Chat API, whole or as a stream.

use std::borrow::Cow;

use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{ApiError, Completion, Failure, Item, Payload, PayloadItem, Warning};
use crate::stream::{StreamEnd, Streamed, StreamedBody};
use crate::wire::{Api, Items};
use crate::{chat, messages};

/// Reads a whole reply.
pub(super) fn read_reply<'j>(
    api: Api,
    json: Json<'j>,
    choice: Option<u64>,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    let body = StreamedBody { json, starts: Vec::new(), end: StreamEnd::Complete };
    read_replies(api, Streamed { bodies: vec![body], ..Streamed::default() }, choice, strings)
}

/// Reads the replies that a stream adds up to.
pub(super) fn read_replies<'j>(
    api: Api,
    streamed: Streamed<'j>,
    choice: Option<u64>,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    let Streamed { mut bodies, malformed, is_partial } = streamed;
    let starts = join(&mut bodies, strings)?;
    let (mut read, envelopes) = match api {
        Api::Messages => messages::import_replies(bodies.iter().map(|body| body.json), strings)?,
        Api::Responses | Api::Chat => choices(&bodies, choice, strings)?,
    };
    let ends: Vec<End> = bodies.iter().zip(&envelopes).map(|(body, envelope)| End::of(body.end, envelope)).collect();
    let mut payload = Payload { api, is_partial, ..Payload::default() };
    payload.warnings.extend(malformed.into_iter().map(Warning::MalformedEvent));
    payload.unfinished = ends.last().and_then(|end| end.unfinished).filter(|_| !set_status(&mut read, strings));
    if !starts.is_empty() {
        read.iter_mut().try_for_each(|(_, original)| place(original, &starts, strings))?;
    }
    payload.items = items(read);
    payload.envelopes = envelopes;
    if ends.is_empty() {
        payload.end_with(Completion::Truncated);
    }
    for end in ends {
        payload.warnings.extend(end.unknown.map(Warning::UnknownStop));
        payload.end_with(end.completion);
    }
    if is_partial {
        payload.end_with(Completion::Damaged);
    }
    if payload.items.is_empty() && payload.completion == Completion::Complete {
        payload.warnings.push(Warning::NoItems);
    }
    payload.unless_failed()
}

/// Places the bodies of a stream one after the other. Returns where each of their parts begins, and the offset in the stream
/// of the first event about it.
fn join<'j>(bodies: &mut [StreamedBody<'j>], strings: &'j StringArena) -> Result<Vec<(usize, usize)>, JsonError> {
    let (mut starts, mut end) = (Vec::new(), 0);
    for body in bodies.iter_mut().filter(|body| !body.starts.is_empty()) {
        body.json = Json::parse_at(body.json.raw(), end, strings)?;
        starts.extend(body.starts.iter().map(|(at, event)| (end + at, *event)));
        end += body.json.raw().len();
    }
    Ok(starts)
}

/// Gives the JSON that an item comes from the offset of the first event about it.
fn place<'j>(original: &mut Json<'j>, starts: &[(usize, usize)], strings: &'j StringArena) -> Result<(), JsonError> {
    let after = starts.partition_point(|(at, _)| *at <= original.offset());
    let event = starts.get(after.saturating_sub(1)).map_or(0, |(_, event)| *event);
    *original = Json::parse_at(original.raw(), event, strings)?;
    Ok(())
}

pub(super) fn items(items: Items<'_>) -> Vec<PayloadItem<'_>> {
    items.into_iter().map(|(item, json)| PayloadItem::of_other_api(item, json)).collect()
}

/// A choice of each reply of the Chat API.
fn choices<'j>(
    bodies: &[StreamedBody<'j>],
    choice: Option<u64>,
    strings: &'j StringArena,
) -> Result<(Items<'j>, Vec<Object<'j>>), Failure> {
    let (mut items, mut envelopes) = (Vec::new(), Vec::new());
    for StreamedBody { json, end, .. } in bodies {
        let reply = chat::import_reply(*json, choice, strings).map_err(|error| match error {
            chat::ReplyError::Malformed(error) => Failure::Malformed(error),
            chat::ReplyError::SeveralChoices(choices) => Failure::SeveralChoices(choices),
            chat::ReplyError::NoChoice(index) => {
                Failure::Malformed(json.malformed(format!("no choice has the index {index}")).within("choices"))
            }
        })?;
        match (reply, end) {
            (Some((read, envelope)), _) => {
                items.extend(read);
                envelopes.push(envelope);
            }
            (None, StreamEnd::Complete) => {
                let error = json.object()?.get_present("error");
                return Err(error.map_or_else(|| Failure::NoChoices, |error| Failure::Api(ApiError::decode(error))));
            }
            (None, StreamEnd::Cut | StreamEnd::Error(_)) => envelopes.push(Object::default()),
        }
    }
    Ok((items, envelopes))
}

/// How a reply ended.
struct End {
    completion: Completion,
    /// A reason to stop that is not known.
    unknown: Option<String>,
    /// Why the end of the last item is missing.
    unfinished: Option<&'static str>,
}

impl End {
    fn of(end: StreamEnd<'_>, envelope: &Object<'_>) -> Self {
        let ended = |completion, unfinished| Self { completion, unknown: None, unfinished };
        let reason = ["stop_reason", "finish_reason"].into_iter().find_map(|key| envelope.get_str(key));
        let error = match end {
            StreamEnd::Error(error) => Some(error),
            // Some servers put an error beside or into a choice.
            StreamEnd::Complete | StreamEnd::Cut => envelope.get("error").filter(|error| error.kind() == Kind::Object),
        };
        match (error, end) {
            (Some(error), _) => ended(Completion::Failed(ApiError::decode(error)), Some("error")),
            (None, StreamEnd::Cut | StreamEnd::Error(_)) => {
                ended(Completion::Truncated, Some("the stream ended early"))
            }
            (None, StreamEnd::Complete) => match reason.as_deref() {
                None
                | Some("" | "end_turn" | "tool_use" | "stop_sequence" | "stop" | "tool_calls" | "function_call") => {
                    ended(Completion::Complete, None)
                }
                Some(reason @ ("pause_turn" | "compaction")) => {
                    let completion =
                        Completion::Incomplete(Some("paused; send the document again as it is".to_owned()));
                    ended(completion, Some(if reason == "compaction" { "compaction" } else { "pause_turn" }))
                }
                Some(reason @ ("refusal" | "content_filter")) => {
                    let error = ApiError { code: Some(reason.to_owned()), message: refusal(envelope), param: None };
                    let unfinished = if reason == "refusal" { "refusal" } else { "content_filter" };
                    ended(Completion::Failed(error), Some(unfinished))
                }
                Some(reason) => match LIMITS.iter().find(|limit| **limit == reason) {
                    Some(limit) => ended(Completion::Incomplete(Some(reason.to_owned())), Some(limit)),
                    None => Self { unknown: Some(reason.to_owned()), ..ended(Completion::Complete, None) },
                },
            },
        }
    }
}

/// The reasons to stop that are limits.
const LIMITS: [&str; 3] = ["max_tokens", "model_context_window_exceeded", "length"];

/// The category and the explanation of a refusal.
fn refusal(envelope: &Object<'_>) -> String {
    let details = envelope.get_object("stop_details").unwrap_or_default();
    let words = ["category", "explanation"].iter().filter_map(|key| details.get_str(key));
    let message = words.map(Cow::into_owned).collect::<Vec<_>>().join(": ");
    if message.is_empty() { "the model refused to answer".to_owned() } else { message }
}

/// Sets the status of a call that is the last item, because its end is missing. Returns whether the reply can do without
/// a comment: the last item is a call, or there is none.
fn set_status<'j>(items: &mut Items<'j>, strings: &'j StringArena) -> bool {
    match items.last_mut() {
        Some((Item::ToolCall(call), _)) => {
            call.rest.replace("status", strings.string("incomplete"));
            true
        }
        Some(_) => false,
        None => true,
    }
}
