"""Writes Constants.java (outcomes, causes, actions), Result.java, Functions.java, the exceptions,
the options, the results, and the getters of exceptions."""

import re
import textwrap

FOLDER = "src/main/java/org/payorder/"
COMMITTED = False

HEAD = """\
package org.payorder;

// Generated from include/payorder-abi.json by bindings/constants.py.

"""

CONSTANTS = """\
/** The numbers and names that programs may compare. */
public final class Constants {{
    static final int ABI_VERSION = {version};

    private Constants() {{}}

    /** What happened to the request. */
    public enum Outcome {{
{outcomes}    }}

    /** What exactly happened: the values of PayorderException.getErrorCause. It may grow. */
    public static final class Causes {{
        private Causes() {{}}

{causes}    }}

    /** What to do next: the values of PayorderException.getAction. It may grow. */
    public static final class Actions {{
        private Actions() {{}}

{actions}    }}
}}
"""

RESULT = """\
import java.util.function.Function;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;

/** How a call ended. */
public enum Result {{
{members}
    /** a result that this version of the package does not know */
    UNRECOGNISED(-1, null, Causes.BUG, Actions.ASK_STATUS);

    private final int number;
    final Function<ErrorFields, PayorderException> exception;

    /** A usual cause and its action, for errors of tests. */
    final String cause;

    final String action;

    Result(
            int number,
            Function<ErrorFields, PayorderException> exception,
            String cause,
            String action) {{
        this.number = number;
        this.exception = exception;
        this.cause = cause;
        this.action = action;
    }}

    /** The number in the C interface, whose range is the outcome. */
    public int getNumber() {{
        return number;
    }}

    /** The cause and the action of {{@link #DUPLICATE}}, by the state of the journal's entry, or url. */
    static String[] ofDuplicate(String kind) {{
        switch (String.valueOf(kind)) {{
{duplicates}            default:
                return new String[] {{DUPLICATE.cause, DUPLICATE.action}};
        }}
    }}

    static Result of(int number) {{
        for (Result one : values()) {{
            if (one.number == number) {{
                return one;
            }}
        }}
        return UNRECOGNISED;
    }}
}}
"""

EXCEPTION = """\
/** {meaning} */
public {kind} {name} extends {parent} {{
    private static final long serialVersionUID = 1;

    {name}(ErrorFields error) {{
        super(error);
    }}
}}
"""

KEYS = """\
import java.time.Duration;

/** The plain values of {{@link PayorderException}}. */
abstract class PayorderExceptionKeys extends RuntimeException {{
    private static final long serialVersionUID = 1;

    PayorderExceptionKeys(String message) {{
        super(message);
    }}

    abstract JsonValue fields();

{getters}}}
"""

CLASS = """\
/** {about} */
public {kind}class {name} {{
    private final JsonValue json;
{fields}
    {name}(JsonValue json) {{
        this.json = json;
{reads}    }}

{members}    /** All of it as JSON text. */
    public String getRaw() {{
        return json.getRaw();
    }}

    @Override
    public String toString() {{
        return {printed};
    }}

{getters}}}
"""
IMPORTS = """\
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;

"""
FROM_JSON = """\
    /**
     * For tests without a service: from {given}.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static {name} fromJson(String json) {{
        return new {name}(JsonValue.parse(json));
    }}

"""
#: What these classes have in addition.
QUERY = """\
    /** What to give to getStatus. */
    public StatusQuery getStatusQuery() {
        return StatusQuery.byOrder(getOrderId());
    }

"""
MORE = {"JournalEntry": QUERY, "Sale": QUERY}
#: The types of values that are read when the object is made, and how.
EAGER = {
    "list": ("List<{}>", 'json.listOf("{}", {}::new)'),
    "texts": ("List<String>", 'json.listOf("{}", JsonValue::getText)'),
    "summary": ("Summary", "json.summary()"),
    "query": ("StatusQuery", 'StatusQuery.fromJson(json.rawOf("{}"))'),
    "url": ("String", "json.checkoutUrl()"),
    "status": ("Status", 'json.partOf("{}", Status::new)'),
    "error": ("PayorderException", 'json.partOf("{}", ErrorFields::made)'),
    "counts": ("Map<String, Long>", 'json.countsOf("{}")'),
}
#: What is wrong with the text of a program's test.
CHECKS = {
    "Waited": """\
        if (status == null && error == null) {
            throw new IllegalArgumentException("a wait has a status, an error, or both");
        }
"""
}
#: The lists of values: the class that an enumeration is in, and its last member.
ENUMS = {
    "State": ("JournalEntry", "a state that this version of the package does not know"),
    "Verdict": (
        "Recovered",
        "a verdict that this version of the package does not know: show it to a person",
    ),
    "PayMode": (None, None),
}

