"""JSON Schemas of what programs write and read, and an OpenAPI description of the service's two calls.

A schema finds a misspelled key, a value of a wrong type, and a number out of range. What one value
says about another, and what a text must look like, only the library checks.
"""

import json
import re
from typing import Any, Dict, Iterator, List

from .description import ABI, PROJECT, VERSION, sentence

Schema = Dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: What a setting may say about its value.
_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "default")

#: What programs write. A key that is not listed is refused.
_WRITTEN = ("order", "query", "expected")

#: How the meaning of a credential's key begins: with its header, and the call that has it.
_HEADER = re.compile(r"([A-Z][A-Z-]+) of (Create Order|Get Status);")

#: What the keys of an object of this kind are, where any name is one.
_TEXTS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}


def files() -> Dict[str, str]:
    """Every file, by its name."""
    schemas: Dict[str, Schema] = {"configuration": _settings(ABI["config"])}
    for function in ABI["functions"]:
        if function.get("options"):
            name = function["name"].replace("payorder_", "", 1)
            schemas[f"options-{name}"] = _settings(function["options"])
    for name in ("order", "query", "expected", "checkout", "status", "error", "entries"):
        schemas[name] = _object(name)
    written = {f"{name}.schema.json": _complete(name, one) for name, one in schemas.items()}
    written["openapi.json"] = openapi()
    return {name: json.dumps(one, indent=2) + "\n" for name, one in written.items()}


def _complete(name: str, schema: Schema) -> Schema:
    """A schema that stands alone: with those that it refers to."""
    title = f"payorder: {name.replace('-', ' of ').replace('_', ' ')}"
    complete = {"$schema": _DIALECT, "title": title, **schema}
    wanted = list(_references(schema))
    kept: Dict[str, Schema] = {}
    for one in wanted:
        if one not in kept:
            kept[one] = _object(one)
            wanted.extend(_references(kept[one]))
    return {**complete, "$defs": kept} if kept else complete


def _references(schema: Schema) -> Iterator[str]:
    for part in schema["properties"].values():
        for one in (part, part.get("items", {}), *part.get("anyOf", [])):
            if "$ref" in one:
                yield one["$ref"].rsplit("/", 1)[1]


def _object(name: str, without: str = "") -> Schema:
    described = ABI["objects"][name]
    keys = [key for key in described["keys"] if key["key"] != without]
    schema: Schema = {
        "description": sentence(described["meaning"]),
        "type": "object",
        "properties": {key["key"]: _value(key, name in _WRITTEN) for key in keys},
    }
    required = [key["key"] for key in keys if key["always"]]
    if required:
        schema["required"] = required
    if name in _WRITTEN:
        schema["additionalProperties"] = False
    if name == "query":
        # Only the identifier that is used must have a text. Without searchType, one is given.
        parts = schema["properties"]
        for part in parts.values():
            part.pop("minLength")
        parts["searchType"]["enum"] = ["1", "2"]
        schema["oneOf"] = [
            {
                "required": [key],
                "properties": {"searchType": {"const": number}, key: {"minLength": 1}},
            }
            for number, key in (("1", "orderId"), ("2", "transactionId"))
        ]
    return schema


def _value(key: Dict[str, Any], written: bool) -> Schema:
    """One key of an object."""
    meaning = sentence(key["meaning"])
    if "object" in key:
        kind: Schema = {"$ref": f"#/$defs/{key['object']}"}
        nullable = {"anyOf": [kind, {"type": "null"}]} if key["nullable"] else kind
        return {"description": meaning, **nullable}
    value: Schema = {"description": meaning}
    value["type"] = [key["type"], "null"] if key["nullable"] else key["type"]
    if isinstance(key.get("values"), list):
        value["enum"] = key["values"] + ([None] if key["nullable"] else [])
    elif key.get("values"):
        value["additionalProperties"] = {"type": key["values"]}
    elif written and key["type"] == "string":
        value["minLength"] = 1
    if "items" in key:
        simple = key["items"] in ("string", "integer")
        value["items"] = {"type": key["items"]} if simple else {"$ref": f"#/$defs/{key['items']}"}
    return value


