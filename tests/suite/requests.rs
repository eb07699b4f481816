//! `to-request`: the model, the layout of the JSON and the output file.

use std::fs;

use tempfile::TempDir;

use crate::json::normalized;
use crate::run::{Ran, chatmd};

const ENVIRONMENT: [(&str, &str); 1] = [("CHATMD_MODEL", "from-the-environment")];

#[test]
fn model_is_taken_from_flag_then_document_then_environment() {
    let (plain, own) = ("<user>Hello.</user>", "<config model=\"own\"/><user>Hello.</user>");
    let carried = "<!-- chatmd:request {\"model\":\"carried\"} --><user>Hello.</user>";
    let flag: &[&str] = &["--model", "flag"];
    for (document, flags, variables, model) in [
        (own, flag, &ENVIRONMENT[..], "flag"),
        (carried, flag, &ENVIRONMENT, "flag"),
        (plain, flag, &[], "flag"),
        (own, &[], &ENVIRONMENT, "own"),
        (carried, &[], &ENVIRONMENT, "carried"),
        (plain, &[], &ENVIRONMENT, "from-the-environment"),
    ] {
        let ran = to_request(document, flags, variables);
        let start = format!("{{\"model\":\"{model}\",");
        assert!(ran.code == Some(0) && ran.stdout.starts_with(&start), "{document}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn missing_model_error_names_all_three_sources() {
    for variables in [&[][..], &[("CHATMD_MODEL", "")]] {
        let ran = to_request("<config/><user>Hello.</user>", &[], variables);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
        for words in ["model is required", "<config model=", "--model", "CHATMD_MODEL"] {
            assert!(ran.stderr.contains(words), "no {words} in {}", ran.stderr);
        }
    }
    let ran = to_request("<user>Hello.</user>", &["--input-only"], &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "the input alone needs no model");
}

#[test]
fn compact_and_pretty_have_the_same_value() {
    let document =
        "<config model=\"m\"/><!-- chatmd:item {\"type\":\"x\",\"n\":[1.0,{},[]]} --><user>[ {\"a\" : 1} ]</user>";
    let [compact, pretty, piped] =
        [&["--compact"][..], &["--pretty"], &[]].map(|flags| to_request(document, flags, &[]).stdout);
    assert_eq!(compact, piped);
    assert_eq!((compact.lines().count(), pretty.lines().count() > 10), (1, true), "{pretty}");
    assert_eq!(normalized(&compact), normalized(&pretty));
    assert!(pretty.contains("1.0") && pretty.contains(r#""[ {\"a\" : 1} ]""#), "{pretty}");
}

#[test]
fn verbatim_whitespace_is_content() {
    let document = "<user>\nHello.\n</user>";
    for (mode, text) in [("layout", "Hello."), ("verbatim", "\\nHello.\\n")] {
        let ran = to_request(document, &["--input-only", "--whitespace", mode], &[]);
        assert!(ran.stdout.contains(&format!("\"text\":\"{text}\"")), "{mode}: {}", ran.stdout);
    }
}

#[test]
fn output_file_is_written_only_without_errors() {
    let directory = TempDir::new().unwrap();
    let run =
        |document: &str| chatmd(directory.path(), &["to-request", "--input-only", "-o", "out.json"], &[], document);
    assert_eq!(run("<user>Hello.").code, Some(65));
    assert!(!directory.path().join("out.json").exists());
    let ran = run("<user>Hello.</user>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let written = fs::read_to_string(directory.path().join("out.json")).unwrap();
    assert_eq!(
        written,
        "[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Hello.\"}]}]\n"
    );
}

fn to_request(document: &str, flags: &[&str], variables: &[(&str, &str)]) -> Ran {
    let directory = TempDir::new().unwrap();
    let args: Vec<&str> = ["to-request"].iter().chain(flags).copied().collect();
    chatmd(directory.path(), &args, variables, document)
}
