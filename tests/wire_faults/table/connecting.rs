//! Failures before the connection is established: nothing may have been sent.

use super::*;
use crate::names;
use Step::*;
use support::responses::{created, http};
use support::service::{BOTH, TlsSetup, Way, response};

const HANDSHAKE: &[Way] = &[Way::Handshake];

pub fn rows() -> Vec<Row> {
    [places(), certificates(), handshakes(), early_responses()].concat()
}

fn places() -> Vec<Row> {
    use Place::*;
    table! { "", BOTH;
        "nobody listens", [], NEVER, .at(Nobody).cause("connection_refused");
        "the accept queue is full until the deadline", [], NEVER, .at(FullQueue).within(300);
        "the accept queue is full until connectTimeoutMs", [], NEVER,
            .at(FullQueue).attempt_of(200).within(9000).sooner(3000).cause("connect_timed_out");
        "a name that does not exist", [], NEVER, .at(Host("name.invalid"));
        "a name lookup that takes too long", [], NEVER, .at(Named(names::SLOW)).within(300);
        "a name lookup that takes longer than connectTimeoutMs", [], NEVER,
            .at(Named(names::SLOW)).attempt_of(200).within(20_000).sooner(8000)
            .cause("name_lookup_timed_out");
        "a name that no name server knows", [], NEVER,
            .at(Named(names::UNKNOWN)).cause("name_not_found");
        "a name server that does not respond", [], NEVER,
            .at(Named(names::NO_NAME_SERVER)).cause("name_lookup_failed");
        "no file descriptor left for the lookup", [], NEVER,
            .at(Named(names::NO_DESCRIPTORS)).cause("no_descriptors");
        "no memory left for the lookup", [], NEVER,
            .at(Named(names::NO_MEMORY)).cause("no_resources");
        // The system cannot reach this address.
        "no route to the address", [], NEVER,
            .at(Host("255.255.255.255:9")).cause("network_unreachable");
        "a name that is found after a while", no_fault(1), OK,
            .at(Named(names::LATE)).ways(&[Way::Plain]).connections(1..=1);
        "no listener in that address family", [], NEVER, .at(Host("[::1]:9"));
    }
}

fn certificates() -> Vec<Row> {
    use TlsSetup::*;
    let refused = |certificate| [vec![Handshake(certificate)], no_fault(1)].concat();
    let mut rows = once(table! { "", HANDSHAKE;
        "a self-signed certificate", refused(SelfSigned), NO_TLS,
            .cause("certificate_unknown_issuer");
        "an expired certificate", refused(Expired), NO_TLS, .cause("certificate_expired");
        "a certificate that is not valid yet", refused(NotYetValid), NO_TLS,
            .cause("certificate_not_yet_valid");
        "a certificate for another host", refused(WrongHost), NO_TLS,
            .cause("certificate_wrong_host");
        "a certificate for the address, not for the name", refused(ForAddress), NO_TLS,
            .cause("certificate_wrong_host");
        "a certificate of an unknown authority", refused(UnknownIssuer), NO_TLS,
            .cause("certificate_unknown_issuer");
        "a certificate of an authority under a trusted one's name", refused(ImpostorIssuer), NO_TLS,
            .cause("certificate_invalid");
        "an authority's own certificate", refused(AuthorityCertificate), NO_TLS,
            .cause("certificate_invalid");
        "a certificate for clients only", refused(ForClientsOnly), NO_TLS,
            .cause("certificate_invalid");
        "only HTTP/2", refused(OnlyHttp2), NO_TLS, .cause("handshake_failed");
    });
    // With TLS 1.3, the client finishes its part of the handshake before it learns that its
    // certificate is missing, so it sends the order.
    rows.extend(table! { "", HANDSHAKE;
        "a client certificate is required, TLS 1.2", [Handshake(RequiresClientCertificateTls12)],
            NO_TLS, .cause("client_certificate_refused");
        "a client certificate is required, TLS 1.3", [Handshake(RequiresClientCertificate)],
            &[CONNECTION_LOST, TLS_FAILED], .cause("client_certificate_refused");
        "a client certificate is required, and missed after the request was sent",
            [HandshakeAndSend(RequiresClientCertificate, Vec::new(), 100), Wait(500), Request], LOST,
            .cause("client_certificate_refused");
        // As OpenSSL says it.
        "a client certificate is required, and missed as a handshake_failure",
            [PartOfHandshake(RequiresClientCertificateTls12, 100), WaitForData,
                Send(vec![21, 3, 3, 0, 2, 2, 40]), Close],
            NO_TLS, .cause("client_certificate_refused");
        "TLS 1.2, and then reset", [Handshake(GoodTls12), Request, Reset], LOST;
        "TLS 1.2, without a fault", [Handshake(GoodTls12), Request, Send(created())], OK;
    });
    rows
}

