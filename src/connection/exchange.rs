//! One request and its answer, in HTTP/1.1.

use super::body::{Body, Framing};
use super::delivery::{Delivery, Failure};
use super::head::{self, Head, Malformed, Read};
use super::transport::{Connection, Received};
use super::{Post, Reply, Route};

/// How much of a body there is room for at first, whatever was announced.
const FIRST_ROOM: usize = 64 * 1024;

pub(super) struct Exchange<'a> {
    pub(super) route: &'a Route,
    pub(super) delivery: &'a Delivery,
    pub(super) connection: &'a mut Connection,
}

/// How the body of an answer ended.
enum Ending {
    /// As it was announced.
    Whole,
    /// All of it is there, and the connection can serve no other request.
    Last,
    /// The connection ended without saying goodbye, and nothing else tells where the body ends.
    Cut,
    /// It was longer than the client takes.
    TooLong,
}

impl Exchange<'_> {
    /// Sends the request and reads the answer; also tells whether the connection can serve another
    /// one.
    pub(super) fn run(mut self, post: &Post<'_>) -> Result<(Reply, bool), Failure> {
        // Head and body leave in one packet and one TLS record.
        let size = head::size(self.route, post) + post.body.len();
        let output = self.connection.output(size);
        head::write(self.route, post, output);
        output.extend_from_slice(post.body.as_bytes());
        self.send()?;
        let head = self.read_head()?;
        let mut body = Vec::new();
        let ending = self.read_body(&head, &mut body)?;
        let reply = Reply {
            status: head.status,
            retry_after: head.retry_after,
            cut: matches!(ending, Ending::Cut),
            body: (!matches!(ending, Ending::TooLong)).then_some(body),
        };
        Ok((reply, head.reusable && matches!(ending, Ending::Whole)))
    }

    fn send(&mut self) -> Result<(), Failure> {
        if !self.delivery.belongs_to_this_process() {
            return Err(Failure::Forked);
        }
        if self.delivery.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if self.delivery.is_over() {
            return Err(Failure::TimedOut);
        }
        self.connection.send(self.delivery)
    }

    fn read_head(&mut self) -> Result<Head, Failure> {
        loop {
            match head::read(self.connection.input()) {
                Ok(Read::More) => match self.connection.receive(self.delivery)? {
                    Received::More => {}
                    Received::End { .. } => return Err(self.ended()),
                },
                Ok(Read::Interim(length)) => self.connection.take(length),
                Ok(Read::Final(length, head)) => {
                    self.connection.take(length);
                    return Ok(head);
                }
                Err(what) => return Err(self.malformed(what)),
            }
        }
    }

    fn read_body(&mut self, head: &Head, data: &mut Vec<u8>) -> Result<Ending, Failure> {
        let most = self.route.max_response_bytes;
        if let Framing::Length(length) = head.framing {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            self.reserve(data, length.min(most).min(FIRST_ROOM))?;
        }
        let mut body = Body::new(head.framing);
        loop {
            let unread = self.connection.input().len();
            self.reserve(data, unread)?;
            let taken = body
                .read(self.connection.input(), data)
                .map_err(|what| self.malformed(what))?;
            self.connection.take(taken);
            if data.len() > most {
                return Ok(Ending::TooLong);
            }
            if body.is_done() {
                return Ok(Ending::Whole);
            }
            match self.connection.receive(self.delivery)? {
                Received::More => {}
                Received::End { clean } if body.ends_with_the_connection() => {
                    return Ok(if clean { Ending::Last } else { Ending::Cut });
                }
                Received::End { .. } if body.has_all_data() => return Ok(Ending::Last),
                Received::End { .. } => return Err(self.ended()),
            }
        }
    }

    fn reserve(&self, body: &mut Vec<u8>, size: usize) -> Result<(), Failure> {
        body.try_reserve(size).map_err(|_| {
            Failure::Lost(format!(
                "this machine has no memory left for the answer of {}",
                self.route.host
            ))
        })
    }

    fn ended(&self) -> Failure {
        Failure::Lost(format!(
            "the connection to {} ended before the whole answer was there",
            self.route.host
        ))
    }

    fn malformed(&self, what: Malformed) -> Failure {
        Failure::Malformed(format!("{} answered {what}", self.route.host))
    }
}
