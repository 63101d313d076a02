"""The filters and functions of the templates: names and texts in the form of a language."""

import json
import re
import textwrap


def pascal(name):
    """`not_sent` and `notSent` as `NotSent`."""
    return "".join(capital(part) for part in name.split("_"))


def snake(name):
    """`maxIdleMs` as `max_idle_ms`, `redirectionURL` as `redirection_url`."""
    return re.sub("(?<=[a-z0-9])[A-Z]", lambda found: f"_{found[0]}", name).lower()


def capital(text):
    """With a capital letter; but the values of a list, and URLs, are as they are written."""
    return text if text.startswith(("http:", "attempt_")) else text[:1].upper() + text[1:]


def small(text):
    return text[:1].lower() + text[1:]


def sentence(text):
    return capital(text.rstrip(".")) + "."


def wrap(text, width, indent="", following=None):
    """Lines of at most that width, each with the indent. It has no line end after the last one."""
    following = indent if following is None else following
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=following, break_on_hyphens=False
    )


def block(text, indent="    ", width=94):
    """A comment of JavaScript and PHP: on one line if it fits, with its line end."""
    lines = textwrap.wrap(text.replace("*/", "*\\/"), width - len(indent))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join([f"{indent}/**\n", *(f"{indent} * {one}\n" for one in lines), f"{indent} */\n"])


def plain(keys, *without):
    """The keys that are texts, numbers or booleans."""
    kinds = ("string", "integer", "boolean")
    return [one for one in keys if one["type"] in kinds and one["key"] not in without]


def without(keys, *names):
    return [one for one in keys if one["key"] not in names]


def in_order(properties, names):
    """The properties of an interface of COM in the order of the names, which name each of them."""
    found, names = {one[1]: one for one in properties}, names.split()
    differ = set(found) ^ set(names)
    assert not differ, f"PROPERTIES in com.jinja differs from the description: {differ}"
    return [found[name] for name in names]


def filled(template, form, *more):
    """A text with the values of keys, such as {amount}: `form` writes a key, and JSON a text."""
    parts = re.split(r"\{(\w+)\}", template)
    shown = (form(part, *more) if at % 2 else json.dumps(part) for at, part in enumerate(parts))
    return " + ".join(part for part in shown if part != '""')


def passed(function, types):
    """Whether a language can pass all arguments of a function."""
    return all(one["type"] in types for one in function["parameters"])


def methods(text):
    """`payorder_get_status` as `getStatus`."""
    return re.sub(r"payorder_(\w+)", lambda found: small(pascal(found[1])), text)


def in_dotnet(text):
    """With the names of properties instead of the library's keys."""
    text = re.sub(r"\. The key here .*", ".", text)
    return re.sub(
        r"`([a-z]\w+)`|\b(\w+Ms)\b",
        lambda key: f"<c>{capital(re.sub('Ms$', '', key[1] or key[2]))}</c>",
        text,
    )


def in_go(text):
    """In Go, times are not numbers, and functions have no prefix."""
    text = re.sub(",? in milliseconds|for (?=how many)|[Mm]illiseconds (?=for )", "", text)
    text = text.replace("how many milliseconds", "how long").replace(
        "milliseconds until", "how long until"
    )
    return re.sub(r"payorder_(\w+)", lambda found: pascal(found[1]), text)


def python_words(text, names):
    """With the names of attributes and arguments instead of the library's."""
    for name in names:
        text = re.sub(rf"\b{name}\b", f"`{snake(re.sub('Ms$', '', name))}`", text)
    text = re.sub(r"\. The key (here|of order_json) .*", "", text.replace("``", "`"))
    text = re.sub(r": (an array, )?see [a-zA-Z]+$| \(see A.*", "", text)
    text = text.replace(" or null", " or None").replace("of sales_json", "of the program")
    return re.sub(r"payorder_(\w+)", r"`\1`", text)


def python_text(one, names, none_is):
    """What a keyword argument of Python means, with its limits and its default."""
    unit = 1000 if one["key"].endswith("Ms") else 1
    text = python_words(re.sub("; without it.*", "", one["meaning"]), names)
    text = re.sub(",? in milliseconds|for (?=how many)", "", text)
    text = text.replace("how many milliseconds", "how long")
    text = re.sub("milliseconds (?=for|until)", "the time ", text)
    text += ", in seconds" if unit == 1000 else ""
    if one.get("maximum", 10**9) < 10**9:
        text += f"; {one['minimum'] / unit:.12g} to {one['maximum'] / unit:.12g}"
    elif "values" in one and "range" in one:
        text += f": {re.sub(', default .*', '', one['range'])}"
    default = one.get("default")
    if isinstance(default, int) and not isinstance(default, bool):
        default = f"{default / unit:.12g}"
    elif isinstance(default, str):
        default = json.dumps(default)
    ends = (
        "Required" if one.get("required") else f"Default: {none_is if default is None else default}"
    )
    return f"{capital(text)}. {ends}."


FILTERS = {
    "in_dotnet": in_dotnet,
    "in_go": in_go,
    "python_words": python_words,
    "block": block,
    "capital": capital,
    "methods": methods,
    "pascal": pascal,
    "plain": plain,
    "resub": lambda text, pattern, to: re.sub(pattern, to, text),
    "sentence": sentence,
    "small": small,
    "snake": snake,
    "without": without,
    "wrap": wrap,
}
FUNCTIONS = {"filled": filled, "in_order": in_order, "passed": passed, "python_text": python_text}
