"""What every error report must agree on, from include/payorder-abi.json."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional

from .sandbox import PROJECT

_DESCRIPTION: Mapping[str, Any] = json.loads(
    (PROJECT / "include" / "payorder-abi.json").read_text(encoding="utf-8")
)
ABI_VERSION: int = _DESCRIPTION["abiVersion"]
VERSION: str = _DESCRIPTION["version"]
_RESULTS: Dict[str, Mapping[str, Any]] = {one["name"]: one for one in _DESCRIPTION["results"]}

OUTCOMES = ("not_sent", "rejected", "unknown")
#: The operations that never use the network. Their errors say nothing about an order.
OFFLINE = ("build", "parse", "verify")
#: In C and C++, these return a result and nothing else.
_RESULT_ONLY = ("cancel", "shutdown", "close", "log")


def with_suffix(classes: Mapping[str, str]) -> Dict[str, str]:
    """Names the classes of all results: with `suffix`, those that the table leaves out."""
    named = dict(classes)
    suffix = named.pop("suffix", None)
    if suffix:
        for name in _RESULTS.keys() - {"PAYORDER_OK", "PAYORDER_REJECTED"}:
            words = name[len("PAYORDER_") :].title().replace("_", "")
            named.setdefault(name, f"{words}{suffix}")
    return named


def classes_problems(classes: Any) -> List[str]:
    """What is wrong with the table of classes in a driver's first line."""
    if not isinstance(classes, dict):
        return [f"classes: expected an object, but it is {classes!r}"]
    missing = [name for name in (*OUTCOMES, "unusable") if name not in classes]
    if missing:
        return [f"classes: {', '.join(missing)} is missing"]
    by_outcome: Dict[str, str] = {}
    problems = []
    for name, native in classes.items():
        known = name in OUTCOMES or name == "unusable" or name in _RESULTS
        if not known:
            problems.append(f"classes: {name} is neither a result nor an outcome")
            continue
        outcome = _RESULTS[name]["outcome"] if name in _RESULTS else name
        if by_outcome.setdefault(native, outcome) != outcome:
            problems.append(
                f"classes: {native} is for {by_outcome[native]} and for {outcome};"
                " a program could not tell them apart"
            )
    return problems


def _unknown(number: Any) -> Optional[Mapping[str, Any]]:
    """A result that no package knows: its range is its outcome."""
    if not isinstance(number, int) or number in [one["number"] for one in _RESULTS.values()]:
        return None
    outcome = OUTCOMES[min(max(number // 100, 0), 2)]
    return {"name": "a result that is not known", "number": number, "outcome": outcome}


def error_problems(error: Any, op: str, classes: Mapping[str, str], path: str) -> List[str]:
    """What is wrong with an error report, whatever the scenario expects."""
    if not isinstance(error, dict):
        return [f"{path}: expected an error, but it is {error!r}"]
    needed = ["result", "name", "outcome", "caught"]
    if op not in _RESULT_ONLY:
        needed += ["cause", "action"]
    problems = [f"{path}: {key} is missing" for key in needed if key not in error]
    result = _RESULTS.get(str(error.get("name"))) or _unknown(error.get("result"))
    if problems or result is None:
        return problems or [f"{path}.name: {error.get('name')!r} is not a result"]
    outcome = result["outcome"]
    caught = "unusable" if classes and op in OFFLINE else outcome
    expected = {"result": result["number"], "outcome": outcome, "caught": caught}
    was_thrown = path == "error" and op not in _RESULT_ONLY
    if classes and (was_thrown or "class" in error):
        table = classes if caught != "unusable" else {}
        expected["class"] = table.get(result["name"], classes.get(caught))
    for key, value in expected.items():
        if error.get(key) != value or type(error.get(key)) is not type(value):
            problems.append(
                f"{path}.{key}: expected {value!r} with {result['name']},"
                f" but it is {error.get(key)!r}"
            )
    return problems


def report_problems(report: Mapping[str, Any], op: str, classes: Mapping[str, str]) -> List[str]:
    """What is wrong with a report, whatever the scenario expects."""
    ok = report.get("ok")
    if not isinstance(ok, bool):
        return ["the report has no `ok` that is true or false"]
    problems = []
    if not ok and not isinstance(report.get("thrown"), str):
        problems += error_problems(report.get("error"), op, classes, "error")
    for index, item in enumerate(report.get("items", ())):
        if not item.get("ok"):
            path = f"items[{index}].error"
            problems += error_problems(item.get("error"), op, classes, path)
    return problems
