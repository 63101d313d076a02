//! The same responses, over real sockets and TLS.
#![no_main]

mod check;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use check::{SCRIPT, Till};
use libfuzzer_sys::{Corpus, fuzz_target};
use payorder_fuzz::service::Service;
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

static TILL: LazyLock<Till> = LazyLock::new(|| {
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let tls = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .expect("a configuration");
    let path = std::env::temp_dir().join(format!("payorder-fuzz-{}.pem", std::process::id()));
    std::fs::write(&path, own.cert.pem()).expect("a file is written");
    let service = Service::start_tls(4, Arc::new(tls), |_, _| check::lock(&SCRIPT).clone());
    let authority = format!(r#","tls":{{"caFile":"{}"}}"#, path.display());
    // The machine may be busy.
    Till::new(service, Duration::from_secs(30), &authority)
});

fuzz_target!(|input: &[u8]| -> Corpus { check::check(&TILL, input) });