/// Data that arrives with the handshake is not a response to a later request.
fn early_responses() -> Vec<Row> {
    let mut rows = Vec::new();
    for (version, setup) in [("1.2", TlsSetup::GoodTls12), ("1.3", TlsSetup::Good)] {
        for hundredths in [1, 50, 100] {
            let name = format!("{hundredths}% of a response in the handshake, TLS {version}");
            let early = HandshakeAndSend(setup, response(400), hundredths);
            // A second connection would resume the first one's session, with other messages.
            let row = Row::new(name, HANDSHAKE, [early, Wait(1500), Request], NEVER);
            rows.push(row.with("createRetries", 0).cause("answer_before_request"));
        }
    }
    rows
}

/// `every_byte` has handshakes that end after each of their bytes.
fn handshakes() -> Vec<Row> {
    let alert = |level, what| vec![21, 3, 3, 0, 2, level, what];
    let hello = vec![22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3, 0, 0, 0];
    let (record, message) = (
        vec![22, 3, 3, 255, 255, 2],
        vec![22, 3, 3, 64, 0, 2, 255, 255, 255],
    );
    table! { "the handshake: ", HANDSHAKE;
        "closed at once", [Close], NO_TLS;
        "closed unread at once", [CloseUnread], NEVER_OR_NO_TLS;
        "reset at once", [Reset], NEVER_OR_NO_TLS;
        "closed after the ClientHello", [WaitForData, Close], NO_TLS;
        "closed unread after the ClientHello", [WaitForData, CloseUnread], NEVER_OR_NO_TLS;
        "reset after the ClientHello", [WaitForData, Reset], NEVER_OR_NO_TLS;
        "silence", [], NEVER_OR_NO_TLS, .within(300);
        "silence until connectTimeoutMs", [], NO_TLS,
            .attempt_of(1000).within(9000).sooner(3000).cause("handshake_timed_out");
        "nobody reads", [Wait(700)], NEVER_OR_NO_TLS, .within(300);
        "answered in plain HTTP, 400", [WaitForData, Send(http(400, "<html>"))], NO_TLS;
        "answered in plain HTTP, with a success", [WaitForData, Send(created()), Close], NO_TLS;
        "plain HTTP before the request", [Send(created()), Close], NO_TLS;
        "noise", [WaitForData, Send(vec![7; 500]), Close], NO_TLS;
        "endless zeros", [WaitForData, Flood(vec![0; 1024])], NEVER_OR_NO_TLS;
        "a fatal alert", [WaitForData, Send(alert(2, 40)), Close], NO_TLS,
            .cause("handshake_failed");
        "an old version of TLS", [WaitForData, Send(alert(2, 70)), Close], NO_TLS,
            .cause("tls_version_unsupported");
        "close_notify instead of ServerHello", [WaitForData, Send(alert(1, 0)), Close],
            NEVER_OR_NO_TLS;
        "endless warnings", [WaitForData, Flood(alert(1, 90))], NEVER_OR_NO_TLS, .within(1000);
        "a record over the size limit", [WaitForData, Send(record), Send(vec![0; 70_000])],
            NEVER_OR_NO_TLS, .within(1000);
        "a message over the size limit", [WaitForData, Send(message), Flood(vec![0; 512])],
            NEVER_OR_NO_TLS, .within(1000);
        "a byte at a time", [WaitForData, Drip(hello, 60)], NEVER_OR_NO_TLS, .within(300);
        "endless empty records", [WaitForData, Flood(vec![22, 3, 3, 0, 0])], NEVER_OR_NO_TLS,
            .within(1000);
    }
}
