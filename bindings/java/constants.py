"""Writes Constants.java: outcomes, causes and actions; and Result.java."""

FOLDER = "src/main/java/org/payorder/"

HEAD = """\
package org.payorder;

// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

/** The numbers and names that programs may compare. */
public final class Constants {
"""


def text(abi):
    parts = [
        f"    static final int ABI_VERSION = {abi['abiVersion']};\n\n"
        "    private Constants() {}\n",
        "    /** What happened to the request. */\n    public enum Outcome {\n"
        + ",\n".join(
            documented(one["meaning"]) + f"        {one['name'].upper()}"
            for one in abi["outcomes"]
        )
        + "\n    }\n",
        group(
            "Causes",
            "What exactly happened: the values of PayorderException.getErrorCause. It may grow.",
            strings(abi["causes"]),
        ),
        group(
            "Actions",
            "What to do next: the values of PayorderException.getAction. It may grow.",
            strings(abi["actions"]),
        ),
    ]
    return HEAD + "\n".join(parts) + "}\n"


RESULT = """\
package org.payorder;

import java.util.function.Function;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;

// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

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

    /** The cause and the action of {{@link #DUPLICATE}}, by the state of the journal's entry. */
    static String[] ofDuplicate(String state) {{
        switch (String.valueOf(state)) {{
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
EXCEPTIONS = {
    "TLS_FAILED": "Tls",
    "JOURNAL_FAILED": "Journal",
    "TIMEOUT": "ResponseTimeout",
}


def result(abi):
    members = ""
    for one in abi["results"]:
        key = one["name"][len("PAYORDER_") :]
        name = EXCEPTIONS.get(key) or "".join(map(str.capitalize, key.split("_")))
        made = "null" if key == "OK" else f"{name}Exception::new"
        meaning = documented(one["meaning"]).replace("        ", "    ")
        usual = abi["usualCauses"].get(one["number"], ("bug", "ask_status"))
        cause, action = (name.upper() for name in usual)
        member = (
            f"    {key}({one['number']}, {made}, Causes.{cause}, Actions.{action}),\n"
        )
        if len(member) > 100:
            member = member.replace(" Causes.", "\n            Causes.")
        members += meaning + member
    duplicates = "".join(
        f'            case "{state}":\n'
        f"                return new String[] {{Causes.{cause.upper()}, Actions.{action.upper()}}};\n"
        for state, (cause, action) in abi["duplicateCauses"].items()
    )
    return RESULT.format(members=members.rstrip("\n") + "\n", duplicates=duplicates)


def strings(members):
    return [
        (one["meaning"], "String", one["name"].upper(), f'"{one["name"]}"')
        for one in members
    ]


def group(name, meaning, members):
    lines = [
        documented(about)
        + f"        public static final {kind} {constant} = {value};\n"
        for about, kind, constant, value in members
    ]
    return (
        f"    /** {meaning} */\n    public static final class {name} {{\n"
        f"        private {name}() {{}}\n\n" + "".join(lines) + "    }\n"
    )


def documented(meaning):
    """A documentation comment, in several lines if it is too long for one."""
    line = f"        /** {meaning} */\n"
    if len(line) <= 100:
        return line
    lines = [""]
    for word in meaning.split(" "):
        if len(lines[-1]) + len(word) > 86:
            lines.append("")
        lines[-1] += f" {word}"
    return (
        "        /**\n"
        + "".join(f"         *{one}\n" for one in lines)
        + "         */\n"
    )


FILES = {f"{FOLDER}Constants.java": text, f"{FOLDER}Result.java": result}
