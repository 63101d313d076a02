"""load.py CDEF LIBRARY DESCRIPTION: compares every signature of the description with the one that
cffi reads, and gives NULL for each pointer."""

import json
import os
import re
import sys
import tempfile
import time

import cffi

cdef, library, description = sys.argv[1:]
ffi = cffi.FFI()
with open(cdef, encoding="utf-8") as file:
    ffi.cdef(file.read())
lib = ffi.dlopen(library)
with open(description, encoding="utf-8") as file:
    described = json.load(file)


def same_type(text, parsed, what):
    # cffi leaves `const` out, and names callbacks by their types.
    named = re.sub(r"\bconst\b", "", text).strip()
    assert ffi.typeof(named) is parsed, (what, text, parsed)


assert lib.payorder_abi_version() == lib.PAYORDER_HEADER_ABI_VERSION == described["abiVersion"]
for function in described["functions"]:
    parsed = ffi.typeof(getattr(lib, function["name"]))
    parameters = function["parameters"]
    assert len(parsed.args) == len(parameters), function["name"]
    for parameter, kind in zip(parameters, parsed.args):
        same_type(parameter["type"], kind, function["name"])
    same_type(function["returns"]["type"], parsed.result, function["name"])


# NULL for each pointer in turn: an error, except for nullable ones.
client = ffi.new("payorder_client **")
folder = tempfile.TemporaryDirectory()
journal = os.path.join(folder.name, "journal.db")
config = {"baseUrl": "http://127.0.0.1:9", "proxy": "none", "journal": journal}
text = json.dumps(config).encode()
assert lib.payorder_client_new(text, client, ffi.new("char **")) == lib.PAYORDER_OK
texts = {
    "operation": b"journal_resolve",
    "pointer": b"/a",
    "value_json": b"1",
    "url": b"?",
}
texts.update({f"{name}_json": b"{" for name in ("config", "queries", "sales")})
returned = {
    "payorder_query_fn": ffi.NULL,
    "payorder_status_fn": 1,
    "payorder_item_fn": 1,
}
callbacks = {}
for callback in described["callbacks"]:
    name = callback["name"]
    result = returned.get(name, None if callback["returns"]["type"] == "void" else 0)
    callbacks[name] = ffi.callback(name, lambda *_, result=result: result)


def argument(parameter):
    kind, is_out = parameter["type"], parameter["direction"] == "out"
    if kind == "payorder_client *":
        return client[0]
    if kind in callbacks:
        return callbacks[kind]
    if kind in ("size_t", "uint32_t"):
        return 16
    if kind == "const char *":
        return ffi.new("char[]", texts.get(parameter["name"], b"{}"))
    if kind == "const char *const *":
        return ffi.new("char *[]", [ffi.NULL])
    if kind == "char *" and is_out:
        return ffi.new("char[16]")
    return ffi.new(kind) if kind.endswith("*") and is_out else ffi.NULL


def cause_in(parameters, arguments):
    """The cause in the error object, and whether the function had somewhere to write it."""
    cause, written = "", False
    for parameter, given in zip(parameters, arguments):
        if parameter["type"] == "char **" and given:
            written = True
            if given[0]:
                text = ffi.string(given[0]).decode()
                lib.payorder_string_free(given[0])
                if text.startswith('{"error"'):
                    cause = json.loads(text)["error"]["cause"]
    return cause, written


tried = 0
for function in described["functions"]:
    if function["returns"]["type"] != "payorder_result":
        continue
    parameters = function["parameters"]
    names = [one["name"] for one in parameters]
    for place, parameter in enumerate(parameters):
        kind, name = parameter["type"], parameter["name"]
        if not kind.endswith(("*", "_fn")) or name == "user_data":
            continue
        arguments = [argument(one) for one in parameters]
        arguments[place] = ffi.NULL
        if name == "buffer":
            arguments[names.index("size")] = 0
        result = getattr(lib, function["name"])(*arguments)
        cause, written = cause_in(parameters, arguments)
        row = (function["name"], name, result, cause)
        if parameter["nullable"]:
            assert cause != "null", row
            assert parameter["ownership"] != "freed" or result == lib.PAYORDER_OK, row
        else:
            assert result in (
                lib.PAYORDER_INVALID_ARGUMENT,
                lib.PAYORDER_INVALID_HANDLE,
            ), row
            if written and kind != "payorder_client *":
                assert cause in ("null", ""), row
        tried += 1
assert tried > 40, tried

assert lib.payorder_client_free(client[0]) == lib.PAYORDER_OK
while lib.payorder_live_calls() != 0:
    time.sleep(0.01)
