//! Golden pages, and the options of the command.

use std::fs;

use chatmd::internal::render::{Options, Theme, extract};
use chatmd::resources::Directory;
use chatmd::{Converter, Input};

use super::page::read_page;
use crate::run::chatmd;
use crate::support::{files, fixtures, from_response};

/// The page of a text whose files are in a folder of the fixtures.
fn page_of(directory: &str, document: &str, options: &Options) -> String {
    let directory = fixtures().join(directory);
    let files = Directory::of(&directory);
    let input = Input::from(document).with_path(directory.join("chat.md"));
    Converter::new().resources(&files).render(input, options).unwrap().value.html
}

fn fixture(path: &str) -> String {
    fs::read_to_string(fixtures().join(path)).unwrap()
}

/// What the command prints.
fn page(directory: &str, arguments: &[&str], stdin: &str) -> String {
    let ran = chatmd(&fixtures().join(directory), &[&["render"], arguments].concat(), &[], stdin);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    ran.stdout
}

/// The structure of a page without its head.
fn outline(html: &str) -> String {
    let outline = read_page(html).outline;
    outline.split_once("  <body>\n").unwrap().1.to_owned()
}

#[test]
fn golden_pages() {
    for (name, directory, file) in [
        ("page-rich", "pages/rich", "slow-builds.chat.md"),
        ("page-tour", "examples", "tour.md"),
        ("page-computer", "examples", "computer-use.md"),
        ("page-shell", "examples", "shell.md"),
        ("page-search", "examples", "web-search.md"),
    ] {
        let document = fixture(&format!("{directory}/{file}"));
        insta::assert_snapshot!(name, outline(&page_of(directory, &document, &Options::default())));
    }
}

#[test]
fn every_example_is_a_valid_page_and_comes_back() {
    for path in files("examples", ".md") {
        let document = fs::read_to_string(&path).unwrap();
        let html = page_of("examples", &document, &Options::default());
        read_page(&html);
        assert_eq!(extract(html.as_bytes()), Ok(document.into_bytes()));
    }
}

#[test]
fn command_prints_a_page_and_takes_the_document_back() {
    let html = page("examples", &["tour.md"], "");
    let options = Options { title: "tour".to_owned(), ..Options::default() };
    assert_eq!(html, page_of("examples", &fixture("examples/tour.md"), &options));
    assert_eq!(page("examples", &["--extract"], &html), fixture("examples/tour.md"));
    assert_eq!(page("examples", &["--extract"], &page("examples", &[], "")), "");
}

#[test]
fn policy_allows_only_images_in_the_page_and_its_own_style() {
    for (name, theme) in [("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)] {
        let html = page_of("examples", "<user>x</user>", &Options { theme, ..Options::default() });
        assert_eq!(html, page("examples", &["--theme", name], "<user>x</user>"));
        let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        let hash = hmac_sha256::Hash::hash(style.as_bytes());
        let hash = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, hash);
        let policy = format!(
            "default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-{hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"
        );
        assert!(html.contains(&policy), "{html}");
        assert!(!html.contains("<link") && !html.contains("<script") && !html.contains("url("));
        assert_eq!(html.contains("prefers-color-scheme"), theme == Theme::Auto);
    }
}

#[test]
fn whatever_from_response_takes_is_a_page() {
    let response = r#"{"object":"response","status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"**Hi!**","annotations":[]}]}]}"#;
    let stream =
        format!("event: response.completed\ndata: {{\"type\":\"response.completed\",\"response\":{response}}}\n\n");
    for input in [response.to_owned(), format!("[{response}]"), stream] {
        let html = page("examples", &[], &input);
        assert!(html.contains("<strong>Hi!</strong>"), "{html}");
        assert_eq!(extract(html.as_bytes()), Ok(from_response(&input).unwrap().text.into_bytes()));
    }
    let failed = chatmd(&fixtures(), &["render"], &[], r#"{"error":{"message":"no","type":"x"}}"#);
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(4), ""));
}

#[test]
fn title_is_given_or_the_name_of_the_file() {
    let title = |html: &str| html.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned();
    assert_eq!(title(&page("pages/rich", &["slow-builds.chat.md"], "")), "slow-builds");
    assert_eq!(title(&page("pages/rich", &["--title", "A <b>", "slow-builds.chat.md"], "")), "A &lt;b&gt;");
    assert_eq!(title(&page("pages/rich", &["--title", " "], "<user>x</user>")), "Conversation");
    assert_eq!(title(&page("pages/rich", &[], "<user>x</user>")), "Conversation");
}

#[test]
fn settings_that_change_are_shown_where_they_change() {
    let document = "<config model=\"m\" reasoning_effort=\"low\"/>\n<user>\nFirst turn.\n</user>\n<config reasoning_effort=\"high\"/>\n<user>\nSecond turn.\n</user>\n";
    let html = page(".", &["--no-source"], document);
    let place = |text: &str| html.rfind(text).unwrap_or_else(|| panic!("no {text}"));
    let places = ["First turn.", "reasoning_effort: high", "Second turn."].map(place);
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(html.matches(">Settings<").count(), 1);
}

