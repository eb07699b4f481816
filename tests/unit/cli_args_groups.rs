//! Tests of `src/cli/args/groups.rs`.

use std::collections::BTreeSet;

use super::GROUPS;

#[test]
fn every_command_is_in_one_group() {
    let cli = crate::cli::args::command();
    let commands: BTreeSet<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    assert_eq!((listed.len(), listed.into_iter().collect()), (commands.len(), commands));
}
