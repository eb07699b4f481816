//! Problems as people see them.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Message, Renderer, Snippet};

use super::excerpt::{are_together, excerpt};
use super::sanitize::sanitize_line;
use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};

/// How many problems are shown; the rest is counted.
const SHOWN: usize = 100;

/// Whether a picture has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// ANSI escapes.
    Ansi,
    /// None.
    None,
}

/// Every problem with its code, its place and what to do.
pub fn render(diagnostics: &Diagnostics, sources: &Sources, colors: Colors) -> String {
    let mut out = String::new();
    let renderer = match colors {
        Colors::Ansi => Renderer::styled(),
        Colors::None => Renderer::plain(),
    };
    for diagnostic in diagnostics.iter().take(SHOWN) {
        let picture = renderer.render(&[picture(diagnostic, sources)]);
        let (title, rest) = picture.split_once('\n').unwrap_or((&picture, ""));
        out.push_str(&[title, &place(diagnostic, sources, colors), rest, "", ""].join("\n"));
    }
    let more = diagnostics.iter().count().saturating_sub(SHOWN);
    if more > 0 {
        let note = Level::NOTE.secondary_title(format!("and {more} more problems"));
        out.push_str(&renderer.render(&[Group::with_title(note)]));
        out.push_str("\n\n");
    }
    out
}

fn picture<'a>(diagnostic: &Diagnostic, sources: &'a Sources) -> Group<'a> {
    let message = diagnostic.problem.message();
    let level = match diagnostic.problem.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut marks = vec![(diagnostic.span, message.label, AnnotationKind::Primary)];
    if let Some((span, label)) = message.related {
        marks.push((span, label, AnnotationKind::Context));
    }
    let mut group = level.primary_title(sanitize_line(&message.title)).id(message.code).elements([] as [Message; 0]);
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
        group = group
            .element(Level::NOTE.message(format!("imported at {}:{line}:{column}", sources.get(import.source).name)));
    }
    match message.help {
        Some(help) => group.element(Level::HELP.message(sanitize_line(&help))),
        None => group,
    }
}

/// `--> chat.md:41:3`. The renderer would count the column in the excerpt, which may leave things out.
fn place(diagnostic: &Diagnostic, sources: &Sources, colors: Colors) -> String {
    let (line, column) = sources.line_column(diagnostic.span);
    let related = diagnostic.problem.message().related;
    let last = related.map_or(line, |(span, _)| line.max(sources.line_column(span).0));
    let indent = last.to_string().len();
    let name = &sources.get(diagnostic.span.source).name;
    match (colors, DEFAULT_LINE_NUM_STYLE) {
        (Colors::Ansi, style) => format!("{:indent$}{style}-->{style:#} {name}:{line}:{column}", ""),
        (Colors::None, _) => format!("{:indent$}--> {name}:{line}:{column}", ""),
    }
}
