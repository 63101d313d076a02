//! The page at `/`, for a person: it shows the orders and the requests, and has buttons for what
//! the control address does. It asks the control address for everything.

use super::Service;
use super::http::{Request, Response};
use super::visitor::check_host;

/// The certificate of the authority that was made, for programs on other machines.
pub const AUTHORITY: &str = "/ca.pem";

const HTML: &str = include_str!("page.html");
const CSS: &str = concat!(include_str!("theme.css"), include_str!("page.css"));
const SETTINGS: &str = include_str!("settings.txt");
const SCRIPT: &str = include_str!("page.js");

pub fn is_page(path: &str) -> bool {
    ["/", "/page.css", "/page.js", "/settings.txt", AUTHORITY].contains(&path)
}

/// Needs no secret: nothing of the sandbox is in it.
pub fn page(request: &Request, service: &Service) -> Response {
    if let Err((status, what)) = check_host(request, service) {
        return Response::text(status, format!("{what}.\n"));
    }
    let (media_type, text) = match request.path() {
        _ if !request.is_get() => return Response::wrong_method("GET"),
        "/" => ("text/html; charset=utf-8", HTML.to_owned()),
        "/settings.txt" => ("text/plain; charset=utf-8", SETTINGS.to_owned()),
        "/page.css" => ("text/css; charset=utf-8", CSS.to_owned()),
        "/page.js" => ("text/javascript; charset=utf-8", SCRIPT.to_owned()),
        _ => match service.tls.as_ref().and_then(|tls| tls.authority.as_ref()) {
            Some(authority) => ("application/x-pem-file", authority.clone()),
            None => return Response::text(404, "This sandbox has made no authority.\n"),
        },
    };
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                  img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    Response::new(200, media_type, text)
        .with_header("Content-Security-Policy", policy.to_owned())
        .with_header("X-Content-Type-Options", "nosniff".to_owned())
        .with_header("Referrer-Policy", "same-origin".to_owned())
        .with_header("Cross-Origin-Resource-Policy", "same-origin".to_owned())
        .with_header("Cache-Control", "no-store".to_owned())
}
