//! The list of configuration keys and of the options of calls. A key's name, its limits and its
//! default stand here and nowhere else: the library reads and checks by these constants, and
//! `tests/header` makes the manual in the C header and the description for machines from them.

use crate::connection::Roots;
use crate::entry::EntryState;
use crate::gateway::credentials as keys;
use crate::gateway::order::RETURN_URL_FIELD as REDIRECTION_URL;
use crate::limits::{LONGEST_CALL, LONGEST_CREDENTIAL};
use crate::settings::setting::DefaultValue::{self, Number, Required, Text};
use crate::settings::setting::{Setting, boolean, integer, path, setting, string};

/// Makes a module with a constant for each setting, and a list of all of them with their texts.
macro_rules! settings {
    ($($set:ident { $($(#[doc = $text:literal])+ $name:ident = $setting:expr,)+ })+) => {
        $(
            #[allow(missing_docs, rustdoc::bare_urls, reason = "the texts are for the C header")]
            pub mod $set {
                use super::*;
                $($(#[doc = $text])+ pub const $name: Setting = $setting;)+
            }
        )+

        /// Each set of settings by its name; each setting with its text.
        pub const SETS: &[(&str, &[(Setting, &str)])] = &[
            $((stringify!($set), &[$(($set::$name, concat!($($text),+))),+])),+
        ];
    };
}

const LONGEST_CALL_MS: u64 = LONGEST_CALL.as_secs() * 1000;

/// What `state` of [`journal_list`] can be in addition to the state of an entry.
pub(super) const UNRESOLVED_ENTRIES: &str = "unresolved";
pub(super) const OPEN_ENTRIES: &str = "open";

/// Visible ASCII.
const fn credential(key: &'static str) -> Setting {
    string(key).within(1, LONGEST_CREDENTIAL as u64)
}

settings! {
    // The configuration of a client.
    config {
        /// the service's address: https, or http for a loopback host or with `allowInsecureHttp`;
        /// a path prefix is fine; no user name, password, query or fragment
        BASE_URL = string("baseUrl").within(1, 8192).or(Required),
        /// ACCESS-TOKEN of Create Order; a call's options can replace it; visible ASCII
        ACCESS_TOKEN = credential(keys::ACCESS_TOKEN),
        /// X-CLIENT-KEY of Get Status; a call's options can replace it; visible ASCII
        CLIENT_KEY = credential(keys::CLIENT_KEY),
        /// X-CLIENT-ID of Get Status; a call's options can replace it; visible ASCII
        CLIENT_ID = credential(keys::CLIENT_ID),
        /// X-SECRET-KEY of Get Status; a call's options can replace it; visible ASCII
        SECRET_KEY = credential(keys::SECRET_KEY),
        /// milliseconds for a whole call, with all attempts and pauses
        TIMEOUT = integer("timeoutMs", 1, LONGEST_CALL_MS).or(Number(30_000)),
        /// milliseconds for one connection: name lookup, TCP, proxy and TLS
        CONNECT_TIMEOUT = integer("connectTimeoutMs", 1, LONGEST_CALL_MS).or(Number(10_000)),
        /// how many further attempts at Create Order, only after PAYORDER_CONNECT_FAILED
        CREATE_RETRIES = integer("createRetries", 0, 10).or(Number(1)),
        /// how many further attempts at Get Status, after results 6, 102, 200, 201, 202 and 203
        STATUS_RETRIES = integer("statusRetries", 0, 10).or(Number(2)),
        /// how many started calls run at once; the others wait for a thread. Calls that block are not
        /// counted
        MAX_CALLS = integer("maxCalls", 1, 1024).or(Number(64)),
        /// for how many milliseconds an idle connection is kept for the next call; 0 keeps none
        MAX_IDLE = integer("maxIdleMs", 0, LONGEST_CALL_MS).or(Number(2_000)),
        /// the largest response that is read, in bytes
        MAX_RESPONSE_BYTES = integer("maxResponseBytes", 1024, 16 * 1024 * 1024).or(Number(1024 * 1024)),
        /// http://user:password@host:port or https://..., the user and port being optional; or
        /// "none". Without it, the environment variables https_proxy, http_proxy, all_proxy and
        /// no_proxy decide, as they do for curl
        PROXY = string("proxy"),
        /// see the keys of `tls`
        TLS = setting("tls", "tls"),
        /// allows http to any host; for tests only
        ALLOW_INSECURE_HTTP = boolean("allowInsecureHttp"),
        /// hosts that a checkout URL may have: complete names without a port; without it, any host
        CHECKOUT_HOSTS = setting("checkoutHosts", "strings"),
        /// the wire name of the return URL; not the name of another field of the order. The key of
        /// order_json stays redirectionURL
        RETURN_URL_FIELD = string("returnUrlField").or(Text(REDIRECTION_URL)),
        /// put before payorder/VERSION in the User-Agent header; visible ASCII
        USER_AGENT = string("userAgent").within(1, 512),
        /// further headers of every request, by name; not those that HTTP, the interface or the
        /// library sets itself (such as Host, Content-Type, User-Agent, ACCESS-TOKEN). Their values
        /// count as credentials: visible ASCII, and never shown
        HEADERS = setting("headers", "object"),
        /// errors of results 202 and 203 quote the response's first 2000 characters in responseBody,
        /// without credentials, but nothing of a response that is too large or not HTTP. The text may
        /// contain personal data, so log events and the journal never have it
        QUOTE_RESPONSES = boolean("quoteResponses"),
        /// the path of the journal, a file that is created when it is first used; or the connection
        /// URI of a PostgreSQL database that several machines share
        /// (postgresql://user@host/database); without it, no journal
        JOURNAL = path("journal"),
    }

    // The keys of `tls` in the configuration. Files are PEM and are read at once.
    tls {
        /// which certificate authorities are trusted
        ROOTS = string("tls.roots")
            .one_of(&[Roots::Bundled.name(), Roots::System.name(), Roots::Both.name()])
            .or(Text(Roots::Bundled.name())),
        /// certificate authorities that are trusted as well
        CA_FILE = path("tls.caFile"),
        /// the client certificate for the service (never for a proxy); needs keyFile
        CERT_FILE = path("tls.certFile"),
        /// the private key of certFile
        KEY_FILE = path("tls.keyFile"),
    }

    // The options of every network call.
    network {
        /// used instead of the configuration's
        ACCESS_TOKEN = credential(keys::ACCESS_TOKEN),
        /// used instead of the configuration's
        CLIENT_KEY = credential(keys::CLIENT_KEY),
        /// used instead of the configuration's
        CLIENT_ID = credential(keys::CLIENT_ID),
        /// used instead of the configuration's
        SECRET_KEY = credential(keys::SECRET_KEY),
        /// milliseconds for the whole call, or for each query of a call that sends several; without
        /// it, the configuration's
        TIMEOUT = config::TIMEOUT.or(DefaultValue::None),
        /// sent in addition to the configuration's; one of the same name replaces it
        HEADERS = config::HEADERS,
        /// comes back in each log event of the call, so that you find the request, trace or scope
        /// that made it; no control characters. It is sent nowhere and kept nowhere
        TAG = setting("tag", "characters").within(1, 128),
    }

    // The option of every call that can be cancelled.
    cancelling {
        /// a token of payorder_cancellation_new, which cancels this call
        CANCELLATION = string("cancellation"),
    }

    create_order {
        /// strings that are sent after the fields of the order, under other names than theirs
        EXTRA_FIELDS = setting("extraFields", "object"),
        /// sends an order that the journal has as "unknown" again, if it is the same order, byte
        /// for byte. The customer may then have two orders
        RESEND = boolean("resend"),
    }

    wait_for_payment {
        /// milliseconds until the wait ends, final or not
        WAIT = integer("waitMs", 1, 86_400_000).or(Number(300_000)),
        /// the pause in milliseconds between the first two queries; grows by half each time
        INTERVAL = integer("intervalMs", 10, LONGEST_CALL_MS).or(Number(3_000)),
        /// the longest pause between two queries; if intervalMs is longer, it is used instead
        MAX_INTERVAL = integer("maxIntervalMs", 10, LONGEST_CALL_MS).or(Number(15_000)),
        /// texts of transactionStatus that end the wait, in addition to "Completed"
        FINAL = setting("final", "strings"),
    }

    get_statuses {
        /// how many queries run at the same time
        CONCURRENCY = integer("concurrency", 1, 64).or(Number(8)),
        /// how many queries are sent per second, evenly spaced; without it, no limit
        RATE_PER_SECOND = setting("ratePerSecond", "number"),
    }

    recover {
        /// how many milliseconds to wait for entries that another process is still sending
        WAIT = integer("waitMs", 0, LONGEST_CALL_MS).or(Number(0)),
    }

    check {
        /// the order whose status is asked; without it, payorder-check, which the service does not
        /// know. The status of one that exists proves the credentials
        ORDER_ID = string("orderId"),
    }

    journal_list {
        /// only entries in this state; "unresolved" is "sending" and "unknown"; "open" is these and
        /// every "created" one that is not "Completed"; without it, all
        STATE = string("state").one_of(&[
            EntryState::Sending.name(),
            EntryState::Created.name(),
            EntryState::Rejected.name(),
            EntryState::NotSent.name(),
            EntryState::Unknown.name(),
            EntryState::Settled.name(),
            UNRESOLVED_ENTRIES,
            OPEN_ENTRIES,
        ]),
        /// only entries of the order with this identifier
        ORDER_ID = string("orderId"),
        /// also return what happened to each entry, in its key `events`
        EVENTS = boolean("events"),
        /// how many entries at most
        LIMIT = integer("limit", 1, 10_000).or(Number(1000)),
        /// only entries after the one with this number, to page on
        AFTER = integer("after", 0, i64::MAX as u64).or(Number(0)),
    }

    journal_settle {
        /// the number of the entry to close
        ENTRY = integer("entry", 0, i64::MAX as u64).or(Required),
        /// why it was closed; no personal data
        NOTE = setting("note", "characters").within(0, 200),
    }

    journal_prune {
        /// only entries that were last written more days ago than this
        OLDER_THAN_DAYS = integer("olderThanDays", 1, 3650).or(Number(90)),
    }

    build_create_order {
        /// as in the configuration
        RETURN_URL_FIELD = config::RETURN_URL_FIELD,
        /// as in payorder_create_order
        EXTRA_FIELDS = create_order::EXTRA_FIELDS,
    }
}
