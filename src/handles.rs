//! Clients by key: a `payorder_client *` is never dereferenced.

use std::sync::Arc;

use payorder_core::{Cause, Client, Code, Error};

use super::handle_map::HandleMap;

static CLIENTS: HandleMap<Client> = HandleMap::new();

pub(super) fn insert(client: Client) -> usize {
    CLIENTS.insert(|_| client).0
}

pub(super) fn get(key: usize) -> Result<Arc<Client>, Error> {
    CLIENTS.get(key).ok_or_else(|| not_live(key))
}

/// Removes a client. Calls that run keep it alive until they end.
pub(super) fn remove(key: usize) -> Result<(), Error> {
    let client = CLIENTS.remove(key).ok_or_else(|| not_live(key))?;
    client.free();
    Ok(())
}

pub(super) fn count() -> usize {
    CLIENTS.count()
}

fn not_live(key: usize) -> Error {
    let (cause, problem) = match key {
        0 => (
            Cause::Null,
            "there is no client: it was not created, or was given away (the handle is NULL)",
        ),
        _ => (
            Cause::ClientFreed,
            "the client was freed or never created: create another one",
        ),
    };
    Error::new(Code::InvalidHandle, cause, problem)
}
