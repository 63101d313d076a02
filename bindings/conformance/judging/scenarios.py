"""Reads the scenarios, and fills in what they leave out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Sequence, Set, Tuple

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"

#: The order of a step that names no fields.
ORDER: Dict[str, Any] = {
    "amount": "100.00",
    "merchantTxnId": "${id}-M",
    "orderId": "${id}",
    "payMode": "all",
    "merchantId": "M-1",
    "productInfo": "Tea",
    "customerName": "Asha Rao",
    "customerMobile": "9000000001",
    "customerEmail": "asha@example.com",
    "redirectionURL": "https://shop.example.com/return",
    "currencyCode": "INR",
}

#: The configuration of a client, where the scenario says nothing else.
CONFIG: Dict[str, Any] = {
    "baseUrl": "http://${address}",
    "accessToken": "sandbox-access-token",
    "clientKey": "sandbox-client-key",
    "clientId": "sandbox-client-id",
    "secretKey": "sandbox-secret-key",
    "proxy": "none",
    "timeoutMs": 30000,
    "statusRetries": 0,
}

#: The service of a scenario that says nothing else.
_SUCCESS: Mapping[str, Any] = {"create": [{"created": {}}], "status": [{"found": {}}]}

#: What a driver can do, or not. See README.md.
FEATURES = (
    *("exceptions", "threads", "started", "gc", "finalizers", "log-in-call"),
    *("load", "opens", "stub", "untyped", "closing", "crate", "bridge", "query-text"),
    *("check", "late-cancel"),
)

_SCENARIO = {
    *("promise", "needs", "except"),
    *("service", "config", "steps", "received", "library"),
}
_JUDGE = {"await", "release", "press", "delete", "pause", "threads"}
#: The operations that a driver with the feature `started` runs in the background.
STARTABLE = ("create", "status", "wait")
#: What one of these features is enough for.
THREADS_OR_STARTED = "threads or started"
#: The keys of each operation's step: those that a driver must know.
OPERATIONS: Dict[str, Tuple[str, ...]] = {
    "open": ("client", "config"),
    "credentials": ("client", "credentials"),
    "shutdown": ("client",),
    "check": ("client", "options", "cancellation"),
    "recover": ("client", "sales", "options", "cancellation"),
    "create": ("client", "order", "options", "cancellation"),
    "build": ("order", "query", "options"),
    "status": ("client", "query", "options", "cancellation"),
    "wait": ("client", "query", "options", "cancellation"),
    "statuses": ("client", "queries", "options", "cancellation", "at", "then"),
    "verify": ("expected", "status"),
    "parse": ("url",),
    "journal": ("client", "do", "options", "cancellation"),
    "log": ("client", "on", "at", "then"),
    "events": (),
    "cancellation": ("cancellation",),
    "cancel": ("client", "cancellation"),
    "close": ("client", "cancellation"),
    "forget": ("client",),
    "collect": (),
    "join": ("thread",),
    "counters": (),
    "throw": (),
    "stop": (),
}
#: Keys of any step: for the driver, and for the judge alone.
_ANY = {"op", "thread"}
JUDGE_ONLY = {"expect", "value", "error", "eventually", "repeat", "save", "without"}


class BadScenario(Exception):
    """A scenario has a mistake."""


class Scenario(NamedTuple):
    name: str
    promise: str
    file: str
    needs: Tuple[str, ...]
    excepts: Tuple[str, ...]
    service: Any  #: "sandbox", "closed", or the responses for "create" and "status"
    steps: Tuple[Mapping[str, Any], ...]
    received: Any
    library: str  #: "", or a name in libraries.py


def read(folder: Path = FOLDER) -> List[Scenario]:
    """All scenarios, in the order of the files' names."""
    found: Dict[str, Scenario] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            listed = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_without_twins)
        except ValueError as error:
            raise BadScenario(f"{path.name}: {error}") from None
        for name, given in _cases(listed):
            if name in found:
                raise BadScenario(f"{path.name}: {name} is also in {found[name].file}")
            found[name] = _scenario(name, given, path.name)
    return list(found.values())


