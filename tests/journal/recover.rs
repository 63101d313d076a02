//! After a start, each sale that is open has one verdict.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use super::till::Till;
use serde_json::{Value, json};
use support::abi::{Client, Token, with_idle};
use support::orders::{config, with};
use support::patience::until;
use support::responses::{created, http, status_body};
use support::result::{CANCELLED, CANCELLED_IN_FLIGHT, DUPLICATE, MISSING_CREDENTIALS};
use support::result::{INVALID_ARGUMENT, INVALID_REQUEST};
use support::rows::Rows;
use support::service::{Service, respond, respond_after, stall};
use support::shop::{listed, order};
use support::table;

/// A service that creates every order, and knows what `statuses` says: an order's identifier, and
/// the fields of its status.
fn service(statuses: &[(&str, Value)]) -> Service {
    let known = statuses.iter().map(|(order_id, fields)| {
        let body = status_body(order_id, fields);
        ((*order_id).to_owned(), body.to_string())
    });
    let known: BTreeMap<_, _> = known.collect();
    let unknown = json!({"responseCode": "404", "responseMessage": "Not found"}).to_string();
    Service::deciding(move |query| {
        let response = match known.get(&query.order_id) {
            _ if query.is_order => created(),
            Some(body) => http(200, body),
            None => http(404, &unknown),
        };
        respond_after(Duration::ZERO, response)
    })
}

fn sales(list: &[(&str, &str)]) -> Value {
    let sale = |(order_id, amount): &(&str, &str)| json!({"orderId": order_id, "amount": amount});
    list.iter().map(sale).collect()
}

/// `orderId: verdict` of each sale.
fn verdicts(result: &Value) -> Vec<String> {
    let sales = result["sales"].as_array().expect("sales");
    let text = |sale: &Value, key: &str| sale[key].as_str().unwrap_or("?").to_owned();
    sales
        .iter()
        .map(|sale| format!("{}: {}", text(sale, "orderId"), text(sale, "verdict")))
        .collect()
}

const AMOUNT: &str = "100.10";

