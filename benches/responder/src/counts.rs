//! Counts connections, requests and handshakes for the harness.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub static COUNTS: Counts = Counts {
    connections: Count::new(),
    requests: Count::new(),
    full: Count::new(),
    resumed: Count::new(),
};

pub struct Counts {
    pub connections: Count,
    pub requests: Count,
    /// Full TLS handshakes.
    pub full: Count,
    /// TLS handshakes that resumed a session.
    pub resumed: Count,
}

impl Counts {
    pub fn json(&self) -> String {
        format!(
            r#"{{"connections":{},"requests":{},"full":{},"resumed":{}}}"#,
            self.connections.get(),
            self.requests.get(),
            self.full.get(),
            self.resumed.get()
        )
    }
}

pub struct Count(AtomicU64);

impl Count {
    const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
