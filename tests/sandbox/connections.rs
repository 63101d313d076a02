//! Connections, time, and everything else that conversations.txt cannot say.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::*;
use sandbox::rules::Rule;
use sandbox::{CREATE_ORDER, Options};
use support::{built, table};

#[test]
fn an_order_that_breaks_a_rule_is_refused_by_the_field_s_name() {
    let sandbox = start();
    let text = create("A-1", json!({}));
    let (_, body) = text.split_once("\r\n\r\n").expect("a body");
    let order: Value = serde_json::from_str(body).expect("an order");
    let fields = order.as_object().expect("an object").keys();
    assert_eq!(fields.len(), 11);
    let mut broken: Vec<(&str, Value)> = Vec::new();
    for field in fields {
        let values = [Value::Null, json!(""), json!(" "), json!(7)];
        broken.extend(values.map(|value| (field.as_str(), value)));
    }
    for amount in [
        "0", "0.99", "00.5", "-5", "1e3", "1.", ".5", "1,00", "1.005", "ten",
    ] {
        broken.push(("amount", json!(amount)));
    }
    broken.push(("payMode", json!("cash")));
    for url in [
        "/thanks",
        "shop.example",
        "javascript:alert(1)",
        "DATA:text/html,x",
        "https://a b",
        "https://a\r\nX: y",
    ] {
        broken.push(("redirectionURL", json!(url)));
    }
    for (field, value) in broken {
        let response = ask(&sandbox, &create("A-1", json!({field: value})));
        assert_eq!(response.status, 400, "{field} {value}: {}", response.body);
        let read = response.json();
        assert_eq!(read["responseCode"], "400");
        let message = read["responseMessage"].as_str().expect("a message");
        assert!(message.starts_with(field), "{field} {value}: {message}");
    }
    assert!(
        sandbox
            .orders()
            .iter()
            .all(|record| record.checkout_url.is_none())
    );
}

#[test]
fn a_request_that_is_not_supported_gets_the_right_status() {
    let sandbox = start();
    let many: String = (0..70).map(|number| format!("X-{number}: x\r\n")).collect();
    let create_with = |body: &str| request("POST", CREATE_ORDER, CREATE_HEADERS, body);
    for (text, status) in table! {
        create_with(&"x".repeat(256 * 1024)), 400;
        create_with(&"x".repeat(256 * 1024 + 1)), 413;
        plain("GET", &format!("/{}", "x".repeat(20_000)), ""), 431;
        format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n"), 431;
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 411;
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".to_owned(), 400;
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"
            .to_owned(), 400;
        "GET / HTTP/1.1\r\n\r\n".to_owned(), 400;
        "not HTTP\r\n\r\n".to_owned(), 400;
    } {
        let response = ask(&sandbox, &text);
        assert_eq!(response.status, status, "{}", &text[..text.len().min(80)]);
    }
}