/// A sale: its order, the state of its entry (none if it is empty), what the service says of it
/// (`null`: it does not know it), and the verdict.
type Sale = (&'static str, &'static str, Value, &'static str);

#[test]
fn every_sale_has_one_verdict() {
    let paid = json!({"amount": AMOUNT});
    let pending = with(&paid, "transactionStatus", "Pending");
    let echo = json!({"transactionId": "", "transactionStatus": null, "amount": null});
    let none = Value::Null;
    let long_ago = "10/21/2026 02:05:06 PM";
    let table: [Sale; 31] = table! {
        "PAID", "created", paid.clone(), "paid";
        "CHEAP", "created", json!({"amount": "1.00"}), "check";
        "REFUNDED", "unknown", with(&paid, "refundType", "Full"), "check";
        "OTHER-AMOUNT", "created", paid.clone(), "check";
        "LOWER", "created", with(&paid, "transactionStatus", "completed "), "check";
        "SETTLING", "created", with(&pending, "settlementDate", "11/21/2026"), "check";
        "SUCCESS", "created", with(&pending, "settlementStatus", "Settled"), "check";
        "LAST-MONTH", "created", with(&paid, "transactionDate", long_ago), "check";
        "THEIRS", "exists", paid.clone(), "check";
        "THEIRS-OPEN", "exists", pending.clone(), "check";
        "THEIRS-UNKNOWN", "exists", none.clone(), "unknown";
        "OF-NOBODY", "", paid.clone(), "check";
        "OTHER-PAGE", "created", with(&pending, "amount", "100.00"), "check";
        "OTHER-ENTRY", "created", with(&pending, "amount", "7.00"), "check";
        "NO-AMOUNT", "created", with(&pending, "amount", ""), "payable";
        "PAYABLE", "created", pending.clone(), "payable";
        "FAILED", "created", with(&pending, "transactionStatus", "Failed"), "payable";
        "LOST", "unknown", pending.clone(), "url_lost";
        "UNKNOWN", "unknown", none.clone(), "unknown";
        "ECHO", "unknown", echo, "unknown";
        "SENDING", "sending", none.clone(), "sending";
        "REFUSED", "rejected", none.clone(), "refused";
        "NOT-SENT", "not_sent", none.clone(), "not_sent";
        "SETTLED", "settled", none.clone(), "settled";
        "REFUSED-BUT-PAID", "rejected", paid.clone(), "check";
        "NOT-SENT-BUT-PAID", "not_sent", paid.clone(), "check";
        "SETTLED-BUT-PAID", "settled", paid, "check";
        "REFUSED-BUT-PENDING", "rejected", pending.clone(), "url_lost";
        "NEVER", "", none.clone(), "not_in_journal";
        "ELSEWHERE", "elsewhere", none, "unknown";
        "ELSEWHERE-ONLY", "", pending, "url_lost";
    };
    let known = table.iter().filter(|sale| !sale.2.is_null());
    let known: Vec<_> = known.map(|sale| (sale.0, sale.2.clone())).collect();
    let server = service(&known);
    let maker = Till::new();
    // Entries that another service made, and that now belong to this one.
    for (order_id, state, ..) in &table {
        if !state.is_empty() {
            maker.add(order_id, state);
        }
    }
    let ours = format!(
        "service = '{}' WHERE service <> 'https://other.example.com'",
        server.url()
    );
    maker.change(&ours);
    let client = Client::new(&maker.shop.config(&server.url()));
    let named: Vec<_> = table
        .iter()
        .map(|(order_id, ..)| match *order_id {
            "OTHER-AMOUNT" | "OTHER-ENTRY" => (*order_id, "7.00"),
            _ => (*order_id, AMOUNT),
        })
        .collect();
    let result = client.recover(Some(&sales(&named)), &json!({})).done();
    let expected: Vec<_> = table
        .iter()
        .map(|(order_id, _, _, verdict)| format!("{order_id}: {verdict}"))
        .collect();
    assert_eq!(verdicts(&result.json), expected);
    assert_eq!(result["otherServices"], 1);
    let asked = &result["summary"]["asked"];
    assert_eq!(*asked, table.len() - 1, "all but SENDING");
    for sale in result["sales"].as_array().unwrap() {
        let payable = sale["verdict"] == "payable";
        assert_eq!(sale["url"].is_string(), payable, "{sale}");
        let query = json!({"searchType": "1", "orderId": sale["orderId"]});
        assert_eq!(sale["statusQuery"], query);
    }
    let mut rows = Rows::new();
    for (order_id, reasons) in table! {
        "CHEAP", "amount 100.10 1.00";
        "REFUNDED", "refundType  Full";
        "OTHER-AMOUNT", "amount 7.00 100.10, entryAmount 7.00 100.10";
        "LOWER", "transactionStatus Completed completed ";
        "SETTLING", "transactionStatus Completed Pending";
        "SUCCESS", "transactionStatus Completed Pending";
        "THEIRS", "orderExists 200 409";
        "THEIRS-OPEN", "orderExists 200 409";
        "OF-NOBODY", "journal created ";
        "OTHER-PAGE", "amount 100.10 100.00";
        "OTHER-ENTRY", "entryAmount 7.00 100.10";
        "REFUSED-BUT-PAID", "journal created rejected";
        "NOT-SENT-BUT-PAID", "journal created not_sent";
        "SETTLED-BUT-PAID", "journal created settled";
    } {
        let mut sales = result["sales"].as_array().unwrap().iter();
        let sale = sales.find(|sale| sale["orderId"] == order_id).unwrap();
        let keys = ["check", "expected", "actual"];
        let words = |one: &Value| keys.map(|key| one[key].as_str().unwrap_or("?").to_owned());
        let found = sale["reasons"].as_array().unwrap().iter();
        let found: Vec<String> = found.map(|one| words(one).join(" ")).collect();
        rows.same(order_id, found.join(", ").as_str(), reasons);
    }
    rows.end();
    // Without sales: what the journal has open now, and no sale that the program finished.
    let open = client.recover(None, &json!({})).done();
    let expected = [
        "LOWER: check",
        "SETTLING: check",
        "SUCCESS: check",
        "THEIRS-OPEN: check",
        "THEIRS-UNKNOWN: unknown",
        // Without the program's own sales, only the entry's amount is known.
        "OTHER-PAGE: check",
        "OTHER-ENTRY: check",
        "NO-AMOUNT: payable",
        "PAYABLE: payable",
        "FAILED: payable",
        "LOST: url_lost",
        "UNKNOWN: unknown",
        "ECHO: unknown",
        "SENDING: sending",
        "REFUSED-BUT-PENDING: url_lost",
    ];
    assert_eq!(verdicts(&open.json), expected);
    // What was learned is recorded, and what was paid stays paid.
    let entries = listed(&client.journal_list(&json!({"orderId": "PAID"})));
    assert_eq!(entries[0]["transactionStatus"], "Completed");
}

#[test]
fn only_the_services_own_word_says_that_it_does_not_know_an_order() {
    let mut rows = Rows::new();
    let own = json!({"responseCode": "404", "responseMessage": "No such order"}).to_string();
    let message = json!({"responseMessage": "No such order"}).to_string();
    let proxy = json!({"responseCode": "407"}).to_string();
    for (what, response, is_known) in table! {
        "its code and words", http(404, &own), false;
        "its words alone", http(404, &message), false;
        "its code alone", http(200, "{\"responseCode\":\"410\"}"), false;
        "a page", http(404, "<html>Log in</html>"), true;
        "nothing", http(404, ""), true;
        "an empty object", http(404, "{}"), true;
        "an empty message", http(404, "{\"responseMessage\":\" \"}"), true;
        "two documents", http(404, format!("{own}{own}")), true;
        "401", http(401, &own), true;
        "403", http(403, &own), true;
        "407", http(407, &own), true;
        "407 in the body", http(400, &proxy), true;
        "429", http(429, &own), true;
        "451", http(451, &own), true;
        "500", http(500, &own), true;
        "a status", http(404, own.replace('}', ",\"data\":{\"transactionStatus\":\"Completed\"}}")), true;
        "no data", http(404, own.replace('}', ",\"data\":\"\"}")), false;
        "its words, and more behind them", [http(404, &own), created()].concat(), true;
        "an echo", http(200, "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"A\"}}"), true;
    } {
        for (state, verdict) in [
            ("", "not_in_journal"),
            ("rejected", "refused"),
            ("not_sent", "not_sent"),
        ] {
            let till = Till::new();
            if !state.is_empty() {
                till.add("A", state);
            }
            till.service
                .set_script([respond_after(Duration::ZERO, response.clone())]);
            let named = sales(&[("A", AMOUNT)]);
            let options = json!({"timeoutMs": 2000});
            let found = till.client.recover(Some(&named), &options).done();
            let verdict = if is_known { "unknown" } else { verdict };
            let row = format!("{what}, {state}");
            rows.same(&row, verdicts(&found.json), vec![format!("A: {verdict}")]);
        }
    }
    rows.end();
}

#[test]
fn a_service_that_is_down_or_refuses_every_query_says_nothing_about_an_order() {
    let till = Till::with("rejected");
    till.service.stop_listening();
    let one = sales(&[("A", AMOUNT)]);
    let found = till.client.recover(Some(&one), &json!({})).done();
    assert_eq!(verdicts(&found.json), ["A: unknown"]);
    let inactive = json!({"responseCode": "400", "responseMessage": "Client is not active"});
    let service = Service::responding(http(400, inactive.to_string()));
    let (shop, two) = (crate::shop(), sales(&[("A", AMOUNT), ("B", AMOUNT)]));
    let found = shop.client(&service).recover(Some(&two), &json!({})).done();
    assert_eq!(verdicts(&found.json), ["A: unknown", "B: unknown"]);
    assert_eq!(found["refusal"], "Client is not active");
    let resolved = shop.client(&service).journal_resolve(&json!({})).done();
    assert_eq!(resolved["refusal"], Value::Null, "nothing was asked");
    // Also if some of the queries end in another way.
    let echo = json!({"responseCode": "200", "data": {"orderId": "B"}}).to_string();
    for other in [http(502, "<html>"), http(200, echo)] {
        let refused = http(400, inactive.to_string());
        let service = Service::deciding(move |query| {
            let response = if query.order_id == "B" {
                &other
            } else {
                &refused
            };
            respond_after(Duration::ZERO, response.clone())
        });
        let two = sales(&[("A", AMOUNT), ("B", AMOUNT)]);
        let options = json!({"timeoutMs": 2000});
        let found = shop.client(&service).recover(Some(&two), &options).done();
        assert_eq!(verdicts(&found.json), ["A: unknown", "B: unknown"]);
    }
}

#[test]
fn a_service_that_refuses_every_query_is_quoted_by_resolve() {
    let till = Till::with("unknown");
    till.add("B", "unknown");
    let inactive = json!({"responseCode": "400", "responseMessage": "Client is not active"});
    let refused = respond_after(Duration::ZERO, http(400, inactive.to_string()));
    till.service.set_script([refused]);
    let resolved = till.client.journal_resolve(&json!({})).done();
    assert_eq!(resolved["refusal"], "Client is not active");
}

/// A counter began again: only the entry that may have made the order counts.
#[test]
fn a_payment_is_compared_with_the_sending_that_may_have_made_the_order() {
    for state in ["rejected", "not_sent"] {
        let till = Till::with(state);
        till.change("begun_ms = begun_ms - 5184000000, deadline_ms = begun_ms - 5184000000");
        till.add("A", "unknown");
        let long_ago = json!({"transactionDate": "10/21/2026 02:05:06 PM"});
        till.says("A", long_ago);
        let recovered = till.client.recover(None, &json!({})).done();
        assert_eq!(verdicts(&recovered.json), ["A: check"]);
        let reason = &recovered["sales"][0]["reasons"][0];
        assert_eq!(reason["check"], "transactionDate", "{reason}");
    }
}

#[test]
fn an_order_of_two_services_or_in_a_running_call_has_no_final_verdict() {
    let till = Till::with("rejected");
    till.add("A", "elsewhere");
    let unknown = json!({"responseCode": "404", "responseMessage": "Not found"}).to_string();
    till.change("state = 'rejected', result = 100 WHERE entry = 1");
    till.service
        .set_script([respond_after(Duration::ZERO, http(404, &unknown))]);
    let named = sales(&[("A", AMOUNT)]);
    let recovered = till.client.recover(Some(&named), &json!({})).done();
    assert_eq!(verdicts(&recovered.json), ["A: unknown"]);
    let mut rows = Rows::new();
    for (what, begun, deadline, verdict) in table! {
        "a running call", "-1000", "+590000", "A: sending";
        "its deadline passed", "-5000", "-1000", "A: url_lost";
        "starts in the future", "+3600000", "+3630000", "A: url_lost";
        "deadline a day away", "-1000", "+86400000", "A: url_lost";
    } {
        let till = Till::with("created");
        let now = till.shop.journal.now();
        till.change(&format!(
            "result = NULL, url = NULL, begun_ms = {now} {begun}, deadline_ms = {now} {deadline}"
        ));
        till.says("A", json!({"transactionStatus": "Pending"}));
        let recovered = till.client.recover(Some(&named), &json!({})).done();
        rows.same(what, verdicts(&recovered.json), vec![verdict.to_owned()]);
        let asked = usize::from(verdict != "A: sending");
        rows.same(what, &recovered["summary"]["asked"], &json!(asked));
        let again = till.client.create(&order("A"));
        rows.code(what, &again, DUPLICATE);
        rows.same(what, &again.error()["action"], &json!("ask_status"));
        let said = ["checkout URL is lost", "wait for its result"];
        rows.says(what, &again, said[usize::from(asked == 0)]);
    }
    rows.end();
}

#[test]
fn a_sale_that_was_paid_before_and_is_not_now_is_checked() {
    let till = Till::with("paid");
    till.says("A", json!({"transactionStatus": "Pending"}));
    let named = sales(&[("A", AMOUNT)]);
    let result = till.client.recover(Some(&named), &json!({})).done();
    assert_eq!(verdicts(&result.json), ["A: check"]);
}

#[test]
fn an_outage_costs_one_time_limit() {
    let (shop, service) = (crate::shop(), Service::start([stall()]));
    let client = shop.client(&service);
    let named: Vec<String> = (0..100).map(|number| format!("O-{number}")).collect();
    let named: Vec<_> = named.iter().map(|id| (id.as_str(), "1.00")).collect();
    let began = Instant::now();
    let options = json!({"timeoutMs": 2000});
    let result = client.recover(Some(&sales(&named)), &options).done();
    // Eight at a time, one limit for each would be 26 seconds.
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(result["sales"].as_array().unwrap().len(), 100);
    for verdict in verdicts(&result.json) {
        assert!(verdict.ends_with(": unknown"), "{verdict}");
    }
    let asked = result["summary"]["asked"].as_u64().unwrap();
    assert!((8..=16).contains(&asked), "{asked}");
    assert_eq!(result["summary"]["stopped"], true);
}

#[test]
fn it_waits_for_an_entry_that_another_process_sends() {
    let server = service(&[("A", json!({"amount": AMOUNT}))]);
    let shop = crate::shop();
    let client = Client::new(&shop.config(&server.url()));
    client.create(&order("A")).done();
    let ends_in = |ms| {
        let now = shop.journal.now();
        let sending = format!(
            "UPDATE payorder_orders SET state = 'sending', begun_ms = begun_ms - 5000,
                deadline_ms = {now} + {ms}"
        );
        shop.journal.sql(&[&sending]);
    };
    ends_in(60_000);
    let at_once = client.recover(None, &json!({})).done();
    assert_eq!(verdicts(&at_once.json), ["A: sending"]);
    assert_eq!(at_once["summary"]["asked"], 0);
    // Cancelled while it waits, it asks about nothing. By then it has read the list.
    let named = sales(&[("B", "1")]);
    let wait = json!({"waitMs": 60_000});
    for (sales, expected) in [
        (None, &["A: sending"][..]),
        (Some(&named), &["B: unknown", "A: sending"]),
    ] {
        let begun = Instant::now();
        let cancels = move || begun.elapsed() > Duration::from_secs(1);
        let cancelled = with_idle(cancels, || client.recover(sales, &wait).done());
        assert_eq!(verdicts(&cancelled.json), expected);
        let summary = &cancelled["summary"];
        assert_eq!(
            (&summary["asked"], &summary["stopped"]),
            (&json!(0), &json!(true))
        );
    }
    ends_in(1000);
    let later = client.recover(None, &json!({"waitMs": 60_000})).done();
    assert_eq!(verdicts(&later.json), ["A: paid"]);
}

#[test]
fn the_idle_function_runs_while_many_sales_are_read() {
    let server = service(&[]);
    let shop = crate::shop();
    let client = shop.client(&server);
    let many: Vec<String> = (0..20_000).map(|number| format!("S{number}")).collect();
    let many: Vec<_> = many.iter().map(|id| (id.as_str(), AMOUNT)).collect();
    let many = sales(&many);
    let cancelled = with_idle(|| true, || client.recover(Some(&many), &json!({})));
    cancelled.is(CANCELLED);
    assert!(server.requests().is_empty());
}

#[test]
fn an_order_that_another_process_began_to_send_meanwhile_is_being_sent() {
    for (status, verdict) in [("Pending", "A: sending"), ("Completed", "A: check")] {
        let is_sending = Arc::new(AtomicBool::new(false));
        let server = Service::deciding(move |query| {
            if query.is_order {
                is_sending.store(true, SeqCst);
                return stall();
            }
            until(|| is_sending.load(SeqCst));
            let fields = json!({"amount": AMOUNT, "transactionStatus": status});
            respond(http(200, status_body("A", &fields).to_string()))
        });
        let shop = crate::shop();
        let (seller, client) = (shop.client(&server), shop.client(&server));
        let token = Token::new();
        let options = token.among(&json!({}));
        thread::scope(|scope| {
            scope.spawn(|| {
                server.wait_for_requests(1);
                seller
                    .create_with(&order("A"), &options)
                    .is(CANCELLED_IN_FLIGHT);
            });
            let named = sales(&[("A", AMOUNT)]);
            let recovered = client.recover(Some(&named), &json!({}));
            token.cancel();
            assert_eq!(verdicts(&recovered.done().json), [verdict]);
        });
    }
}

#[test]
fn without_a_journal_it_needs_the_sales_and_says_less() {
    let server = service(&[("PAID", json!({"amount": "1.00"}))]);
    let client = Client::new(&config(&server.url()));
    let none = client.recover(None, &json!({}));
    none.is(INVALID_ARGUMENT);
    assert_eq!(none.error()["operation"], "recover");
    let named = sales(&[("PAID", "1"), ("NEVER", "1.00")]);
    let result = client.recover(Some(&named), &json!({})).done();
    assert_eq!(verdicts(&result.json), ["PAID: paid", "NEVER: unknown"]);
    let twice = sales(&[("PAID", "1"), ("PAID", "1.00")]);
    let result = client.recover(Some(&twice), &json!({})).done();
    let checks = ["PAID: check", "PAID: check"];
    assert_eq!(verdicts(&result.json), checks, "one payment, two sales");
    assert_eq!(result["sales"][0]["reasons"][0]["check"], "orderId");
    let open = service(&[("OPEN", json!({"transactionStatus": "Pending"}))]);
    let open = Client::new(&config(&open.url()));
    let twice = sales(&[("OPEN", "100.10"), ("OPEN", "100.10")]);
    let result = open.recover(Some(&twice), &json!({})).done();
    assert_eq!(verdicts(&result.json), ["OPEN: url_lost", "OPEN: url_lost"]);
    let nothing = client.recover(Some(&json!([])), &json!({})).done();
    assert_eq!(nothing["sales"], json!([]));
}

#[test]
fn bad_sales_are_errors() {
    let server = service(&[]);
    let client = Client::new(&config(&server.url()));
    let mut rows = Rows::new();
    for (given, expected) in [
        (json!({}), INVALID_ARGUMENT),
        (json!([7]), INVALID_ARGUMENT),
        (json!([{"orderId": "A"}]), INVALID_REQUEST),
        (json!([{"orderId": "A", "amount": "x"}]), INVALID_REQUEST),
        (json!([{"orderId": " ", "amount": "1"}]), INVALID_REQUEST),
        (
            json!([{"orderId": "A", "amount": "1", "transactionId": "T"}]),
            INVALID_REQUEST,
        ),
    ] {
        let reply = client.recover(Some(&given), &json!({}));
        rows.same(&given.to_string(), reply.code, expected);
    }
    let one = sales(&[("A", "1")]);
    let without = Client::new(&json!({"baseUrl": server.url(), "proxy": "none"}));
    let reply = without.recover(Some(&one), &json!({}));
    rows.same("no credentials", reply.code, MISSING_CREDENTIALS);
    rows.end();
}

#[test]
fn a_person_who_settled_one_entry_of_an_order_decided_about_the_order() {
    let mut rows = Rows::new();
    for (status, verdict) in [("Completed", "A: check"), ("Failed", "A: settled")] {
        let till = Till::with("unknown");
        rows.code(status, &till.resend(), 201);
        till.change("state = 'settled' WHERE entry = 1");
        till.says("A", json!({"transactionStatus": status}));
        let recovered = till.client.recover(None, &json!({})).done();
        rows.same(status, verdicts(&recovered.json), vec![verdict.to_owned()]);
    }
    let till = Till::with("unknown");
    till.service.set_script([respond(created())]);
    rows.code("resend", &till.resend(), 0);
    till.change("state = 'settled' WHERE entry = 1");
    let again = till.client.create(&order("A"));
    rows.code("again", &again, DUPLICATE);
    let found = ["cause", "action"].map(|key| &again.error()[key]);
    let expected = json!(["order_settled", "ask_person"]);
    rows.same("again", &json!(found), &expected);
    rows.same("again", &again.error()["previous"]["entry"], &json!(1));
    rows.end();
}

#[test]
fn an_order_that_existed_already_is_closed_once_a_person_settled_it() {
    let till = Till::with("exists");
    till.client.journal_settle(&json!({"entry": 1})).done();
    let named = sales(&[("A", AMOUNT)]);
    for (status, verdict) in [("Pending", "A: settled"), ("Completed", "A: check")] {
        till.says("A", json!({"transactionStatus": status}));
        let recovered = till.client.recover(Some(&named), &json!({})).done();
        assert_eq!(verdicts(&recovered.json), [verdict]);
    }
}

#[test]
fn a_refused_order_that_is_paid_stays_a_persons_case() {
    let mut rows = Rows::new();
    for (state, verdict) in [("rejected", "A: check"), ("created", "A: paid")] {
        let till = Till::with(state);
        till.says("A", json!({}));
        let named = sales(&[("A", AMOUNT)]);
        // The first run stops before a person has looked at it.
        for _ in 0..2 {
            let recovered = till.client.recover(Some(&named), &json!({})).done();
            rows.same(state, verdicts(&recovered.json), vec![verdict.to_owned()]);
        }
    }
    rows.end();
}

/// Two tills of one journal: one closes its own intent, after the other one has sent the order.
#[test]
fn an_intent_that_was_closed_later_says_nothing_about_an_order_that_was_sent() {
    let till = Till::with("created");
    till.shop.journal.sql(&[
        "INSERT INTO payorder_orders (order_id, order_number, merchant_txn_id, txn_number, amount,
            currency_code, body_sha256, body_bytes, state, result, begun_ms, deadline_ms,
            updated_ms, service)
        SELECT order_id, 2, merchant_txn_id, 2, amount, currency_code, body_sha256, body_bytes,
            'not_sent', 10, begun_ms + 1, deadline_ms, updated_ms, service FROM payorder_orders",
    ]);
    let again = till.client.create(&order("A"));
    assert_eq!(again.error()["cause"], "order_already_sent");
    assert!(again.error()["previous"]["url"].is_string());
    let named = sales(&[("A", AMOUNT)]);
    for (status, verdict) in [("Pending", "A: payable"), ("Completed", "A: paid")] {
        for sales in [None, Some(&named)] {
            till.says("A", json!({"transactionStatus": status}));
            let recovered = till.client.recover(sales, &json!({})).done();
            assert_eq!(verdicts(&recovered.json), [verdict]);
        }
        till.change("transaction_status = NULL, transaction_id = NULL");
    }
    assert_eq!(till.states(), ["A: created", "A: not_sent"]);
}

