// The list of configuration keys and of the options of calls. `tests/header` makes the manual in
// the C header and the description for machines from it, and `tests/repository` compares each limit
// and default with what the library does.
//
// A key has a type, its limits and its default:
//     string     [least most]    bytes of UTF-8; or the values that are allowed
//     characters [least most]    a string, counted in characters
//     integer    [least most]
//     number     [bound]         any number above the bound
//     boolean, strings (an array), object (of strings), path (a string that names a file)
// The default is a value, or `required`, or `none` if leaving the key out means something else,
// which its text says.
settings! {
    // The configuration of a client.
    config {
        /// the service's address: https, or http for a loopback host or with `allowInsecureHttp`;
        /// a path prefix is fine; no user name, password, query or fragment
        baseUrl string [1 8192] required,
        /// ACCESS-TOKEN of Create Order; a call's options can replace it; visible ASCII
        accessToken string [1 4096] none,
        /// X-CLIENT-KEY of Get Status; a call's options can replace it; visible ASCII
        clientKey string [1 4096] none,
        /// X-CLIENT-ID of Get Status; a call's options can replace it; visible ASCII
        clientId string [1 4096] none,
        /// X-SECRET-KEY of Get Status; a call's options can replace it; visible ASCII
        secretKey string [1 4096] none,
        /// milliseconds for a whole call, with all attempts and pauses
        timeoutMs integer [1 600000] 30000,
        /// milliseconds for one connection: name lookup, TCP, proxy and TLS
        connectTimeoutMs integer [1 600000] 10000,
        /// further attempts at Create Order, only after PAYORDER_CONNECT_FAILED
        createRetries integer [0 10] 1,
        /// further attempts at Get Status, after results 6, 102, 200, 201, 202 and 203
        statusRetries integer [0 10] 2,
        /// for how many milliseconds an idle connection is kept for the next call; 0 keeps none
        maxIdleMs integer [0 600000] 2000,
        /// the largest response that is read, in bytes
        maxResponseBytes integer [1024 16777216] 1048576,
        /// http://user:password@host:port or https://..., the user and port being optional; or
        /// "none". Without it, the environment variables https_proxy, http_proxy, all_proxy and
        /// no_proxy decide, as they do for curl
        proxy string [] none,
        /// see the keys of `tls`
        tls tls [] none,
        /// allows http to any host; for tests only
        allowInsecureHttp boolean [] false,
        /// hosts that a checkout URL may have: complete names without a port; without it, any host
        checkoutHosts strings [] none,
        /// the wire name of the return URL; not the name of another field of the order. The key of
        /// order_json stays redirectionURL
        returnUrlField string [] "redirectionURL",
        /// put before payorder/VERSION in the User-Agent header; visible ASCII
        userAgent string [1 512] none,
        /// the path of the journal; the file is created when it is first used; without it, no
        /// journal
        journal path [] none,
    }

    // The keys of `tls` in the configuration. Files are PEM and are read at once.
    tls {
        /// which certificate authorities are trusted
        roots string ["bundled" "system"] "bundled",
        /// certificate authorities that are trusted as well
        caFile path [] none,
        /// the client certificate for the service (never for a proxy); needs keyFile
        certFile path [] none,
        /// the private key of certFile
        keyFile path [] none,
    }

    // The options of every network call.
    network {
        /// used instead of the configuration's
        accessToken string [1 4096] none,
        /// used instead of the configuration's
        clientKey string [1 4096] none,
        /// used instead of the configuration's
        clientId string [1 4096] none,
        /// used instead of the configuration's
        secretKey string [1 4096] none,
        /// milliseconds for the whole call, or for each query of a call that sends several; without
        /// it, the configuration's
        timeoutMs integer [1 600000] none,
    }

    // The option of every call that can be cancelled.
    cancelling {
        /// a token of payorder_cancellation_new, which cancels this call
        cancellation string [] none,
    }

    create_order {
        /// strings that are sent after the eleven fields, under other names than theirs
        extraFields object [] none,
        /// sends an order that the journal has as "unknown" again, if it is the same order, byte
        /// for byte. The customer may then have two orders
        resend boolean [] false,
    }

    wait_for_payment {
        /// milliseconds until the wait ends, final or not
        waitMs integer [1 86400000] 300000,
        /// the pause in milliseconds between the first two queries; grows by half each time
        intervalMs integer [10 600000] 3000,
        /// the longest pause between two queries; if intervalMs is longer, it is used instead
        maxIntervalMs integer [10 600000] 15000,
        /// texts of transactionStatus that end the wait, in addition to "Completed"
        final strings [] none,
    }

    get_statuses {
        /// how many queries run at the same time
        concurrency integer [1 64] 8,
        /// how many queries are sent per second, evenly spaced; without it, no limit
        ratePerSecond number [0] none,
    }

    recover {
        /// how many milliseconds to wait for entries that another process is still sending
        waitMs integer [0 600000] 0,
    }

    journal_list {
        /// only entries in this state; "unresolved" is "sending" and "unknown"; "open" is these and
        /// every "created" one that is not "Completed"; without it, all
        state string
            ["sending" "created" "rejected" "not_sent" "unknown" "settled" "unresolved" "open"] none,
        /// only entries of the order with this identifier
        orderId string [] none,
        /// also return what happened to each entry, in its key `events`
        events boolean [] false,
        /// how many entries at most
        limit integer [1 10000] 1000,
        /// only entries after the one with this number, to page on
        after integer [0 9223372036854775807] 0,
    }

    journal_settle {
        /// the number of the entry to close
        entry integer [0 9223372036854775807] required,
        /// why it was closed; no personal data
        note characters [0 200] none,
    }

    journal_prune {
        /// only entries that were last written more days ago than this
        olderThanDays integer [1 3650] 90,
    }

    build_create_order {
        /// as in the configuration
        returnUrlField string [] "redirectionURL",
        /// as in payorder_create_order
        extraFields object [] none,
    }
}
