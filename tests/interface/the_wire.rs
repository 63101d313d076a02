//! What goes over the wire is what the interface asks for, and nothing else.

mod credentials;

use serde_json::{Value, json};
use support::abi::{self, Client, build_create_order, build_get_status};
use support::orders::{FIELDS, config, keys_in_order, order, query, raw_at, with, without};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, respond};
use support::table;
use support::tls_service::TlsService;

fn both() -> Service {
    Service::start([respond(created()), respond(completed("ORDER-1001"))])
}

#[test]
fn each_endpoint_has_its_path_below_the_base_url() {
    let mut rows = Rows::new();
    let prefixes = [
        ("", ""),
        ("/", ""),
        ("/pay/v9", "/pay/v9"),
        ("/pay/v9/", "/pay/v9"),
        ("/a%20b/", "/a%20b"),
    ];
    for (given, prefix) in prefixes {
        let service = both();
        let client = Client::new(&config(&format!("{}{given}", service.url())));
        client.create(&order()).done();
        client.status(&query()).done();
        let requests = service.requests();
        rows.same(
            given,
            requests[0].line(),
            &format!("POST {prefix}/api/v1/Gateway/CreateOrder HTTP/1.1"),
        );
        rows.same(
            given,
            requests[1].line(),
            &format!("POST {prefix}/api/v1/Gateway/GetStatus HTTP/1.1"),
        );
        rows.same(
            given,
            requests[0].header("host"),
            Some(format!("127.0.0.1:{}", service.port())),
        );
    }
    rows.end();
}

#[test]
fn the_user_agent_is_the_librarys_with_the_programs_before_it() {
    let service = both();
    let library = format!("payorder/{}", abi::version());
    Client::new(&config(&service.url())).create(&order()).done();
    assert_eq!(
        service.last_request().header("user-agent"),
        Some(library.clone())
    );
    let named = with(&config(&service.url()), "userAgent", "till/7 (desk 3)");
    Client::new(&named).status(&query()).done();
    assert_eq!(
        service.last_request().header("user-agent"),
        Some(format!("till/7 (desk 3) {library}"))
    );
    let longest = "x".repeat(512);
    let named = with(&config(&service.url()), "userAgent", longest.as_str());
    Client::new(&named).status(&query()).done();
    assert_eq!(
        service.last_request().header("user-agent"),
        Some(format!("{longest} {library}"))
    );
}

#[test]
fn an_order_goes_out_in_the_interfaces_order_and_as_it_came() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let odd = json!({
        "currencyCode": "₹ or INR",
        "redirectionURL": "mypos://done?a=%C3%A9&b=é#x",
        "customerEmail": "  asha@example.com  ",
        "customerMobile": "+91 98765\t43210",
        "customerName": "Aşa \"Zoë\" Šimková \\ 客 🧾 \u{1} \u{7f} \u{2028}",
        "productInfo": "</script><b>&amp;\n\r\n/",
        "merchantId": "m\u{200b}7",
        "payMode": "upi",
        "orderId": " O-1 ",
        "merchantTxnId": "e\u{301} is not \u{e9}",
        "amount": "000100.1000000000000000000000000000001",
    });
    client.create(&odd).done();
    let body = service.last_request().body;
    assert_eq!(keys_in_order(&body), FIELDS);
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), odd);
    assert!(
        body.contains("\"000100.1000000000000000000000000000001\""),
        "{body}"
    );
}

