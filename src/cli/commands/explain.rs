//! `chatmd explain`: explains a rule.

use crate::diagnostic::Rule;
use crate::lint::{find_rule, nearest_rule, rules};

use crate::cli::args::ExplainArgs;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::output;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<ExitStatus> {
    let page = match &args.rule {
        Some(name) => find_rule(name).ok_or_else(|| unknown_rule(name))?.page.to_owned(),
        None => list(),
    };
    output::print(&page)?;
    Ok(ExitStatus::Success)
}

/// One line for each rule: its name, its severity, whether `check --fix` can fix it, and what it means.
fn list() -> String {
    let widest = rules().map(|rule| rule.name.len()).max().unwrap_or_default();
    let line = |rule: &Rule| {
        let fixable = if rule.is_fixable { "fixable" } else { "" };
        format!("{:widest$}  {:7}  {fixable:7}  {}\n", rule.name, rule.severity, rule.summary())
    };
    rules().map(line).collect()
}

/// The error for an unknown rule.
pub(crate) fn unknown_rule(name: &str) -> CliError {
    let help = match nearest_rule(name) {
        Some(rule) => format!("did you mean `{}`?", rule.name),
        None => "`chatmd explain` lists the rules".to_owned(),
    };
    CliError::new(ExitStatus::Usage, format!("unknown rule `{name}`")).with_help(help)
}
