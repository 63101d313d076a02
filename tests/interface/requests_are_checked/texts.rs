//! Texts that cannot be read: not JSON, too long, too deep, NULL.

use super::{INVALID_ARGUMENT, INVALID_REQUEST};
use serde_json::json;
use std::ptr;
use support::abi::{self, Client, build_create_order, build_get_status, c, call};
use support::orders::{config, order, query};
use support::responses::created;
use support::rows::Rows;
use support::service::Service;

const KIB_256: usize = 256 * 1024;

#[test]
fn a_text_that_is_not_a_json_object_is_an_invalid_argument() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let order_text = order().to_string();
    let query_text = query().to_string();
    let padded = |length: usize| format!("{order_text}{}", " ".repeat(length - order_text.len()));
    let broken: Vec<(&str, Vec<u8>)> = vec![
        ("an empty text", b"".to_vec()),
        ("white space", b" \n".to_vec()),
        ("a word", b"order".to_vec()),
        ("null", b"null".to_vec()),
        ("a string", b"\"order\"".to_vec()),
        ("an array", format!("[{order_text}]").into()),
        ("half an object", order_text[..order_text.len() - 1].into()),
        ("text after it", format!("{order_text} x").into()),
        (
            "a second object after it",
            format!("{order_text}{order_text}").into(),
        ),
        ("a trailing comma", order_text.replace('}', ",}").into()),
        ("single quotes", order_text.replace('"', "'").into()),
        ("a comment", format!("{order_text}//").into()),
        (
            "a duplicate key",
            order_text.replacen('{', "{\"orderId\":\"O-2\",", 1).into(),
        ),
        (
            "a duplicate key, escaped",
            order_text
                .replacen('{', "{\"\\u006frderId\":\"O-2\",", 1)
                .into(),
        ),
        (
            "a duplicate unknown key",
            order_text
                .replacen('{', "{\"a\":\"1\",\"a\":\"1\",", 1)
                .into(),
        ),
        (
            "a raw control character",
            order_text.replace("Two", "Two\u{1}").into(),
        ),
        (
            "a lone surrogate",
            order_text.replace("Two", "\\ud800").into(),
        ),
        (
            "not UTF-8",
            [b"{\"orderId\":\"\xff\"".as_slice(), b"}"].concat(),
        ),
        (
            "UTF-8 of a surrogate",
            b"{\"orderId\":\"\xed\xa0\x80\"}".to_vec(),
        ),
        ("overlong UTF-8", b"{\"orderId\":\"\xc0\xaf\"}".to_vec()),
        ("one byte over 256 KiB", padded(KIB_256 + 1).into()),
        ("unclosed brackets, very deep", "[".repeat(200_000).into()),
    ];
    let mut rows = Rows::new();
    for (row, text) in broken {
        let text = c(text);
        // SAFETY: every pointer is valid for the call.
        let replies = unsafe {
            [
                (
                    "build_create_order",
                    call(|out| abi::payorder_build_create_order(text.as_ptr(), ptr::null(), out)),
                ),
                (
                    "build_get_status",
                    call(|out| abi::payorder_build_get_status(text.as_ptr(), out)),
                ),
                (
                    "create_order",
                    call(|out| {
                        abi::payorder_create_order(handle(&client), text.as_ptr(), ptr::null(), out)
                    }),
                ),
                (
                    "get_status",
                    call(|out| {
                        abi::payorder_get_status(handle(&client), text.as_ptr(), ptr::null(), out)
                    }),
                ),
            ]
        };
        for (call, reply) in replies {
            rows.same(&format!("{row} to {call}"), reply.code, INVALID_ARGUMENT);
            let name = reply.error()["name"].clone();
            rows.same(
                &format!("{row} to {call}"),
                name,
                json!("PAYORDER_INVALID_ARGUMENT"),
            );
        }
    }
    let fits = build_create_order(&padded(KIB_256), None);
    rows.same("exactly 256 KiB", fits.code, 0);
    let query_padded = format!("{query_text}{}", " ".repeat(KIB_256 - query_text.len()));
    rows.same(
        "a query of 256 KiB",
        build_get_status(&query_padded).code,
        0,
    );
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

fn handle(client: &Client) -> *mut abi::payorder_client {
    ptr::without_provenance_mut(client.key())
}

#[test]
fn null_is_an_invalid_argument_and_no_result_is_lost() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let (order, query) = (c(order().to_string()), c(query().to_string()));
    let mut rows = Rows::new();
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let reply =
            call(|out| abi::payorder_create_order(handle(&client), ptr::null(), ptr::null(), out));
        rows.same("create_order, no order", reply.code, INVALID_ARGUMENT);
        rows.same(
            "its error's name",
            &reply.error()["name"],
            &json!("PAYORDER_INVALID_ARGUMENT"),
        );
        let reply =
            call(|out| abi::payorder_get_status(handle(&client), ptr::null(), ptr::null(), out));
        rows.same("get_status, no query", reply.code, INVALID_ARGUMENT);
        let reply = call(|out| abi::payorder_build_create_order(ptr::null(), ptr::null(), out));
        rows.same("build_create_order, no order", reply.code, INVALID_ARGUMENT);
        let reply = call(|out| abi::payorder_build_get_status(ptr::null(), out));
        rows.same("build_get_status, no query", reply.code, INVALID_ARGUMENT);
        let code = abi::payorder_create_order(
            handle(&client),
            order.as_ptr(),
            ptr::null(),
            ptr::null_mut(),
        );
        rows.same("create_order, no out_json", code, INVALID_ARGUMENT);
        let code = abi::payorder_get_status(
            handle(&client),
            query.as_ptr(),
            ptr::null(),
            ptr::null_mut(),
        );
        rows.same("get_status, no out_json", code, INVALID_ARGUMENT);
        let code = abi::payorder_build_create_order(order.as_ptr(), ptr::null(), ptr::null_mut());
        rows.same("build_create_order accepts a NULL out_json", code, 0);
        let code = abi::payorder_build_get_status(c("{}").as_ptr(), ptr::null_mut());
        rows.same(
            "build_get_status accepts a NULL out_json",
            code,
            INVALID_REQUEST,
        );
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn a_deeply_nested_value_is_refused_without_a_crash() {
    let deep = format!(
        "{{\"amount\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for reply in [build_create_order(&deep, None), build_get_status(&deep)] {
        assert!(
            [INVALID_ARGUMENT, INVALID_REQUEST].contains(&reply.code),
            "{}",
            reply.text()
        );
    }
}
