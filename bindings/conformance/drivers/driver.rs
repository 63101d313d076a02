//! The Rust driver of the conformance suite: see ../README.md.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use payorder_core::{
    CallOptions, CancellationToken, CheckOptions, Checkout, Client, Credentials, Error, Expected,
    JsonOptions, ListOptions, Order, PruneOptions, RecoverOptions, SettleOptions, Started, Status,
    StatusQuery, StatusesOptions, WaitOptions, Waited, parse_return_url, verify_payment,
};
use serde_json::{Value, json};

mod reports;

use reports::{checkout, error, query, status, waited};

// ---- State -------------------------------------------------------------------------------------

type Running = Box<dyn FnOnce() -> Value + Send>;

#[derive(Default)]
struct State {
    clients: HashMap<String, Arc<Client>>,
    cancellations: HashMap<String, CancellationToken>,
    /// What waits for the report of a step in the background.
    running: HashMap<String, Running>,
    events: Vec<Value>,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// How many steps this thread is in.
    static STEPS_HERE: Cell<usize> = const { Cell::new(0) };
}

fn this_thread() -> &'static str {
    if STEPS_HERE.get() > 0 {
        "caller"
    } else {
        "other"
    }
}

fn name(step: &Value, key: &str) -> String {
    step[key].as_str().unwrap_or_default().to_owned()
}

/// A client that was closed is gone: the compiler sees to it that no program uses it.
fn client(step: &Value) -> Arc<Client> {
    let name = name(step, "client");
    state().clients.get(&name).expect("an open client").clone()
}

fn cancellation(step: &Value) -> Option<CancellationToken> {
    let name = step["cancellation"].as_str()?;
    state().cancellations.get(name).cloned()
}

fn status_query(step: &Value) -> Result<StatusQuery<'static>, Error> {
    let text = step["query"].to_string();
    Ok(StatusQuery::from_json(&text)?.into_owned())
}

// ---- Options -----------------------------------------------------------------------------------

fn time(options: &Value, key: &str) -> Option<Duration> {
    options[key].as_u64().map(Duration::from_millis)
}

fn call_options(step: &Value) -> Result<CallOptions, Error> {
    let given = &step["options"];
    let mut credentials = Credentials::default();
    if let Some(token) = given["accessToken"].as_str() {
        credentials = credentials.with_access_token(token)?;
    }
    let extra_fields = given["extraFields"].as_object().into_iter().flatten();
    Ok(CallOptions {
        credentials,
        timeout: time(given, "timeoutMs"),
        extra_fields: extra_fields
            .map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()))
            .collect(),
        resend: given["resend"] == true,
        cancellation: cancellation(step),
        ..CallOptions::default()
    })
}

