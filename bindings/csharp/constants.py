"""Writes src/Constants.cs: results, outcomes, causes, actions, the exceptions of results, most
classes of results, and the plain properties of the others and of settings."""

import json
import re

FILE = "src/Constants.cs"
COMMITTED = False

HEAD = """\
// Generated from include/payorder-abi.json by bindings/constants.py.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
"""


def text(abi):
    parts = [
        enum(
            "PayorderResult",
            "How a call ended. The range of the number is the outcome.",
            [
                (pascal(one["name"][len("PAYORDER_") :].lower()), one["number"], one["meaning"])
                for one in abi["results"]
            ],
        ),
        enum(
            "PayorderOutcome",
            "What happened to the request.",
            [(pascal(one["name"]), one["number"], one["meaning"]) for one in abi["outcomes"]],
        ),
        names(
            "Causes",
            "What exactly happened: values of PayorderException.Cause. It may grow.",
            abi["causes"],
        ),
        names(
            "Actions",
            "What to do next: values of PayorderException.Action. It may grow.",
            abi["actions"],
        ),
        exceptions(abi),
        "    public partial class PayorderException\n    {\n"
        + "".join(plain(one) for one in abi["getters"]["PayorderException"])
        + "    }\n",
        *(
            result_class(name, one, abi["getters"][name])
            for name, one in abi["classes"].items()
        ),
        *(value_names(*one) for one in abi["values"].items()),
        *(settings(*one) for one in abi["settings"].items() if one[0] != "ListOptions"),
        calls(),
        native(abi),
        "    internal static class Abi\n    {\n"
        f"        internal const uint Version = {abi['abiVersion']};\n    }}\n",
    ]
    return HEAD + "\n".join(parts) + "}\n"


BASES = {
    "not_sent": (
        "NotSentException",
        "Nothing of the request was sent. Fix the problem and call again, unless you cancelled it.",
    ),
    "rejected": (
        "RejectedException",
        "The service refused the request. ResponseMessage is the reason that it gave. The refusal of"
        " a query or a wait says nothing about the order.",
    ),
    "unknown": (
        "OutcomeUnknownException",
        "The order may exist. Give StatusQuery to GetStatus before anything else.",
    ),
}
UNUSABLE = (
    "UnusableTextException",
    "A function of PayorderLibrary cannot use its argument. It says nothing about an order.",
)


def exceptions(abi):
    """A class for each outcome and each result, and the function that chooses one."""
    classes = [("class", *base, "PayorderException") for base in BASES.values()]
    classes.append(("sealed class", *UNUSABLE, "PayorderException"))
    cases = ""
    for one in abi["errorClasses"]:
        name = {"Timeout": "ResponseTimeout"}.get(one["class"], one["class"]) + "Exception"
        meaning = first_capital(one["meaning"]) + "."
        classes.append(("sealed class", name, meaning, f"{one['parent']}Exception"))
        cases += f"                case {one['number']}: return new {name}(error);\n"
    usual, duplicates = (
        "".join(
            f"                case {json.dumps(key)}: cause = Causes.{pascal(cause)};"
            f" action = Actions.{pascal(action)}; return;\n"
            for key, (cause, action) in abi[table].items()
        )
        for table in ("usualCauses", "duplicateCauses")
    )
    text = ""
    for kind, name, meaning, base in classes:
        summary = documented(meaning).replace("        ///", "    ///")
        constructor = f"internal {name}(ErrorFields error) : base(error) {{ }}"
        text += (
            f"{summary}    public {kind} {name} : {base}\n    {{\n        {constructor}\n    }}\n\n"
        )
    return text + (
        "    internal static class Exceptions\n    {\n"
        "        internal static PayorderException Make(ErrorFields error)\n        {\n"
        f"            switch (error.Result)\n            {{\n{cases}            }}\n"
        "            return error.Outcome == PayorderOutcome.NotSent ? new NotSentException(error)\n"
        "                : error.Outcome == PayorderOutcome.Rejected ? new RejectedException(error)\n"
        "                : (PayorderException)new OutcomeUnknownException(error);\n"
        "        }\n\n"
        "        /// <summary>A usual cause and its action, for errors of tests.</summary>\n"
        '        /// <param name="kind">The state of a duplicate\'s entry, or url.</param>\n'
        "        internal static void Usual(\n"
        "            int result, string? kind, out string cause, out string action)\n"
        f"        {{\n            switch (kind)\n            {{\n{duplicates}            }}\n"
        f"            switch (result)\n            {{\n{usual}            }}\n"
        "            cause = Causes.Bug; action = Actions.AskStatus;\n"
        "        }\n    }\n"
    )


