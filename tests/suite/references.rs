//! A document's references are listed without reading any of them.

use chatmd::internal::document::{Use, references};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::write::Whitespace;

use crate::support::read;

#[test]
fn every_reference_is_listed_in_order() {
    let text = r#"
        <config text_format="answer.json"/>
        <tool name="t" schema="t.json"/>
        <import src="tools.md"/>
        <user>
        <img src="a.png" local/><img src="https://example.com/b.png"/><img file_id="file-1"/>
        <doc src="c.txt" local/><doc src="https://example.com/d"/><doc src="https://example.com/e" file/>
        <agent src="f.md" local>see <img src="g.png" local/></agent>
        <import src="h.md"/>
        </user>
        <tool_response tool_call_id="c"><doc src="i.json" local/></tool_response>
        <reasoning encrypted_src="j.txt"/>
        <!-- chatmd:item-files {"type":"x","a":{"chatmd:file":"k.png"},"b":[{"chatmd:file":"l.png","media_type":"image/png"}]} -->
        <assistant><img src="not-a-reference.png" local/></assistant>
    "#;
    let sources = Sources::new();
    let (document, diagnostics) = read(&sources, text, Whitespace::Layout);
    assert!(!diagnostics.has_errors());
    let all = references(&document);
    let listed: Vec<(&str, Use)> = all.iter().map(|one| (one.target.as_ref(), one.usage)).collect();
    let expected = [
        ("answer.json", Use::File),
        ("t.json", Use::File),
        ("tools.md", Use::Import),
        ("a.png", Use::File),
        ("https://example.com/b.png", Use::Api),
        ("file-1", Use::Api),
        ("c.txt", Use::File),
        ("https://example.com/d", Use::Fetch),
        ("https://example.com/e", Use::Api),
        ("f.md", Use::Agent),
        ("g.png", Use::File),
        ("h.md", Use::Import),
        ("i.json", Use::File),
        ("j.txt", Use::File),
        ("k.png", Use::File),
        ("l.png", Use::File),
    ];
    assert_eq!(listed, expected);
    for reference in references(&document) {
        assert!(sources.slice(reference.span).contains(reference.target.as_ref()), "the place of {}", reference.target);
    }
}
