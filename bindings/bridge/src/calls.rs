//! Makes the call of a request.

use crate::library::{self, Client, Each, Reply, Token};
use crate::refusal::Refusal;
use crate::request::{Call, Request};

/// Blocks until the call has its result. `Cancel` and `CancelAll` are not made here.
pub fn make(
    client: &Client,
    request: &Request,
    token: Option<&Token>,
    each: &mut Each<'_>,
) -> Reply {
    let given = request.options.as_deref();
    let with_token;
    let options = match token.filter(|_| request.call.can_be_cancelled()) {
        None => given,
        Some(token) => {
            if given.is_some_and(|options| library::json_has(options, "/cancellation")) {
                let message = "the option `cancellation` is set by the bridge: cancel by id";
                return Refusal::value(message).into();
            }
            let set = library::json_with_text(given.unwrap_or("{}"), "/cancellation", token.text());
            if set.result != 0 {
                return set;
            }
            with_token = set.json;
            Some(with_token.as_str())
        }
    };
    match &request.call {
        Call::CreateOrder { order } => client.create_order(order, options),
        Call::GetStatus { query } => client.get_status(query, options),
        Call::WaitForPayment { query } => client.wait_for_payment(query, options),
        Call::GetStatuses { queries } => client.get_statuses(queries, options, each),
        Call::Recover { sales } => client.recover(sales.as_deref(), options),
        Call::JournalList => client.journal_list(options),
        Call::JournalResolve => client.journal_resolve(options),
        Call::JournalSettle => client.journal_settle(options),
        Call::JournalPrune => client.journal_prune(options),
        Call::BuildCreateOrder { order } => library::build_create_order(order, options),
        Call::BuildGetStatus { query } => library::build_get_status(query),
        Call::ParseReturnUrl { url } => library::parse_return_url(url),
        Call::VerifyPayment { expected, status } => library::verify_payment(expected, status),
        Call::Version => version(),
        Call::Cancel { .. } | Call::CancelAll => {
            Refusal::value("a call is cancelled by a line on stdin, or by a file NAME.cancel")
                .into()
        }
    }
}

fn version() -> Reply {
    let [clients, strings, calls] = library::live();
    let version = library::version();
    let abi = library::abi_version();
    let live = format!(r#"{{"clients":{clients},"strings":{strings},"calls":{calls}}}"#);
    done(format!(
        r#"{{"version":"{version}","abiVersion":{abi},"live":{live}}}"#
    ))
}

pub fn done(json: String) -> Reply {
    Reply { result: 0, json }
}
