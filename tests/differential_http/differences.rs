//! Where the library reads a response differently from ureq, and why. "Rule 1" is the first rule
//! for responses in docs/abi.md.

pub struct Row {
    /// The names of the cases. One `*` stands for any text.
    pub cases: &'static [&'static str],
    /// What each of the two said.
    pub difference: &'static str,
    #[allow(dead_code, reason = "for those who read the table")]
    pub why: &'static str,
}

impl Row {
    pub fn covers(&self, name: &str) -> bool {
        self.cases.iter().any(|case| match case.split_once('*') {
            Some((start, end)) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
            None => *case == name,
        })
    }
}

pub const TABLE: &[Row] = &[
    Row {
        cases: &[
            "status line: version 1.0, Chunked",
            "framing: Transfer-Encoding \"*, 1.0",
            "framing: Transfer-Encoding fields: chunked*, 1.0",
            "framing: Transfer-Encoding fields: gzip*, 1.0",
            "framing: both*, 1.0",
            "framing: chunks: *, 1.0",
        ],
        difference: "payorder response_not_http, ureq 200",
        why: "Rule 1: HTTP/1.0 has no Transfer-Encoding. RFC 9112, 6.1, calls such a message \
              faulty. ureq reads until the connection ends.",
    },
    Row {
        cases: &[
            "framing: Transfer-Encoding \"\"*, 1.1",
            "framing: Transfer-Encoding \"gzip\"*, 1.1",
            "framing: Transfer-Encoding \"identity\"*, 1.1",
            "framing: Transfer-Encoding \"xchunked\"*, 1.1",
            "framing: Transfer-Encoding \"chunkedx\"*, 1.1",
            "framing: Transfer-Encoding \"chunked;q=1\"*, 1.1",
            "framing: Transfer-Encoding \"\\\"chunked\\\"\"*, 1.1",
            "framing: Transfer-Encoding \"chunked,\", chunks, 1.1",
            "framing: Transfer-Encoding \", chunked\", chunks, 1.1",
            "framing: Transfer-Encoding \"chunked, chunked\", chunks, 1.1",
            "framing: Transfer-Encoding \"chunked, gzip\", chunks, 1.1",
            "framing: Transfer-Encoding \"gzip, chunked\", chunks, 1.1",
            "framing: Transfer-Encoding \"identity, chunked\", chunks, 1.1",
            "framing: Transfer-Encoding fields: chunked twice, 1.1",
            "framing: Transfer-Encoding fields: chunked, then gzip, 1.1",
            "framing: Transfer-Encoding fields: gzip, then chunked, 1.1",
        ],
        difference: "payorder response_not_http, ureq 200",
        why: "Rule 1: a Transfer-Encoding other than `chunked` is not well-formed. ureq looks for \
              the word in the value.",
    },
    Row {
        cases: &[
            "framing: chunks: size with a plus, 1.1",
            "framing: chunks: size with a leading space, 1.1",
        ],
        difference: "payorder response_not_http, ureq 200",
        why: "Rule 1: RFC 9112, 7.1: a chunk's size is hexadecimal digits and nothing else. ureq \
              reads it as Rust reads a number, with white space and a sign.",
    },
    Row {
        cases: &["framing: chunks: size with 20 leading zeros, 1.1"],
        difference: "payorder 200, ureq protocol: chunk expected crlf as next character",
        why: "Well-formed. ureq's line with a chunk's size has at most 20 bytes.",
    },
    Row {
        cases: &["framing: chunks: half an empty line at the end, 1.1"],
        difference: "payorder 200, ureq body data reading stalled",
        why: "The last chunk has arrived, so the body is complete. Both accept a response that \
              ends right after the last chunk; this one has one byte more.",
    },
];
