//! How fast documents are read and written: `cargo bench`.
#![allow(missing_docs)]

use chatmd::internal::diagnostic::Diagnostics;
use chatmd::internal::document::{lower, print};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::parse;
use chatmd::internal::syntax::write::Whitespace;
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

/// What a turn's texts look like.
#[derive(Debug, Clone, Copy)]
enum Style {
    /// Sentences: nothing to protect.
    Prose,
    /// Source code and HTML in RAW blocks.
    Code,
    /// Tool outputs with images in base64.
    Images,
}

const STYLES: [Style; 3] = [Style::Prose, Style::Code, Style::Images];

/// A transcript of about `megabytes`.
fn transcript(style: Style, megabytes: usize) -> String {
    let filling = match style {
        Style::Prose => "The quick brown fox jumps over the lazy dog, 3 < 4 & 5 > 2.\n".repeat(20),
        Style::Code => {
            format!("RAW|\n{}|RAW", "if (a<b && c>d) { return Map<String, List<Int>>::new(); } // </div>\n".repeat(20))
        }
        Style::Images => format!("<img src=\"data:image/png;base64,{}\"/>", "iVBORw0KGgoAAAANSUhEUgAA".repeat(4000)),
    };
    let turn = format!(
        "<user>\n{}\n</user>\n\n<tool_call function_name=\"read\" tool_call_id=\"c\">\n{{\"path\": \"a\"}}\n</tool_call>\n\n\
         <tool_response tool_call_id=\"c\">\n{filling}\n</tool_response>\n\n<assistant id=\"m\">\nDone.\n</assistant>\n\n",
        if matches!(style, Style::Images) { "Look." } else { &filling }
    );
    turn.repeat((megabytes << 20) / turn.len())
}

#[divan::bench(args = STYLES)]
fn syntax(bencher: Bencher, style: Style) {
    let sources = Sources::new();
    let source = sources.add("bench.md", transcript(style, 8), None);
    bencher
        .counter(BytesCount::of_str(&sources.get(source).text))
        .bench_local(|| parse(&sources, source, &mut Diagnostics::new()));
}

#[divan::bench(args = STYLES)]
fn syntax_and_document(bencher: Bencher, style: Style) {
    let sources = Sources::new();
    let source = sources.add("bench.md", transcript(style, 8), None);
    bencher.counter(BytesCount::of_str(&sources.get(source).text)).bench_local(|| {
        let mut diagnostics = Diagnostics::new();
        lower(&parse(&sources, source, &mut diagnostics), Whitespace::Layout, &mut diagnostics)
    });
}

#[divan::bench(args = STYLES)]
fn writing(bencher: Bencher, style: Style) {
    let sources = Sources::new();
    let source = sources.add("bench.md", transcript(style, 8), None);
    let mut diagnostics = Diagnostics::new();
    let document = lower(&parse(&sources, source, &mut diagnostics), Whitespace::Layout, &mut diagnostics);
    bencher.counter(BytesCount::of_str(&sources.get(source).text)).bench_local(|| print(&document, Whitespace::Layout));
}
