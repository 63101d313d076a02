//! Status lines and headers: malformed, too many, too long, and those that do not mean success.

use super::*;
use Step::*;
use support::responses::{created, http, http_with};
use support::service::BOTH;

/// No redirect may be followed to `elsewhere`.
pub fn rows(elsewhere: &str) -> Vec<Row> {
    once(
        [
            malformed(),
            sizes(),
            interim(),
            statuses(),
            redirects(elsewhere),
        ]
        .concat(),
    )
}

fn sent(response: impl Into<Vec<u8>>) -> [Step; 3] {
    [Request, Send(response.into()), Close]
}

fn malformed() -> Vec<Row> {
    let body = success();
    let line = |line: &str| {
        sent(format!(
            "{line}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    let header = |header: &[u8]| {
        let start = b"HTTP/1.1 200 OK\r\n";
        sent([start, header, b"\r\nContent-Length: 2\r\n\r\n{}"].concat())
    };
    table! { "", BOTH;
        "a status line of another protocol", line("ICY 200 OK"), UNUSABLE;
        "HTTP/2 in a status line", line("HTTP/2.0 200 OK"), UNUSABLE;
        "HTTP in lower case", line("http/1.1 200 OK"), UNUSABLE;
        "a status of two digits", line("HTTP/1.1 20 OK"), UNUSABLE;
        "a status of four digits", line("HTTP/1.1 2000 OK"), UNUSABLE;
        "a status that is not a number", line("HTTP/1.1 yes OK"), UNUSABLE;
        "a negative status", line("HTTP/1.1 -20 OK"), UNUSABLE;
        "no status", line("HTTP/1.1"), UNUSABLE;
        "a status line with a zero byte", line("HTTP/1.1 200 O\0K"), UNUSABLE;
        "a request instead of a response",
            line("POST /api/v1/Gateway/CreateOrder HTTP/1.1"), UNUSABLE;
        "a body and no head", sent(&*body), UNUSABLE;
        "a greeting of another protocol", sent("SSH-2.0-OpenSSH_9.2\r\n"), UNUSABLE;
        "noise", sent([0xfe; 300]), UNUSABLE;
        "a TLS alert where there is no TLS", sent([21, 3, 3, 0, 2, 2, 40]), UNUSABLE;
        "a header without a colon", header(b"nothing"), UNUSABLE;
        "a header without a name", header(b": x"), UNUSABLE;
        "a header with a zero byte", header(b"X: a\0b"), UNUSABLE;
        "a header with a space in its name", header(b"X Y: z"), UNUSABLE;
        "a header that is not UTF-8", header(b"X: \xff\xfe"), UNUSABLE;
    }
}

/// `tests/interface/answers_are_read_by_rule.rs` has the limits.
fn sizes() -> Vec<Row> {
    let flood = |begins: &str, goes_on: &str| [Request, text(begins), Flood(goes_on.into())];
    table! { "", BOTH;
        "endless headers", flood("HTTP/1.1 200 OK\r\n", "X-Y: z\r\n"), BAD;
        "an endless header", flood("HTTP/1.1 200 OK\r\nX: ", "yyyyyyyy"), BAD;
        "an endless status line", flood("HTTP/1.1 200 ", "OK "), BAD;
        "endless line ends", flood("", "\r\n"), BAD;
    }
}

/// A client must skip interim responses, even if it did not ask for them.
fn interim() -> Vec<Row> {
    let go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    let dated = "HTTP/1.1 100 Continue\r\nDate: Sun, 29 Nov 2026 08:00:00 GMT\r\n\r\n";
    let processing = "HTTP/1.1 102 Processing\r\n\r\n";
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n";
    let many = format!("{go_on}{processing}{hints}");
    let switching = "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
    let any = &[TIMEOUT, BAD_RESPONSE, CONNECTION_LOST];
    table! { "", BOTH;
        "100, then the response", [Request, text(go_on), Send(created())], OK;
        "100, then closed", sent(go_on), UNUSABLE;
        "100, then silence", [Request, text(go_on)], &[TIMEOUT, BAD_RESPONSE], .within(400);
        "100 with a header, then the response", [Request, text(dated), Send(created())], OK;
        "100 with a header, then closed", sent(dated), UNUSABLE;
        "103, then the response", [Request, text(hints), Send(created())], OK;
        "100, 102 and 103, then the response", [Request, text(many), Send(created())], OK;
        "102, then closed", sent(processing), UNUSABLE;
        "endless 100", [Request, Flood(go_on.into())], any, .within(700);
        "endless 100 with a header", [Request, Flood(dated.into())], any, .within(700);
        "endless 103", [Request, Flood(hints.into())], any, .within(700);
        "101", sent(switching), UNUSABLE;
        "199 with a success", sent(http(199, success())), UNUSABLE;
    }
}

/// `tests/interface/answers_are_read_by_rule.rs` has what a status means.
fn statuses() -> Vec<Row> {
    let limited = &[RATE_LIMITED];
    let at_once = |status| sent(http_with(status, &[("Retry-After", "0")], ""));
    let measured_304 = "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n";
    table! { "HTTP ", BOTH;
        "203", sent(http(203, success())), OK;
        "400", sent(http(400, "{}")), REFUSED, .cause("service_refused");
        "400 with the code 200", sent(http(400, r#"{"responseCode":"200"}"#)), BAD, .cause("refusal_unclear");
        "401", sent(http(401, "")), &[UNAUTHORIZED], .cause("unauthorized");
        "429", sent(http(429, "")), limited, .cause("rate_limited");
        "503", sent(http(503, "")), FAILED, .cause("service_error");
        "429, retry at once", at_once(429), limited;
        "503, retry at once", at_once(503), FAILED;
        "204", sent("HTTP/1.1 204 No Content\r\n\r\n"), BAD;
        "204 with a body", sent(http(204, success())), UNUSABLE;
        "304", sent("HTTP/1.1 304 Not Modified\r\n\r\n"), BAD;
        "304 with a length", sent(measured_304), UNUSABLE;
        "205", sent(http(205, "")), BAD;
    }
}

/// No redirect is followed, and no header may reach another host.
fn redirects(elsewhere: &str) -> Vec<Row> {
    let to = |status, place: &str| sent(http_with(status, &[("Location", place)], ""));
    let refresh = [("Location", elsewhere), ("Refresh", "0")];
    table! { "HTTP ", BOTH;
        "300 to another host", to(300, elsewhere), BAD;
        "301 to another host", to(301, elsewhere), BAD;
        "302 to another host", to(302, elsewhere), BAD, .cause("redirected");
        "303 to another host", to(303, elsewhere), BAD;
        "307 to another host", to(307, elsewhere), BAD;
        "308 to another host", to(308, elsewhere), BAD;
        "307 to the same URL", to(307, "/api/v1/Gateway/CreateOrder"), BAD;
        "308 with a success", sent(http_with(308, &refresh[..1], success())), BAD;
        "302 with an empty Location", to(302, ""), BAD;
        "302 without a Location", sent(http(302, "")), BAD;
        "200 with a Location", sent(http_with(200, &refresh, success())), OK;
    }
}
