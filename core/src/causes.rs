// The one list of causes: what exactly happened, more precisely than the result. `core/src/code.rs`
// makes the type, the names and the meanings of it.
//
// Each cause has the results that it comes with, and what a program should do next. `Error::action`
// has the exceptions: after an unknown outcome of Create Order the action is `ask_status`, unless
// the cause says more.
//
// `because` is a likely reason and `then` a step that helps, for a person at a till who does not
// know this library. They are in the pages and in `payorder explain`, and not in the library.
causes! {
    null Null [1 2] FixRequest "a required argument is NULL"
        because "The program passed NULL where a text, a client or an output is needed."
        then "This is a mistake in the program. Tell its maker which function the message names.",
    not_utf8 NotUtf8 [1] FixRequest "a text is not UTF-8"
        because "The program passed a text in another encoding, such as Windows-1252 or Latin-1."
        because "A text was cut in the middle of a character."
        then "Convert texts to UTF-8 before you pass them.",
    not_json NotJson [1] FixRequest
        "a text is not JSON, or not the kind of JSON that is expected there"
        because "The JSON was put together by hand, and a name contains a quote or a backslash."
        because "An array was given where an object is expected, or the other way round."
        because "The text is empty, or only a part of a file was read."
        then "Build JSON with payorder_json_object and payorder_json_set, or with a JSON library."
        then "The message says where the text stops being valid.",
    duplicate_key DuplicateKey [1] FixRequest "a JSON object has the same key twice"
        because "The JSON was put together from two sources that both set the key."
        then "Remove one of the two. The message names the key.",
    too_long TooLong [1] FixRequest "a text is longer than allowed"
        because "A file, a picture or a whole log was passed instead of a text."
        because "Many queries were passed in one text."
        then "Pass a shorter text. The limits are listed in payorder.h under STRINGS.",
    unknown_key UnknownKey [1 3] FixRequest "a configuration key or an option has an unknown name"
        because "The name has a typing mistake, or upper and lower case are mixed up: it is \
            timeoutMs."
        because "An option was written into the configuration, or the other way round."
        because "The program was written for a newer version of the library."
        then "Compare the name in the message with the list of keys and options.",
    invalid_value InvalidValue [1 3] FixRequest
        "a value has the wrong type, the wrong form, or is out of range"
        because "A number was written as a text, such as \"5000\" instead of 5000."
        because "A number is outside its range, or seconds were given instead of milliseconds."
        because "A URL has no https://, or has a space at its end."
        then "The message names the key and its range. Correct the value and start again.",
    unreadable_file UnreadableFile [3] FixConfiguration
        "a file named in the configuration cannot be read or used"
        because "The file was moved, or the path is relative to another folder."
        because "The program's user may not read the file."
        because "The file is not PEM, or the key is encrypted or does not belong to the \
            certificate."
        then "Check the path and the permissions of the file that the message names."
        then "To convert a certificate: openssl x509 -inform der -in FILE -out FILE.pem"
        then "To remove a key's password: openssl pkey -in FILE -out NEW",
    client_freed ClientFreed [2 8] FixRequest
        "the client was freed or never created, or was freed before a started call had a thread"
        because "A part of the program freed the client while another part still uses it."
        because "The program went on after payorder_client_new had failed."
        because "A client of another process or of an earlier run was used."
        then "This is a mistake in the program. Create the client once and free it at the end.",
    cancellation_freed CancellationFreed [2] FixRequest
        "the cancellation token was freed or never created"
        because "The token was freed before the call started."
        because "The token's text was changed or cut."
        then "Free a token only after the calls that have it have returned.",
    no_journal NoJournal [1 3] FixConfiguration
        "the client has no journal, or this build of the library has none"
        because "The configuration has no key `journal`."
        because "The library was built without the journal."
        then "Add `journal` with the path of a file, or the URI of a PostgreSQL database, to the \
            configuration."
        then "For payorder_create_order: leave out the option `resend`.",

    rule_broken RuleBroken [4] FixRequest "a field breaks a rule of the service's interface"
        because "A field is empty, or a required field is missing."
        because "The amount is below 1, or is not written as 100 or 100.00."
        because "The return URL is not a complete URL such as https://shop.example/return."
        then "Correct every field in the list of violations, and send the order again.",
    credentials_missing CredentialsMissing [5] CheckCredentials
        "the endpoint's credentials are in neither the configuration nor the options"
        because "The credentials were not entered on this machine."
        because "Only the access token was set. It creates orders; a status needs three other \
            values."
        then "For orders, set the access token."
        then "For statuses, set the client key, the client id and the secret key.",

    name_not_found NameNotFound [6] CheckNetwork "the host name does not exist"
        because "The service's address in the settings has a typing mistake."
        because "The machine has no network, or a guest Wi-Fi waits for a log-in."
        because "The name server of this network does not know the name."
        then "Open any web site on this machine. If that fails, restart the router."
        then "Compare the address in the settings with the provider's documents.",
    name_lookup_failed NameLookupFailed [6] CheckNetwork
        "the system could not look up the host name"
        because "The machine has no network, or the cable is out."
        because "The router or the name server is restarting."
        then "Check the cable or the Wi-Fi, wait a minute, and try again."
        then "If only this machine is affected, check its name servers (/etc/resolv.conf on \
            Linux).",
    name_lookup_timed_out NameLookupTimedOut [6] CheckNetwork "the host name lookup took too long"
        because "The network is very slow, or packets are lost."
        because "The configured name server does not exist any more."
        then "Try again. If it happens often, use the router's or the provider's name server.",
    connection_refused ConnectionRefused [6] CheckNetwork
        "nothing listens at the host's address and port"
        because "The address or the port in the settings is wrong."
        because "The service is being restarted."
        because "A firewall on the way refuses connections."
        then "Check the address and the port. `payorder doctor` tests every step."
        then "If the address is right, wait a minute and try again.",
    connect_timed_out ConnectTimedOut [6] CheckNetwork "the connection was not established in time"
        because "A firewall drops the connection, and sends no refusal."
        because "The network needs a proxy, and none is set."
        because "The connection to the internet is down, behind a router that works."
        because "The program's log function took the time: then the message says that none was left."
        then "Open any web site on this machine. If that fails, it is the network."
        then "If web sites work, ask who manages the firewall to allow the service's address.",
    network_unreachable NetworkUnreachable [6] CheckNetwork "there is no route to the host"
        because "The network cable is out, or the Wi-Fi is off."
        because "A VPN that the machine needs is not connected."
        because "The name has only an IPv6 address, and this network has only IPv4."
        then "Connect the machine to the network, and try again.",
    no_descriptors NoDescriptors [6 10] RetryLater
        "the process or the system has no file descriptor left"
        because "The program opens files or connections and does not close them."
        because "The limit for open files is low (ulimit -n)."
        then "Restart the program. If it comes back, tell its maker."
        then "On a busy server, raise the limit.",
    proxy_unreachable ProxyUnreachable [6] CheckNetwork "the proxy cannot be reached"
        because "The proxy's address in the settings or in https_proxy is wrong."
        because "The proxy is switched off."
        then "Check the proxy's address and port."
        then "If this network needs no proxy, set `proxy` to \"none\".",
    proxy_refused ProxyRefused [6] FixConfiguration "the proxy refused to connect to the service"
        because "The proxy does not allow connections to the service's host or port."
        because "The proxy accepts only another kind of log-in than a password, such as NTLM."
        because "The address leads to a server that is not a proxy."
        then "Ask who manages the proxy to allow the service's host and port, without a log-in.",
    proxy_needs_credentials ProxyNeedsCredentials [6] CheckCredentials
        "the proxy needs a user name and password, or does not accept the given ones"
        because "The proxy's user name or password is missing, wrong or expired."
        then "Put them into the proxy's URL: http://user:password@host:port"
        then "Characters such as @ and / in a password are written as %40 and %2F.",
    answer_before_request AnswerBeforeRequest [6] Retry
        "application data arrived before the request was sent, so the connection was not used"
        because "A server or a proxy on the way mixes up connections."
        then "Try again: the connection was dropped, and nothing was sent."
        then "If it comes back, report it to the service or to who manages the proxy.",

    certificate_expired CertificateExpired [7] CheckNetwork
        "the certificate has expired, or this machine's clock is wrong"
        because "This machine's clock is wrong, for example after its battery was empty."
        because "The service did not renew its certificate."
        then "Look at the date and time of this machine, with the year. Correct them and try again."
        then "If they are right, the service must act: call its support.",
    certificate_not_yet_valid CertificateNotYetValid [7] CheckNetwork
        "the certificate is not valid yet, or this machine's clock is wrong"
        because "This machine's clock is behind, for example at 1 January of some year."
        because "The service has just installed a new certificate."
        then "Look at the date and time of this machine, with the year. Correct them and try \
            again.",
    certificate_unknown_issuer CertificateUnknownIssuer [7] FixConfiguration
        "the certificate comes from an authority that is not trusted here"
        because "A proxy or a virus scanner on this network replaces certificates with its own."
        because "The service uses a private certificate authority."
        because "The library is old: its own list of authorities (`tls.roots` is \"bundled\", the \
            default) does not have the service's authority yet."
        because "`tls.roots` is \"system\", and the system's certificates are old."
        then "Name the authority's file in `tls.caFile`, after you know whose it is."
        then "If the library is years old, install a newer version."
        then "If `tls.roots` is \"system\" on an old machine, remove it or set it in the \
            configuration: {\"tls\":{\"roots\":\"bundled\"}}",
    certificate_wrong_host CertificateWrongHost [7] CheckNetwork
        "the certificate is for another host"
        because "The address has a typing mistake, or is an IP address instead of a name."
        because "A log-in page of the network answers instead of the service."
        because "The certificate has only a common name. Names count in its subjectAltName alone."
        then "Check the address. Log in to the network with a browser, if it asks for that."
        then "Do not switch off the check: somebody may read and change what you send.",
    certificate_revoked CertificateRevoked [7] CheckNetwork "the certificate was revoked"
        because "The authority withdrew the certificate, for example after a theft of its key."
        because "This version does not look for revocations, so it never reports this cause. It is \
            reserved for later versions."
        then "Do not send anything. Call the service's support.",
    certificate_invalid CertificateInvalid [7] CheckNetwork
        "the certificate cannot be used for another reason, which the message gives"
        because "The certificate was made by hand and lacks something that TLS needs."
        because "A device on the network changes the connection."
        then "Read the reason in the message, and pass it on to the service's support.",
    client_certificate_refused ClientCertificateRefused [7 201] FixConfiguration
        "the other side refused this machine's client certificate, or needs one"
        because "The service needs a client certificate, and none is set."
        because "The client certificate has expired, or belongs to another account."
        then "Set `tls.certFile` and `tls.keyFile` to the files that the provider gave you."
        then "If they are set, ask the provider for new ones.",
    tls_version_unsupported TlsVersionUnsupported [7] CheckNetwork
        "the two sides have no TLS version in common"
        because "The service or a proxy only speaks TLS 1.1 or older."
        because "The port is that of another service."
        then "Check the address and the port. The library needs TLS 1.2 or 1.3.",
    handshake_failed HandshakeFailed [7 201] CheckNetwork
        "the TLS handshake failed, or the TLS connection broke later"
        because "The port speaks plain HTTP, or something other than TLS."
        because "A firewall or a virus scanner interferes with the connection."
        because "The two sides have no cipher, key exchange or signature in common."
        then "Check that the address begins with https:// and has the right port."
        then "`payorder doctor` shows at which step it stops.",
    handshake_timed_out HandshakeTimedOut [7] CheckNetwork
        "the TLS handshake was not finished in time"
        because "The service or the network is overloaded."
        because "The port accepts connections, but does not speak TLS."
        then "Try again. If it never works, check the port.",

    response_timed_out ResponseTimedOut [200] Retry "no complete response arrived in time"
        because "The service is slow at the moment."
        because "The connection was lost without a notice, for example in a mobile network."
        because "`timeoutMs` is shorter than the service needs."
        then "After an order: ask for its status first. Do not send it again before you know.",
    connection_reset ConnectionReset [6 201] Retry "the connection was reset"
        because "The service or a firewall ended the connection in the middle."
        because "The network changed, for example from Wi-Fi to mobile."
        then "After an order with an unknown outcome: ask for its status first."
        then "If it happens often, look at the firewall and at the router.",
    connection_closed ConnectionClosed [6 201] Retry
        "the connection was closed before a complete response"
        because "The service was restarted in the middle of the request."
        because "A proxy ended the connection because it was open for too long."
        then "After an order with an unknown outcome: ask for its status first.",
    response_not_http ResponseNotHttp [202] Retry "the response is not valid HTTP"
        because "The address or the port leads to another kind of server."
        because "The address begins with http:// where the server expects https://."
        then "After an order: ask for its status first."
        then "Check the address, its port and whether it begins with https://.",
    response_not_json ResponseNotJson [202] Retry
        "the response's body is not JSON of the expected form"
        because "A log-in page or an error page was sent instead of the service's answer."
        because "The address lacks a part of its path."
        then "After an order: ask for its status first."
        then "Open the address in a browser to see which page answers.",
    response_too_large ResponseTooLarge [202] FixConfiguration
        "the response is larger than `maxResponseBytes`"
        because "The address leads to a web page or a download."
        because "`maxResponseBytes` is set too low."
        then "After an order: ask for its status first."
        then "Check the address. If it is right, raise `maxResponseBytes`.",
    response_code_missing ResponseCodeMissing [202] Retry "the response has no `responseCode`"
        because "Another server answered, with JSON of its own."
        because "The service has changed its interface."
        then "After an order: ask for its status first."
        then "Check the path of the address. If it is right, tell the service's support.",
    refusal_unclear RefusalUnclear [202] Retry
        "the answer is a refusal, but its body cannot be read or contradicts it"
        because "A firewall or a proxy on the way answered with a page of its own."
        because "The service refused, but sent a checkout URL or more after the refusal."
        because "The credentials or the address are wrong."
        then "After an order: ask for its status first. It may exist."
        then "Read the message. It says what was sent instead of a clear refusal."
        then "If it comes back, tell the service's support, with the time and the order id.",
    checkout_url_missing CheckoutUrlMissing [202] Retry
        "the response reports success without a checkout URL, or with an empty one"
        because "The service has a fault."
        then "Ask for the order's status. The customer cannot pay this order without its URL."
        then "Tell the service's support, with the time and the order id.",
    checkout_url_unusable CheckoutUrlUnusable [202] Retry
        "the checkout URL is not one that a customer can be sent to safely"
        because "The service sent an address that is not https, or that has a user name in it."
        because "Somebody between this machine and the service changed the answer."
        then "Do not show the address to the customer. Ask for the order's status."
        then "Tell the service's support, with the time and the order id.",
    checkout_host_not_allowed CheckoutHostNotAllowed [202] Retry
        "the checkout URL's host is not on the list `checkoutHosts`"
        because "The service has moved its checkout page to another host."
        because "The list `checkoutHosts` has a typing mistake."
        because "Somebody between this machine and the service changed the answer."
        then "Do not show the address to the customer. Ask for the order's status."
        then "Ask the service which hosts it uses, and correct the list.",
    another_order AnotherOrder [202] Retry "the response is about another order or transaction"
        because "A cache or a proxy on the way gave an old answer."
        because "The service has a fault."
        then "Ask again. Do not use this answer for any order."
        then "If it comes back, tell the service's support, with both identifiers.",
    redirected Redirected [202] FixConfiguration
        "the service answered with a redirect, which is never followed"
        because "The service has moved, or the address lacks a part of its path."
        because "The address begins with http:// instead of https://."
        because "The network sends everything to its log-in page."
        then "After an order: ask for its status first."
        then "Put the new address into the settings, after you have checked whose it is.",

    service_error ServiceError [203] RetryLater "the service failed"
        because "The service has a fault or is overloaded."
        then "After an order: ask for its status first."
        then "Wait a minute and try again. If it lasts, call the service's support.",
    service_refused ServiceRefused [100] ShowReason "the service refused the request"
        because "The service does not accept a value, such as the merchant or the currency."
        because "A status was asked for an order that the service does not know."
        then "Read the service's reason in responseMessage, and change what it names."
        then "After a status: the order may still appear. Ask again in a moment.",
    order_exists OrderExists [203 206] AskPerson
        "an order with these identifiers is there already (409): it may be another sale's"
        because "Two tills use the same order ids, or a counter started again at 1."
        because "A gateway on the way sent the request twice."
        because "The order was sent before by a program without a journal."
        then "Show it to a person, with the order's status and its date. Hand nothing over: a \
            payment of this order may be another customer's."
        then "If it is another sale, sell this one with new identifiers, and give each till its \
            own.",
    resend_refused ResendRefused [203] AskStatus
        "the order was sent again (`resend`), and the service refused it: the first attempt may \
            still have created it"
        because "The service has this order already."
        because "The service does not accept a value of the order."
        then "Ask for the order's status. Do not sell it again before that is known."
        then "Read the service's reason in responseMessage.",
    unauthorized Unauthorized [101] CheckCredentials "the service does not accept the credentials"
        because "The credentials were entered wrongly, or belong to the test system."
        because "The access token has expired."
        then "Enter the credentials again, without spaces around them."
        then "If that does not help, ask the provider for new ones.",
    rate_limited RateLimited [102] RetryLater "the service limits how often it may be called"
        because "Several tills or programs use the same account at the same time."
        because "A program asks for many statuses without a pause."
        then "Wait for the time in retryAfterMs, or a minute, and try again."
        then "For many statuses, set `ratePerSecond`.",

    journal_full JournalFull [10] FixConfiguration
        "the journal's disk is full, or a limit on file sizes was reached"
        because "Logs or downloads have filled the disk."
        because "The program may not write larger files (ulimit -f)."
        then "Make room on the disk that has the journal, and try again. No order was sent."
        then "Statuses and waits still work, but their results may not be recorded."
        then "Do not delete the journal. Pruning makes room in the file for new entries, but it \
            needs some room on the disk itself, and does not make the file smaller.",
    journal_read_only JournalReadOnly [10] FixConfiguration
        "the journal cannot be written: permissions, or a read-only disk"
        because "Another user, such as root, created the journal or its folder."
        because "The disk was mounted read-only, often after a fault of the disk."
        because "In a database: the role has too few rights, or the server is a standby."
        then "Let the program's user write to the file, to its -wal and -shm files and to the \
            folder."
        then "In a database: give the role the rights that `payorder journal schema --role NAME \
            --only-rights` prints (with `--prune` if it prunes), or name the host that can be \
            written in the URI, with `target_session_attrs=read-write`.",
    journal_damaged JournalDamaged [10] FixConfiguration
        "the journal's file is damaged, or the disk failed"
        because "The machine lost power, and the disk does not keep its promise to write."
        because "The -wal file was deleted, or the journal was copied without it."
        then "Stop all tills that use the file. Copy it and its -wal and -shm files to a safe \
            place."
        then "Start with a new file and new identifiers: the file does not know the orders that \
            were sent before."
        then "Before you sell, give the sales that your own records call unfinished to `payorder \
            recover sales.csv`. There, not_in_journal does not prove that an order was not sent: a \
            person decides.",
    journal_foreign JournalForeign [10] FixConfiguration "the file is a database of another program"
        because "The path names a database of the shop's own software."
        because "In PostgreSQL: the tables were changed, or the database is not in UTF-8."
        then "Give the journal a file of its own, or a schema or database of its own.",
    journal_newer JournalNewer [10] FixConfiguration
        "the journal was created by a newer version of this library"
        because "The program was replaced by an older version."
        then "Install the newer version again, on every server. Do not delete the journal.",
    journal_locked JournalLocked [10] RetryLater
        "another process has the journal locked, or its disk is too slow"
        because "Another program has the file open for a long time, such as a backup."
        because "A till process is stopped, for example in a debugger."
        because "The file is on a network drive whose locks do not work."
        because "The disk is busy, for example with a backup or an update."
        because "A database is overloaded, or a person's open transaction has its tables locked."
        then "Try again. Find the other program, and let it finish."
        then "Copy the journal only while no till is running.",
    journal_replaced JournalReplaced [10] FixConfiguration
        "the journal's file was moved, deleted, replaced or linked while it was in use"
        because "A backup or a synchronising program put another file in its place."
        because "Somebody moved or deleted the file while the till was running."
        because "A part of the program closed file descriptors which are not its own."
        because "A database was restored from a backup, or a standby that was behind took over."
        then "Put the right file in its place, with its -wal and -shm files."
        then "Restart every till that uses it. Only then can they send orders again. The same \
            applies if a database's tables were made again, or lost entries. Then recover the \
            sales that are not finished in the till's own records.",
    journal_unavailable JournalUnavailable [10] FixConfiguration
        "the journal's file cannot be opened, or not be kept safely where it is"
        because "The folder does not exist."
        because "The file is on a network drive that does not support locks."
        because "The path is a folder, a pipe or a device."
        because "The database is down, or it does not accept the role or its password."
        then "Use a file in an existing folder on a local disk."
        then "With a database: start it, or correct the URI. `payorder doctor` says what is wrong.",
    journal_in_future JournalInFuture [10] CheckClock
        "entries of the journal lie in the future: the clock was changed"
        because "The clock was wrong when orders were sent, and was corrected since."
        because "The clock is wrong now."
        then "Look at the date and time of this machine, with the year. Correct them and try again."
        then "If they are right, nothing is urgent: only pruning is refused, and sales go on. \
            Prune again when the entries lie in the past.",
    order_already_sent OrderAlreadySent [206] UsePrevious
        "the journal has this order as created, and not paid"
        because "The button was pressed twice, or the till was restarted and sent the order again."
        then "If `previous` has a url, the customer pays there. Otherwise ask for the order's \
            status.",
    order_completed OrderCompleted [206] AskStatus "the journal has this order, and it may be paid"
        because "The order was sent again after the customer had paid it."
        then "Ask for the order's status, and verify the payment. Show no checkout page."
        then "For a new sale, use new identifiers.",
    identifier_used IdentifierUsed [206] FixRequest
        "the journal has another order with this orderId or merchantTxnId, or with another amount"
        because "Two sales got the same identifier: a counter started again at 1, or two tills \
            count alike."
        because "The amount of the sale was changed after its order had been sent."
        then "Use a new orderId and a new merchantTxnId."
        then "If it is the same sale with another amount: the earlier order is still open. Ask for \
            its status first.",
    order_being_sent OrderBeingSent [206] AskStatus "the journal has this order as being sent"
        because "Another till or process is sending this order at this moment."
        because "A till stopped in the middle of it: after the deadline it counts as unknown."
        then "Wait half a minute, and ask for the order's status.",
    order_may_exist OrderMayExist [206] AskStatus
        "the journal has this order with an unknown outcome"
        because "The connection was lost when the order was sent before."
        because "The till lost power in the middle of the order."
        then "Ask for the order's status. If it is not paid, only a person can decide to sell \
            again, with new identifiers.",
    order_of_another_service OrderOfAnotherService [206] AskPerson
        "the journal has this order, sent to a service with another base URL"
        because "The client uses another `baseUrl` than the one that sent the order, for example \
            of the test service."
        because "The journal of the tests is still used after going live."
        then "Compare `baseUrl` with `service` in `previous`. If the setting is wrong, correct it."
        then "Ask that service for the order's status: only a client with its `baseUrl` can."
        then "Use a journal of its own for each service, and new identifiers for a new sale.",
    order_settled OrderSettled [206] AskPerson "a person closed this order in the journal"
        because "A person closed this order by hand, for example because it was paid in cash."
        then "Ask the person who closed it. For a new sale, use new identifiers.",

    cancelled Cancelled [8 204] None "the call was cancelled"
        because "The cashier or the program cancelled the call."
        then "After an order with result 204: ask for its status first."
        then "Otherwise nothing: nothing was sent.",
    client_stopped ClientStopped [8] None "the client was stopped before the call"
        because "The program is ending: it called payorder_client_stop."
        then "Nothing: nothing was sent. To go on, create another client.",
    queue_timed_out QueueTimedOut [6] RetryLater
        "the time of a started call was over, or nearly over, before it had a thread"
        because "Many calls were started at once, and the service is slow."
        because "`maxCalls` is low, or the call's `timeoutMs` is short."
        then "Try again when fewer calls wait, or raise `maxCalls`."
        then "Nothing was sent.",
    forked Forked [205] None
        "the process was forked during the call, which continues in the parent process"
        because "The program was copied with fork() while a call was running in another thread."
        then "Nothing: the call continues in the parent process, which gets its result.",
    no_thread NoThread [11] RetryLater
        "the system could not start a thread for the call or its queries, or the process is exiting"
        because "The limit for threads was reached, or the machine has too little memory."
        because "The process is exiting: no call can be started once `exit` has begun."
        then "Let other calls end, close other programs, or raise the limit, and try again."
        then "Nothing was sent.",
    no_resources NoResources [6 10 201] RetryLater
        "the system gave this process no thread or no memory"
        because "The machine has too little memory, or the limit for threads was reached."
        then "Close other programs or restart the machine, and try again."
        then "After an order with an unknown outcome: ask for its status first.",
    bug Bug [11 205] ReportBug "a bug in the library"
        because "The library has a mistake."
        then "After an order with result 205: ask for its status first."
        then "Report the message, the version and what the program did.",
}
