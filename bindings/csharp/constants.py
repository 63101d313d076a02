"""Writes src/Constants.cs: results, outcomes, causes, actions, the exceptions of results, and the
plain properties of settings and results."""

import json

FILE = "src/Constants.cs"
COMMITTED = False

HEAD = """\
// Generated from include/payorder-abi.json by bindings/constants.py.

using System;
using System.Collections.Generic;

namespace Payorder
{
"""


def text(abi):
    parts = [
        enum(
            "PayorderResult",
            "How a call ended. The range of the number is the outcome.",
            [
                (pascal(one["name"][len("PAYORDER_") :]), one["number"], one["meaning"])
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
        *(properties(*one) for one in abi["getters"].items()),
        *(settings(*one) for one in abi["settings"].items() if one[0] != "ListOptions"),
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
        meaning = one["meaning"][0].upper() + one["meaning"][1:] + "."
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
        '        /// <param name="state">Of the journal\'s entry, for a duplicate.</param>\n'
        "        internal static void Usual(\n"
        "            int result, string? state, out string cause, out string action)\n"
        f"        {{\n            switch (state)\n            {{\n{duplicates}            }}\n"
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
    "texts": ("IEnumerable<string>", None, None),
    "fields": ("IEnumerable<KeyValuePair<string, string>>", None, None),
    "rate": ("double", None, None),
}


OWN = """\
        private readonly JsonValue _fields;

        /// <summary>All of it as JSON text.</summary>
        public string Raw => _fields.Raw;

"""


def properties(name, getters):
    """The other part of a class. What a status lacks is an empty text."""
    lines = "" if name in ("Status", "PayorderException") else OWN
    for one in getters:
        kind, read, missing = PROPERTIES[one["kind"]]
        always = (one["always"] and missing) or name == "Status"
        lines += (
            f"{documented(one['meaning'])}"
            f"        public {kind}{'' if always else '?'} {one['name'][0].upper()}{one['name'][1:]}"
            f" => _fields?.{read.format(one['key'])}{missing if always else ''};\n"
        )
    kind = "partial" if name == "PayorderException" else "sealed partial"
    name = "RecoveredSale" if name == "Sale" else name
    return f"    public {kind} class {name}\n    {{\n{lines}    }}\n"


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
        property_name = one["name"][0].upper() + one["name"][1:]
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


def enum(name, meaning, members):
    lines = [f"{documented(one[2])}        {one[0]} = {one[1]},\n" for one in members]
    return (
        f"    /// <summary>{meaning}</summary>\n    public enum {name}\n    {{\n"
        + "".join(lines)
        + "    }\n"
    )


def names(name, meaning, members):
    lines = [
        documented(one["meaning"])
        + f'        public const string {pascal(one["name"])} = "{one["name"]}";\n'
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
    return "".join(part.capitalize() for part in name.split("_"))
