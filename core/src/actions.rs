// The list of actions: what a program should do next after an error. `core/src/code.rs` makes the
// type and the names from it, and `tests/header` the description for machines.
//
// Each action has a list of the outcomes that can have it.
actions! {
    /// change the arguments of the call
    fix_request FixRequest [not_sent unknown],
    /// change the configuration, or the files, disks and services that it names
    fix_configuration FixConfiguration [not_sent unknown],
    /// check the credentials
    check_credentials CheckCredentials [not_sent rejected],
    /// check the network, the host name and the port
    check_network CheckNetwork [not_sent unknown],
    /// check this machine's clock
    check_clock CheckClock [not_sent],
    /// repeat the call: nothing was sent, or the call only asks for a status
    retry Retry [not_sent unknown],
    /// pause for `retryAfterMs`, or a while, then repeat the call
    retry_later RetryLater [not_sent rejected unknown],
    /// show the service's reason; do not repeat the call unchanged
    show_reason ShowReason [rejected],
    /// ask for the order's status before anything else: it may exist, or the customer can still pay
    ask_status AskStatus [not_sent rejected unknown],
    /// let a person decide, and hand nothing over: the order may be another sale's
    ask_person AskPerson [unknown],
    /// the order was created earlier: continue with `previous`
    use_previous UsePrevious [unknown],
    /// report a bug in this library
    report_bug ReportBug [not_sent unknown],
    /// nothing: the program itself ended the call
    none None [not_sent unknown],
}