def _settings(settings: List[Dict[str, Any]]) -> Schema:
    """Configuration keys or options."""
    required = [one["key"] for one in settings if one["required"]]
    schema: Schema = {
        "type": "object",
        "properties": {one["key"]: _setting(one) for one in settings},
        "additionalProperties": False,
    }
    return {**schema, "required": required} if required else schema


def _setting(one: Dict[str, Any]) -> Schema:
    if "keys" in one:
        value = _settings(one["keys"])
    elif one["type"] == "object":
        value = dict(_TEXTS)
    else:
        value = {"type": one["type"]}
    if one["type"] == "array":
        value.update(items={"type": "string", "minLength": 1}, minItems=1)
    # In JSON Schema, a length counts characters. No text of fewer bytes has more of them.
    lengths = {
        "minLength": ("minBytes", "minCharacters"),
        "maxLength": ("maxBytes", "maxCharacters"),
    }
    for name, sources in lengths.items():
        value.update({name: one[source] for source in sources if source in one})
    value.update({name: one[name] for name in _BOUNDS if name in one})
    if "values" in one:
        value["enum"] = one["values"]
    return {"description": sentence(one["meaning"]), **value}


def openapi() -> Schema:
    """The service, as far as its documentation describes it."""
    interface = (PROJECT / "docs" / "interface.md").read_text(encoding="utf-8")
    keys = {one["key"]: _HEADER.match(one["meaning"]) for one in ABI["config"]}
    schemes: Dict[str, Schema] = {}
    paths: Dict[str, Schema] = {}
    asked = {
        "Create Order": ("createOrder", "order", "checkout"),
        "Get Status": ("getStatus", "statusRequest", "status"),
    }
    for call, (name, request, response) in asked.items():
        found = re.search(rf"## {call}\n\n`POST {{baseUrl}}([^`]+)`", interface)
        assert found, f"docs/interface.md has no path of {call}"
        headers = {key: header[1] for key, header in keys.items() if header and header[2] == call}
        assert headers, f"no credential belongs to {call}"
        for key, header in headers.items():
            schemes[key] = {"type": "apiKey", "in": "header", "name": header}
        paths[found[1]] = {
            "post": {
                "operationId": name,
                "summary": call,
                "security": [{key: [] for key in headers}],
                "requestBody": {"required": True, "content": _content(request)},
                "responses": {
                    "200": {
                        "description": "The service's answer. `responseCode` is 200 on success.",
                        "content": _content(response),
                    }
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Payment aggregator: Create Order and Get Status",
            "version": "1.2.0",
            "summary": "Made from the client library payorder " + VERSION,
            "description": "Refusals, other statuses, limits and formats are not documented by the "
            "service, so they are not here. An HTTP client made from this file cannot know whether "
            "an order exists after a failure.",
        },
        "servers": [
            {
                "url": "{baseUrl}",
                "variables": {"baseUrl": {"default": "https://pay.example.com"}},
            }
        ],
        "paths": paths,
        "components": {"schemas": _components(), "securitySchemes": schemes},
    }


def _content(schema: str) -> Schema:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _components() -> Dict[str, Schema]:
    """What is on the wire, without what the library adds."""
    # The service's table says so: with 1, orderId is used, and with 2, transactionId.
    request = _object("query")
    request.pop("oneOf")
    request["required"] = ["searchType"]
    parts = {
        "order": _object("order"),
        "statusRequest": request,
        "checkout": _object("checkout"),
        "checkoutData": _object("checkoutData"),
        "status": _object("status", without="derived"),
        "statusData": _object("statusData"),
    }
    text = json.dumps(parts).replace("#/$defs/", "#/components/schemas/")
    components: Dict[str, Schema] = json.loads(text)
    return components
