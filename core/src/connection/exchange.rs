//! One HTTP/1.1 request and its response, with ureq's protocol engine, which does no I/O.

use ureq_proto::BodyMode;
use ureq_proto::client::state::{RecvBody, RecvResponse};
use ureq_proto::client::{
    Call, MAX_RESPONSE_HEADERS, RecvBodyResult, RecvResponseResult, SendRequestResult,
};
use ureq_proto::http::{HeaderMap, HeaderValue, Method, Request, Response, Version, header};
use ureq_proto::parser::try_parse_response;

use super::chunks::{ChunkedDecoder, ProtocolError};
use super::context::CallContext;
use super::failure::{ConnectionProblem, Failure};
use super::http_connection::{Disconnect, HttpConnection, Received};
use super::{Completeness, HttpRequest, HttpResponse, Route};
use crate::credentials::merged;
use crate::error::Cause;

const MAX_HEAD_BYTES: usize = 64 * 1024;

/// The empty line after the headers.
const END_OF_HEAD: &[u8] = b"\r\n";
/// The start of a request's head without its path and host: the request line, `host` and
/// `content-length`.
const MAX_HEAD_START: usize = 96;

pub(super) struct Exchange<'a> {
    pub(super) route: &'a Route,
    pub(super) context: CallContext<'a>,
    pub(super) connection: &'a mut HttpConnection,
}

struct Body {
    /// `None` if it was longer than allowed.
    bytes: Option<Vec<u8>>,
    completeness: Completeness,
    reusable: bool,
}

