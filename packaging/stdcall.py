#!/usr/bin/env python3
"""Writes the C source and the .def file of payorder-stdcall.dll, from payorder-abi.json.

    packaging/stdcall.py ABI_JSON FOLDER      writes FOLDER/stdcall.c and FOLDER/stdcall.def

VB6, 32-bit VBA and old Delphi call DLL functions with the calling convention stdcall. The DLL has
each function of the header in that convention, under the same name. Callbacks are stdcall too.
"""

import json
import re
import sys
from pathlib import Path

# A client keeps its log callback after the call that sets it, and a started call keeps its own until
# it has run. All others end with the call.
KEPT = "payorder_log_fn"
ONCE = "payorder_done_fn"


def split(declaration):
    """The result type, the name and the parameters (type, name) of a C function or callback."""
    declaration = declaration.removeprefix("typedef ")
    result, name, inside = re.fullmatch(
        r"(.*?)(?:\(\*)?(payorder_\w+)\)?\((.*)\);", declaration
    ).groups()
    parameters = []
    for parameter in [] if inside == "void" else inside.split(", "):
        kind, parameter_name = re.fullmatch(r"(.*?)(\w+)", parameter).groups()
        parameters.append((kind.strip(), parameter_name))
    return result.strip(), name, parameters


def parameter_list(parameters):
    return ", ".join(f"{kind} {name}" for kind, name in parameters).replace("* ", "*") or "void"


def callback_source(declaration):
    result, name, parameters = split(declaration)
    passed = ", ".join("call->user_data" if n == "user_data" else n for _, n in parameters)
    call = f"call->function({passed});"
    if name == ONCE:
        call += "\n    free(user_data);"
    return f"""
typedef {result} (__stdcall *stdcall_{name})({parameter_list(parameters)});

typedef struct {{
    stdcall_{name} function;
    void *user_data;
}} {name}_call;

static {result} call_{name}({parameter_list(parameters)})
{{
    const {name}_call *call = user_data;
    {call if result == "void" else "return " + call}
}}
"""


def function_source(declaration, callbacks):
    result, name, parameters = split(declaration)
    own, passed, before, after = [], [], "", ""
    for kind, parameter in parameters:
        if kind in callbacks:
            own.append((f"stdcall_{kind}", parameter))
            passed.append(f"{parameter} ? call_{kind} : NULL")
            if kind in (KEPT, ONCE):
                why, no_text = "Not freed: a call that has begun may still use it.", ""
                if kind == ONCE:
                    why = "Freed when it has run."
                    no_text = "if (out_json)\n            *out_json = NULL;\n        "
                before = f"""
    /* {why} */
    {kind}_call *call = {parameter} ? malloc(sizeof *call) : NULL;
    if ({parameter} && !call) {{
        {no_text}return PAYORDER_INTERNAL;
    }}
    if (call) {{
        call->function = {parameter};
        call->user_data = user_data;
    }}"""
                after = "\n    if (result != PAYORDER_OK)\n        free(call);"
                # Without a callback, payorder_take_done gives the number that the caller gave.
                passed_data = "call" if kind == KEPT else "call ? (void *)call : user_data"
            else:
                before = f"\n    {kind}_call call = {{ {parameter}, user_data }};"
                passed_data = "&call"
        elif parameter == "user_data" and before:
            own.append((kind, parameter))
            passed.append(passed_data)
        else:
            own.append((kind, parameter))
            passed.append(parameter)
    call = f"{name}({', '.join(passed)});"
    if result == "void":
        body = f"    {call}"
    elif after:
        body = f"    payorder_result result = {call}{after}\n    return result;"
    else:
        body = f"    return {call}"
    # The label keeps the name free of `@` and the size, as in every other convention.
    return f"""
{result} __stdcall stdcall_{name}({parameter_list(own)}) __asm__("_stdcall_{name}");
{result} __stdcall stdcall_{name}({parameter_list(own)})
{{{before}
{body}
}}
"""


def main():
    description = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = Path(sys.argv[2])
    callbacks = {callback["name"] for callback in description["callbacks"]}
    source = "#include <stddef.h>\n#include <stdlib.h>\n\n#include \"payorder.h\"\n"
    for callback in description["callbacks"]:
        source += callback_source(callback["declaration"])
    exports = "LIBRARY payorder-stdcall.dll\nEXPORTS\n"
    for function in description["functions"]:
        source += function_source(function["declaration"], callbacks)
        exports += f"    {function['name']} = stdcall_{function['name']}\n"
    (folder / "stdcall.c").write_text(source, encoding="utf-8")
    (folder / "stdcall.def").write_text(exports, encoding="utf-8")


if __name__ == "__main__":
    main()
