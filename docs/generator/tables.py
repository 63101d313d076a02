"""The pages that list all causes, and all keys and options."""

from typing import Any, Dict, List, Tuple

from .description import ABI, NETWORK_OPTIONS, TLS_KEYS, action_of, sentence
from .model import Heading, Page, Paragraph, Points, Table


def causes() -> Page:
    actions = [
        [f"`{one['name']}`", ", ".join(one["outcomes"]), one["meaning"], one["say"]]
        for one in ABI["actions"]
    ]
    rows = []
    for cause in ABI["causes"]:
        results = ", ".join(str(number) for number in cause["results"])
        rows.append([f"`{cause['name']}`", results, action_of(cause), cause["meaning"]])
    return Page(
        "Causes and actions",
        "every error has a `cause`, which says what exactly happened, and an `action`, which says "
        "what to do next",
        [
            Paragraph(
                "More may be added: treat an unknown cause as its result. `payorder explain CAUSE` "
                "prints more about each: likely reasons, what to do, and an example."
            ),
            Heading("Actions"),
            Table(["action", "outcomes", "meaning", "what a till says to the cashier"], actions),
            Heading("Causes"),
            Paragraph(
                "`ask_status` for an order means: after an unknown outcome of "
                "payorder_create_order. Do not send the order again. After a semicolon, the table "
                "says when a cause has another action. Three rules are for every cause:"
            ),
            Points(
                [
                    "If an order is sent again (`resend`), and no connection can be made for it, "
                    "such as with `proxy_unreachable`, it is `ask_status`: the order may exist since "
                    "it was sent before. What is found earlier, such as `credentials_missing`, keeps "
                    "its action.",
                    "If payorder_wait_for_payment has the result PAYORDER_CANCELLED, was refused, or "
                    "has an unknown outcome, it is `ask_status`: the customer can still pay.",
                    "If payorder_create_order has an unknown outcome, and the service said that the "
                    "order exists already, now or when it was sent before, it is `ask_person`: the "
                    "order may be another sale's.",
                ]
            ),
            Table(["cause", "results", "action", "meaning"], rows),
        ],
    )


VARIABLES = [
    ["`PAYORDER_BASE_URL`", "`baseUrl`; required"],
    ["`PAYORDER_ACCESS_TOKEN`", "`accessToken`, for Create Order"],
    [
        "`PAYORDER_CLIENT_KEY`, `PAYORDER_CLIENT_ID`",
        "`clientKey` and `clientId`, for Get Status",
    ],
    ["`PAYORDER_SECRET_KEY`", "`secretKey`, for Get Status"],
    ["`PAYORDER_JOURNAL`", "`journal`, the path of the journal"],
    ["`PAYORDER_CA_FILE`", "`caFile` of `tls`"],
    [
        "`PAYORDER_CONFIG`",
        "a JSON file with the keys of the configuration, which the variables override; on Unix only "
        "its owner may be able to read or write it; if that is root, a program of another user may "
        "read it through its group",
    ],
]


def configuration() -> Page:
    shared = [option["key"] for option in NETWORK_OPTIONS]
    calls: Dict[Tuple[str, ...], List[str]] = {}
    for function in ABI["functions"]:
        for option in function.get("options", []):
            if option["key"] not in shared:
                # Functions may have an option of the same name with other values.
                row = tuple(_row(option))
                calls.setdefault(row, []).append(function["name"])
    rows = [[row[0], ", ".join(names), *row[1:]] for row, names in calls.items()]
    return Page(
        "Configuration and options",
        "a client is created from a configuration, and a single call can take options: both are "
        "JSON objects",
        [
            Paragraph(
                "An unknown key is an error, and so is a value of the wrong type or out of range. "
                "Numbers are whole unless the table says otherwise."
            ),
            Heading("Configuration"),
            _settings("key", ABI["config"]),
            Paragraph(
                "A credential is visible ASCII, without spaces at either end. Files are read when "
                "the client is created. A loopback host is `localhost`, 127.0.0.0/8 or `[::1]`. Set "
                "`checkoutHosts`, because customers type their card numbers there."
            ),
            Paragraph(
                "The credentials are checked by the call that needs them. A client without those of "
                "Get Status can create an order, but not see that it was paid: at the start of your "
                "program, ask for any order, or run `payorder doctor`."
            ),
            Heading("Environment variables"),
            Table(["variable", "what it is"], VARIABLES),
            Paragraph(
                "payorder_client_from_env and the packages' functions of that kind read these in "
                "the environment of the process. An empty variable counts as absent. In "
                "Node.js and .NET, a program can see another environment. If one of these variables, "
                "or of the proxy's, is different there, and the program does not give its setting, "
                "these packages create no client. A client with a journal in PostgreSQL also reads "
                "`PAYORDER_LIBPQ`, the path of libpq; without it, the system's is used."
            ),
            Heading("The keys of tls"),
            _settings("key", TLS_KEYS),
            Heading("Options of every network call"),
            _settings("option", NETWORK_OPTIONS),
            Paragraph(
                "A call takes all four credentials and uses its own. The functions of the journal "
                "take `cancellation` too. payorder_json_object writes strings only: "
                "payorder_json_set writes options that are numbers or booleans."
            ),
            Heading("Options of single functions"),
            Table(["option", "functions", "values", "meaning"], rows),
            Heading("Attempts and pauses"),
            Paragraph(
                "In payorder_wait_for_payment, each query is one attempt. Between attempts the "
                "library pauses for a random part of 200 ms, doubled each time up to 2 s, or for the "
                "time in the `Retry-After` header. If a pause would exceed the call's time limit, "
                "the call ends instead."
            ),
        ],
    )


def _settings(what: str, settings: List[Dict[str, Any]]) -> Table:
    return Table([what, "values", "meaning"], [_row(setting) for setting in settings])


def _row(setting: Dict[str, Any]) -> List[str]:
    return [f"`{setting['key']}`", setting["range"], sentence(setting["meaning"])]
