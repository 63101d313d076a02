"""The constants and records that the Pascal unit includes, with the functions that read them; and
the reports of its driver: see bindings/constants.py."""

COMMITTED = False

#: Records, their objects in the description, and what is said of them.
RECORDS = [
    ("Order", "order", "All fields are required."),
    ("Checkout", "checkout", "An order that was created."),
    ("Status", "status", "It does not prove a payment: see PayorderVerifyPayment."),
    (
        "Entry",
        "entry",
        "One sending of one order: see docs/journal.md. Entry is 0 if there is none. What is not "
        "known is '' or -1.",
    ),
    ("Violation", "violation", "A field that breaks a rule."),
    ("Sale", "sale", "A sale, and what is known about it. What is not known is '' or -1."),
    ("Summary", "summary", "How many of many queries had which result."),
]
#: Records of which there are lists.
LISTS = {"Entry": "Entries", "Violation": "Violations", "Sale": "Sales"}
#: Objects whose members belong to the record.
PARTS = ("checkoutData", "statusData", "derived")
RENAMED = {
    "result of entry": "ResultCode",
    "transactionDate of derived": "Date",
    "message of violation": "Text",
    "reasons of sale": "Failed",
}
#: An array is that of reasons, of which the record has the checks.
TYPES = {
    "string": "UTF8String",
    "integer": "Integer",
    "boolean": "Boolean",
    "array": "TPayorderTexts",
}


def members(abi, name, place=""):
    """The record's field, its pointer in the JSON, and its key in the description."""
    for one in abi["objects"][name]["keys"]:
        key = one["key"]
        if one.get("object") in PARTS:
            yield from members(abi, one["object"], f"{place}/{key}")
        elif one["type"] in TYPES and one.get("items", "reason") == "reason":
            field = key[0].upper() + key[1:].replace("URL", "Url")
            yield RENAMED.get(f"{key} of {name}", field), f"{place}/{key}", one


def may_be_missing(one):
    return one["nullable"] or not one["always"]


def record(abi, name, kind, about):
    lines = [f"  {{ {about} }}", f"  TPayorder{name} = record"]
    for field, _, one in members(abi, kind):
        # The number of an entry may be large.
        type_name = "Int64" if field == "Entry" else TYPES[one["type"]]
        meaning = one["words"].replace("{", "(").replace("}", ")")
        meaning = meaning.replace("The key here is always redirectionURL", "In JSON, redirectionURL")
        lines.append(f"    {{ {meaning}. }}")
        lines.append(f"    {field}: {type_name};")
    lines += ([] if name == "Order" else ["    Json: UTF8String;"]) + ["  end;"]
    if name in LISTS:
        lines += ["", f"  TPayorder{LISTS[name]} = array of TPayorder{name};"]
    return lines


def reader(abi, name, kind):
    lines = [f"function {name}Of(const Json: UTF8String): TPayorder{name};", "begin"]
    lines.append("  Result.Json := Json;")
    for field, place, one in members(abi, kind):
        value = {
            "string": f"PayorderJsonGet(Json, '{place}')",
            "integer": f"NumberAt(Json, '{place}', {-may_be_missing(one)})",
            "boolean": f"IsTrue(Json, '{place}')",
            "array": f"ChecksOf(Json, '{place}')",
        }[one["type"]]
        lines.append(f"  Result.{field} := {value};")
    return [*lines, "end;", "", *(list_reader(name, LISTS[name]) if name in LISTS else [])]


def list_reader(name, names):
    return [
        f"function {names}Of(const Json, Pointer: UTF8String): TPayorder{names};",
        "var",
        "  Items: TPayorderTexts;",
        "  I: Integer;",
        "begin",
        "  Items := PayorderJsonItems(Json, Pointer);",
        "  Result := nil;",
        "  SetLength(Result, Length(Items));",
        "  for I := 0 to High(Items) do",
        f"    Result[I] := {name}Of(Items[I]);",
        "end;",
        "",
    ]


def writer(abi):
    lines = ["function OrderJson(const Order: TPayorderOrder): UTF8String;", "begin"]
    lines.append("  Result := '{}';")
    for field, _, one in members(abi, "order"):
        lines.append(f"  SetGiven(Result, '{one['key']}', Order.{field});")
    return [*lines, "end;", ""]


def text(abi):
    lines = ["{$IFNDEF PAYORDER_READERS}", "const"]
    lines.append(f"  PAYORDER_ABI_VERSION = {abi['abiVersion']};")
    lines += [f"  {result['name']} = {result['number']};" for result in abi["results"]]
    for kind, items in (("CAUSE", abi["causes"]), ("ACTION", abi["actions"])):
        for item in items:
            name = item["name"].upper()
            lines.append(f"  PAYORDER_{kind}_{name} = '{item['name']}';")
    lines += ["", "type"]
    for one in RECORDS:
        lines += [*record(abi, *one), ""]
    lines += ["{$ELSE}", *writer(abi)]
    for name, kind, _ in RECORDS[1:]:
        lines += reader(abi, name, kind)
    return "\n".join([*lines, "{$ENDIF}"]) + "\n"


def reports(abi):
    """What the driver of the conformance suite says of each record."""
    lines = []
    for name, kind, _ in RECORDS[1:]:
        lines += [f"function {name}Report(const V: TPayorder{name}): UTF8String;", "begin"]
        written = []
        for field, _, one in members(abi, kind):
            text = "OrNull" if may_be_missing(one) else "Q"
            quote = {"string": text, "integer": "Number", "boolean": "Bool"}.get(one["type"])
            key = "date" if field == "Date" else one["key"]
            value = f"{quote}(V.{field})" if quote else f"Get(V.Json, '/{key}')"
            written.append(f"'\"{key}\":' + {value}")
        lines += ["  Result := '{' + " + " + ',' +\n    ".join(written) + " + '}';", "end;", ""]
        if name in LISTS:
            lines += [
                f"function {LISTS[name]}Report(const Items: TPayorder{LISTS[name]}): UTF8String;",
                "var",
                "  I: Integer;",
                "begin",
                "  Result := '';",
                "  for I := 0 to High(Items) do",
                f"    Append(Result, {name}Report(Items[I]));",
                "  Result := '[' + Result + ']';",
                "end;",
                "",
            ]
    lines += ["function Order(const Step: UTF8String): TPayorderOrder;", "begin"]
    for field, place, _ in members(abi, "order"):
        lines.append(f"  Result.{field} := Get(Step, '/order{place}');")
    return "\n".join([*lines, "end;"]) + "\n"


FILES = {"payorder_constants.inc": text, "tests/reports.inc": reports}
