//! The client's configuration, from a file and the environment. It is never an argument, because
//! other users of a machine can read arguments.

use std::ffi::OsStr;
use std::path::Path;
use std::{env, fs};

use crate::library::{self, Reply};

/// As for the command `payorder` of the Python package.
const VARIABLES: [(&str, &str); 6] = [
    ("baseUrl", "PAYORDER_BASE_URL"),
    ("accessToken", "PAYORDER_ACCESS_TOKEN"),
    ("clientKey", "PAYORDER_CLIENT_KEY"),
    ("clientId", "PAYORDER_CLIENT_ID"),
    ("secretKey", "PAYORDER_SECRET_KEY"),
    ("journal", "PAYORDER_JOURNAL"),
];

/// The configuration as JSON. The environment overrides the file. `Err` has a message.
pub fn read(file: Option<&OsStr>, folder: Option<&Path>) -> Result<String, String> {
    let from_environment = env::var_os("PAYORDER_CONFIG").filter(|path| !path.is_empty());
    let mut config = match file.map(OsStr::to_owned).or(from_environment) {
        Some(path) => text_of(Path::new(&path))?,
        None => "{}".to_owned(),
    };
    for (key, variable) in VARIABLES {
        match env::var(variable) {
            Ok(value) if !value.is_empty() => config = with(&config, key, &value)?,
            Ok(_) | Err(env::VarError::NotPresent) => {}
            Err(env::VarError::NotUnicode(_)) => return Err(format!("{variable} is not UTF-8")),
        }
    }
    if let Some(folder) = folder
        && !library::json_has(&config, "/journal")
    {
        let path = folder.join("orders.db");
        let path = path.to_str().ok_or("the folder's path is not UTF-8")?;
        config = with(&config, "journal", path)?;
    }
    Ok(config)
}

fn with(config: &str, key: &str, value: &str) -> Result<String, String> {
    let reply = library::json_with_text(config, &format!("/{key}"), value);
    if reply.result == 0 {
        Ok(reply.json)
    } else {
        Err(format!("the settings file: {}", message_of(&reply)))
    }
}

/// The message of an error object.
pub fn message_of(reply: &Reply) -> String {
    let object: serde_json::Value = serde_json::from_str(&reply.json).unwrap_or_default();
    let message = object["error"]["message"].as_str();
    message.unwrap_or("no message").to_owned()
}

fn text_of(path: &Path) -> Result<String, String> {
    let name = path.display();
    let unreadable = |error| format!("the settings file {name} cannot be read: {error}");
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let secret = ["accessToken", "clientKey", "clientId", "secretKey"]
        .iter()
        .any(|key| library::json_has(text, &format!("/{key}")));
    if secret && others_can_read(path).map_err(unreadable)? {
        return Err(format!(
            "the settings file {name} contains credentials that others can read: chmod 600 {name}"
        ));
    }
    Ok(text.to_owned())
}

#[cfg(unix)]
fn others_can_read(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

/// On Windows the folder decides who may read a file.
#[cfg(not(unix))]
fn others_can_read(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}
