// The list of actions: what a program should do next after an error. `core/src/code.rs` makes the
// type and the names from it, and `tests/header` the description for machines.
//
// Each action has a list of the outcomes that can have it.
actions! {
    fix_request FixRequest [not_sent unknown] "change the arguments of the call",
    fix_configuration FixConfiguration [not_sent unknown]
        "change the configuration, or the files, disks and services that it names",
    check_credentials CheckCredentials [not_sent rejected] "check the credentials",
    check_network CheckNetwork [not_sent unknown] "check the network, the host name and the port",
    check_clock CheckClock [not_sent] "check this machine's clock",
    retry Retry [not_sent unknown]
        "repeat the call: nothing was sent, or the call only asks for a status",
    retry_later RetryLater [not_sent rejected unknown]
        "pause for `retryAfterMs`, or a while, then repeat the call",
    show_reason ShowReason [rejected] "show the service's reason; do not repeat the call unchanged",
    ask_status AskStatus [not_sent rejected unknown]
        "ask for the order's status before anything else: it may exist, or the customer can still \
            pay",
    ask_person AskPerson [unknown]
        "let a person decide, and hand nothing over: the order may be another sale's",
    use_previous UsePrevious [unknown] "the order was created earlier: continue with `previous`",
    report_bug ReportBug [not_sent unknown] "report a bug in this library",
    none None [not_sent unknown] "nothing: the program itself ended the call",
}
