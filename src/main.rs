//! The server and its tools.

fn main() -> std::process::ExitCode {
    sidedeck::cli::main()
}
