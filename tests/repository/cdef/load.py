"""load.py CDEF LIBRARY DESCRIPTION: a version, a client and a failed call through cffi, and every
signature of the description compared with the one that cffi reads."""

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


print(ffi.string(lib.payorder_version()).decode())
assert lib.payorder_abi_version() == lib.PAYORDER_ABI_VERSION == described["abiVersion"]
for function in described["functions"]:
    parsed = ffi.typeof(getattr(lib, function["name"]))
    parameters = function["parameters"]
    assert len(parsed.args) == len(parameters), function["name"]
    for parameter, kind in zip(parameters, parsed.args):
        same_type(parameter["type"], kind, function["name"])
    same_type(function["returns"]["type"], parsed.result, function["name"])


# NULL for each pointer in turn: an error, except for nullable ones.
client = ffi.new("payorder_client **")
out = ffi.new("char **")
folder = tempfile.TemporaryDirectory()
config = {
    "baseUrl": "http://127.0.0.1:9",
    "proxy": "none",
    "journal": os.path.join(folder.name, "journal.db"),
}
assert lib.payorder_client_new(json.dumps(config).encode(), client, out) == 0
texts = {
    "config_json": b"{",
    "operation": b"journal_resolve",
    "request_json": b"{}",
    "order_json": b"{}",
    "query_json": b"{}",
    "queries_json": b"{",
    "sales_json": b"{",
    "options_json": b"{}",
    "expected_json": b"{}",
    "status_json": b"{}",
    "url": b"?",
    "json": b"{}",
    "pointer": b"/a",
    "value_json": b"1",
    "text": b"x",
    "token": b"x",
    "credentials_json": b"{}",
}
callbacks = {
    "payorder_log_fn": ffi.callback("payorder_log_fn", lambda *_: None),
    "payorder_query_fn": ffi.callback("payorder_query_fn", lambda *_: ffi.NULL),
    "payorder_status_fn": ffi.callback("payorder_status_fn", lambda *_: 1),
    "payorder_done_fn": ffi.callback("payorder_done_fn", lambda *_: None),
    "payorder_idle_fn": ffi.callback("payorder_idle_fn", lambda *_: 0),
    "payorder_item_fn": ffi.callback("payorder_item_fn", lambda *_: 1),
}
keep = []


def argument(parameter):
    kind = parameter["type"]
    if kind == "payorder_client *":
        return client[0]
    if kind in callbacks:
        return callbacks[kind]
    if kind == "const char *":
        keep.append(ffi.new("char[]", texts[parameter["name"]]))
    elif kind == "const char *const *":
        keep.append(ffi.new("char *[]", [ffi.NULL]))
    elif kind == "char *" and parameter["direction"] == "out":
        keep.append(ffi.new("char[16]"))
    elif kind.endswith("*") and parameter["direction"] == "out":
        keep.append(ffi.new(kind))
    elif kind == "size_t":
        return 16
    else:
        return ffi.NULL
    return keep[-1]


tried = 0
for function in described["functions"]:
    if function["returns"]["type"] != "payorder_result":
        continue
    for place, parameter in enumerate(function["parameters"]):
        is_freed = parameter["ownership"] == "freed"
        if (
            not parameter["type"].endswith(("*", "_fn"))
            or parameter["name"] == "user_data"
        ):
            continue
        arguments = [argument(parameter) for parameter in function["parameters"]]
        arguments[place] = ffi.NULL
        size = [
            index
            for index, one in enumerate(function["parameters"])
            if one["name"] == "size"
        ]
        if parameter["name"] == "buffer":
            arguments[size[0]] = 0
        result = getattr(lib, function["name"])(*arguments)
        row = (function["name"], parameter["name"], result)
        refuses_null = result in (
            lib.PAYORDER_INVALID_ARGUMENT,
            lib.PAYORDER_INVALID_HANDLE,
        )
        cause = ""
        written = [
            one
            for one, given in zip(function["parameters"], arguments)
            if one["type"] == "char **" and given
        ]
        for one, given in zip(function["parameters"], arguments):
            if one["type"] == "char **" and given and given[0]:
                text = ffi.string(given[0]).decode()
                lib.payorder_string_free(given[0])
                if text.startswith('{"error"'):
                    cause = json.loads(text)["error"]["cause"]
        if not parameter["nullable"]:
            assert refuses_null, row
            if written and parameter["type"] != "payorder_client *":
                assert cause in ("null", ""), (row, cause)
        else:
            assert cause != "null", (row, cause)
            assert not is_freed or result == lib.PAYORDER_OK, row
        tried += 1
assert tried > 40, tried

order = ffi.new("char **")
result = lib.payorder_create_order(client[0], b"{}", ffi.NULL, order)
assert result == lib.PAYORDER_INVALID_REQUEST
print(ffi.string(order[0]).decode())
lib.payorder_string_free(order[0])
assert lib.payorder_client_free(client[0]) == lib.PAYORDER_OK
while lib.payorder_live_calls() != 0:
    time.sleep(0.01)
