//! Counts connections and requests for the harness.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub static COUNTS: Counts = Counts {
    connections: Count::new(),
    requests: Count::new(),
};

pub struct Counts {
    pub connections: Count,
    pub requests: Count,
}

impl Counts {
    pub fn json(&self) -> String {
        format!(
            r#"{{"connections":{},"requests":{}}}"#,
            self.connections.get(),
            self.requests.get()
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
