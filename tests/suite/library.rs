//! The library as another crate uses it.

use std::path::PathBuf;

use chatmd::internal::diagnostic::ErrorKind;
use chatmd::resources::Memory;
use chatmd::{
    AnswerOptions, AppendOptions, CheckOptions, Completion, Converter, Error, Finding, Input, InputKind, OutputStyle,
    Report, RequestOptions, ResponseOptions, Severity, Whitespace,
};
use serde_json::{Value, json};

const RESPONSE: &str = r#"{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},
  "output":[{"type":"message","id":"msg_1","role":"assistant","status":"incomplete",
  "content":[{"type":"output_text","text":"Hi","annotations":[]}]}]}"#;

/// The name, file, line, column and text of each finding.
fn places(report: &Report) -> Vec<(&'static str, &str, usize, usize, &str)> {
    let place = |finding: Finding<'_>| (finding.name(), finding.line(), finding.column());
    let files = report.iter().map(|finding| (finding.file(), finding.text()));
    let all = report.iter().map(place).zip(files);
    all.map(|((name, line, column), (file, text))| (name, file, line, column, text)).collect()
}

#[test]
fn errors_have_their_places_after_everything_else_is_dropped() {
    let error = {
        let files = Memory::new().with("part.md", "<user>\n<img/>\n</user>\n");
        let document = Input::from("<user x=\"1\">\na\n</user>\n<import src=\"part.md\"/>\n".to_owned());
        let converter = Converter::new().resources(&files);
        converter.to_request(document.with_name("chat.md").with_path("chat.md"), &RequestOptions::default())
    };
    let Err(Error::Problems(report)) = error else { panic!("{error:?}") };
    let expected =
        [("unknown-attribute", "chat.md", 1, 7, "x=\"1\""), ("missing-attribute", "part.md", 2, 1, "<img/>")];
    assert_eq!(places(&report), expected);
    let finding = report.iter().nth(1).unwrap();
    assert_eq!((finding.severity(), finding.rule().kind), (Severity::Error, ErrorKind::Malformed));
    assert_eq!((finding.span(), finding.end()), (7..13, (2, 7)));
    assert_eq!(finding.message(), "`<img>` needs `src` or `file_id`");
    assert!(report.to_string().contains("2 | <img/>"), "{report}");
}

#[test]
fn every_result_has_its_warnings() {
    let document = "<config model=\"m\"/>\n<config model=\"n\"/>\n<user>\na\n</user>\n";
    let converter = Converter::new();
    let output = converter.to_request(document, &RequestOptions::default()).unwrap();
    assert_eq!(places(&output.warnings), [("repeated-config", "<input>", 2, 1, "<config model=\"n\"/>")]);
    let stats = converter.stats(document, &RequestOptions::default()).unwrap();
    assert_eq!(stats.warnings.iter().next().unwrap().name(), "repeated-config");
    let items = r#"[{"type":"function_call_output","call_id":"c"}]"#;
    let reply = converter.from_response(items, &ResponseOptions::default()).unwrap();
    assert_eq!(reply.warnings.iter().next().unwrap().name(), "malformed-item");
}

#[test]
fn reply_knows_how_it_ended_and_what_it_was() {
    let converter = Converter::new();
    let reply = converter.from_response(RESPONSE, &ResponseOptions::default()).unwrap();
    assert_eq!(reply.completion, Completion::Incomplete(Some("max_output_tokens".to_owned())));
    assert_eq!((reply.input_kind, reply.has_items), (InputKind::Reply, true));
    let request = r#"{"model":"m","input":"Hello."}"#;
    let reply = converter.from_response(request, &ResponseOptions::default()).unwrap();
    assert_eq!(reply.input_kind, InputKind::Request);
    let failed = r#"{"error":{"message":"No.","code":"bad","param":"input[0]"}}"#;
    let Err(Error::Api(error)) = converter.from_response(failed, &ResponseOptions::default()) else { panic!() };
    assert_eq!((error.code.as_deref(), error.param.as_deref()), (Some("bad"), Some("input[0]")));
    let report = converter.locate_error("\n<user>\na\n</user>\n", &RequestOptions::default(), &error).unwrap();
    assert_eq!(places(&report)[0].2, 2, "{report}");
}

#[test]
fn files_of_a_document_have_their_targets_and_the_files_that_name_them() {
    let part = "<user>\n<import src=\"../b.md\"/>\n<doc src=\"missing.txt\" local/>\n</user>\n";
    let files = Memory::new().with("parts/a.md", part).with("b.md", "b");
    let document = Input::from("<import src=\"parts/a.md\"/>\n".to_owned()).with_path("chat.md");
    let files = Converter::new().resources(&files).files(document).unwrap().value;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let files: Vec<_> = files.iter().map(|file| (file.target.as_str(), path(&file.base), path(&file.path))).collect();
    let own = |target, base: &str, path: &str| (target, base.to_owned(), path.to_owned());
    let expected = [
        own("parts/a.md", "chat.md", "parts/a.md"),
        own("../b.md", "parts/a.md", "b.md"),
        own("missing.txt", "parts/a.md", ""),
    ];
    assert_eq!(files, expected);
}

