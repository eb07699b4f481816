//! Finding rules by their names.

use crate::diagnostic::{Rule, rules};

/// Longer names are not compared.
const LONGEST: usize = 40;
/// How similar two names must be for one to be meant by the other.
const SIMILAR: f64 = 0.85;

/// The rule of this name.
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    let name = name.trim();
    rules().find(|rule| rule.name.eq_ignore_ascii_case(name))
}

/// The rule whose name is most like this one.
pub fn nearest_rule(name: &str) -> Option<&'static Rule> {
    if name.len() > LONGEST {
        return None;
    }
    let similarity = |rule: &Rule| strsim::jaro_winkler(rule.name, name);
    let nearest = rules().max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(nearest) > SIMILAR).then_some(nearest)
}
