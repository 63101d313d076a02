// The list of actions: what a program should do next after an error. `core/src/code.rs` makes the
// type and the names from it, and `tests/header` the description for machines.
//
// Each action has a list of the outcomes that can have it, its meaning for programmers, and what a
// till says to the cashier. examples/say.json has these sentences for tills.
actions! {
    fix_request FixRequest [not_sent unknown]
        "change the arguments of the call"
        "Something in this sale's data is wrong. Call support before you try again.",
    fix_configuration FixConfiguration [not_sent unknown]
        "change the configuration, or the files, disks and services that it names"
        "This till is not set up correctly. Hand nothing over, and call support.",
    check_credentials CheckCredentials [not_sent rejected]
        "check the credentials"
        "The payment service does not accept this till. Call support.",
    check_network CheckNetwork [not_sent unknown]
        "check the network, the host name and the port"
        "The till does not reach the payment service. Check its network cable or Wi-Fi, or \
            call support.",
    check_clock CheckClock [not_sent]
        "check this machine's clock"
        "This till's date or time is wrong. Correct it, then try again.",
    retry Retry [not_sent unknown]
        "repeat the call: nothing was sent, or the call only asks for a status"
        "This did not work. Try again.",
    retry_later RetryLater [not_sent rejected unknown]
        "pause for `retryAfterMs`, or a while, then repeat the call"
        "The payment service is busy. Wait a minute, then try again.",
    show_reason ShowReason [rejected]
        "show the service's reason; do not repeat the call unchanged"
        "The payment service refused this. Read its reason to the customer.",
    ask_status AskStatus [not_sent rejected unknown]
        "ask for the order's status before anything else: it may exist, or the customer can \
            still pay"
        "Ask the customer to wait. Do not take the payment again.",
    ask_person AskPerson [unknown]
        "let a person decide, and hand nothing over: the order may be another sale's"
        "Hand nothing over, and do not take the payment again. Call the person in charge.",
    use_previous UsePrevious [unknown]
        "the order was created earlier: continue with `previous`"
        "This sale was sent before. Do not take the payment again: the first one continues.",
    report_bug ReportBug [not_sent unknown]
        "report a bug in this library"
        "This till has a fault. Do not take the payment again. Call support.",
    none None [not_sent unknown]
        "nothing: the program itself ended the call"
        "This was stopped. Hand nothing over.",
}