SETTERS = """\
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {about} */
{kind} extends {parent} {{
{setters}}}
"""
OPTIONS = {
    "CallOptions": "getStatus",
    "OrderOptions": "createOrder",
    "WaitOptions": "waitForPayment",
    "BatchOptions": "getStatuses and Journal.resolve",
    "RecoverOptions": "recover",
}
#: Names that Java has taken.
SETTER_NAMES = {"wait": "waitFor", "final": "finalStatuses"}

#: The type of a value that is always there, of one that may be null, and how each is read.
GETTERS = {
    "text": ("String", "String", "textOf", "textOf"),
    "whole": ("int", "Integer", "countOf", "wholeOf"),
    "number": ("long", "Long", "numberOf", "numberOf"),
    "time": ("Duration", "Duration", "timeOf", "timeOf"),
    "instant": ("Instant", "Instant", "instantOf", "instantOf"),
    "result": ("Result", "Result", "resultOf", "resultOf"),
    "flag": ("boolean", "Boolean", "isTrue", "isTrue"),
    "empty": ("String", None, "emptyOf", None),
    "completed": ("boolean", None, "isCompleted", None),
    "date": (None, "LocalDateTime", None, "dateOf"),
    "value": (None, None, "nameOf", "nameOf"),
    "texts": (None, "List<String>", None, None),
    "fields": (None, "Map<String, String>", None, None),
    "rate": (None, "Double", None, None),
}

FUNCTIONS = """\
import com.sun.jna.Callback;
import com.sun.jna.IntegerType;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * The functions of the library. Texts for it are byte arrays. Texts of the library are pointers,
 * because they must be freed there.
 */
interface Functions extends Library {{
{functions}
    /** payorder_log_fn. */
    interface LogFunction extends Callback {{
        void invoke(Pointer event, Pointer userData);
    }}

    /** payorder_idle_fn. */
    interface IdleFunction extends Callback {{
        int invoke(Pointer userData);
    }}

    /** payorder_status_fn. */
    interface StatusFunction extends Callback {{
        int invoke(Size index, int result, Pointer json, Pointer userData);
    }}

    /** size_t. */
    final class Size extends IntegerType {{
        private static final long serialVersionUID = 1;

        public Size() {{
            super(Native.SIZE_T_SIZE, true);
        }}
    }}
}}
"""
#: How JNA passes a type of C. Functions with others are not called.
JNA = {
    "const char *": "byte[]",
    "char **": "PointerByReference",
    "const char **": "PointerByReference",
    "payorder_client **": "PointerByReference",
    "payorder_client *": "Pointer",
    "char *": "Pointer",
    "void *": "Pointer",
    "payorder_log_fn": "LogFunction",
    "payorder_idle_fn": "IdleFunction",
    "payorder_status_fn": "StatusFunction",
}
RETURNED = {"const char *": "Pointer", "size_t": "Size", "void": "void"}

BASES = {
    "NotSent": "Nothing of the request was sent. Fix the problem and call again, unless you cancelled"
    " the call.",
    "Rejected": "The service refused the request. getResponseMessage is the reason that it gave. The"
    " refusal of a query or a wait says nothing about the order.",
    "OutcomeUnknown": "The order may exist. Call getStatus with getStatusQuery before anything else."
    " The query is null after getStatus: ask again.",
}
UNUSABLE = (
    "A method of Payorder cannot use an argument. This says nothing about an order, so it is not a"
    " NotSentException."
)
#: Others than the usual ones.
NAMES = {"Connect": "ConnectFailed", "Timeout": "ResponseTimeout"}


def members(listed, form):
    return "".join(
        f"        /** {one['meaning']} */\n"
        f"        {form.format(one['name'].upper(), one['name'])}\n"
        for one in listed
    )