#[test]
fn a_connection_is_kept_until_a_request_says_close() {
    let sandbox = start();
    let mut stream = connect(&sandbox);
    // Two at once, and then one in pieces.
    send(&stream, &status("A-1").repeat(2));
    for _ in 0..2 {
        let response = receive(&stream).expect("a response");
        assert_eq!(response.header("Connection"), Some("keep-alive"));
        assert_eq!(response.status, 404);
    }
    for piece in create("A-1", json!({})).as_bytes().chunks(97) {
        send(&stream, str::from_utf8(piece).expect("ASCII"));
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(receive(&stream).expect("a response").status, 200);

    let headers = [CREATE_HEADERS, &[("Expect", "100-continue")]].concat();
    let text = request("POST", CREATE_ORDER, &headers, "{}");
    let (head, body) = text.split_at(text.find("{}").expect("a body"));
    send(&stream, head);
    let mut interim = [0; 25];
    stream
        .read_exact(&mut interim)
        .expect("an interim response");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    send(&stream, body);
    assert_eq!(receive(&stream).expect("a response").status, 400);

    let headers = [("Host", "localhost"), ("Connection", "close")];
    send(&stream, &request("HEAD", "/checkout/1", &headers, ""));
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("an end");
    assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    assert!(response.contains("\r\nConnection: close\r\n"), "{response}");
    assert!(
        response.ends_with("\r\n\r\n"),
        "a HEAD has no body: {response}"
    );
}

#[test]
fn the_end_of_the_sandbox_ends_idle_and_stalled_connections_and_waiting_readers() {
    let sandbox = start();
    let base_url = sandbox.base_url();
    let (idle, stalled, reader) = (connect(&sandbox), connect(&sandbox), connect(&sandbox));
    send(
        &reader,
        &plain("GET", "/sandbox/requests?after=1&wait=60000", ""),
    );
    send(
        &stalled,
        &create("ENDED-1", json!({"productInfo": "sandbox:stall"})),
    );
    wait_until(|| !sandbox.exchanges().is_empty());
    thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    drop(sandbox);
    assert!(start.elapsed() < Duration::from_secs(20));
    for mut stream in [&idle, &stalled] {
        assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
    }
    // The sandbox of another test may have the port by now. For a moment, a process that another
    // test starts can have the listener, too.
    if TcpStream::connect(base_url.trim_start_matches("http://")).is_ok() {
        let stream = connect_to(&base_url);
        send(&stream, &status("ENDED-1"));
        match receive(&stream) {
            Ok(response) => assert_eq!(response.status, 404, "the sandbox still responds"),
            Err(error) => assert_ne!(error.kind(), ErrorKind::WouldBlock, "it still listens"),
        }
    }
}

#[test]
fn the_return_url_can_have_another_wire_name() {
    let sandbox = start_with(Options {
        return_url_field: "returnTo".to_owned(),
        ..Options::default()
    });
    let refused = ask(&sandbox, &create("A-1", json!({})));
    assert!(refused.body.contains("returnTo"), "{}", refused.body);
    let renamed = json!({"redirectionURL": null, "returnTo": "mypos://done"});
    assert_eq!(ask(&sandbox, &create("A-1", renamed)).status, 200);
    let pressed = ask(&sandbox, &plain("POST", "/checkout/1/pay", ""));
    assert_eq!(
        pressed.header("Location"),
        Some("mypos://done?txn=TXN0000001")
    );
}

#[test]
fn the_log_has_one_line_per_request_without_personal_data() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = Box::new({
        let lines = lines.clone();
        move |line: &str| lines.lock().expect("the lines").push(line.to_owned())
    });
    let sandbox = start_with(Options {
        log: Some(log),
        ..Options::default()
    });
    ask(&sandbox, &create("A-1", json!({})));
    ask(&sandbox, &plain("POST", "/checkout/1/pay", ""));
    ask(
        &sandbox,
        &plain("GET", "/shop/return?txn=asha@mail.example", ""),
    );
    ask(&sandbox, &status("A-1"));
    let hostile = create(
        "A\u{1b}[2J\nB",
        json!({"productInfo": "sandbox:drop-before"}),
    );
    assert!(try_ask(&sandbox, &hostile).is_err());

    let lines = lines.lock().expect("the lines").clone();
    let without_time: Vec<_> = lines.iter().map(|line| line[8..].trim_start()).collect();
    assert_eq!(
        without_time,
        [
            "POST /api/v1/Gateway/CreateOrder  200  order A-1",
            "POST /checkout/1/pay  303  order A-1",
            "GET  /shop/return  200",
            "POST /api/v1/Gateway/GetStatus  200  order A-1",
            "POST /api/v1/Gateway/CreateOrder  cut  order A\\u{1b}[2J\\nB",
        ]
    );
}

#[test]
fn a_web_page_of_another_host_cannot_use_the_control_address() {
    let sandbox = start();
    add_rule(&sandbox, "status:1:drop");
    ask(&sandbox, &create("A-1", json!({})));
    let here = ("Host", "127.0.0.1:8080");
    let asked = |method: &str, path: &str, headers: Headers| {
        ask(&sandbox, &request(method, path, headers, "")).status
    };
    for headers in [
        &[("Host", "shop.example")][..],
        &[("Host", "shop.example:80")],
        &[("Host", "127.0.0.1.shop.example")],
        &[("Host", "localhost.shop.example")],
        &[("Host", "10.0.0.1")],
        &[("Host", "[2001:db8::1]:80")],
        &[("Host", "")],
        &[here, ("Origin", "https://shop.example")],
        &[here, ("Origin", "http://127.0.0.1.shop.example")],
        &[here, ("Origin", "http://127.0.0.1@shop.example")],
        &[here, ("Origin", "null")],
        &[here, ("Origin", "")],
        // Another program of this machine.
        &[here, ("Origin", "http://localhost:3000")],
        &[here, ("Origin", "http://127.0.0.1")],
        &[here, ("Origin", "https://127.0.0.1:8080")],
    ] {
        for (method, path) in [
            ("DELETE", "/sandbox/faults"),
            ("POST", "/sandbox/faults"),
            ("POST", "/sandbox/reset"),
            ("POST", "/sandbox/orders/A-1/pay"),
            ("GET", "/sandbox/requests"),
        ] {
            assert_eq!(asked(method, path, headers), 403, "{path} {headers:?}");
        }
    }
    let rules = ask(&sandbox, &plain("GET", "/sandbox/faults", "")).json();
    assert_eq!(
        rules["rules"],
        json!([{"rule": "status:1:drop", "used": 0}])
    );
    for headers in [
        &[here][..],
        &[("Host", "LocalHost")],
        &[("Host", "[::1]:8080")],
        &[here, ("Origin", "http://127.0.0.1:8080")],
    ] {
        assert_eq!(
            asked("DELETE", "/sandbox/faults", headers),
            200,
            "{headers:?}"
        );
    }
}

