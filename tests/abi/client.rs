//! A client and a cancellation token, each freed when it goes out of scope.

use super::{
    Reply, c, call, cancel, cancel_token, copied, create_order, free, free_token, get_status,
    get_statuses, journal_call, payorder_cancellation_new, payorder_check, payorder_client,
    payorder_client_new, payorder_journal_list, payorder_journal_prune, payorder_journal_resolve,
    payorder_journal_settle, wait_for_payment,
};
use serde_json::Value;
use std::ptr;

/// A client, freed when it goes out of scope. The key is kept as a number, as a C program could.
pub struct Client {
    key: usize,
}

impl Client {
    #[track_caller]
    pub fn new(config: &Value) -> Client {
        Client::try_new(config).unwrap_or_else(|reply| panic!("no client: {}", reply.text()))
    }

    pub fn try_new(config: &Value) -> Result<Client, Reply> {
        Client::try_from_text(&config.to_string())
    }

    /// Also checks that `*out_client` is NULL on failure and `*out_json` on success.
    #[track_caller]
    pub fn try_from_text(config: &str) -> Result<Client, Reply> {
        let config = c(config);
        let mut key = ptr::without_provenance_mut::<payorder_client>(usize::MAX);
        // SAFETY: every pointer is valid for the call.
        let reply = call(|out| unsafe { payorder_client_new(config.as_ptr(), &mut key, out) });
        if reply.code == 0 {
            assert!(!key.is_null());
            assert_eq!(
                reply.text, None,
                "*out_json of payorder_client_new is NULL on success"
            );
            Ok(Client { key: key.addr() })
        } else {
            assert!(key.is_null(), "*out_client is NULL on failure");
            Err(reply)
        }
    }

    pub fn key(&self) -> usize {
        self.key
    }

    pub fn create(&self, order: &Value) -> Reply {
        create_order(self.key, &order.to_string(), None)
    }

    pub fn create_with(&self, order: &Value, with: &Value) -> Reply {
        create_order(self.key, &order.to_string(), Some(&with.to_string()))
    }

    pub fn status(&self, query: &Value) -> Reply {
        get_status(self.key, &query.to_string(), None)
    }

    pub fn status_with(&self, query: &Value, with: &Value) -> Reply {
        get_status(self.key, &query.to_string(), Some(&with.to_string()))
    }

    pub fn wait(&self, query: &Value, with: &Value) -> Reply {
        wait_for_payment(self.key, &query.to_string(), Some(&with.to_string()))
    }

    /// `each` gets the index and the result of a query, and returns whether to continue.
    pub fn statuses(
        &self,
        queries: &Value,
        with: &Value,
        each: impl FnMut(usize, Reply) -> bool,
    ) -> Reply {
        get_statuses(
            self.key,
            &queries.to_string(),
            Some(&with.to_string()),
            each,
        )
    }

    pub fn journal_list(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_list, self.key, Some(&with.to_string()))
    }

    pub fn journal_resolve(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_resolve, self.key, Some(&with.to_string()))
    }

    pub fn recover(&self, sales: Option<&Value>, with: &Value) -> Reply {
        let sales = sales.map(Value::to_string);
        super::recover(self.key, sales.as_deref(), Some(&with.to_string()))
    }

    pub fn check(&self, with: &Value) -> Reply {
        journal_call(payorder_check, self.key, Some(&with.to_string()))
    }

    pub fn journal_settle(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_settle, self.key, Some(&with.to_string()))
    }

    pub fn journal_prune(&self, with: &Value) -> Reply {
        journal_call(payorder_journal_prune, self.key, Some(&with.to_string()))
    }

    pub fn cancel(&self) -> i32 {
        cancel(self.key)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        free(self.key);
    }
}

/// A cancellation token, freed when it goes out of scope.
pub struct Token {
    text: String,
}

impl Token {
    pub fn new() -> Token {
        let mut text = std::ptr::null();
        // SAFETY: the place is valid for the call, and the text until the token is freed.
        unsafe {
            assert_eq!(payorder_cancellation_new(&raw mut text), 0);
            let text = copied(text);
            Token { text }
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The options, with this token added.
    pub fn among(&self, options: &Value) -> Value {
        let mut options = options.clone();
        options["cancellation"] = self.text().into();
        options
    }

    pub fn cancel(&self) -> i32 {
        cancel_token(&self.text)
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        free_token(&self.text);
    }
}
