//! include/payorder-abi.json describes the library: every range, default and key is compared with
//! the library through the C ABI.

use serde_json::{Value, json};
use support::abi::{self, Client, Reply};
use support::calls::{NETWORK, make};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http};
use support::rows::Rows;
use support::service::{Service, respond, stall};
use support::tls::Folder;
use support::unreachable::refusing_url;

use crate::description;

/// The limits of a key's range, and values beyond them.
fn values(setting: &Value) -> (Vec<Value>, Vec<Value>) {
    let text = |key: &str| {
        setting[key]
            .as_u64()
            .map(|length| "x".repeat(length as usize))
    };
    match setting["type"].as_str().expect("a type") {
        "integer" => {
            let (least, most) = (&setting["minimum"], &setting["maximum"]);
            let below = least.as_i64().expect("a number") - 1;
            let beyond = most.as_u64().expect("a number") + 1;
            let odd = json!(["1", null, 1.5, 1e300, true, [1], i64::MIN, u64::MAX]);
            let mut wrong = vec![json!(below), json!(beyond)];
            // In the range if it is cut off to 32 bits.
            wrong.push(json!((1 << 32) + most.as_u64().expect("a number")));
            wrong.extend(odd.as_array().expect("a list").iter().cloned());
            (vec![least.clone(), most.clone()], wrong)
        }
        "boolean" => (
            vec![json!(true), json!(false)],
            vec![json!(0), json!("true")],
        ),
        "number" => (
            vec![json!(0.5), json!(1000)],
            vec![json!(0), json!(-1), json!("1"), json!(0.0), json!(null)],
        ),
        "array" => (
            vec![json!(["a.example"])],
            vec![json!("a.example"), json!([1])],
        ),
        "object" => (vec![json!({})], vec![json!("x"), json!([])]),
        _ if setting["values"].is_array() => {
            let allowed = setting["values"].as_array().expect("values").clone();
            (allowed, vec![json!("x"), json!(1)])
        }
        _ => {
            let right = [text("minBytes"), text("maxBytes")];
            let mut wrong = vec![json!(1), json!(null)];
            wrong.extend(text("maxBytes").map(|longest| json!(longest + "x")));
            wrong.extend(text("minBytes").map(|_| json!("")));
            let mut right: Vec<Value> = right.into_iter().flatten().map(Value::from).collect();
            if setting["key"] == "baseUrl" {
                right.clear();
            }
            (right, wrong)
        }
    }
}

#[test]
fn every_configuration_key_has_its_range_and_no_other_is_known() {
    let valid = config("https://pay.example.com");
    let mut rows = Rows::new();
    for setting in description()["config"].as_array().expect("keys") {
        let key = setting["key"].as_str().expect("a name");
        let (mut right, wrong) = values(setting);
        right.extend(setting.get("default").cloned());
        for value in right {
            let refused = Client::try_new(&with(&valid, key, value.clone())).err();
            rows.that(&format!("{key}: {value}"), refused.is_none(), || {
                refused.expect("a refusal").text().to_owned()
            });
        }
        for value in wrong {
            let row = format!("{key}: {value}");
            match Client::try_new(&with(&valid, key, value)) {
                Ok(_) => rows.that(&row, false, || "was accepted".to_owned()),
                Err(reply) => {
                    rows.same(
                        &row,
                        reply.error()["name"].as_str(),
                        Some("PAYORDER_INVALID_CONFIG"),
                    );
                }
            }
        }
        let other = with(&valid, &key.to_uppercase(), json!("x"));
        let reply = Client::try_new(&other).err().expect("a refusal");
        rows.same(key, &reply.error()["cause"], &json!("unknown_key"));
    }
    rows.end();
}

fn made(client: &Client, function: &str, options: &Value) -> Option<Reply> {
    let call = function.trim_start_matches("payorder_");
    match call {
        "build_create_order" => {
            let options = options.to_string();
            Some(abi::build_create_order(
                &order().to_string(),
                Some(&options),
            ))
        }
        "journal_list" | "journal_prune" => Some(make(call, client, options)),
        _ => NETWORK.contains(&call).then(|| make(call, client, options)),
    }
}