impl Exchange<'_> {
    /// Sends the request and reads the response. The flag says whether the connection can be used
    /// again.
    pub(super) fn run(mut self, post: &HttpRequest<'_>) -> Result<(HttpResponse, bool), Failure> {
        let call = self.write(post)?;
        self.send()?;
        let (response, next) = self.read_head(call)?;
        let body = match next {
            RecvResponseResult::RecvBody(call) => self.read_body(call)?,
            RecvResponseResult::Redirect(call) => Body::empty(!call.must_close_connection()),
            RecvResponseResult::Cleanup(call) => Body::empty(!call.must_close_connection()),
        };
        let retry_after = response
            .headers()
            .get(header::RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        Ok((
            HttpResponse {
                status: response.status().as_u16(),
                retry_after,
                body: body.bytes,
                completeness: body.completeness,
                is_followed: self.connection.has_more(response.status().is_success()),
                is_coded: is_coded(response.headers()),
            },
            body.reusable,
        ))
    }

    /// Writes head and body into one buffer, so that they leave in one packet and one TLS record.
    fn write(&mut self, post: &HttpRequest<'_>) -> Result<Call<RecvResponse>, Failure> {
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = post.uri.clone();
        let headers = request.headers_mut();
        headers.insert(header::HOST, self.route.authority.clone());
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(post.body.len()));
        let start = MAX_HEAD_START + post.uri.path().len() + self.route.authority.len();
        let credentials = post.credentials.iter().flatten();
        let credentials = credentials.map(|(start, secret)| start.len() + secret.len() + 2);
        let headers = merged(post.headers).map(|(name, secret)| name.len() + secret.len() + 4);
        let own: usize = credentials.chain(headers).sum();
        let size = start + self.route.headers.len() + own + post.body.len();

        let mut call = Call::new(request).map_err(internal)?.proceed();
        let output = self.connection.output(size);
        output.resize(start, 0);
        let written = call.write(output).map_err(internal)?;
        // Before the empty line at the end come the headers that the engine need not see: those
        // that are always the same, and the credentials.
        output.truncate(written.saturating_sub(END_OF_HEAD.len()));
        output.extend_from_slice(self.route.headers.as_bytes());
        for (start, secret) in post.credentials.iter().flatten() {
            output.extend_from_slice(start.as_bytes());
            secret.reveal_to(output);
            output.extend_from_slice(b"\r\n");
        }
        for (name, secret) in merged(post.headers) {
            output.extend_from_slice(name.as_bytes());
            output.extend_from_slice(b": ");
            secret.reveal_to(output);
            output.extend_from_slice(b"\r\n");
        }
        output.extend_from_slice(END_OF_HEAD);
        output.extend_from_slice(post.body.as_bytes());
        let mut call = match call.proceed().map_err(internal)? {
            Some(SendRequestResult::SendBody(call)) => call,
            _ => {
                return Err(Failure::Internal(
                    "the head of the request was not written completely".into(),
                ));
            }
        };
        call.consume_direct_write(post.body.len())
            .map_err(internal)?;
        call.proceed().ok_or_else(|| {
            Failure::Internal("the body of the request was not written completely".into())
        })
    }

    fn send(&mut self) -> Result<(), Failure> {
        if !self.context.scope.belongs_to_this_process() {
            return Err(Failure::Forked);
        }
        if self.context.scope.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if self.context.attempt.is_past_deadline() {
            return Err(Failure::TimedOut);
        }
        self.connection.send(self.context)
    }

    fn read_head(
        &mut self,
        mut call: Call<RecvResponse>,
    ) -> Result<(Response<()>, RecvResponseResult), Failure> {
        loop {
            if let Received::Disconnected(end) = self.connection.receive(self.context)? {
                return Err(self.connection_ended(end));
            }
            // An interim response may be followed by the next one.
            loop {
                let unread = self.connection.input().len();
                let input = self.connection.input();
                let (taken, response) = match call.try_response(input, false) {
                    // The engine refuses a 100 that has headers, which RFC 9110 allows.
                    Err(ureq_proto::Error::HeadersWith100) => (length_of_head(input), None),
                    read => read.map_err(|problem| self.not_http(&problem))?,
                };
                if (if taken > 0 { taken } else { unread }) > MAX_HEAD_BYTES {
                    return Err(Failure::InvalidResponse(format!(
                        "{} answered with a head over {MAX_HEAD_BYTES} bytes",
                        self.route.host
                    )));
                }
                self.connection.consume(taken);
                if let Some(response) = response {
                    let attempt = self.context.attempt;
                    attempt.status.set(Some(response.status().as_u16()));
                    attempt.request_id.set(request_id(response.headers()));
                    if attempt.keeps_date.get() {
                        let date = response.headers().get(header::DATE);
                        let date = date.and_then(|date| date.to_str().ok());
                        attempt.date.set(date.map(str::to_owned));
                    }
                    check_encoding(&response).map_err(|what| self.invalid_response(what))?;
                    let next = call
                        .proceed()
                        .ok_or_else(|| Failure::Internal("the response was lost".into()))?;
                    return Ok((response, next));
                }
                if taken == 0 || taken == unread {
                    break;
                }
            }
        }
    }

    fn read_body(&mut self, call: Call<RecvBody>) -> Result<Body, Failure> {
        let mut body = Vec::new();
        let read = self.read_into(&mut body, call);
        let mut bytes = Some(body);
        let is_part =
            |body: &mut Vec<u8>| read.is_err() || body.len() > self.route.max_response_bytes;
        if let Some(part) = bytes.take_if(is_part) {
            self.context.attempt.part.set(part);
        }
        let (completeness, reusable) = read?;
        Ok(Body {
            bytes,
            completeness,
            reusable,
        })
    }

    /// Stops when the body is longer than allowed. The flag says whether the connection can be used
    /// again.
    fn read_into(
        &mut self,
        body: &mut Vec<u8>,
        mut call: Call<RecvBody>,
    ) -> Result<(Completeness, bool), Failure> {
        let mode = call.body_mode();
        let ends_with_the_connection = mode == BodyMode::CloseDelimited;
        let mut chunks = (mode == BodyMode::Chunked).then(ChunkedDecoder::default);
        let mut completeness = Completeness::Complete;
        loop {
            let is_done = match &chunks {
                Some(chunks) => chunks.is_done(),
                None => call.can_proceed() && !ends_with_the_connection,
            };
            if is_done {
                break;
            }
            let unread = self.connection.input().len();
            self.reserve(body, unread)?;
            let input = self.connection.input();
            let taken = match &mut chunks {
                Some(chunks) => chunks
                    .read(input, body)
                    .map_err(|what| self.invalid_response(what))?,
                None if unread > 0 => {
                    let start = body.len();
                    body.resize(start + unread, 0);
                    let (taken, made) = call
                        .read(input, body.get_mut(start..).unwrap_or_default())
                        .map_err(|problem| self.not_http(&problem))?;
                    body.truncate(start + made);
                    taken
                }
                None => 0,
            };
            self.connection.consume(taken);
            if body.len() > self.route.max_response_bytes {
                return Ok((completeness, false));
            }
            if taken > 0 {
                continue;
            }
            match self.connection.receive(self.context)? {
                Received::Data => {}
                // Only the empty line after the last chunk is missing.
                Received::Disconnected(_)
                    if chunks.as_ref().is_some_and(ChunkedDecoder::has_all_data) =>
                {
                    return Ok((Completeness::Truncated, false));
                }
                // Its own socket was shut down: the service has not ended the body.
                Received::Disconnected(_) if self.context.scope.is_cancelled() => {
                    return Err(Failure::Cancelled);
                }
                Received::Disconnected(end) if ends_with_the_connection => {
                    completeness = match end {
                        Disconnect::Closed => Completeness::CloseDelimited,
                        _ => Completeness::Truncated,
                    };
                    break;
                }
                Received::Disconnected(end) => return Err(self.connection_ended(end)),
            }
        }
        if chunks.is_some() {
            // The engine decides whether the connection can be used again, once it has seen the end
            // of the body.
            call.read(b"0\r\n\r\n", &mut [])
                .map_err(|problem| self.not_http(&problem))?;
        }
        Ok((completeness, is_reusable(call)))
    }

    fn reserve(&self, body: &mut Vec<u8>, size: usize) -> Result<(), Failure> {
        body.try_reserve(size).map_err(|_| {
            let what = format!(
                "this machine has no memory left for the response of {}",
                self.route.host
            );
            Failure::ConnectionLost(ConnectionProblem::new(Cause::NoResources, what))
        })
    }

    fn connection_ended(&self, end: Disconnect) -> Failure {
        let host = &self.route.host;
        Failure::ConnectionLost(match end {
            Disconnect::Reset(error) => ConnectionProblem::new(
                Cause::ConnectionReset,
                format!("the connection to {host} was reset before the complete response arrived"),
            )
            .with_source(error),
            Disconnect::Closed | Disconnect::Truncated => ConnectionProblem::new(
                Cause::ConnectionClosed,
                format!("the connection to {host} ended before the complete response arrived"),
            ),
        })
    }

    fn invalid_response(&self, what: ProtocolError) -> Failure {
        Failure::InvalidResponse(format!("{} answered {what}", self.route.host))
    }

    fn not_http(&self, problem: &ureq_proto::Error) -> Failure {
        Failure::InvalidResponse(format!(
            "{} sent a response that is not valid HTTP: {problem}",
            self.route.host
        ))
    }
}