#: The type of a property, how it is read, and its value if it is always there.
PROPERTIES = {
    "text": ("string", 'TextOf("{}")', ' ?? ""'),
    "whole": ("int", 'WholeOf("{}")', " ?? 0"),
    "number": ("long", 'NumberOf("{}")', " ?? 0"),
    "time": ("TimeSpan", 'TimeOf("{}")', " ?? TimeSpan.Zero"),
    "result": ("PayorderResult", 'ResultOf("{}")', ""),
    "instant": ("DateTimeOffset", 'InstantOf("{}")', ""),
    "flag": ("bool", 'IsTrue("{}")', " ?? false"),
    "empty": ("string", 'EmptyOf("{}")', ' ?? ""'),
    "completed": ("bool", 'IsCompleted("{}")', " ?? false"),
    "date": ("DateTime", 'DateOf("{}")', ""),
    "value": ("string", 'TextOf("{}")', ' ?? ""'),
    "texts": ("IEnumerable<string>", None, None),
    "fields": ("IEnumerable<KeyValuePair<string, string>>", None, None),
    "rate": ("double", None, None),
}


OWN = """\
        private readonly JsonValue _fields;

        /// <summary>All of it as JSON text.</summary>
        public string Raw => _fields.Raw;

"""
CLASS = """\
    public sealed class {name}
    {{
        internal {name}(JsonValue json)
        {{
            _fields = json;
{reads}        }}

{from_json}        /// <summary>For a log, without the customer's data.</summary>
        public override string ToString() => {printed};

{own}{properties}    }}
"""
FROM_JSON = """\
        /// <summary>For tests without a service: from {given}.</summary>
        /// <exception cref="FormatException">It cannot be read.</exception>
        public static {name} FromJson(string json) => new {name}(JsonValue.Parse(json));

"""
#: What these classes have in addition.
QUERY = """\
        /// <summary>What to give to GetStatus.</summary>
        public StatusQuery StatusQuery => StatusQuery.ByOrder(OrderId);
"""
MORE = {"JournalEntry": QUERY, "Sale": QUERY}
#: The types of values that are read when the object is made, and how.
EAGER = {
    "list": ("IReadOnlyList<{}>", 'json.ListOf("{}", one => new {}(one))'),
    "texts": ("IReadOnlyList<string>", 'json.ListOf("{}", one => one.Text!)'),
    "summary": ("Summary", "json.Summary()"),
    "query": ("StatusQuery", 'StatusQuery.FromJson(json["{}"]!.Raw)'),
    "url": ("string", "json.CheckoutUrl()"),
    "status": ("Status?", 'json.PartOf("{}", one => new Status(one))'),
    "error": ("PayorderException?", 'json.PartOf("{}", ExceptionOf.Made)'),
    "counts": ("IReadOnlyDictionary<string, long>", 'json.CountsOf("{}")'),
}
#: What is wrong with the text of a program's test.
CHECKS = {
    "Waited": """\
            if (Status == null && Error == null)
            {
                throw new FormatException("a wait has a status, an error, or both");
            }
"""
}


def first_capital(name):
    return name[0].upper() + name[1:]


def class_name(name):
    return "RecoveredSale" if name == "Sale" else name


def plain(one):
    kind, read, missing = PROPERTIES[one["kind"]]
    always = one["always"] and missing
    meaning = documented(one["meaning"])
    if one["kind"] == "value":
        meaning = meaning.replace(".<", f'. One of <see cref="{one["class"]}s"/>.<')
    return (
        f"{meaning}"
        f"        public {kind}{'' if always else '?'} {first_capital(one['name'])}"
        f" => _fields?.{read.format(one['key'])}{missing if always else ''};\n"
    )


def expression(template, getters):
    """A text with the values of keys, such as {amount}, in C#."""
    kinds = {one["name"]: one["kind"] for one in getters}
    shown = []
    for at, part in enumerate(re.split(r"\{(\w+)\}", template)):
        value = first_capital(part) if at % 2 else json.dumps(part)
        if at % 2 and kinds[part] == "list":
            value = f'"[" + string.Join(", ", {value}) + "]"'
        shown.append(f"{value}?.Message" if at % 2 and kinds[part] == "error" else value)
    return " + ".join(part for part in shown if part != '""')


