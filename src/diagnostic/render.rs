//! Diagnostics as text for people.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::excerpt::{are_together, excerpt};
use super::redact::{sanitize_about, sanitize_line};
use super::{Diagnostic, Diagnostics, Hint, Hints, Severity, thousands};
use crate::source::{Sources, Span};

/// How many errors and how many warnings are shown. The rest is counted.
const MAX_SHOWN: usize = 100;

/// Whether text has colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// ANSI escapes.
    Ansi,
    /// None.
    None,
}

/// The first diagnostics, each with its rule, its place and what to do, and how many more there are.
pub fn render(diagnostics: &Diagnostics, sources: &Sources, colors: Colors, hints: &dyn Hints) -> String {
    let mut out = String::new();
    let renderer = match colors {
        Colors::Ansi => Renderer::styled(),
        Colors::None => Renderer::plain(),
    };
    let (mut errors, mut warnings, mut more) = (0, 0, 0);
    for diagnostic in diagnostics {
        let count = if diagnostic.is_error() { &mut errors } else { &mut warnings };
        *count += 1;
        if *count > MAX_SHOWN {
            more += 1;
            continue;
        }
        let text = renderer.render(&[group(diagnostic, sources, hints)]);
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        out.push_str(&[title, &arrow(diagnostic, sources, colors), rest, "", ""].join("\n"));
    }
    if more > 0 {
        let words = hints.words(Hint::ListProblems).map_or(String::new(), |words| format!(": {words}"));
        let note = Level::NOTE.secondary_title(format!("and {} more problems{words}", thousands(more)));
        out.push_str(&renderer.render(&[Group::with_title(note)]));
        out.push_str("\n\n");
    }
    out
}

fn group<'a>(diagnostic: &Diagnostic, sources: &'a Sources, hints: &dyn Hints) -> Group<'a> {
    let message = diagnostic.message();
    let rule = diagnostic.rule();
    let level = match rule.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let safe = |text: &str| sanitize_about(text, diagnostic.span, sources);
    let help = safe(&message.help_with(hints));
    let mut marks = vec![(diagnostic.span, safe(&message.label), AnnotationKind::Primary)];
    if let Some((span, label)) = &message.related {
        marks.push((*span, label.clone(), AnnotationKind::Context));
    }
    // Only a message of an API has several lines.
    let (title, more) = message.title.split_once('\n').unwrap_or((&message.title, ""));
    let more = more.lines().map(|line| safe(line.trim_start())).collect::<Vec<_>>().join("\n");
    let more = (!more.is_empty()).then(|| Level::NOTE.message(more));
    let title = level.primary_title(safe(title)).id(rule.name);
    let mut group = title.elements([] as [annotate_snippets::Message<'a>; 0]);
    if has_no_excerpt(diagnostic.span, sources) {
        let related = message.related.as_ref();
        let notes = related.map(|(span, label)| Level::NOTE.message(format!("{}: {label}", place(*span, sources))));
        return group.elements(more).elements(notes).element(Level::HELP.message(help));
    }
    while let Some((first, ..)) = marks.first() {
        let (first, source) = (*first, first.source);
        let elsewhere_name = (first != diagnostic.span).then(|| sources.get(source).name.as_str());
        let is_here = |span: Span| are_together(sources.get(source), first, span);
        let (here, elsewhere): (Vec<_>, Vec<_>) = marks.into_iter().partition(|(span, ..)| is_here(*span));
        let lines = excerpt(sources.get(source), &here.iter().map(|(span, ..)| *span).collect::<Vec<_>>());
        let snippet = Snippet::source(lines.text).line_start(lines.first_line).path(elsewhere_name);
        let annotations =
            here.into_iter().zip(lines.spans).map(|((_, label, kind), range)| kind.span(range).label(label));
        group = group.element(snippet.annotations(annotations));
        marks = elsewhere;
    }
    for import in sources.import_chain(diagnostic.span.source) {
        let (line, column) = sources.line_column(import);
        let importer = sources.get(import.source);
        // The prompt of an agent is not a part of the document.
        let is_agent = importer.text[import.range()].starts_with("<agent");
        let how = if is_agent { "used by `<agent>` at" } else { "imported at" };
        group = group.element(Level::NOTE.message(format!("{how} {}:{line}:{column}", importer.name)));
    }
    group.elements(more).element(Level::HELP.message(help))
}

/// `--> chat.md:41:3`. The renderer would count the column in the excerpt, which may be shortened.
fn arrow(diagnostic: &Diagnostic, sources: &Sources, colors: Colors) -> String {
    let related = diagnostic.message().related.as_ref().map(|(span, _)| *span);
    let line = |span: Span| sources.line_column(span).0;
    let last = related.map_or(0, line).max(line(diagnostic.span));
    let indent = if has_no_excerpt(diagnostic.span, sources) { 1 } else { last.to_string().len() };
    let place = place(diagnostic.span, sources);
    match (colors, DEFAULT_LINE_NUM_STYLE) {
        (Colors::Ansi, style) => format!("{:indent$}{style}-->{style:#} {place}", ""),
        (Colors::None, _) => format!("{:indent$}--> {place}", ""),
    }
}

/// Whether the text at a span is not shown: JSON is often one long line, and the reader does not have a text that was made
/// from another one.
fn has_no_excerpt(span: Span, sources: &Sources) -> bool {
    sources.path_of(span).is_some() || sources.is_made(span.source)
}

/// `chat.md:41:3`, or in JSON `request.json:12:7: input[3]`.
pub(super) fn place(span: Span, sources: &Sources) -> String {
    let name = &sources.get(span.source).name;
    let (line, column) = sources.line_column(span);
    match sources.path_of(span) {
        Some("") | None => format!("{name}:{line}:{column}"),
        Some(path) => format!("{name}:{line}:{column}: {}", sanitize_line(path)),
    }
}