/// The options that the crate reads from JSON.
fn read<T>(step: &Value, read: fn(JsonOptions<'_>) -> Result<T, Error>) -> Result<T, Error> {
    let text = step["options"]
        .as_object()
        .map(|_| step["options"].to_string());
    read(JsonOptions {
        text: text.as_deref(),
        ..JsonOptions::default()
    })
}

fn wait_options(step: &Value) -> Result<WaitOptions, Error> {
    let mut options = read(step, WaitOptions::from_json)?;
    options.call.cancellation = cancellation(step);
    Ok(options)
}

fn statuses_options(step: &Value) -> Result<StatusesOptions, Error> {
    let mut options = read(step, StatusesOptions::from_json)?;
    options.call.cancellation = cancellation(step);
    Ok(options)
}

// ---- Steps -------------------------------------------------------------------------------------

/// A step's report, or the error with which it ended.
type Report = Result<Value, Error>;

fn done(value: Value) -> Value {
    json!({"ok": true, "value": value})
}

fn failed(error: Value) -> Value {
    json!({"ok": false, "error": error})
}

fn create(step: &Value) -> Report {
    let text = step["order"].to_string();
    let order = Order::from_json(&text)?;
    let made = client(step).create_order(&order, &call_options(step)?)?;
    Ok(done(checkout(&made)))
}

fn get_status(step: &Value) -> Report {
    let found = client(step).get_status(&status_query(step)?, &call_options(step)?)?;
    Ok(done(status(&found)))
}

fn wait(step: &Value) -> Report {
    let ended = client(step).wait_for_payment(&status_query(step)?, &wait_options(step)?)?;
    Ok(done(waited(&ended)))
}

fn statuses(step: &Value) -> Report {
    let given = step["queries"].as_array().expect("queries").iter();
    // From the variant, so that an invalid query is the result of this query alone.
    let queries: Vec<_> = given
        .map(|query| StatusQuery::Order(name(query, "orderId").into()))
        .collect();
    let mut items = Vec::new();
    let each = |index: usize, result: Result<Status, Error>| {
        let mut item = match &result {
            Ok(found) => done(status(found)),
            Err(why) => failed(error(why)),
        };
        item["index"] = index.into();
        item["thread"] = this_thread().into();
        items.push(item);
        let now = step["at"].as_u64() == Some(items.len() as u64 - 1);
        !now || perform(&step["then"])
    };
    let counted = statuses_options(step)
        .and_then(|options| client(step).get_statuses(queries, &options, each));
    let mut report = match counted {
        Ok(counted) => done(json!(counted)),
        Err(why) => failed(error(&why)),
    };
    report["items"] = items.into();
    Ok(report)
}

fn journal(step: &Value) -> Report {
    let client = client(step);
    let given = &step["options"];
    Ok(done(match step["do"].as_str() {
        Some("list") => {
            let mut options = read(step, ListOptions::from_json)?;
            options.cancellation = cancellation(step);
            json!(client.journal_list(&options)?.entries)
        }
        Some("resolve") => {
            let resolved = client.journal_resolve(&statuses_options(step)?)?;
            json!({
                "summary": resolved.summary,
                "otherServices": resolved.other_services,
                "refusal": resolved.refusal,
                "entries": resolved.entries,
            })
        }
        Some("settle") => {
            let mut options = SettleOptions::new(given["entry"].as_i64().expect("an entry"));
            options.note = given["note"].as_str().map(str::to_owned);
            options.cancellation = cancellation(step);
            json!(client.journal_settle(&options)?)
        }
        _ => {
            let mut options = read(step, PruneOptions::from_json)?;
            options.cancellation = cancellation(step);
            client.journal_prune(&options)?.into()
        }
    }))
}

fn parse(step: &Value) -> Report {
    let found = parse_return_url(step["url"].as_str().expect("a URL"))?;
    let asked = query(&found);
    Ok(done(
        json!({"transactionId": asked["transactionId"], "statusQuery": asked}),
    ))
}

fn verify(step: &Value) -> Report {
    let text = step["expected"].to_string();
    let verdict = verify_payment(&Expected::from_json(&text)?, &name(step, "status"))?;
    Ok(done(json!({
        "paid": verdict.paid,
        "reasons": verdict.reasons,
        "unverifiable": verdict.unverifiable,
    })))
}

fn set_log(step: &Value) {
    let (at, then) = (name(step, "at"), step["then"].clone());
    let log: payorder_core::Log = Box::new(move |event| {
        let text = event.to_json();
        let mut event: Value = serde_json::from_str(&text).expect("an event is JSON");
        event["thread"] = this_thread().into();
        let now = event["event"] == at.as_str();
        state().events.push(event);
        if now {
            perform(&then);
        }
    });
    // The judge switches the log of every client off, also of one that was closed.
    if let Some(client) = state().clients.get(&name(step, "client")) {
        client.set_log((step["on"] != false).then_some(log));
    }
}

fn cancel(step: &Value) {
    match cancellation(step) {
        Some(cancellation) => cancellation.cancel(),
        None => client(step).cancel(),
    }
}

fn close(step: &Value) {
    let mut state = state();
    state.clients.remove(&name(step, "client"));
    state.cancellations.remove(&name(step, "cancellation"));
}

/// Performs the step of a callback. Returns false if it is `stop`.
fn perform(step: &Value) -> bool {
    if step["op"] == "stop" {
        return false;
    }
    run(step);
    true
}

fn recover(step: &Value) -> Report {
    let sales = step["sales"].as_array().into_iter().flatten();
    let expected = sales.map(|sale| {
        let [id, amount] = ["orderId", "amount"].map(|key| sale[key].as_str().unwrap_or_default());
        Expected::new(id, amount, None)
    });
    let sales = expected.collect::<Result<Vec<_>, _>>()?;
    let mut options = read(step, RecoverOptions::from_json)?;
    options.statuses.call.cancellation = cancellation(step);
    let recovered = client(step).recover(&sales, &options)?;
    let json = serde_json::from_str(&recovered.to_json());
    Ok(done(json.expect("JSON")))
}

fn report(step: &Value) -> Report {
    match step["op"].as_str().unwrap_or_default() {
        "open" => {
            let opened = Client::from_json(&step["config"].to_string())?;
            let name = name(step, "client");
            state().clients.insert(name, Arc::new(opened));
        }
        "create" => return create(step),
        "status" => return get_status(step),
        "wait" => return wait(step),
        "statuses" => return statuses(step),
        "journal" => return journal(step),
        "parse" => return parse(step),
        "verify" => return verify(step),
        "cancellation" => {
            let name = name(step, "cancellation");
            state().cancellations.insert(name, CancellationToken::new());
        }
        "check" => {
            let mut options = read(step, CheckOptions::from_json)?;
            options.call.cancellation = cancellation(step);
            return Ok(done(json!(client(step).check(&options)?)));
        }
        "recover" => return recover(step),
        "credentials" => {
            let token = name(&step["credentials"], "accessToken");
            let given = Credentials::default().with_access_token(&token)?;
            client(step).set_credentials(&given);
        }
        "shutdown" => client(step).stop(),
        "cancel" => cancel(step),
        "close" => close(step),
        "log" => set_log(step),
        "events" => return Ok(done(std::mem::take(&mut state().events).into())),
        "join" => {
            let running = state().running.remove(&name(step, "thread"));
            return Ok(running.expect("a step in the background")());
        }
        op => panic!("unknown operation {op}"),
    }
    Ok(done(Value::Null))
}

fn run(step: &Value) -> Value {
    STEPS_HERE.set(STEPS_HERE.get() + 1);
    let report = report(step).unwrap_or_else(|why| failed(error(&why)));
    STEPS_HERE.set(STEPS_HERE.get() - 1);
    report
}

/// What a started call reports when it has ended.
fn ending<T: Send + 'static>(
    started: Result<Started<T>, Error>,
    value: fn(&T) -> Value,
) -> Running {
    Box::new(move || match started.and_then(Started::wait) {
        Ok(found) => done(value(&found)),
        Err(why) => failed(error(&why)),
    })
}

