//! `chatmd locate`: shows which line of a document a part of its request comes from.

use crate::convert::named_part;
use crate::diagnostic::{Colors, sanitize_line, sanitize_lines, sanitize_short};
use crate::{ApiError, Reply};

use crate::cli::args::LocateArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::hints::Flags;
use crate::cli::input;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::paths::shown;
use crate::cli::reply::ReplySettings;
use crate::cli::report::{self, message, readable, report, warning};

/// The maximum length of the line that is shown.
const MAX_LINE_CHARS: usize = 400;
/// How much of an id is shown.
const MAX_ID_CHARS: usize = 100;

pub(crate) fn run(args: &LocateArgs) -> Result<ExitStatus> {
    input::require_file(&args.file, "`locate`")?;
    let located = args.read.with(input::read_file(&args.file)?, |converter, document| {
        readable(converter.locate(document, &args.shape.options(), &args.path))
    })?;
    let help = match &located {
        Some(location) if location.is_whole => None,
        Some(location) => {
            let [existing, value] = [&location.existing, &location.value].map(|text| sanitize_short(text, 200));
            Some(if existing.is_empty() {
                format!("the request is {value}")
            } else {
                format!("`{existing}` is {value}")
            })
        }
        None => Some("write a path such as `input[3].content[0].text`; indices start at 0".to_owned()),
    };
    let (Some(location), None) = (located, &help) else {
        let message = format!("the request of {} has no `{}`", shown(&args.file), sanitize_short(&args.path, 100));
        return Err(Failure { help, ..Failure::new(ExitStatus::Malformed, message) });
    };
    let place = location.place;
    let shown: String = sanitize_line(&location.line_text).chars().take(MAX_LINE_CHARS).collect();
    output::print(format!("{}:{}:{}\n{shown}\n", place.file, place.line, place.column))?;
    Ok(ExitStatus::Success)
}

/// Shows an API error at the line of the document that caused it. Returns false if that line is not known.
pub(crate) fn show_api_error(error: &ApiError, settings: &ReplySettings<'_>) -> bool {
    let named: Vec<&str> = steps(named_part(error).unwrap_or_default()).collect();
    let is_under = |path: &str| steps(path).enumerate().all(|(index, step)| named.get(index) == Some(&step));
    if let Some((path, origin)) = settings.origins.iter().find(|(path, _)| is_under(path)) {
        return show_with_origin(error, path, origin);
    }
    let Some(document) = settings.request_of else { return false };
    let located = input::read_file(document).and_then(|document| {
        settings.read.with(document, |converter, document| {
            Ok::<_, Failure>(converter.locate_error(document, &settings.shape.options(), error))
        })
    });
    let is_shown = match located {
        // The caller returns the exit code for an API error.
        Ok(located) => located.is_some_and(|located| report(&located).is_err()),
        // Not an error: the API's error is more important and is shown next.
        Err(failure) => {
            if !failure.message().is_empty() {
                warning(&failure.message());
            }
            false
        }
    };
    let default_model = default_model().filter(|_| !is_shown && named == ["model"]);
    is_shown || default_model.is_some_and(|(_, origin)| show_with_origin(error, "model", origin))
}

/// Shows an API error about a field that the document does not set, and returns true.
fn show_with_origin(error: &ApiError, path: &str, origin: &str) -> bool {
    report::error(&sanitize_lines(&error.to_string()));
    report::help(&format!("`{}` comes from {origin}", sanitize_short(path, 100)));
    true
}

/// The steps of `tools[0].name` or `tools.0.name`.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[', ']']).filter(|step| !step.is_empty())
}

/// Warns of reasoning that the API did not use, at its line in the document of the request.
pub(crate) fn show_unused_reasoning(reply: &Reply, settings: &ReplySettings<'_>) {
    let unused = &reply.unused_reasoning;
    let located = settings.request_of.filter(|_| !unused.is_empty()).and_then(|path| {
        let document = input::read_file(path).ok()?;
        settings.read.with(document, |converter, document| converter.locate_unused(document, unused)).ok()
    });
    let missing = match located {
        Some(located) => {
            // The reply is kept, also with `--strict`.
            message(&located.warnings.render(Colors::Ansi, &Flags));
            located.value
        }
        None => unused.iter().collect(),
    };
    for one in missing {
        let (id, why) = (sanitize_short(&one.id, MAX_ID_CHARS), sanitize_short(&one.why, MAX_LINE_CHARS));
        warning(&format!("the API did not use the reasoning `{id}`: {why}"));
    }
}