#[test]
fn images_can_be_left_out() {
    let count = |html: &str| html.matches("<img ").count();
    let document = fixture("pages/rich/slow-builds.chat.md");
    let of = |no_images, max_image_bytes| {
        let options = Options { no_images, max_image_bytes, ..Options::default() };
        count(&page_of("pages/rich", &document, &options))
    };
    assert_eq!((of(false, None), of(true, None), of(false, Some(6249)), of(false, Some(6250))), (1, 0, 0, 1));
    assert_eq!(count(&page("pages/rich", &["--no-images", "slow-builds.chat.md"], "")), 0);
    assert_eq!(count(&page("pages/rich", &["--max-image-bytes", "100", "slow-builds.chat.md"], "")), 0);
}

#[test]
fn images_are_shown_wherever_they_are() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAG0lEQVR42gXBsQEAAACCIAeHzvb0AEgagWmzAxwoAyWmzpe0AAAAAElFTkSuQmCC";
    let documents = [
        format!("<user><img src=\"data:image/png;base64,{png}\"/></user>"),
        // The declared type does not count.
        format!("<user><img src=\"data:text/html;base64,{png}\"/></user>"),
        format!("<user>![a](data:image/png;base64,{png})</user>"),
        format!(
            "<tool_response tool_call_id=\"c\">[{{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,{png}\"}}]</tool_response>"
        ),
        format!(
            "<tool_response tool_call_id=\"c\">[{{\"type\":\"image\",\"data\":\"{png}\",\"mimeType\":\"image/png\"}}]</tool_response>"
        ),
        format!(
            "<!-- chatmd:item {{\"type\":\"image_generation_call\",\"id\":\"ig_1\",\"status\":\"completed\",\"result\":\"{png}\"}} -->"
        ),
        format!(
            "<!-- chatmd:item {{\"type\":\"code_interpreter_call\",\"outputs\":[{{\"type\":\"image\",\"url\":\"data:image/png;base64,{png}\"}}]}} -->"
        ),
        format!(
            "<!-- chatmd:item {{\"type\":\"computer_call_output\",\"call_id\":\"c\",\"output\":{{\"type\":\"computer_screenshot\",\"image_url\":\"data:image/png;base64,{png}\"}}}} -->"
        ),
        format!(
            "<tool_response type=\"computer_call\" tool_call_id=\"c\"><img src=\"data:image/png;base64,{png}\"/></tool_response>"
        ),
    ];
    for document in documents {
        let html = page_of("examples", &document, &Options::default());
        assert_eq!(html.matches("<img src=\"data:image/png;base64,").count(), 1, "{document}\n{html}");
    }
}

#[test]
fn calls_and_outputs_are_one_unit_in_any_order() {
    let call = |id: &str| format!("<tool_call function_name=\"f{id}\" tool_call_id=\"{id}\">{{}}</tool_call>\n");
    let output = |id: &str| format!("<tool_response tool_call_id=\"{id}\">out-{id}</tool_response>\n");
    let document = [call("1"), call("2"), output("2"), output("1"), output("3")].concat();
    let outline = outline(&page_of("examples", &document, &Options::default()));
    let units: Vec<&str> = outline.split("<details class=\"turn call\"").skip(1).collect();
    assert_eq!(units.len(), 3, "{outline}");
    assert!(units[0].contains("f1") && units[0].contains("out-1") && !units[0].contains("out-2"), "{}", units[0]);
    assert!(units[1].contains("f2") && units[1].contains("out-2"), "{}", units[1]);
    assert!(units[2].contains("out-3") && units[2].contains("no call"), "{}", units[2]);
}

#[test]
fn a_malformed_document_is_rejected() {
    let ran = chatmd(&fixtures(), &["render"], &[], "<user>\nhello");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
    let ran = chatmd(&fixtures(), &["render", "--extract"], &[], "<!DOCTYPE html>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
    assert!(ran.stderr.contains("--no-source"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn open_runs_the_program_and_nothing_else_does() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    fs::write(path(program), "#!/bin/sh\nprintf '%s' \"$1\" > \"$OPENED\"\n").unwrap();
    fs::set_permissions(path(program), fs::Permissions::from_mode(0o755)).unwrap();
    let opened = path("opened");
    let variables = [("PATH", directory.path().to_str().unwrap()), ("OPENED", opened.to_str().unwrap())];
    let run = |arguments: &[&str]| {
        chatmd(directory.path(), &[&["render"], arguments].concat(), &variables, "<user>Hi.</user>")
    };
    assert_eq!(run(&["-o=-page.html"]).code, Some(0));
    assert!(!opened.exists());
    assert_eq!(run(&["--open", "-o=-page.html"]).code, Some(0));
    let page = fs::read_to_string(&opened).unwrap();
    assert!(page.starts_with('/') && page.ends_with("/-page.html"), "{page}");
    let ran = run(&["--open"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let page = fs::read_to_string(&opened).unwrap();
    assert!(fs::read_to_string(&page).unwrap().contains("Hi."));
    assert_eq!(fs::metadata(&page).unwrap().permissions().mode() & 0o77, 0);
    fs::remove_file(&page).unwrap();
    fs::write(path(program), "#!/bin/sh\nexit 3\n").unwrap();
    let ran = run(&["--open", "-o", "x.html"]);
    assert_eq!(ran.code, Some(74));
    assert!(ran.stderr.contains("x.html"), "{}", ran.stderr);
}
