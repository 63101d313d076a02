"""Compares a report with what a scenario expects."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, List

#: Longer texts are shown only around their first difference.
_SHOWN = 160


def differences(expected: Any, actual: Any, path: str = "") -> List[str]:
    """What differs, one line each. Of an object, only the keys that are expected are compared."""
    if isinstance(expected, dict):
        for name, matcher in _MATCHERS.items():
            if name in expected:
                return matcher(expected[name], actual, path)
        if not isinstance(actual, dict):
            return [_line(path, expected, actual)]
        found = []
        for key, value in expected.items():
            found += differences(value, actual.get(key), f"{path}.{key}" if path else key)
        return found
    if isinstance(expected, list):
        if not isinstance(actual, list):
            return [_line(path, expected, actual)]
        if len(expected) != len(actual):
            return [
                f"{path}: expected {len(expected)} elements, but there are {len(actual)}:"
                f" {shown(actual)}"
            ]
        found = []
        for index, (one, other) in enumerate(zip(expected, actual)):
            found += differences(one, other, f"{path}[{index}]")
        return found
    # 1 and True are equal in Python, but not in JSON.
    if type(expected) is not type(actual) or expected != actual:
        return [_line(path, expected, actual)]
    return []


def shown(value: Any) -> str:
    """A value for a message."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=False)
    return text if len(text) <= _SHOWN * 4 else f"{text[: _SHOWN * 4]}... ({len(text)} characters)"


def _line(path: str, expected: Any, actual: Any) -> str:
    place = path or "the report"
    if isinstance(expected, str) and isinstance(actual, str):
        if max(len(expected), len(actual)) > _SHOWN:
            return f"{place}: {_first_difference(expected, actual)}"
    return f"{place}: expected {shown(expected)}, but it is {shown(actual)}"


def _first_difference(expected: str, actual: str) -> str:
    at = 0
    while at < min(len(expected), len(actual)) and expected[at] == actual[at]:
        at += 1
    start = max(0, at - 20)
    return (
        f"expected {len(expected)} characters, but there are {len(actual)};"
        f" at character {at} expected {shown(expected[start : at + 40])},"
        f" but it is {shown(actual[start : at + 40])}"
    )


def _type(name: str, actual: Any, path: str) -> List[str]:
    kinds: Dict[str, Any] = {
        "string": isinstance(actual, str) and actual != "",
        "number": isinstance(actual, (int, float)) and not isinstance(actual, bool),
        "boolean": isinstance(actual, bool),
    }
    return [] if kinds[name] else [f"{path}: expected a {name}, but it is {shown(actual)}"]


def _matches(pattern: str, actual: Any, path: str) -> List[str]:
    if isinstance(actual, str) and re.search(pattern, actual):
        return []
    return [f"{path}: expected a match of /{pattern}/, but it is {shown(actual)}"]


def _between(limits: List[float], actual: Any, path: str) -> List[str]:
    low, high = limits
    if not _type("number", actual, path) and low <= actual <= high:
        return []
    return [f"{path}: expected {low} to {high}, but it is {shown(actual)}"]


def _one_of(choices: List[Any], actual: Any, path: str) -> List[str]:
    if any(not differences(choice, actual, path) for choice in choices):
        return []
    return [f"{path}: expected one of {shown(choices)}, but it is {shown(actual)}"]


def _exactly(expected: Dict[str, Any], actual: Any, path: str) -> List[str]:
    found = differences(expected, actual, path)
    if isinstance(actual, dict):
        for key in actual.keys() - expected.keys():
            found.append(f"{path}: has also {shown(key)}: {shown(actual[key])}")
    return found


def _in_any_order(expected: List[Any], actual: Any, path: str) -> List[str]:
    if not isinstance(actual, list) or len(actual) != len(expected):
        return differences(expected, actual, path)
    left = list(actual)
    for one in expected:
        match = next((other for other in left if not differences(one, other)), None)
        if match is None:
            return [f"{path}: none is {shown(one)}; left are {shown(left)}"]
        left.remove(match)
    return []


def _every(expected: Any, actual: Any, path: str) -> List[str]:
    if not isinstance(actual, list) or not actual:
        return [f"{path}: expected a list that is not empty, but it is {shown(actual)}"]
    return [
        line
        for index, one in enumerate(actual)
        for line in differences(expected, one, f"{path}[{index}]")
    ]


def _has(expected: List[Any], actual: Any, path: str) -> List[str]:
    if not isinstance(actual, list):
        return [f"{path}: expected a list, but it is {shown(actual)}"]
    return [
        f"{path}: none is {shown(one)}, of {shown(actual)}"
        for one in expected
        if all(differences(one, other) for other in actual)
    ]


def _both(expected: List[Any], actual: Any, path: str) -> List[str]:
    return [line for one in expected for line in differences(one, actual, path)]


_MATCHERS: Dict[str, Callable[[Any, Any, str], List[str]]] = {
    "$type": _type,
    "$matches": _matches,
    "$between": _between,
    "$oneOf": _one_of,
    "$exactly": _exactly,
    "$inAnyOrder": _in_any_order,
    "$every": _every,
    "$has": _has,
    "$all": _both,
}