#[test]
fn a_status_body_has_what_its_search_type_asks_for() {
    let service = Service::responding(completed(""));
    let client = Client::new(&config(&service.url()));
    let rows_of = table! {
        json!({"orderId": "O-1"}), vec!["searchType", "orderId"],
            json!({"searchType": "1", "orderId": "O-1"});
        json!({"searchType": "1", "transactionId": "T-9", "orderId": "O-1"}),
            vec!["searchType", "orderId"], json!({"searchType": "1", "orderId": "O-1"});
        json!({"transactionId": "T-900"}), vec!["searchType", "orderId", "transactionId"],
            json!({"searchType": "2", "orderId": "", "transactionId": "T-900"});
    };
    let mut rows = Rows::new();
    for (query, keys, wire) in rows_of {
        let row = query.to_string();
        client.status(&query).done();
        let body = service.last_request().body;
        rows.same(
            &row,
            keys_in_order(&body),
            keys.iter().map(|key| (*key).to_owned()).collect(),
        );
        rows.same(&row, serde_json::from_str(&body).unwrap(), wire);
    }
    rows.end();
}

#[test]
fn what_is_built_is_what_is_sent() {
    let service = Service::start([respond(created())]);
    let named = with(&config(&service.url()), "returnUrlField", "returnUrl");
    let client = Client::new(&named);
    let extra = json!({"udf2": "b", "udf1": "é\n"});
    client
        .create_with(&order(), &json!({"extraFields": extra}))
        .done();
    let options = json!({"returnUrlField": "returnUrl", "extraFields": extra}).to_string();
    let built = build_create_order(&order().to_string(), Some(&options)).done();
    assert_eq!(built.text(), service.last_request().body);

    service.set_script([respond(completed(""))]);
    for query in [json!({"orderId": "O-1"}), json!({"transactionId": "T-900"})] {
        client.status(&query).done();
        let built = build_get_status(&query.to_string()).done();
        assert_eq!(built.text(), service.last_request().body);
    }
}

#[test]
fn the_return_url_has_the_wire_name_that_the_config_gives_it() {
    let service = Service::responding(created());
    let client = Client::new(&with(
        &config(&service.url()),
        "returnUrlField",
        "callback url",
    ));
    client.create(&order()).done();
    let body = service.last_request().body;
    let names = FIELDS.map(|field| {
        if field == "redirectionURL" {
            "callback url"
        } else {
            field
        }
    });
    assert_eq!(keys_in_order(&body), names);
    assert_eq!(
        raw_at(&body, &["callback url"]).unwrap(),
        "\"https://shop.example.com/done\""
    );

    let broken = client.create(&without(&order(), "redirectionURL"));
    assert_eq!(
        broken.violations(),
        ["redirectionURL: required"],
        "in violations it keeps its name"
    );
    let by_wire_name = client.create(&with(&order(), "callback url", "https://shop.example.com"));
    assert_eq!(by_wire_name.violations(), ["callback url: unknown_field"]);
}

#[cfg(target_os = "linux")]
#[test]
fn head_and_body_leave_in_one_write() {
    let service = Service::start([
        respond(created()),
        respond(completed("")),
        respond(created()),
    ]);
    let client = Client::new(&config(&service.url()));
    client.create(&order()).done();
    client.status(&query()).done();
    client.create(&order()).done();
    let segments: Vec<_> = service
        .requests()
        .iter()
        .map(|request| request.segments)
        .collect();
    assert_eq!(segments, [Some(1); 3]);

    let secure = TlsService::start([respond(created())]);
    let service = &secure.service;
    let client = Client::new(&secure.trusted_by(&config(&service.url())));
    client.create(&order()).done();
    client.create(&order()).done();
    // The first request's count has the handshake in it.
    assert_eq!(service.last_request().segments, Some(1), "under TLS");
}

#[test]
fn the_same_request_goes_over_tls() {
    let secure = TlsService::start([respond(created())]);
    let service = &secure.service;
    let client = Client::new(&secure.trusted_by(&config(&service.url())));
    client.create(&order()).done();
    let request = service.last_request();
    assert_eq!(request.line(), "POST /api/v1/Gateway/CreateOrder HTTP/1.1");
    assert_eq!(
        request.header("host"),
        Some(format!("localhost:{}", service.port()))
    );
    assert_eq!(
        request.body,
        build_create_order(&order().to_string(), None).done().text()
    );
}
