//! The events that the log callback received.

use super::abi::{Client, set_log};
use serde_json::Value;
use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use std::sync::{LazyLock, Mutex};

/// What a callback does in addition to recording, inside the call.
type React = Box<dyn Fn(&Value) + Send + Sync>;

/// A place for log events. It is leaked on purpose: a call may outlive the test's scope.
pub struct Log {
    texts: Mutex<Vec<String>>,
    react: Option<React>,
}

unsafe extern "C" fn record(event: *const c_char, log: *mut c_void) {
    // SAFETY: `log` is the leaked `Log` below; `event` is a string for the time of the call.
    let (log, event) = unsafe { (&*log.cast::<Log>(), CStr::from_ptr(event)) };
    let text = event.to_str().expect("an event is UTF-8").to_owned();
    let value = serde_json::from_str(&text).unwrap_or(Value::Null);
    if let Err(problem) = check_keys(&value) {
        // A panic here aborts the process, and the captured output with it.
        let _ = writeln!(std::io::stderr(), "{problem}: {text}");
        panic!("{problem}");
    }
    log.texts.lock().unwrap().push(text);
    if let Some(react) = &log.react {
        react(&value);
    }
}

/// Checks that an event has all its required keys, and only keys that include/payorder-abi.json
/// lists.
fn check_keys(event: &Value) -> Result<(), String> {
    static EVENTS: LazyLock<Value> = LazyLock::new(|| {
        let text = include_str!("../../../include/payorder-abi.json");
        let mut description: Value = serde_json::from_str(text).expect("a description");
        description["events"].take()
    });
    let mut events = EVENTS.as_array().expect("events").iter();
    let described = events
        .find(|described| described["name"] == event["event"])
        .ok_or("an event that is not described")?;
    let keys = described["keys"].as_array().expect("keys");
    for key in event.as_object().expect("an object").keys() {
        if !keys.iter().any(|known| known["key"] == key.as_str()) {
            return Err(format!("{key} is not described"));
        }
    }
    for key in keys.iter().filter(|key| key["always"] == true) {
        let name = key["key"].as_str().expect("a name");
        event.get(name).ok_or(format!("{name} is missing"))?;
    }
    Ok(())
}

impl Log {
    #[track_caller]
    pub fn of(client: &Client) -> &'static Log {
        Log::start(client, None)
    }

    /// A log whose callback also does `react`, inside the call.
    #[track_caller]
    pub fn reacting(
        client: &Client,
        react: impl Fn(&Value) + Send + Sync + 'static,
    ) -> &'static Log {
        Log::start(client, Some(Box::new(react)))
    }

    #[track_caller]
    fn start(client: &Client, react: Option<React>) -> &'static Log {
        let log: &'static Log = Box::leak(Box::new(Log {
            texts: Mutex::default(),
            react,
        }));
        let user_data = std::ptr::from_ref(log).cast_mut().cast();
        // SAFETY: the callback and the log live as long as the process.
        assert_eq!(unsafe { set_log(client.key(), Some(record), user_data) }, 0);
        log
    }

    pub fn texts(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }

    pub fn events(&self) -> Vec<Value> {
        let texts = self.texts();
        texts
            .iter()
            .map(|text| serde_json::from_str(text).expect("an event is JSON"))
            .collect()
    }

    /// The `event` of each event.
    pub fn names(&self) -> Vec<String> {
        let events = self.events();
        events
            .iter()
            .map(|event| event["event"].as_str().expect("a text").to_owned())
            .collect()
    }
}

pub fn unset_log(key: usize) -> i32 {
    // SAFETY: no callback and no data.
    unsafe { set_log(key, None, std::ptr::null_mut()) }
}