/// The sandbox as a program, which ends with its standard input, and its address.
fn program() -> (Child, BufReader<ChildStdout>, String) {
    let mut program = Command::new(built::folder().with_file_name("examples").join("sandbox"))
        .arg("--private")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut output = BufReader::new(program.stdout.take().expect("its output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("the control address");
    line.clear();
    output.read_line(&mut line).expect("the address");
    let url = line
        .split_whitespace()
        .find(|word| word.starts_with("http"));
    let url = url.expect("its address").to_owned();
    (program, output, url)
}

#[test]
fn an_output_that_nobody_reads_holds_up_no_request() {
    let (mut program, _unread, url) = program();
    let path = format!("/{}", "x".repeat(1000));
    for _ in 0..1200 {
        let stream = connect_to(&url);
        send(&stream, &plain("GET", &path, ""));
        receive(&stream).expect("a response");
    }
    drop(program.stdin.take());
    program.wait().expect("it ends");
}

#[test]
fn it_has_at_most_500_connections_at_once() {
    let (mut program, _output, url) = program();
    let url = url.as_str();
    // It keeps the connection.
    let answers = |mut stream: &TcpStream| {
        let sent = stream.write_all(plain("GET", "/shop/return", "").as_bytes());
        sent.and_then(|()| receive(stream))
    };
    let mut open: Vec<_> = (0..500).map(|_| connect_to(url)).collect();
    assert!(open.iter().all(|stream| answers(stream).is_ok()));
    let refused = answers(&connect_to(url)).map(|response| response.status);
    let waited = |error: &io::Error| error.kind() == ErrorKind::WouldBlock;
    assert!(
        refused.as_ref().is_err_and(|error| !waited(error)),
        "{refused:?}"
    );
    open.clear();
    wait_until(|| answers(&connect_to(url)).is_ok());
    drop(program.stdin.take());
    program.wait().expect("it ends");
}

#[test]
fn a_private_sandbox_tells_nothing_to_a_client_without_the_secret() {
    let sandbox = start_with(Options {
        private: true,
        ..Options::default()
    });
    assert_eq!(ask(&sandbox, &plain("GET", "/sandbox", "")).status, 404);
    let order = create("A-1", json!({}));
    assert_eq!(ask(&sandbox, &order).status, 401);

    let address = sandbox.control().expect("an address of its own");
    let secret = sandbox.secret().expect("a secret");
    let about = |authorization: &str| {
        let stream = connect_to(&address);
        let headers = [("Host", "127.0.0.1"), ("Authorization", authorization)];
        send(&stream, &request("GET", "/sandbox", &headers, ""));
        receive(&stream).expect("a response")
    };
    assert_eq!(about("").status, 401);
    assert_eq!(about("Bearer guess").status, 401);
    let about = about(&format!("Bearer {secret}")).json();
    let token = about["credentials"]["accessToken"].as_str().expect("text");
    assert_ne!(token, sandbox::ACCESS_TOKEN);
    let order = order.replace(sandbox::ACCESS_TOKEN, token);
    assert_eq!(ask(&sandbox, &order).status, 200);
}

#[test]
fn slow_delays_a_response_in_addition_to_another_fault() {
    let rules = [
        "create:1:slow=300",
        "create:1:html-502",
        "status:2:slow=200",
    ];
    let sandbox = start_with(Options {
        rules: rules.map(|rule| Rule::parse(rule).expect("a rule")).into(),
        slow: Duration::from_millis(100),
        ..Options::default()
    });
    for (text, status, least) in [
        (create("A-1", json!({})), 502, 400),
        (status("A-1"), 200, 100),
        (status("A-1"), 200, 300),
    ] {
        let start = Instant::now();
        assert_eq!(ask(&sandbox, &text).status, status);
        assert!(start.elapsed() >= Duration::from_millis(least));
    }
    let listed = requests(&sandbox, 0);
    let faults: Vec<&Value> = listed.iter().map(|request| &request["fault"]).collect();
    assert_eq!(
        faults,
        [&json!("html-502"), &Value::Null, &json!("slow=200")]
    );
}