fn start_create(step: &Value) -> Result<Started<Checkout>, Error> {
    // Never freed: a started call has its order for as long as it runs.
    let text: &'static str = Box::leak(step["order"].to_string().into_boxed_str());
    client(step).start_create_order(Order::from_json(text)?, &call_options(step)?)
}

fn start_status(step: &Value) -> Result<Started<Status>, Error> {
    client(step).start_get_status(status_query(step)?, &call_options(step)?)
}

fn start_wait(step: &Value) -> Result<Started<Waited>, Error> {
    client(step).start_wait_for_payment(status_query(step)?, &wait_options(step)?)
}

fn start(step: Value) -> Value {
    let name = name(&step, "thread");
    let running = match step["op"].as_str() {
        Some("create") => ending(start_create(&step), checkout),
        Some("status") => ending(start_status(&step), status),
        Some("wait") => ending(start_wait(&step), waited),
        _ => {
            let thread = std::thread::spawn(move || run(&step));
            Box::new(move || thread.join().expect("a step does not panic"))
        }
    };
    state().running.insert(name, running);
    done(Value::Null)
}

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    let hello = json!({
        "driver": "rust",
        "language": "Rust",
        "library": env!("CARGO_PKG_VERSION"),
        "abi": 1,
        "features": ["threads", "started", "log-in-call", "untyped", "crate", "check"],
    });
    writeln!(output, "{hello}")?;
    for line in io::stdin().lock().lines() {
        let step: Value = serde_json::from_str(&line?)?;
        let starts = step["thread"].is_string() && step["op"] != "join";
        let report = if starts { start(step) } else { run(&step) };
        writeln!(output, "{report}")?;
        output.flush()?;
    }
    Ok(())
}