def result_class(name, one, getters):
    printed, given = one["printed"], one["given"]
    if isinstance(printed, list):
        values = ", ".join(f"{first_capital(key)} = {{{key}}}" for key in printed)
        printed = f"{name} {{ {values} }}"
    reads = lines = ""
    for value in getters:
        if value["kind"] not in EAGER:
            lines += plain(value)
            continue
        kind, read = EAGER[value["kind"]]
        # The sale of a test may have no reasons.
        read = read.replace("ListOf", "ListIfAny") if name == "Sale" else read
        read = read.format(value["key"], class_name(value["class"]))
        property_name = first_capital(value["name"])
        reads += f"            {property_name} = {read};\n"
        lines += (
            f"{documented(value['meaning'])}"
            f"        public {kind.format(class_name(value['class']))} {property_name} {{ get; }}\n"
        )
    return f"    /// <summary>{one['about']}</summary>\n" + CLASS.format(
        name=class_name(name),
        reads=reads + CHECKS.get(name, ""),
        from_json=FROM_JSON.format(name=name, given=given) if given else "",
        printed="Raw" if printed is None else expression(printed, getters),
        own=OWN,
        properties=lines + MORE.get(name, ""),
    )


PAY_MODES = {"cc": "credit_card", "dc": "debit_card", "nb": "net_banking"}


def value_names(name, listed):
    members = list(listed["values"])
    if name == "State":
        meaning = "For Journal.List: what is still to be asked about."
        members.append({"name": "unresolved", "meaning": meaning})
    if name == "PayMode":
        return names("PayModes", listed["about"], members, PAY_MODES)
    return names(f"{name}s", listed["about"], members)


OPTIONS = {
    "CallOptions": ("class CallOptions", "one call, instead of the client's"),
    "OrderOptions": ("sealed class OrderOptions : CallOptions", "CreateOrder"),
    "WaitOptions": ("sealed class WaitOptions : CallOptions", "WaitForPayment"),
    "BatchOptions": ("class BatchOptions : CallOptions", "GetStatuses and Journal.Resolve"),
    "RecoverOptions": ("sealed class RecoverOptions : BatchOptions", "Recover"),
}


def settings(name, setters):
    """The other part of a class with settings, and the functions that write them as JSON."""
    lines, added = "", {}
    for one in setters:
        kind = PROPERTIES[one["kind"]][0]
        property_name = first_capital(one["name"])
        # An order has no default.
        kind, initial = (kind, " = null!;") if name == "Order" else (f"{kind}?", "")
        lines += (
            f"{documented(one['meaning'])}"
            f"        public {kind} {property_name} {{ get; set; }}{initial}\n\n"
        )
        added.setdefault(one["group"], []).append(f'.Add("{one["key"]}", {property_name})')
    if name in OPTIONS:
        kind, about = OPTIONS[name]
        base = "base.Write()" if ":" in kind else "new JsonWriter()"
        way = "override" if ":" in kind else "virtual"
        return (
            f"    /// <summary>Settings of {about}.</summary>\n    public {kind}\n    {{\n{lines}"
            f"        internal {way} JsonWriter Write() => {base}{''.join(added[''])};\n    }}\n"
        )
    for group, calls in added.items():
        lines += (
            f"        private JsonWriter Write{group.title()}(JsonWriter json)\n        {{\n"
            f"            return json{''.join(calls)};\n        }}\n\n"
        )
    return f"    public sealed partial class {name}\n    {{\n{lines.rstrip()}\n    }}\n"


#: The calls of a client, on this thread or on another one: the result, the arguments, the options,
#: and what they do.
CALLS = {
    "CreateOrder": (
        "Checkout",
        "order",
        "Order order, OrderOptions? options = null",
        "Creates an order. It is never sent again after a byte of it was sent.",
    ),
    "GetStatus": (
        "Status",
        "query",
        "StatusQuery query, CallOptions? options = null",
        "Asks for the status of an order. This changes nothing: ask again.",
    ),
    "WaitForPayment": (
        "Waited",
        "query",
        "StatusQuery query, WaitOptions? options = null",
        "Asks again and again, until the payment is final or the time is up.",
    ),
    "GetStatuses": (
        "Summary",
        "queries, each",
        "IEnumerable<StatusQuery> queries, Func<StatusResult, bool> each,"
        " BatchOptions? options = null",
        "Asks for many statuses, several at a time. The callback gets each result, on the thread of"
        " the call. If it returns false or throws, no more queries are sent; what it threw is"
        " thrown again.",
    ),
    "Recover": (
        "Recovered",
        "sales",
        "IEnumerable<ExpectedPayment>? sales = null, RecoverOptions? options = null",
        "After a start: one verdict for each of the sales that the program believes open, and for"
        " each open entry of the journal. The sales are null if the journal knows them all.",
    ),
}


