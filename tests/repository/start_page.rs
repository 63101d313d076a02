//! docs/start.md does what it says, against the sandbox.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, SECRET_KEY, Sandbox};

use crate::built;

const ADDRESS: &str = "http://127.0.0.1:8080";

/// The blocks of the page: language and text.
fn blocks() -> Vec<(String, String)> {
    let page = fs::read_to_string(built::project().join("docs/start.md")).expect("the page");
    let blocks = page.split("\n```").skip(1).step_by(2);
    let parted = blocks.map(|block| block.split_once('\n').expect("a block has lines"));
    parted
        .map(|(language, text)| (language.to_owned(), text.to_owned()))
        .collect()
}

/// Whether a line is the promised one, in which `...` stands for any text.
fn is_line(line: &str, promised: &str) -> bool {
    let mut rest = Some(line);
    for (index, part) in promised.split("...").enumerate() {
        rest = rest.and_then(|rest| {
            let at = rest.find(part)?;
            (index > 0 || at == 0).then(|| &rest[at + part.len()..])
        });
    }
    rest.is_some_and(|rest| rest.is_empty() || promised.ends_with("..."))
}

#[test]
fn the_page_for_the_first_five_minutes_shows_what_its_commands_print() {
    let Some(python) = built::python("the page for the first five minutes") else {
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("start-page");
    fs::create_dir_all(&folder).expect("a folder for the page");
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let payorder = format!("payorder() {{ '{python}' -m payorder \"$@\"; }}\n");
    let mut shown = String::new();
    let mut compared = 0;
    // The first block installs the command and starts the sandbox.
    for (language, text) in blocks().into_iter().skip(1) {
        let text = text.replace(ADDRESS, &sandbox.base_url());
        if language == "text" {
            compared += 1;
            let (lines, promised) = (shown.lines(), text.lines());
            let is_right = lines.clone().count() == promised.clone().count()
                && lines.zip(promised).all(|(a, b)| is_line(a.trim_end(), b));
            assert!(is_right, "{shown}\nis not\n{text}");
            continue;
        }
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("{payorder}{{ {text}\n}} 2>&1"))
            .current_dir(&folder)
            .env("PAYORDER_LIBRARY", built::library())
            .env("PYTHONPATH", built::project().join("bindings/python"))
            .env("PAYORDER_BASE_URL", sandbox.base_url())
            .env("PAYORDER_ACCESS_TOKEN", ACCESS_TOKEN)
            .env("PAYORDER_CLIENT_KEY", CLIENT_KEY)
            .env("PAYORDER_CLIENT_ID", CLIENT_ID)
            .env("PAYORDER_SECRET_KEY", SECRET_KEY)
            .output()
            .expect("a shell runs");
        assert!(output.status.success(), "{}", built::transcript(&output));
        shown = String::from_utf8(output.stdout).expect("UTF-8");
        // The page says: press Pay.
        if text.contains("--order-id O-1 ") {
            let checkout_url = sandbox.orders().swap_remove(0).checkout_url;
            let pay = checkout_url.expect("a checkout URL") + "/pay";
            let browser = ureq::Agent::config_builder().max_redirects(0).proxy(None);
            let browser: ureq::Agent = browser.build().into();
            let pressed = browser.post(pay).send_empty().expect("a response");
            assert_eq!(pressed.status(), 303);
        }
    }
    assert_eq!(compared, 4, "the blocks that show what is printed");
    assert!(shown.starts_with("connection_closed\n"), "{shown}");
}
