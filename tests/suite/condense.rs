//! Items with little text are written while a document is read. The request does not depend on it.

use chatmd::internal::document::print;
use chatmd::internal::syntax::write::Whitespace;
use chatmd::resources::Memory;
use chatmd::{Converter, Error, RequestOptions};
use proptest::prelude::*;

use crate::cases::cases;
use crate::generate;

/// The request, or the names and places of the problems. With a source map, all items are written at the end.
fn request(text: &str, options: &RequestOptions) -> (Option<String>, Vec<(String, usize, usize)>) {
    let files = Memory::new().with("a.md", "<user>\nimported\n</user>\n").with("u", "text");
    let (value, report) = match Converter::new().resources(&files).to_request(text, options) {
        Ok(output) => (Some(output.value), output.warnings),
        Err(Error::Problems(report)) => (None, report),
        Err(error) => panic!("{error}\n{text}"),
    };
    let place = |finding: &chatmd::Finding<'_>| (finding.name().to_owned(), finding.line(), finding.column());
    (value, report.iter().map(|finding| place(&finding)).collect())
}

fn assert_same(text: &str) {
    for stateless in [false, true] {
        for instructions in [false, true] {
            let model = Some("m".to_owned());
            let options = RequestOptions { model, stateless, instructions, ..RequestOptions::default() };
            let whole = request(text, &RequestOptions { source_map: true, ..options.clone() });
            assert_eq!(request(text, &options), whole, "{text}");
        }
    }
}

#[test]
fn order_of_long_and_short_items_is_kept() {
    let long = "long ".repeat(2000);
    let document = format!(
        "<user>\na\n</user>\n<assistant>\n{long}\n</assistant>\n<user>\nb\n</user>\n<user>\nc\n</user>\n\
         <system instructions>\nd\n</system>\n<user>\n{long}\n</user>\n<assistant>\ne\n</assistant>\n"
    );
    assert_same(&document);
    let (value, problems) = request(&document, &RequestOptions { model: Some("m".into()), ..Default::default() });
    assert_eq!(value.unwrap().matches("\"type\":\"message\"").count(), 6);
    assert_eq!(problems, []);
}

#[test]
fn only_an_empty_message_at_the_end_is_where_the_next_turn_will_be_written() {
    for (document, messages) in [
        ("<user>\na\n</user>\n<user>\n</user>\n", 1),
        ("<user>\n</user>\n<user>\na\n</user>\n", 2),
        ("<user>\n</user>\n<user>\na\n</user>\n<user>\n</user>\n<!-- c -->\n", 2),
        ("<user>\n</user>\n<!-- c -->\n<user>\na\n</user>\n<!-- c -->\n", 2),
        // Without state, the reasoning is not sent. It is there all the same.
        ("<user>\n</user>\n<reasoning id=\"r\">\n<summary>\na\n</summary>\n</reasoning>\n", 1),
    ] {
        assert_same(document);
        let (value, _) = request(document, &RequestOptions { model: Some("m".into()), ..Default::default() });
        assert_eq!(value.unwrap().matches("\"type\":\"message\"").count(), messages, "{document}");
    }
}

#[test]
fn base64_in_an_output_is_reported_however_short_the_output_is() {
    for (length, problems) in [(4000, 0), (4095, 0), (4096, 0), (4097, 1), (9000, 1)] {
        let base64 = "iVBORw0K".repeat(length / 8 + 1);
        let document = format!("<tool_response tool_call_id=\"c\">\n{}\n</tool_response>\n", &base64[..length]);
        assert_same(&document);
        let (_, found) = request(&document, &RequestOptions { model: Some("m".into()), ..Default::default() });
        assert_eq!(found.len(), problems, "{length}: {found:?}");
    }
}

#[test]
fn problems_of_short_and_long_items_are_reported_in_order() {
    let long = "long ".repeat(2000);
    assert_same(&format!(
        "<user>\n<!-- chatmd:fields {{ -->\n{long}\n</user>\n<user>\n<!-- chatmd:fields {{ -->\na\n</user>\n<img/>\n\
         <tool_call>\n{{}}\n</tool_call>\n<config temperature=\"x\"/>\n<user>\n<!-- chatmd:fields [] -->\n</user>\n"
    ));
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_document_gives_the_same_request(document in generate::document()) {
        assert_same(&print(&document, Whitespace::Layout));
    }
}
