//! Files that the config names.

use super::{check_accepted, check_refused};
use serde_json::json;
use support::orders::{config, with};
use support::rows::Rows;
use support::table;
use support::tls::{Authority, Folder};

#[test]
fn a_named_file_is_read_at_once_and_must_be_valid() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let (one, two) = (
        authority.identity_for("till-1"),
        authority.identity_for("till-2"),
    );
    let ca_file = folder.file("ca.pem", authority.pem());
    let cert_file = folder.file("one.pem", one.certificate.pem());
    let key_file = folder.file("one.key", one.key.serialize_pem());
    let other_key = folder.file("two.key", two.key.serialize_pem());
    let empty = folder.file("empty.pem", "");
    let garbage = folder.file(
        "garbage.pem",
        "-----BEGIN CERTIFICATE-----\nMARK!\n-----END CERTIFICATE-----\n",
    );
    let no_certificate = folder.file(
        "zeros.pem",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    );
    let noise = folder.file("noise.pem", [0, 159, 146, 150]);
    let missing = folder
        .path()
        .join("missing.pem")
        .to_str()
        .unwrap()
        .to_owned();
    let directory = folder.path().to_str().unwrap().to_owned();
    let mut rows = Rows::new();
    for url in ["https://pay.example.com", "http://127.0.0.1:1"] {
        for tls in [
            json!({}),
            json!({"roots": "bundled"}),
            json!({"roots": "system"}),
            json!({"caFile": ca_file}),
            json!({"certFile": cert_file, "keyFile": key_file}),
            json!({"roots": "bundled", "caFile": ca_file, "certFile": cert_file, "keyFile": key_file}),
        ] {
            check_accepted(&mut rows, &tls.to_string(), &with(&config(url), "tls", tls));
        }
        for (tls, key) in table! {
            json!({"roots": "mozilla"}), "roots";
            json!({"roots": ""}), "roots";
            json!({"roots": null}), "roots";
            json!({"caFile": 1}), "caFile";
            json!({"caFile": null}), "caFile";
            json!({"caFile": ""}), "caFile";
            json!({"caFile": missing}), "caFile";
            json!({"caFile": directory}), "caFile";
            json!({"caFile": empty}), "caFile";
            json!({"caFile": garbage}), "caFile";
            json!({"caFile": "/dev/zero"}), "caFile";
            json!({"caFile": no_certificate}), "caFile";
            json!({"caFile": noise}), "caFile";
            json!({"caFile": key_file}), "caFile";
            json!({"certFile": cert_file}), "keyFile";
            json!({"keyFile": key_file}), "certFile";
            json!({"certFile": missing, "keyFile": key_file}), "certFile";
            json!({"certFile": empty, "keyFile": key_file}), "certFile";
            json!({"certFile": garbage, "keyFile": key_file}), "certFile";
            json!({"certFile": key_file, "keyFile": key_file}), "certFile";
            json!({"certFile": cert_file, "keyFile": missing}), "keyFile";
            json!({"certFile": cert_file, "keyFile": empty}), "keyFile";
            json!({"certFile": cert_file, "keyFile": cert_file}), "keyFile";
            json!({"certFile": cert_file, "keyFile": other_key}), "keyFile";
            json!({"certFile": [cert_file], "keyFile": key_file}), "certFile";
        } {
            check_refused(
                &mut rows,
                &format!("{url} {tls}"),
                &with(&config(url), "tls", tls),
                key,
            );
        }
    }
    rows.end();
}
