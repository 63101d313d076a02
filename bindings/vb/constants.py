"""Writes payorder.bas: module.bas with the constants, the declarations of the C functions, and a
function with String for each of them. See bindings/constants.py.

VB6 reads only line ends of Windows."""

import textwrap
from pathlib import Path

FILE = "payorder.bas"
COMMITTED = False

# Not needed in VB, where a String has any length; and not wrapped.
LEFT_OUT = ["payorder_json_copy", "payorder_start", "payorder_stream_statuses"]
# These functions are in module.bas.
BY_HAND = ["payorder_json_object", "payorder_string_free"]
# Words of VB, and the names of C's parameters for callbacks.
NAMES = {"string": "text", "idle": "callback", "log": "callback", "each": "callback"}
OUTPUTS = ["char **", "const char **", "payorder_client **", "size_t *"]
WINDOWS = [
    "Function WideCharToMultiByte (ByVal codePage As Long, ByVal flags As Long,"
    " ByVal wide As LongPtr, ByVal wideLength As Long, ByVal bytes As LongPtr, ByVal size As Long,"
    " ByVal defaultChar As LongPtr, ByVal usedDefault As LongPtr) As Long",
    "Function MultiByteToWideChar (ByVal codePage As Long, ByVal flags As Long,"
    " ByVal bytes As LongPtr, ByVal length As Long, ByVal wide As LongPtr,"
    " ByVal wideLength As Long) As Long",
    "Function lstrlenA (ByVal text As LongPtr) As Long",
    "Sub RtlZeroMemory (ByVal memory As LongPtr, ByVal size As LongPtr)",
]


def text(abi):
    module = (Path(__file__).parent / "module.bas").read_text(encoding="ascii")
    functions = [one for one in abi["functions"] if one["name"] not in LEFT_OUT]
    group = None
    wrappers = ""
    for one in functions:
        if one["name"] in BY_HAND:
            continue
        if one["group"] != group:
            group = one["group"]
            wrappers += f"' ---- {group}\n\n"
        wrappers += wrapper(one) + "\n"
    for mark, made in [
        ("constants", constants(abi)),
        ("declarations", declarations(functions)),
        ("functions", wrappers[:-1]),
    ]:
        module = module.replace(f"' ({mark})\n", made)
    return module.replace("\n", "\r\n")


def constants(abi):
    def lines(items, name):
        return "".join(f"Public Const {one[name]} As Long = {one['number']}\n" for one in items)

    return (
        f"Public Const PAYORDER_ABI_VERSION As Long = {abi['abiVersion']}\n\n' The results.\n"
        + lines(abi["results"], "name")
        + "\n' The outcomes. If it is unknown, the order may exist: ask for its status before trying"
        " again.\n" + lines(abi["outcomes"], "constant")
    )


def declarations(functions):
    """For the DLL of 64 bit, and for that of VB6."""

    def declared(kind, library, line):
        # "Function name (...)": the library stands after the name.
        head, parameters = line.split(" (")
        return wrapped(f'Private Declare {kind}{head} Lib "{library}" ({parameters}')

    ours = [declaration(one) for one in functions]
    made = ""
    for begin, kind, library in [
        ("#If Win64 Then", "PtrSafe ", "payorder.dll"),
        ("#Else", "", "payorder-stdcall.dll"),
    ]:
        made += f"{begin}\n" + "".join(declared(kind, library, line) for line in ours)
        made += "".join(declared(kind, "kernel32", line) for line in WINDOWS)
    return made + "#End If\n"


def declaration(function):
    parameters = ", ".join(
        ("ByRef " if one["type"] in OUTPUTS else "ByVal ")
        + camel(one["name"])
        + (" As Long" if one["type"] == "int32_t" else " As LongPtr")
        for one in function["parameters"]
    )
    returned = function["returns"]["type"]
    if returned == "void":
        return f"Sub {function['name']} ({parameters})"
    wide = returned in ("size_t", "const char *")
    return f"Function {function['name']} ({parameters}) As Long{'Ptr' if wide else ''}"


def wrapper(function):
    """A function that takes and gives String. It wipes its copies, and frees the library's text."""
    parameters, arguments, variables, encode, wipe, take = [], [], [], [], [], []
    for one in function["parameters"]:
        kind, name = one["type"], camel(one["name"].replace("out_", ""))
        if kind == "const char *":
            parameters.append(f"ByVal {name} As String")
            place = "PlaceOrNull" if one["nullable"] else "Place"
            arguments.append(f"{place}({name}, {name}Bytes)")
            variables.append(f"{name}Bytes() As Byte")
            encode.append(f"{name}Bytes = Encode({name})")
            wipe.append(f"Wipe {name}Bytes")
        elif kind.endswith("char **"):
            # PayorderJsonSet has a JSON text already.
            name = "changed" if any(f" {name} As" in other for other in parameters) else name
            parameters.append(f"ByRef {name} As String")
            arguments.append("made")
            variables.append("made As LongPtr")
            # A token's text is not the caller's to free.
            take.append(f"{name} = {'Take' if kind == 'char **' else 'PayorderText'}(made)")
        else:
            vb_type = "Long" if kind == "int32_t" else "LongPtr"
            parameters.append(f"{'ByRef' if kind in OUTPUTS else 'ByVal'} {name} As {vb_type}")
            arguments.append(name)
    name = "".join(word.capitalize() for word in function["name"].split("_"))
    call = f"{function['name']}({', '.join(arguments)})"
    returned = {"const char *": "String", "size_t": "LongPtr"}.get(
        function["returns"]["type"], "Long"
    )
    if returned == "String":
        call = f"PayorderText({call})"
    lines = [f"Dim {', '.join(variables)}"] if variables else []
    lines += [*encode, f"{name} = {call}", *wipe, *take]
    return (
        wrapped(f"Public Function {name}({', '.join(parameters)}) As {returned}")
        + "".join(wrapped(f"    {line}") for line in lines)
        + "End Function\n"
    )


def camel(name):
    first, *others = NAMES.get(name, name).split("_")
    return first + "".join(word.capitalize() for word in others)


def wrapped(line):
    """A line, continued as VB does it."""
    indent = " " * (len(line) - len(line.lstrip())) + "    "
    return " _\n".join(textwrap.wrap(line, 97, subsequent_indent=indent, break_on_hyphens=False)) + "\n"