def constants(abi):
    string = 'public static final String {} = "{}";'
    return HEAD + CONSTANTS.format(
        version=abi["abiVersion"],
        outcomes=members(abi["outcomes"], "{},"),
        causes=members(abi["causes"], string),
        actions=members(abi["actions"], string),
    )


def result(abi, exceptions):
    text = ""
    for one in abi["results"]:
        made = exceptions.get(one["number"])
        usual = abi["usualCauses"].get(one["number"], ("bug", "ask_status"))
        cause, action = (name.upper() for name in usual)
        text += (
            f"    /** {one['meaning']} */\n    {one['name'][len('PAYORDER_') :]}({one['number']},"
            f" {f'{made}::new' if made else 'null'}, Causes.{cause}, Actions.{action}),\n"
        )
    duplicates = "".join(
        f'            case "{state}":\n'
        f"                return new String[] {{Causes.{cause.upper()}, Actions.{action.upper()}}};\n"
        for state, (cause, action) in abi["duplicateCauses"].items()
    )
    return HEAD + RESULT.format(members=text, duplicates=duplicates)


def exception(name, meaning, parent="Payorder", kind="class"):
    name, parent = f"{name}Exception", f"{parent}Exception"
    values = {"name": name, "meaning": meaning, "parent": parent, "kind": kind}
    return f"{FOLDER}{name}.java", HEAD + EXCEPTION.format(**values)


def getter_name(one):
    prefix = "is" if one["kind"] in ("flag", "completed") else "get"
    return f"{prefix}{one['name'][0].upper()}{one['name'][1:]}()"


def method(one, call):
    """The getter of a value."""
    if one["kind"] in EAGER:
        kind, value = EAGER[one["kind"]][0].format(one["class"]), one["name"]
        kind = kind if one["always"] else f"@Nullable {kind}"
    else:
        always, perhaps, read, read_perhaps = GETTERS[one["kind"]]
        kind = always if one["always"] else f"@Nullable {perhaps}"
        arguments = f'"{one["key"]}"'
        if one["kind"] == "value":
            kind, arguments = one["class"], f'"{one["key"]}", {one["class"]}.class'
        value = f"{call}{read if one['always'] else read_perhaps}({arguments})"
    return (
        f"    /** {one['meaning']} */\n    public {kind} {getter_name(one)} {{\n"
        f"        return {value};\n    }}\n\n"
    )


def keys(getters):
    text = "".join(method(one, "fields().") for one in getters)
    return HEAD + KEYS.format(getters=text.rstrip() + "\n")


def expression(template, getters):
    """A text with the values of keys, such as {amount}, in Java."""
    parts = re.split(r"\{(\w+)\}", template)
    names = {one["name"]: getter_name(one) for one in getters}
    shown = (names[part] if at % 2 else f'"{part}"' for at, part in enumerate(parts))
    return " + ".join(part for part in shown if part != '""')


def result_class(name, one, getters, inside=()):
    """A class of results. Others are inside it."""
    printed = one["printed"]
    if isinstance(printed, list):
        printed = name + "{" + ", ".join(f"{key}={{{key}}}" for key in printed) + "}"
    fields = reads = ""
    for value in getters:
        if value["kind"] in EAGER:
            kind, read = EAGER[value["kind"]]
            # The sale of a test may have no reasons.
            read = read.replace("listOf", "listIfAny") if name == "Sale" else read
            fields += f"    private final {kind.format(value['class'])} {value['name']};\n"
            reads += f"        {value['name']} = {read.format(value['key'], value['class'])};\n"
    members = FROM_JSON.format(name=name, given=one["given"]) if one["given"] else ""
    methods = "".join(method(value, "json.") for value in getters) + MORE.get(name, "")
    for text in inside:
        methods += textwrap.indent(text, "    ")
        methods += "\n"
    return CLASS.format(
        about=one["about"],
        kind="static final " if name == "Sale" else "final ",
        name=name,
        fields=fields,
        reads=reads + CHECKS.get(name, ""),
        members=members,
        printed="getRaw()" if printed is None else expression(printed, getters),
        getters=methods.rstrip() + "\n",
    )


