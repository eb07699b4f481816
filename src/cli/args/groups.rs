//! The list of commands in `chatmd --help`, by what they are for.

use std::fmt::Write;

/// The commands by group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Convert", &["to-request", "from-response", "batch"]),
    ("Talk", &["new", "ask", "send", "calls", "answer", "cut"]),
    ("Read", &["show", "render", "stats", "locate"]),
    ("Check", &["check", "explain", "fmt", "media"]),
    ("More", &["parse", "completions", "man", "help"]),
];

/// The columns of a name, with the space before and after it.
const NAME_WIDTH: usize = 17;

/// The template of the help of the whole program.
pub(super) fn template(cli: &clap::Command) -> String {
    let (header, literal) = (cli.get_styles().get_header(), cli.get_styles().get_literal());
    let mut list = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(list, "{header}{title}:{header:#}");
        for command in names.iter().filter_map(|name| cli.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default());
            let gap = " ".repeat(NAME_WIDTH.saturating_sub(2 + name.len()));
            let _ = write!(list, "  {literal}{name}{literal:#}{gap}{about}");
            for alias in command.get_visible_aliases() {
                let _ = write!(list, " [alias: {alias}]");
            }
            list.push('\n');
        }
        list.push('\n');
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{before-help}}{list}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

#[cfg(test)]
#[path = "../../../tests/unit/cli_args_groups.rs"]
mod tests;
