//! `chatmd explain`: explains a rule.

use crate::diagnostic::Rule;
use crate::lint::{NotARule, find_rule, rules};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::output;

pub(crate) fn run(rule: Option<&str>) -> Result<ExitStatus> {
    let page = match rule {
        Some(name) => named(name)?.page.to_owned(),
        None => list(),
    };
    output::print(page)?;
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

/// The rule that an argument names.
pub(crate) fn named(name: &str) -> Result<&'static Rule> {
    find_rule(name).map_err(|why| {
        let help =
            if why == NotARule::Unknown { "`chatmd explain` lists the rules".to_owned() } else { why.to_string() };
        Failure::new(ExitStatus::Usage, format!("unknown rule `{name}`")).with_help(help)
    })
}
