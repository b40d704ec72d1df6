//! The command `nisi`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nisi::cli::run()
}
