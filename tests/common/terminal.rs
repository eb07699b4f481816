//! Commands that run on a terminal.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, ExitStatus};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The two sides of a terminal: that of the user, and that of the programs.
pub(crate) fn terminal() -> (File, File) {
    let user = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&user).unwrap();
    unlockpt(&user).unwrap();
    let name = ptsname(&user, Vec::new()).unwrap();
    let programs = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(user), programs)
}

/// Everything that is shown on a terminal until no program has it open.
pub(crate) fn read_all(mut user: File) -> String {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    // It ends with an error on Linux, and with no bytes elsewhere.
    while let Ok(length @ 1..) = user.read(&mut chunk) {
        bytes.extend_from_slice(&chunk[..length]);
    }
    String::from_utf8(bytes).unwrap()
}

/// Runs a command whose standard input, standard output and standard error are a terminal. Returns what the terminal shows.
pub(crate) fn run_on_terminal(mut command: Command) -> (ExitStatus, String) {
    let (user, programs) = terminal();
    let stream = || programs.try_clone().unwrap();
    command.env("TERM", "xterm").env_remove("NO_COLOR").stdin(stream()).stdout(stream()).stderr(stream());
    let mut child = command.spawn().unwrap();
    // The terminal is closed with the last of its files.
    drop((command, programs));
    let shown = read_all(user);
    (child.wait().unwrap(), shown)
}

/// A text without the sequences that colour it and move the cursor, and with plain line breaks.
pub(crate) fn without_escapes(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain += piece.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, text)| text);
    }
    plain.replace("\r\n", "\n")
}