#[test]
fn every_option_has_its_range_and_no_other_is_known() {
    let service = Service::responding(completed("ORDER-1001"));
    let folder = Folder::new();
    let journal = folder.path().join("journal").to_string_lossy().into_owned();
    let client = Client::new(&with(&config(&service.url()), "journal", journal));
    let mut rows = Rows::new();
    let mut tried = 0;
    for function in description()["functions"].as_array().expect("functions") {
        let name = function["name"].as_str().expect("a name");
        for option in function["options"].as_array().into_iter().flatten() {
            let key = option["key"].as_str().expect("a name");
            let (right, wrong) = values(option);
            let mut cause = |value: &Value| {
                let reply = made(&client, name, &json!({ key: value }))?;
                tried += 1;
                Some(
                    reply.error()["cause"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                )
            };
            for value in right {
                let row = format!("{name}: {key}: {value}");
                if let Some(cause) = cause(&value) {
                    let taken = !["invalid_value", "unknown_key"].contains(&cause.as_str());
                    rows.that(&row, taken, || cause);
                }
            }
            for value in wrong {
                let row = format!("{name}: {key}: {value}");
                if let Some(cause) = cause(&value) {
                    let refused = ["invalid_value", "cancellation_freed"].contains(&cause.as_str());
                    rows.that(&row, refused, || cause);
                }
            }
            if let Some(reply) = made(&client, name, &json!({ key.to_uppercase(): "x" })) {
                rows.same(name, &reply.error()["cause"], &json!("unknown_key"));
            }
        }
    }
    assert!(tried > 100, "{tried}");
    rows.end();
}

/// Checks that an object has all its required keys, and only described ones.
fn holds(rows: &mut Rows, description: &Value, name: &str, value: &Value, open: bool) {
    let object = &description["objects"][name];
    let keys = object["keys"]
        .as_array()
        .unwrap_or_else(|| panic!("no object {name}"));
    let members = value
        .as_object()
        .unwrap_or_else(|| panic!("{name}: {value}"));
    for key in keys {
        let known = key["key"].as_str().expect("a name");
        let Some(member) = members.get(known) else {
            rows.that(name, key["always"] == false, || {
                format!("no {known} in {value}")
            });
            continue;
        };
        let fits = match key["type"].as_str().expect("a type") {
            "string" => member.is_string(),
            "integer" => member.is_i64() || member.is_u64(),
            "boolean" => member.is_boolean(),
            "array" => member.is_array(),
            _ => member.is_object(),
        };
        let null = key["nullable"] == true && member.is_null();
        rows.that(name, fits || null, || format!("{known}: {member}"));
        if let Some(inner) = key["object"].as_str() {
            holds(rows, description, inner, member, open);
        }
        if let Some(inner) = key["items"].as_str().filter(|inner| *inner != "string") {
            for member in member.as_array().into_iter().flatten() {
                holds(rows, description, inner, member, open);
            }
        }
    }
    for member in members.keys().filter(|_| !open) {
        let known = keys.iter().any(|key| key["key"] == member.as_str());
        rows.that(name, known, || format!("{member} is not described"));
    }
}

#[test]
fn results_and_events_have_the_keys_that_are_described() {
    let description = description();
    let service = Service::start([stall()]);
    let folder = Folder::new();
    let journal = folder.path().join("journal").to_string_lossy().into_owned();
    let client = Client::new(&with(&config(&service.url()), "journal", journal));
    let log = Log::of(&client);
    let mut rows = Rows::new();
    let mut ok = |name: &str, reply: Reply| {
        let reply = reply.done();
        holds(&mut rows, &description, name, &reply.json, false);
    };
    service.set_script([respond(created())]);
    ok("checkout", client.create(&order()));
    service.set_script([respond(completed("ORDER-1001"))]);
    ok("status", client.status(&query()));
    ok("waited", client.wait(&query(), &json!({})));
    ok(
        "summary",
        client.statuses(&json!([query()]), &json!({}), |_, _| true),
    );
    ok("entries", client.journal_list(&json!({})));
    ok("resolved", client.journal_resolve(&json!({})));
    ok(
        "recovered",
        client.recover(
            Some(&json!([{"orderId": "ORDER-1001", "amount": "2"}])),
            &json!({}),
        ),
    );
    ok("checked", client.check(&json!({})));
    ok("removed", client.journal_prune(&json!({})));
    ok("order", abi::build_create_order(&order().to_string(), None));
    ok("query", abi::build_get_status(&query().to_string()));
    ok("returned", abi::parse_return_url("https://shop/?txn=T-1"));
    let expected = json!({"orderId": "ORDER-1001", "amount": "1"});
    let status = client.status(&query()).text().to_owned();
    ok(
        "verdict",
        abi::verify_payment(&expected.to_string(), &status),
    );
    let refused = Client::new(&config(&refusing_url()));
    let mut errors = vec![
        client.create(&order()),
        client.create(&json!({})),
        refused.create(&order()),
    ];
    for response in [
        http(429, "{}"),
        http(400, "{}"),
        http(503, "{}"),
        http(200, "x"),
    ] {
        service.set_script([respond(response)]);
        errors.push(client.status(&query()));
        errors.push(client.wait(&query(), &json!({"waitMs": 1, "timeoutMs": 500})));
    }
    for reply in errors {
        let name = if reply.code == 0 { "waited" } else { "error" };
        holds(&mut rows, &description, name, &reply.json, false);
    }
    assert!(
        log.events().len() > 20,
        "each event is checked when it is recorded"
    );
    rows.end();
}