impl Body {
    fn empty(reusable: bool) -> Body {
        Body {
            bytes: Some(Vec::new()),
            completeness: Completeness::Complete,
            reusable,
        }
    }
}

/// The headers in which services and gateways say what they call a request. The first one counts.
const REQUEST_IDS: [&str; 7] = [
    "x-request-id",
    "x-correlation-id",
    "request-id",
    "x-amzn-requestid",
    "x-amzn-trace-id",
    "x-cloud-trace-context",
    "cf-ray",
];

/// What a response calls its request. One pass over the few headers costs less than seven lookups.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let named = headers.iter().filter_map(|(name, value)| {
        let name = name.as_str();
        // The names of most headers end otherwise.
        if !matches!(name.as_bytes().last(), Some(b'd' | b't' | b'y')) {
            return None;
        }
        let rank = REQUEST_IDS.iter().position(|one| *one == name)?;
        let value = value.to_str().ok()?;
        (!value.is_empty() && !value.contains('\t')).then_some((rank, value))
    });
    let (_, value) = named.min_by_key(|(rank, _)| *rank)?;
    Some(value.to_owned())
}

/// Whether the connection can be used for another request.
fn is_reusable(call: Call<RecvBody>) -> bool {
    match call.proceed() {
        Some(RecvBodyResult::Redirect(call)) => !call.must_close_connection(),
        Some(RecvBodyResult::Cleanup(call)) => !call.must_close_connection(),
        None => false,
    }
}

fn is_coded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).into_iter();
    codings.any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// How many bytes of `input` the complete head at its start has.
fn length_of_head(input: &[u8]) -> usize {
    let head = try_parse_response::<MAX_RESPONSE_HEADERS>(input);
    head.ok().flatten().map_or(0, |(length, _)| length)
}

/// Accepts no other encoding than `chunked` alone, and none in HTTP/1.0 (RFC 9112, section 6.1).
/// The end of any other body is not certain, and with a wrong end one order's response could be
/// taken for another's.
fn check_encoding(response: &Response<()>) -> Result<(), ProtocolError> {
    let mut encodings = response
        .headers()
        .get_all(header::TRANSFER_ENCODING)
        .into_iter();
    let Some(encoding) = encodings.next() else {
        return Ok(());
    };
    if response.version() == Version::HTTP_10 {
        return Err("in HTTP/1.0 with a Transfer-Encoding, so that its body has no certain end");
    }
    if encodings.next().is_some() || !encoding.as_bytes().eq_ignore_ascii_case(b"chunked") {
        return Err("with a Transfer-Encoding other than chunked");
    }
    Ok(())
}

fn internal(problem: ureq_proto::Error) -> Failure {
    Failure::Internal(format!("the request could not be written: {problem}"))
}
