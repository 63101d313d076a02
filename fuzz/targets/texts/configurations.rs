//! Configurations, and the files that they name.

use crate::{PLANTED, Texts, text};
use payorder::{payorder_client_free, payorder_client_from_env, payorder_client_new};
use payorder_fuzz::client::{self, handle};
use payorder_fuzz::reply::{Reply, c, entries, lenient_text};
use serde_json::Value;
use std::borrow::Cow;
use std::ffi::CStr;
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Whether a configuration names a file by a path. The files of this machine are not part of the
/// input, and some of them are endless.
fn names_a_file(text: &CStr) -> bool {
    let config = text.to_str().ok().and_then(entries).unwrap_or_default();
    let tls = config
        .get("tls")
        .and_then(|tls| entries(tls.get()))
        .unwrap_or_default();
    ["caFile", "certFile", "keyFile"].iter().any(|key| {
        lenient_text(tls.get(*key).map(AsRef::as_ref)).is_none_or(|path| path.contains('/'))
    })
}

/// Any configuration. A client that could be created is freed.
fn check_config(text: &CStr) {
    if names_a_file(text) {
        return;
    }
    try_config(text);
}

fn try_config(text: &CStr) {
    try_client(client::new(payorder_client_new, text));
    // The environment adds nothing.
    try_client(client::new(payorder_client_from_env, text));
}

fn try_client(made: Result<usize, Reply>) {
    match made {
        Ok(key) => {
            assert_eq!(payorder_client_free(handle(key)), 0);
            assert_eq!(
                payorder_client_free(handle(key)),
                2,
                "a freed client was freed again"
            );
        }
        Err(reply) => {
            reply.is_one_of(&[1, 3]);
            reply.keeps_secret(&[PLANTED]);
        }
    }
}

pub fn config(texts: &Texts<'_>) {
    check_config(&text(texts, 0).unwrap_or_default());
}

/// The three files that a configuration can name, with any content: authorities, certificate, and a
/// key with the secret in front of it.
pub fn files(texts: &Texts<'_>) {
    static FILES: LazyLock<Mutex<[File; 3]>> =
        LazyLock::new(|| Mutex::new(["authorities", "certificate", "key"].map(nameless_file)));
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let planted = format!("{PLANTED}\n");
    for (index, (file, before)) in files.iter_mut().zip(["", "", &planted]).enumerate() {
        let content = texts.get(index).copied().unwrap_or_default();
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(&[before.as_bytes(), content].concat()))
            .expect("a file is written");
    }
    let [authorities, certificate, key] = files
        .each_ref()
        .map(|file| format!("/proc/self/fd/{}", file.as_raw_fd()));
    let identity = if texts.len() > 1 {
        format!(r#","certFile":"{certificate}","keyFile":"{key}""#)
    } else {
        String::new()
    };
    try_config(&c(format!(
        r#"{{"baseUrl":"https://pay.example.com","proxy":"none",
            "tls":{{"caFile":"{authorities}"{identity}}}}}"#
    )));
}

/// A file without a name, which is removed with the process.
fn nameless_file(content: &str) -> File {
    let path = std::env::temp_dir().join(format!("payorder-fuzz-{}-{content}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .expect("a file");
    std::fs::remove_file(path).expect("the name can be removed");
    file
}

/// The same text next to each secret of a configuration.
pub fn config_with_planted(texts: &Texts<'_>) {
    let Some(bytes) = texts.first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let quoted = |text: Cow<'_, str>| Value::from(text).to_string();
    let keys = ["accessToken", "clientKey", "clientId", "secretKey"];
    for key in keys {
        // Complete, with something after it, and before text that is not JSON.
        check_config(&c(format!(
            "{{\"{key}\":\"{PLANTED}\",\"baseUrl\":{}}}",
            quoted(text.clone())
        )));
        check_config(&c(format!(
            "{{\"{key}\":{},\"baseUrl\":\"https://pay.example.com\"}}",
            quoted(format!("{PLANTED}{text}").into())
        )));
        check_config(&c(format!("{{\"{key}\":\"{PLANTED}\",{text}").into_bytes()));
    }
    for (key, before) in [
        ("baseUrl", ""),
        ("proxy", "\"baseUrl\":\"https://pay.example.com\","),
    ] {
        for scheme in ["http", "https", ""] {
            let address = quoted(format!("{scheme}://till:{PLANTED}@{text}").into());
            check_config(&c(format!("{{{before}\"{key}\":{address}}}")));
        }
    }
}