#[test]
fn fixes_have_their_places_in_the_document() {
    let document = "<user>\nSee `<tool/>`.\n</user>\n";
    let report = Converter::new().check(document, &CheckOptions::default());
    let fix = report.iter().find_map(Finding::fix).unwrap();
    let fixed = [&document[..fix.span.start], &fix.replacement, &document[fix.span.end..]].concat();
    assert_eq!(fixed, report.fix(document));
}

#[test]
fn media_of_a_reply_are_returned_as_files() {
    let png = crate::check::PNG;
    let output = json!([{"type": "input_image", "image_url": format!("data:image/png;base64,{png}")}]);
    let items = json!([{"type": "function_call_output", "call_id": "c", "output": output}]).to_string();
    let options = ResponseOptions {
        tool_output: OutputStyle::Items,
        media: Some("media".to_owned()),
        ..ResponseOptions::default()
    };
    let reply = Converter::new().from_response(items, &options).unwrap();
    let (name, bytes) = reply.media.iter().next().unwrap();
    assert!(reply.text.contains(&format!("<img src=\"media/{name}\" local/>")), "{}", reply.text);
    let files = Memory::new().with(&format!("media/{name}"), bytes.clone());
    let back = Converter::new().resources(&files).to_input(reply.text, &RequestOptions::default()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&back.value).unwrap()[0]["output"], output);
}

#[test]
fn append_adds_a_reply_once() {
    let converter = Converter::new();
    let reply = converter.from_response(RESPONSE, &ResponseOptions::default()).unwrap();
    let options = AppendOptions { next_turn: true, ..AppendOptions::default() };
    let first = converter.append("<user>\nHello.\n</user>\n", &reply, &options).unwrap();
    let text = first.text.unwrap();
    assert!(text.ends_with("</assistant>\n\n<user>\n\n</user>\n"), "{text}");
    let second = converter.append(text.as_str(), &reply, &options).unwrap();
    assert_eq!((second.text, second.already_present), (None, true));
    let Err(Error::Problems(report)) = converter.append("<user>", &reply, &options) else { panic!() };
    assert_eq!(places(&report)[0].0, "unclosed-element");
}

#[test]
fn report_has_a_fix_for_each_fixable_finding() {
    let document = "<user>\nWrite `<tool/>`.\n</user>\n";
    let report = Converter::new().check(document, &CheckOptions::default());
    let finding = report.iter().find(|finding| finding.fix().is_some()).unwrap();
    let fixed = report.fix(document);
    assert!(fixed.contains(&finding.fix().unwrap().replacement) && fixed != document, "{fixed}");
    assert!(Converter::new().check(fixed.as_str(), &CheckOptions::default()).is_empty());
}

#[test]
fn source_map_is_made_if_it_is_asked_for() {
    let (document, converter) = ("\n<user>\na\n</user>\n", Converter::new());
    let map = |options: &RequestOptions| converter.with_input(document, options, |request, _| request.source_map());
    assert!(map(&RequestOptions::default()).unwrap().is_none());
    let options = RequestOptions { source_map: true, ..RequestOptions::default() };
    let map = map(&options).unwrap().unwrap();
    let (pointer, place) = map.iter().next().unwrap();
    assert_eq!((pointer, place.line, place.column, place.span.start), ("/0", 2, 1, 1));
    assert!(serde_json::to_string(&map).unwrap().starts_with(r#"{"/0":{"file":"<input>","line":2,"column":1,"#));
}

#[test]
fn options_have_serde() {
    let options: RequestOptions = serde_json::from_str(r#"{"model":"m","set":[["store","false"]]}"#).unwrap();
    assert_eq!((options.model.as_deref(), options.set.len(), options.stream), (Some("m"), 1, false));
    assert_eq!(serde_json::from_str::<RequestOptions>(&serde_json::to_string(&options).unwrap()).unwrap(), options);
    let options: ResponseOptions = serde_json::from_str(r#"{"tool_output":"items"}"#).unwrap();
    assert_eq!(serde_json::from_str::<ResponseOptions>(&serde_json::to_string(&options).unwrap()).unwrap(), options);
    let options: CheckOptions = serde_json::from_str(r#"{"allowed":["pending-call"]}"#).unwrap();
    assert_eq!((options.allowed[0].as_str(), options.fragment), ("pending-call", false));
    assert_eq!(serde_json::from_str::<CheckOptions>(&serde_json::to_string(&options).unwrap()).unwrap(), options);
    assert_eq!(serde_json::from_str::<Whitespace>(r#""verbatim""#).unwrap(), Whitespace::Verbatim);
    let options: AnswerOptions = serde_json::from_str(r#"{"media":"media"}"#).unwrap();
    assert_eq!(serde_json::from_str::<AnswerOptions>(&serde_json::to_string(&options).unwrap()).unwrap(), options);
}

#[test]
fn results_and_errors_can_be_sent_to_other_threads() {
    fn is_shareable<T: Send + Sync + 'static>() {}
    is_shareable::<Error>();
    is_shareable::<Report>();
    is_shareable::<chatmd::Reply>();
    is_shareable::<chatmd::Output<String>>();
}
