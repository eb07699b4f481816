//! Completions and the manual page list every command and option.

use std::path::Path;

use crate::run::chatmd;

fn printed(arguments: &[&str]) -> String {
    let ran = chatmd(Path::new("."), arguments, &[], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

/// The commands of the program, as its help lists them.
pub(crate) fn commands() -> Vec<String> {
    let help = printed(&["-h"]);
    let (list, _) = help.split_once("\nOptions:\n").unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let commands: Vec<String> = names.map(str::to_owned).collect();
    assert!(commands.iter().any(|command| command == "to-request"), "{help}");
    commands
}

/// The commands and long options of the program, as its help lists them.
fn words() -> Vec<String> {
    let commands = commands();
    let options = commands.iter().flat_map(|command| {
        let help = printed(&[command, "-h"]);
        let words: Vec<String> = help
            .split_whitespace()
            .filter(|word| word.starts_with("--"))
            .map(|word| word.trim_matches(['[', ']', ',', '`']).split(['=', '[']).next().unwrap().to_owned())
            .collect();
        words
    });
    let mut words: Vec<String> = commands.iter().cloned().chain(options).collect();
    words.sort();
    words.dedup();
    assert!(words.len() > 20, "{words:?}");
    words
}

#[test]
fn completions_list_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in words() {
            assert!(script.contains(word.trim_start_matches("--")), "{shell} does not list {word}");
        }
    }
}

#[test]
fn manual_page_lists_every_command_and_option() {
    let page = printed(&["man"]).replace('\\', "");
    assert!(page.starts_with(".ie"), "{}", &page[..40]);
    for word in words() {
        assert!(page.contains(&word) || page.contains(&word.to_uppercase()), "no {word} in the manual page");
    }
}

#[test]
fn completions_list_every_rule() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for rule in chatmd::internal::lint::rules() {
            assert!(script.contains(rule.name), "{shell} does not complete {}", rule.name);
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let ran = crate::run::chatmd(directory.path(), &["man", "--dir", "share/man"], &[], "");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
    let page = |name: &str| {
        std::fs::read_to_string(directory.path().join("share/man/man1").join(name)).unwrap().replace("\\-", "-")
    };
    for command in commands() {
        let page = page(&format!("chatmd-{command}.1"));
        assert!(page.contains(".SH NAME\n") && page.contains(".SH \"EXIT STATUS\"\n"), "{page}");
        assert!(page.contains("\\fB130\\fR\nended by Ctrl-C\n"), "{page}");
        for text in [".SH EXAMPLES\n", ".SH \"ENVIRONMENT\"\n", "NO_COLOR", "\\fBchatmd-language\\fR(7)"] {
            assert!(page.contains(text), "no {text} in {page}");
        }
    }
    let send = page("chatmd-send.1");
    for text in ["chatmd-send", ".SH EXAMPLES\n", "  chatmd send --dry-run chat.md\n", "OPENAI_API_KEY", "DOC.reply.md"]
    {
        assert!(send.contains(text), "no {text} in {send}");
    }
    assert!(page("chatmd-ask.1").contains("OPENAI_API_KEY") && !page("chatmd-fmt.1").contains("OPENAI_API_KEY"));
    for (name, file) in [
        ("chatmd-answer.1", ".chatmd-XXXXXX.tmp"),
        ("chatmd-from-response.1", "DOC.reply.md"),
        ("chatmd-show.1", "Files that a document names"),
        ("chatmd-batch-requests.1", "Files that a document names"),
    ] {
        let page = page(name);
        let (_, files) = page.split_once(".SH \"FILES\"\n").unwrap_or_else(|| panic!("{name} has no FILES"));
        assert!(files.contains(file), "{name}: {files}");
    }
    assert!(page("chatmd-batch-results.1").contains("batch"));
    assert!(page("chatmd.1").contains("CHATMD_PAGER"));
}

#[test]
fn language_reference_is_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    chatmd(directory.path(), &["man", "--dir", "."], &[], "");
    let page = std::fs::read_to_string(directory.path().join("man7/chatmd-language.7")).unwrap();
    for text in [
        ".TH CHATMD\\-LANGUAGE 7",
        ".SH \"ELEMENTS\"\n",
        ".SS \"The vocabulary\"\n",
        "\n<user>Hello.</user>\n.fi\n",
        ".SH \"WHAT COMES BACK FROM THE API\"\n",
    ] {
        assert!(page.contains(text), "no {text}");
    }
    // Every line that starts with a dot is a macro that is known here.
    let macros = [".TH", ".SH", ".SS", ".PP", ".IP", ".TP", ".RS", ".RE", ".nf", ".fi"];
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        assert!(macros.iter().any(|known| line.split(' ').next() == Some(known)), "{line}");
    }
}