def enumeration(name, listed):
    _, last = ENUMS[name]
    members = [(one["name"].upper(), one["meaning"]) for one in listed["values"]]
    if last:
        members.append(("UNRECOGNISED", last))
    lines = ",\n".join(f"    /** {meaning} */\n    {member}" for member, meaning in members)
    return f"/** {listed['about']} */\npublic enum {name} {{\n{lines}\n}}\n"


def result_classes(abi):
    """Those that are not in another one, by their file."""
    inside = {}
    for name, (outer, _) in ENUMS.items():
        inside.setdefault(outer, []).append(enumeration(name, abi["values"][name]))
    sale = result_class("Sale", abi["classes"]["Sale"], abi["getters"]["Sale"])
    inside["Recovered"].append(sale)
    yield f"{FOLDER}PayMode.java", HEAD + inside[None][0]
    for name, one in abi["classes"].items():
        if name != "Sale":
            text = result_class(name, one, abi["getters"][name], inside.get(name, ()))
            yield f"{FOLDER}{name}.java", HEAD + IMPORTS + text


def settings(name, setters):
    text = ""
    for one in setters:
        call = f'set("{one["key"]}", value)'
        if one["group"]:
            call = f'setTls("{one["key"]}", value)'
        setter = SETTER_NAMES.get(one["name"], one["name"])
        text += (
            f"    /** {one['meaning']} */\n"
            f"    public {'T' if name == 'Options' else name} {setter}"
            f"({GETTERS[one['kind']][1]} value) {{\n"
            f"        return {call};\n    }}\n\n"
        )
    if name == "ClientConfig":
        text += f"    abstract {name} setTls(String key, Object value);\n"
    values = {"setters": text.rstrip() + "\n"}
    if name in OPTIONS:
        values["about"] = f"Settings of {OPTIONS[name]}."
        values["kind"], values["parent"] = f"public final class {name}", f"Options<{name}>"
        return f"{FOLDER}{name}.java", HEAD + SETTERS.format(**values)
    values["about"] = f"The plain settings of {{@link {name}}}."
    values["kind"], values["parent"] = f"abstract class {name}Keys", f"Settings<{name}>"
    if name == "Options":
        values["kind"], values["parent"] = f"{values['kind']}<T extends Options<T>>", "Settings<T>"
    return f"{FOLDER}{name}Keys.java", HEAD + SETTERS.format(**values)


def all_options(abi):
    """Options has what all calls have, and RecoverOptions all of BatchOptions."""
    for name, setters in abi["settings"].items():
        if name == "CallOptions":
            yield "Options", setters
            setters = []
        if name == "RecoverOptions":
            setters = abi["settings"]["BatchOptions"] + setters
        yield name, setters


def functions(abi):
    lines = ""
    for one in abi["functions"]:
        if all(parameter["type"] in JNA for parameter in one["parameters"]):
            given = (f"{JNA[given['type']]} {given['name']}" for given in one["parameters"])
            result = RETURNED.get(one["returns"]["type"], "int")
            lines += f"    {result} {one['name']}({', '.join(given)});\n\n"
    return HEAD + FUNCTIONS.format(functions=lines.rstrip("\n") + "\n")


def files(abi):
    made = [exception(*base) for base in BASES.items()]
    made.append(exception("UnusableText", UNUSABLE, kind="final class"))
    names = {100: "RejectedException"}
    for one in abi["errorClasses"]:
        name = NAMES.get(one["class"], one["class"])
        names[one["number"]] = f"{name}Exception"
        meaning = f"{one['meaning'][0].upper()}{one['meaning'][1:]}."
        made.append(exception(name, meaning, one["parent"], "final class"))
    texts = {
        **dict(made),
        f"{FOLDER}PayorderExceptionKeys.java": keys(abi["getters"]["PayorderException"]),
        **dict(result_classes(abi)),
        **dict(settings(*one) for one in all_options(abi)),
        f"{FOLDER}Functions.java": functions(abi),
        f"{FOLDER}Constants.java": constants(abi),
        f"{FOLDER}Result.java": result(abi, names),
    }
    # In the words of the description, functions have a capital.
    functions_of_c = re.compile(r"\b(CreateOrder|GetStatus|VerifyPayment)\b")

    def in_java(name):
        return name[0][0].lower() + name[0][1:]

    return {file: functions_of_c.sub(in_java, text) for file, text in texts.items()}
