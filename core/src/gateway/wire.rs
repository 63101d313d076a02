//! How a request to the service looks: its path, its headers, and the credentials in them.

use crate::credentials::{CallCredentials, CredentialHeader, Secret, keys};
use crate::error::{Cause, Code, Error};

/// The paths, after the `baseUrl`. Source: "Create Order" and "Get Status" in the interface's
/// documentation.
pub(crate) const CREATE_ORDER_PATH: &str = "/api/v1/Gateway/CreateOrder";
pub(crate) const GET_STATUS_PATH: &str = "/api/v1/Gateway/GetStatus";

/// The headers that every request has, except `host` and those with credentials.
pub(crate) fn headers(user_agent: &str) -> String {
    format!(
        "content-type: application/json\r\n\
         accept: application/json\r\n\
         user-agent: {user_agent}\r\n"
    )
}

/// The credentials that a call needs. Source: "Authentication" in the interface's documentation.
#[derive(Clone, Copy)]
pub(crate) enum NeededCredentials {
    CreateOrder,
    GetStatus,
}

impl NeededCredentials {
    /// The headers, and how many of them count.
    pub(crate) fn headers<'a>(
        self,
        all: &CallCredentials<'a>,
    ) -> Result<([CredentialHeader<'a>; 3], usize), Error> {
        match self {
            NeededCredentials::CreateOrder => {
                let token = required(all.access_token, keys::ACCESS_TOKEN, "Create Order")?;
                Ok(([("access-token", token); 3], 1))
            }
            NeededCredentials::GetStatus => {
                let needed = |secret, key| required(secret, key, "Get Status");
                let headers = [
                    ("x-client-key", needed(all.client_key, keys::CLIENT_KEY)?),
                    ("x-client-id", needed(all.client_id, keys::CLIENT_ID)?),
                    ("x-secret-key", needed(all.secret_key, keys::SECRET_KEY)?),
                ];
                Ok((headers, 3))
            }
        }
    }
}

fn required<'a>(secret: Option<&'a Secret>, key: &str, call: &str) -> Result<&'a Secret, Error> {
    secret.ok_or_else(|| {
        Error::new(
            Code::MissingCredentials,
            Cause::CredentialsMissing,
            format!(
                "{call} needs {key}, which is in neither the configuration nor the options; \
                 nothing was sent"
            ),
        )
    })
}
