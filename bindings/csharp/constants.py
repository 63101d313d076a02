"""Writes src/Constants.cs: results, outcomes, causes and actions."""

FILE = "src/Constants.cs"

HEAD = """\
// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

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
            [
                (pascal(one["name"]), one["number"], one["meaning"])
                for one in abi["outcomes"]
            ],
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
        "    internal static class Abi\n    {\n"
        f"        internal const uint Version = {abi['abiVersion']};\n    }}\n",
    ]
    return HEAD + "\n".join(parts) + "}\n"


def enum(name, meaning, members):
    lines = [f"{documented(one[2])}        {one[0]} = {one[1]},\n" for one in members]
    return (
        f"    /// <summary>{meaning}</summary>\n    public enum {name}\n    {{\n"
        + "\n".join(lines)
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
        + "\n".join(lines)
        + "    }\n"
    )


def documented(meaning):
    """A documentation comment, in two lines if it is too long for one."""
    escaped = meaning.replace("&", "&amp;").replace("<", "&lt;")
    line = f"        /// <summary>{escaped}</summary>\n"
    if len(line) <= 100:
        return line
    words, lines = f"<summary>{escaped}</summary>".split(" "), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 84:
            lines.append("")
        lines[-1] += f" {word}"
    return "".join(f"        ///{one}\n" for one in lines)


def pascal(name):
    return "".join(part.capitalize() for part in name.split("_"))
