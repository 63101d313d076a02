"""Writes Constants.java: results, outcomes, causes and actions."""

FILE = "src/main/java/org/payorder/Constants.java"

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
        + ",\n\n".join(
            documented(one["meaning"]) + f"        {one['name'].upper()}"
            for one in abi["outcomes"]
        )
        + "\n    }\n",
        group(
            "Results",
            "How a call ended. The range of the number is the outcome. It may grow.",
            [
                (one["meaning"], "int", one["name"][len("PAYORDER_") :], one["number"])
                for one in abi["results"]
            ],
        ),
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
        f"        private {name}() {{}}\n\n" + "\n".join(lines) + "    }\n"
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
