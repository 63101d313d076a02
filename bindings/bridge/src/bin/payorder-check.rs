//! Does everything work on this machine? One line for each step of `payorder_check`.

use std::process::ExitCode;

use payorder_core::{CheckOptions, CheckStep, Checked, Client, Code, Error};

const HELP: &str = "\
usage: payorder-check [--json]

Looks at one thing after the other: the proxy, the name of the service's host, its addresses, TLS, the
clock, the service, the credentials, and the journal. It asks the service for one status, and creates
no order.

  --json     print the result as one JSON object
  --version  print the version

The settings are those of the environment: PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN,
PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY, PAYORDER_JOURNAL, PAYORDER_CA_FILE, and
PAYORDER_CONFIG, the path of a file with all settings as a JSON object.

Exit status: 0 everything works, 2 wrong arguments or settings, 3 something does not work, which may be
the file or the disk that the output goes to.
";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(|one| one.to_string_lossy()).collect();
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    match arguments[..] {
        [] => check(|checked| checked.steps.iter().map(line).collect()),
        ["--json"] => check(|checked| checked.to_json() + "\n"),
        ["--help" | "-h"] => print(HELP.to_owned(), ExitCode::SUCCESS),
        ["--version"] => print(
            format!("payorder-check {}\n", env!("CARGO_PKG_VERSION")),
            ExitCode::SUCCESS,
        ),
        _ => {
            // Not repeated in the message: it may be a credential.
            eprint!("payorder-check: unknown argument\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn check(shown: impl FnOnce(&Checked) -> String) -> ExitCode {
    let checked = Client::from_env(None).and_then(|client| client.check(&CheckOptions::default()));
    match checked {
        Ok(checked) => print(
            shown(&checked),
            ExitCode::from(if checked.ok { 0 } else { 3 }),
        ),
        Err(error) => not_checked(&error),
    }
}

fn not_checked(error: &Error) -> ExitCode {
    eprintln!("payorder-check: {error} ({})", error.action());
    ExitCode::from(match error.code() {
        Code::InvalidArgument | Code::InvalidConfig | Code::MissingCredentials => 2,
        _ => 3,
    })
}

fn line(step: &CheckStep) -> String {
    let CheckStep {
        step: name,
        message,
        elapsed,
        ..
    } = step;
    let why = match (step.cause, step.action) {
        (Some(cause), Some(action)) => format!(" ({cause}; {action})"),
        _ => String::new(),
    };
    let result = if step.ok { "ok" } else { "failed" };
    format!(
        "{result:<8} {name:<12} {message}{why} [{} ms]\n",
        elapsed.as_millis()
    )
}

/// If nobody reads the output, the status still says the result.
fn print(text: String, status: ExitCode) -> ExitCode {
    use std::io::{ErrorKind, Write};
    let mut output = std::io::stdout();
    let written = output.write_all(text.as_bytes());
    match written.and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("payorder-check: the output could not be written: {error}");
            ExitCode::from(3)
        }
        _ => status,
    }
}