#[test]
fn it_can_be_cancelled_while_it_reads_the_journal() {
    let server = service(&[]);
    let shop = crate::shop();
    let client = Client::new(&shop.config(&server.url()));
    let ids: Vec<String> = (0..50_000).map(|number| format!("O-{number}")).collect();
    let many = sales(&ids.iter().map(|id| (id.as_str(), "1")).collect::<Vec<_>>());
    let token = Token::new();
    let options = token.among(&json!({}));
    thread::scope(|scope| {
        let recovering = scope.spawn(|| client.recover(Some(&many), &options));
        thread::sleep(Duration::from_millis(500));
        let began = Instant::now();
        token.cancel();
        recovering.join().expect("it returns").is(CANCELLED);
        let took = began.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?}");
    });
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_cancel_keeps_the_answers_that_came() {
    // To read so many takes longer than the 50 ms after a cancel, and so may writing the last ones:
    // they are not whole groups of 200. Wine needs about 2 ms for each.
    const ANSWERED: usize = if cfg!(windows) { 80 } else { 399 };
    let server = Service::deciding(|query| match query.order_id.as_str() {
        "LAST" => stall(),
        id => respond_after(
            Duration::ZERO,
            http(200, status_body(id, &json!({})).to_string()),
        ),
    });
    let shop = crate::shop();
    let client = Client::new(&shop.config(&server.url()));
    let ids: Vec<String> = (0..ANSWERED).map(|number| format!("O-{number}")).collect();
    let with_last = ids.iter().map(String::as_str).chain(["LAST"]);
    let all = sales(&with_last.map(|id| (id, "1")).collect::<Vec<_>>());
    let recovered = thread::scope(|scope| {
        let recovering = scope.spawn(|| client.recover(Some(&all), &json!({"concurrency": 1})));
        until(|| server.request_count() > ANSWERED);
        client.cancel();
        recovering.join().expect("it returns").done()
    });
    assert_eq!(recovered["summary"]["stopped"], true);
    let unknown = verdicts(&recovered.json)
        .into_iter()
        .filter(|one| one.ends_with("unknown"));
    assert_eq!(unknown.collect::<Vec<_>>(), ["LAST: unknown"]);
}