def _without_twins(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """An object. JSON drops the first of two members with the same name silently."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError(f"a key occurs twice among {', '.join(made)}")
    return made


def _cases(listed: Mapping[str, Any]) -> Iterator[Tuple[str, Mapping[str, Any]]]:
    """The scenarios, or one for each of its cases: `${KEY}` is what the case has under that key."""
    for name, given in listed.items():
        shared = {key: value for key, value in given.items() if key != "cases"}
        for case_name, case in given.get("cases", {name: {}}).items():
            own = {key: value for key, value in case.items() if key in _SCENARIO}
            yield case_name, {**_filled_in(shared, case), **own}


def _filled_in(value: Any, values: Mapping[str, Any]) -> Any:
    """Fills in these values. Everything else is filled in later."""
    return expand(value, lambda path: values.get(path, "${" + path + "}"))


def _scenario(name: str, given: Mapping[str, Any], file: str) -> Scenario:
    where = f"{file}: {name}"
    _known(given, _SCENARIO, where)
    needs = (*given.get("needs", ()), *_needs(given.get("steps", ())))
    excepts = tuple(given.get("except", ()))
    known = {*FEATURES, THREADS_OR_STARTED}
    _known(dict.fromkeys((*needs, *excepts)), known, f"{where}: needs")
    steps: List[Mapping[str, Any]] = []
    config = given.get("config", {})
    if config is not None and "library" not in given:
        steps.append({"op": "open", "config": config})
    cancellations: Set[str] = set()
    for step in given.get("steps", ()):
        if step.get("cancellation", None) not in (None, *cancellations):
            cancellations.add(step["cancellation"])
            steps.append({"op": "cancellation", "cancellation": step["cancellation"]})
        for number in range(step.get("repeat", 1)):
            steps.append(_filled_in(step, {"n": number}))
    return Scenario(
        name,
        given["promise"],
        file,
        needs,
        excepts,
        given.get("service", _SUCCESS),
        tuple(_step(step, where) for step in steps),
        given.get("received"),
        given.get("library", ""),
    )


def _step(given: Mapping[str, Any], where: str) -> Dict[str, Any]:
    """The step with everything that scenarios may leave out."""
    step = dict(given)
    if "judge" in step:
        _known({step["judge"]: None}, _JUDGE, f"{where}: judge")
        return step
    op = step.get("op", "(none)")
    if op not in OPERATIONS:
        raise BadScenario(f"{where}: unknown op {op}")
    _known(step, {*OPERATIONS[op], *_ANY, *JUDGE_ONLY}, f"{where}: {op}")
    is_of_cancellation = op in ("cancel", "close") and "cancellation" in step
    if "client" in OPERATIONS[op] and not is_of_cancellation:
        step.setdefault("client", "c")
    if op == "open":
        step["config"] = _without(step, {**CONFIG, **step.get("config", {})})
    if op == "create" or (op == "build" and "query" not in step):
        given = step.get("order", {})
        step["order"] = given if isinstance(given, str) else _without(step, {**ORDER, **given})
    if op in ("status", "wait"):
        step.setdefault("query", {"orderId": "${id}"})
    if "then" in step:
        step["then"] = _step(step["then"], where)
    if "value" in step:
        step["expect"] = {"ok": True, "value": step.pop("value")}
    if "error" in step:
        step["expect"] = {"error": _error(step.pop("error"))}
    return step


def _error(given: Any) -> Any:
    """An error may be named by its words: its name, its cause and its action."""
    more = given if isinstance(given, dict) else {"is": given}
    words = more.get("is", "").split()
    named = zip(("name", "cause", "action"), words)
    return {**dict(named), **{key: one for key, one in more.items() if key != "is"}}


def _needs(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the steps show that they need."""
    running = {step["op"] for step in steps if "thread" in step} - {"join"}
    if running:
        are_startable = running <= set(STARTABLE)
        yield THREADS_OR_STARTED if are_startable else "threads"
    if any(step.get("then", {}).get("op") == "throw" for step in steps):
        yield "exceptions"
    if any(step["op"] == "check" for step in steps if "op" in step):
        yield "check"


def _without(step: Mapping[str, Any], fields: Dict[str, Any]) -> Dict[str, Any]:
    left_out = step.get("without", ())
    return {key: value for key, value in fields.items() if key not in left_out}


def _known(given: Mapping[str, Any], known: Any, where: str) -> None:
    unknown = given.keys() - set(known)
    if unknown:
        raise BadScenario(f"{where}: unknown {', '.join(sorted(unknown))}")


_VARIABLE = re.compile(r"\$\{([^}]+)\}")


def expand(value: Any, variable: Callable[[str], Any]) -> Any:
    """Fills in `${...}`, `{"$repeat": [text, count]}` and `{"$join": texts}`."""
    if isinstance(value, str):
        whole = _VARIABLE.fullmatch(value)
        if whole:
            return variable(whole[1])
        return _VARIABLE.sub(lambda found: str(variable(found[1])), value)
    if isinstance(value, list):
        return [expand(one, variable) for one in value]
    if isinstance(value, dict):
        if "$repeat" in value:
            text, count = value["$repeat"]
            return text * count
        if "$join" in value:
            return "".join(expand(value["$join"], variable))
        return {key: expand(one, variable) for key, one in value.items()}
    return value
