//! A stopped client still reads its journal. The conformance suite has that it ends its calls and
//! refuses every other one.

use serde_json::json;

use super::{CANCELLED, long_timeouts};
use support::abi::{self, Client};

#[test]
fn what_only_reads_the_journal_still_works() {
    let folder = support::tls::Folder::new();
    let mut config = long_timeouts("http://127.0.0.1:9");
    config["journal"] = folder.path().join("orders.db").to_str().into();
    let client = Client::new(&config);
    assert_eq!(abi::stop(client.key()), 0);
    assert_eq!(abi::stop(client.key()), 0, "it may be stopped twice");
    assert_eq!(abi::stop(0), 2);
    let none = json!({});
    assert_eq!(client.journal_list(&none).done()["entries"], json!([]));
    client.journal_resolve(&none).is(CANCELLED);
    client.journal_settle(&json!({"entry": 1})).is(CANCELLED);
    client.journal_prune(&none).is(CANCELLED);
}
