//! A scripted service under TLS, and the certificate authority that its clients trust.

use super::orders::with;
use super::tls::{Authority, Folder, serving};
use crate::service::{Script, Service};
use serde_json::{Value, json};
use std::collections::VecDeque;

pub struct TlsService {
    pub service: Service,
    ca_file: String,
    _folder: Folder,
}

impl TlsService {
    pub fn start(script: impl Into<VecDeque<Script>>) -> TlsService {
        let (folder, authority) = (Folder::new(), Authority::new());
        let ca_file = folder.file("ca.pem", authority.pem());
        let service = Service::start_tls(serving(authority.identity_for("localhost")), script);
        TlsService {
            service,
            ca_file,
            _folder: folder,
        }
    }

    /// `config`, for a client that trusts the service.
    pub fn trusted_by(&self, config: &Value) -> Value {
        with(config, "tls", json!({"caFile": self.ca_file}))
    }
}