def calls():
    """The interface, and the methods of the client, which make or start a call."""
    declared = made = ""
    for name, (result, names, given, about) in CALLS.items():
        given += ", CancellationToken cancellationToken = default(CancellationToken)"
        for method, kind, run in (
            (name, result, "Make"),
            (f"{name}Async", f"Task<{result}>", "Start"),
        ):
            thread = "" if run == "Make" else " On another thread."
            declared += f"{documented(about + thread)}        {kind} {method}({given});\n"
            made += (
                f"        /// <inheritdoc/>\n        public {kind} {method}({given}) =>"
                f" {name}Call({names}, options, cancellationToken).{run}();\n"
            )
    return (
        "    /// <summary>The calls of <see cref=\"PayorderClient\"/>. A program that takes this"
        " interface can be tested without a service.</summary>\n"
        f"    public interface IPayorderClient : IDisposable\n    {{\n{declared}    }}\n\n"
        f"    public sealed partial class PayorderClient\n    {{\n{made}    }}\n"
    )


#: How a type of C is passed. Functions with others are not called.
PASSED = {
    "const char *": "byte[]?",
    "char **": "out IntPtr",
    "const char **": "out IntPtr",
    "payorder_client **": "out IntPtr",
    "payorder_client *": "IntPtr",
    "char *": "IntPtr",
    "void *": "IntPtr",
    "int32_t": "int",
    "payorder_log_fn": "LogFn?",
    "payorder_status_fn": "StatusFn",
    "payorder_done_fn": "DoneFn",
}
RETURNED = {"const char *": "IntPtr", "size_t": "UIntPtr", "uint32_t": "uint", "void": "void"}
#: The delegates that several functions have, by one of them.
SHARED = {
    "create_order": "ClientCall",
    "journal_list": "JournalCall",
    "client_new": "ClientNewFn",
    "cancellation_cancel": "Simple",
}


def native(abi):
    """The functions of the library, as fields with a delegate of each signature."""
    passed = {}
    fields = ""
    for one in abi["functions"]:
        if all(given["type"] in PASSED for given in one["parameters"]):
            # A token is used as the library gave it.
            types = [
                "IntPtr" if given["name"] == "token" else PASSED[given["type"]]
                for given in one["parameters"]
            ]
            passed[one["name"][len("payorder_") :]] = (
                RETURNED.get(one["returns"]["type"], "int"),
                ", ".join(f"{kind} arg{at}" for at, kind in enumerate(types)),
            )
    delegates = {passed[name]: shared for name, shared in SHARED.items()}
    for name, signature in passed.items():
        delegate = delegates.setdefault(signature, f"{pascal(name)}Fn")
        fields += f"        internal readonly {delegate} {pascal(name)} = null!;\n"
    callbacks = [one for one in abi["callbacks"] if one["name"] in PASSED]
    for one in callbacks:
        types = {**PASSED, "const char *": "IntPtr", "size_t": "UIntPtr"}
        given = (f"{types[two['type']]} arg{at}" for at, two in enumerate(one["parameters"]))
        result = "void" if "void (*" in one["declaration"] else "int"
        delegates[result, ", ".join(given)] = pascal(one["name"][len("payorder_") :])
    return f"    internal sealed partial class Native\n    {{\n{fields}" + "".join(
        "        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n"
        f"        internal delegate {result} {name}({given});\n"
        for (result, given), name in delegates.items()
    ) + "    }\n"


def enum(name, meaning, members):
    lines = [f"{documented(one[2])}        {one[0]} = {one[1]},\n" for one in members]
    return (
        f"    /// <summary>{meaning}</summary>\n    public enum {name}\n    {{\n"
        + "".join(lines)
        + "    }\n"
    )


def names(name, meaning, members, others=()):
    lines = [
        documented(one["meaning"])
        + f'        public const string {pascal(dict(others).get(one["name"], one["name"]))}'
        + f' = "{one["name"]}";\n'
        for one in members
    ]
    return (
        f"    /// <summary>{meaning}</summary>\n    public static class {name}\n    {{\n"
        + "".join(lines)
        + "    }\n"
    )


def documented(meaning):
    escaped = meaning.replace("&", "&amp;").replace("<", "&lt;")
    return f"        /// <summary>{escaped}</summary>\n"


def pascal(name):
    return "".join(first_capital(part) for part in name.split("_"))
