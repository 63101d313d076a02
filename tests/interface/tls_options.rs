//! The TLS options do what they say: further roots, and a certificate of the client's own. The test
//! of causes and `wire_faults` have the refusals of certificates.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::abi::Client;
use support::orders::{config, order, with};
use support::paths::{long_folder, near_folder, relative};
use support::responses::created;
use support::result::{CONNECTION_LOST, TLS_FAILED};
use support::service::{Service, Step, respond};
use support::table;
use support::tls::{
    self, Authority, Folder, for_revocation_lists, requiring_client_certificate,
    requiring_client_certificate_tls_1_2, serving, serving_tls_1_2,
};

fn config_with(service: &Service, tls: Value) -> Value {
    with(&config(&service.url()), "tls", tls)
}

#[test]
fn an_added_authority_is_trusted_in_addition_to_the_roots() {
    let (folder, authority, other) = (Folder::new(), Authority::new(), Authority::new());
    // After the mark that some Windows programs write before the first character.
    let pem = format!(
        "\u{feff}{}\n# and a second\n{}",
        authority.pem(),
        other.pem()
    );
    let ca_file = folder.file("both.pem", pem);
    let identity = || authority.identity_for("localhost");
    for (roots, serving) in table! {
        "bundled", serving(identity());
        "system", serving(identity());
        "both", serving(identity());
        // TLS 1.2 is spoken where a service has no other.
        "bundled", serving_tls_1_2(identity());
    } {
        let service = Service::start_tls(serving, [respond(created())]);
        let tls = json!({"roots": roots, "caFile": ca_file});
        Client::new(&config_with(&service, tls))
            .create(&order())
            .done();
        let without = Client::new(&config_with(&service, json!({"roots": roots})));
        without.create(&order()).is(TLS_FAILED);
        // Allowing plain HTTP does not weaken HTTPS.
        let lax = with(&config(&service.url()), "allowInsecureHttp", true);
        Client::new(&lax).create(&order()).is(TLS_FAILED);
        assert_eq!(service.request_count(), 1);
    }
}

#[test]
fn a_certificate_may_be_for_an_address_and_may_itself_be_what_is_trusted() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let own = tls::self_signed("localhost");
    for (host, trusted, identity) in table! {
        "127.0.0.1", authority.pem(), authority.identity_for("127.0.0.1");
        "localhost", own.certificate.pem(), own;
    } {
        let tls = json!({"caFile": folder.file("ca.pem", trusted)});
        let service = Service::start_tls(serving(identity), [respond(created())]);
        let url = format!("https://{host}:{}", service.port());
        let client = Client::new(&with(&config(&url), "tls", tls));
        client.create(&order()).done();
    }
}

#[test]
fn a_certificate_that_names_no_host_and_a_service_with_other_ciphers_are_explained() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let identity = authority.identity_with("localhost", |params| {
        params.subject_alt_names.clear();
        let name = rcgen::DnType::CommonName;
        params.distinguished_name.push(name, "localhost");
    });
    let service = Service::start_tls(serving(identity), [respond(created())]);
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let reply = Client::new(&config_with(&service, tls)).create(&order());
    reply.is(TLS_FAILED).says("names no host (subjectAltName)");
    assert_eq!(reply.error()["cause"], "certificate_wrong_host");

    // The alert handshake_failure.
    let alert = [Step::WaitForData, Step::Send(vec![21, 3, 3, 0, 2, 2, 40])];
    let service = Service::start([alert.to_vec()]);
    let url = format!("https://127.0.0.1:{}", service.port());
    let reply = Client::new(&config(&url)).create(&order());
    reply.is(TLS_FAILED).says("no cipher, key exchange");
    reply.says("ECDHE");
    assert_eq!(reply.error()["cause"], "handshake_failed");
}

#[test]
fn a_client_shows_its_certificate_where_the_service_demands_one() {
    let (folder, authority, stranger) = (Folder::new(), Authority::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let files = |name: &str, identity: support::tls::Identity| {
        let certificate = folder.file(&format!("{name}.pem"), identity.certificate.pem());
        let key = folder.file(&format!("{name}.key"), identity.key.serialize_pem());
        json!({"caFile": ca_file, "certFile": certificate, "keyFile": key})
    };
    let known = files("known", authority.identity_for("till-1"));
    let unknown = files("unknown", stranger.identity_for("till-1"));
    let none = json!({"caFile": ca_file});
    let identity = || authority.identity_for("localhost");
    for demands in [
        requiring_client_certificate(identity(), &authority),
        requiring_client_certificate_tls_1_2(identity(), &authority),
    ] {
        let service = Service::start_tls(demands, [respond(created())]);
        let shown = Client::new(&config_with(&service, known.clone()));
        shown.create(&order()).done();
        for refused in [&none, &unknown] {
            let reply = Client::new(&config_with(&service, refused.clone())).create(&order());
            // In TLS 1.3 the service refuses after the client's handshake is done and its request
            // may be on the way.
            assert!(
                [TLS_FAILED, CONNECTION_LOST].contains(&reply.code),
                "{}",
                reply.text()
            );
            assert_eq!(service.request_count(), 1);
        }
    }
}

#[test]
fn the_files_may_have_long_paths_in_any_script() {
    let (near, authority) = (near_folder(), Authority::new());
    let folder = long_folder(near.path());
    let till = authority.identity_for("till-1");
    let files = [
        ("caFile", "प्रमाण.pem", authority.pem()),
        ("certFile", "गल्ला.pem", till.certificate.pem()),
        ("keyFile", "गल्ला.key", till.key.serialize_pem()),
    ]
    .map(|(key, name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        (key, path)
    });
    let service = Service::start_tls(
        requiring_client_certificate(authority.identity_for("localhost"), &authority),
        [respond(created())],
    );
    let forms: [fn(&Path) -> PathBuf; 2] = [Path::to_owned, relative];
    for form in forms {
        let mut tls = json!({});
        for (key, path) in &files {
            tls[*key] = form(path).to_str().into();
        }
        Client::new(&config_with(&service, tls))
            .create(&order())
            .done();
    }
}

/// What docs/reliability.md says that is not checked. Where this fails, the document is to be
/// changed.
#[test]
fn key_usage_and_the_end_of_an_added_root_are_not_checked() {
    let folder = Folder::new();
    let (authority, expired) = (
        Authority::new(),
        Authority::named("Test authority", tls::expired),
    );
    for (row, authority, identity) in table! {
        "an intermediate that may only sign revocation lists", &authority,
            authority.between(for_revocation_lists).identity_for("localhost");
        "a server's certificate that may only sign revocation lists", &authority,
            authority.identity_with("localhost", for_revocation_lists);
        "a root that has expired", &expired, expired.identity_for("localhost");
    } {
        let ca_file = folder.file("ca.pem", authority.pem());
        let service = Service::start_tls(serving(identity), [respond(created())]);
        let client = Client::new(&config_with(&service, json!({"caFile": ca_file})));
        assert_eq!(client.create(&order()).code, 0, "{row}");
    }
}
