//! The `chatmd` command.

fn main() -> std::process::ExitCode {
    chatmd::cli::main()
}
