//! Settings from the environment, from a file and from the program, for programs in every language.

use std::borrow::Cow;
use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;

use zeroize::Zeroizing;

use crate::error::{Cause, Code, Error};
use crate::limits::LONGEST_REQUEST;
use crate::platform::{describe_error, is_open_to_others};
use crate::settings::list::{config, tls};
use crate::settings::problems::Problems;
use crate::settings::validation::Settings;
use crate::text::json::{self, Members, Value};

/// The variable that names the file.
const FILE: &str = "PAYORDER_CONFIG";

/// The variables, and the key of the configuration that each sets.
const VARIABLES: [(&str, &str); 7] = [
    ("PAYORDER_BASE_URL", config::BASE_URL.key),
    ("PAYORDER_ACCESS_TOKEN", config::ACCESS_TOKEN.key),
    ("PAYORDER_CLIENT_KEY", config::CLIENT_KEY.key),
    ("PAYORDER_CLIENT_ID", config::CLIENT_ID.key),
    ("PAYORDER_SECRET_KEY", config::SECRET_KEY.key),
    ("PAYORDER_JOURNAL", config::JOURNAL.key),
    ("PAYORDER_CA_FILE", tls::CA_FILE.key),
];

impl Settings {
    /// Reads the file and the variables. What is given wins over the variables, and they win
    /// over the file, which is `file` or the one that a variable names.
    pub(crate) fn from_env(file: Option<&OsStr>, given: Option<&str>) -> Result<Settings, Error> {
        let given = given.map(|text| json::read_object(text, "the configuration"));
        let given = given.transpose()?.unwrap_or_default();
        let path = variable(FILE, file.map(OsStr::to_owned).or_else(|| var_os(FILE)))?;
        let text = path.as_ref().map(|path| read_file(path)).transpose()?;
        let mut values = Vec::new();
        for (name, key) in VARIABLES {
            if let Some(value) = variable(name, var_os(name))? {
                values.push((name, key, value));
            }
        }
        let mut problems = Problems::default();
        let base_url = config::BASE_URL.key;
        problems.call(
            base_url,
            format!("PAYORDER_BASE_URL (or the key {base_url})"),
        );
        let mut all = Members::new();
        if let (Some(path), Some(text)) = (&path, &text) {
            // Some Windows programs write a byte order mark before the first character.
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let entries = json::read_object(text, "the file")
                .map_err(|error| unusable(path, &error.to_string()))?;
            let place = |key: &str| Some(format!("{key} in {}", path.as_str()));
            add(&mut all, entries, "", &place, &mut problems);
        }
        for (name, key, value) in &values {
            let value = Value::Text(Cow::Borrowed(value.as_str()));
            let entry = match key.split_once('.') {
                Some((whole, part)) => (whole.into(), Value::Object(vec![(part.into(), value)])),
                None => (Cow::Borrowed(*key), value),
            };
            let place = |_: &str| Some((*name).to_owned());
            add(&mut all, vec![entry], "", &place, &mut problems);
        }
        add(&mut all, given, "", &|_| None, &mut problems);
        Settings::from_entries(all, problems)
    }
}

/// Adds entries, which replace those of the same name. `place` names a key in messages, if not by
/// the key alone.
fn add<'a>(
    all: &mut Members<'a>,
    entries: Members<'a>,
    prefix: &str,
    place: &dyn Fn(&str) -> Option<String>,
    problems: &mut Problems,
) {
    // HTTP treats the names of headers as equal in any case.
    if prefix.strip_suffix('.') == Some(config::HEADERS.key) {
        let is_new = |name: &str| {
            entries
                .iter()
                .any(|(new, _)| new.eq_ignore_ascii_case(name))
        };
        all.retain(|(known, _)| !is_new(known));
    }
    for (key, value) in entries {
        let full = format!("{prefix}{key}");
        problems.call(&full, place(&full).unwrap_or_else(|| full.clone()));
        let before = all.iter_mut().find(|(known, _)| *known == key);
        match (before, value) {
            (Some((_, Value::Object(parts))), Value::Object(newer)) => {
                add(parts, newer, &format!("{full}."), place, problems);
            }
            (Some((_, before)), value) => *before = value,
            (None, Value::Object(newer)) => {
                let mut parts = Members::new();
                add(&mut parts, newer, &format!("{full}."), place, problems);
                all.push((key, Value::Object(parts)));
            }
            (None, value) => all.push((key, value)),
        }
    }
}

/// The value of a variable. An empty one counts as absent.
fn variable(name: &str, value: Option<OsString>) -> Result<Option<Zeroizing<String>>, Error> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match value.into_string() {
        Ok(value) => Ok(Some(Zeroizing::new(value))),
        Err(_) => Err(invalid(
            Cause::InvalidValue,
            &format!("{name} is not UTF-8"),
        )),
    }
}

/// Reads a file that may contain credentials.
fn read_file(path: &str) -> Result<Zeroizing<String>, Error> {
    let failed = |error: std::io::Error| {
        let problem = describe_error(&error);
        unusable(path, &format!("it cannot be read: {problem}"))
    };
    // Opening a pipe may block.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(unusable(path, "it is not a file"));
    }
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if is_open_to_others(&about) {
        let problem = "users other than its owner may read or write it, and it may contain \
                       credentials: allow only its owner (chmod 600); if that is root, a program of \
                       another user may read it through its group (chmod 640)";
        return Err(unusable(path, problem));
    }
    let mut text = Zeroizing::new(String::new());
    // A longer text is refused when it is read as JSON.
    file.take(LONGEST_REQUEST as u64 + 1)
        .read_to_string(&mut text)
        .map_err(failed)?;
    Ok(text)
}

fn unusable(path: &str, problem: &str) -> Error {
    let problem = format!("{FILE} names {path}, which cannot be used: {problem}");
    invalid(Cause::UnreadableFile, &problem)
}

fn invalid(cause: Cause, problem: &str) -> Error {
    let message = format!("the configuration cannot be used: {problem}");
    Error::new(Code::InvalidConfig, cause, message)
}
