"""Runs one scenario with a driver, and says what is wrong."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Mapping, Set, Tuple

from .driver import Driver, DriverFailed
from .matching import differences, shown
from .results import report_problems
from .sandbox import Sandbox
from .scenarios import JUDGE_ONLY, BadScenario, Scenario, expand
from .service import Service, closed_address

#: How long the judge waits for a request, and for an expectation that holds eventually.
_PATIENCE = 20.0

Report = Dict[str, Any]
_NO_LEAK = {"clients": 0, "strings": 0, "calls": 0}


class Trial:
    """One scenario. `run` returns the problems, none if the driver passed."""

    def __init__(self, scenario: Scenario, driver: Driver, sandbox: Sandbox) -> None:
        self._scenario = scenario
        self._driver = driver
        self._sandbox = sandbox
        self._classes: Mapping[str, str] = driver.hello.get("classes") or {}
        self._reports: Dict[str, Any] = {}
        self._running: Dict[str, str] = {}
        #: Calls in the library's queue: their clients, and the reports of their starts.
        self._started: Dict[str, Tuple[str, Report]] = {}
        #: The answers that were taken before their calls were joined.
        self._answers: Dict[Tuple[str, Any], Report] = {}
        #: What the driver made, each with the key and the name of its steps.
        self._made: Set[Tuple[str, str]] = set()
        self._logging: Set[str] = set()
        self._sent = {"create": 0, "status": 0}
        self._threads_before = driver.threads()

    def run(self) -> List[str]:
        scenario = self._scenario
        script = scenario.service if isinstance(scenario.service, dict) else {}
        to_sandbox = self._sandbox.address if scenario.service == "sandbox" else None
        with tempfile.TemporaryDirectory(prefix="payorder-") as folder, closed_address() as closed:
            self._names = {"id": scenario.name, "folder": folder}
            self._service = Service(expand(script, self._variable), to_sandbox)
            is_closed = scenario.service == "closed"
            self._names["address"] = closed if is_closed else self._service.address
            try:
                return self._steps() or self._ending()
            except DriverFailed as error:
                return [str(error)]
            finally:
                self._service.stop()

    def _steps(self) -> List[str]:
        for number, given in enumerate(self._scenario.steps):
            step = expand(given, self._variable)
            problems = self._judge(step) if "judge" in step else self._drive(step)
            if problems:
                told = {key: value for key, value in step.items() if key not in JUDGE_ONLY}
                return [
                    f"step {number} {shown(told)}",
                    *(f"  {problem}" for problem in problems),
                    f"  the service received {shown([one.to for one in self._service.requests])}",
                ]
        return []

    def _drive(self, step: Mapping[str, Any]) -> List[str]:
        until = time.monotonic() + (_PATIENCE if step.get("eventually") else 0)
        sent = {key: value for key, value in step.items() if key not in JUDGE_ONLY}
        while True:
            report = self._joined(sent["thread"]) if sent["op"] == "join" else self._do(sent)
            self._remember(sent, report)
            problems = self._compare(step, report)
            if not problems or time.monotonic() >= until:
                break
            time.sleep(0.02)
        if problems:
            problems.append(f"the report was {shown(report)}")
        name = step.get("save")
        if name:
            self._reports[name] = report
        return problems

    def _do(self, step: Mapping[str, Any]) -> Report:
        report = self._driver.do(step)
        if "thread" in step and ("call" in report or not report.get("ok")):
            self._started[step["thread"]] = step["client"], report
            return {"ok": True}
        return report

    def _joined(self, thread: str) -> Report:
        """The report of a step in the background."""
        if thread not in self._started:
            return self._driver.do({"op": "join", "thread": thread})
        client, report = self._started.pop(thread)
        if not report["ok"]:
            return report
        while (client, report["call"]) not in self._answers:
            taken = self._driver.do({"op": "take", "client": client})
            self._answers[client, taken.pop("call")] = taken
        return self._answers.pop((client, report["call"]))

    def _remember(self, step: Mapping[str, Any], report: Mapping[str, Any]) -> None:
        op = step["op"]
        if op in ("open", "cancellation") and report.get("ok"):
            key = "client" if op == "open" else op
            self._made.add((key, step[key]))
        elif op == "forget":
            self._made.discard(("client", step["client"]))
        elif op == "log":
            self._logging.add(step["client"])

    def _compare(self, step: Mapping[str, Any], report: Mapping[str, Any]) -> List[str]:
        op = step["op"]
        if "thread" in step and op != "join":
            # What the call itself reports comes with `join`.
            self._running[step["thread"]] = op
            return differences({"ok": True}, report)
        if op == "join":
            op = self._running.pop(step["thread"], op)
        self._count(op, report)
        expected = step.get("expect", {"ok": True})
        problems = report_problems(report, op, self._classes)
        found = differences(expected, report)
        if "error" not in expected and "thrown" not in expected and report.get("error"):
            # The error itself says more than that `ok` is false.
            found = found[:1]
        return found + [one for one in problems if one not in found]

    def _count(self, op: str, report: Mapping[str, Any]) -> None:
        """What is not reported as not sent was sent once, except for a duplicate."""
        error = report.get("error") or {}
        not_sent = error.get("outcome") == "not_sent"
        if op in self._sent and not not_sent and error.get("name") != "PAYORDER_DUPLICATE":
            self._sent[op] += 1

    def _judge(self, step: Mapping[str, Any]) -> List[str]:
        """A step that the judge does itself."""
        does = step["judge"]
        if does == "await":
            count = step["requests"]
            if self._service.wait_for_requests(count, _PATIENCE):
                return []
            return [f"{count} requests did not arrive within {_PATIENCE:.0f} s"]
        if does == "release":
            self._service.release()
        elif does == "press":
            self._sandbox.press(step["url"], step["button"])
        elif does == "delete":
            Path(step["path"]).unlink()
        elif does == "pause":
            time.sleep(step["milliseconds"] / 1000)
        elif does == "threads":
            kept = self._driver.keeps_threads(self._threads_before, step["more"])
            return [kept] if kept else []
        return []

    def _ending(self) -> List[str]:
        """What must hold after every scenario."""
        problems = list(self._service.problems)
        for thread in self._running:
            self._joined(thread)
        for client in self._logging:
            # An error, if the scenario has closed it.
            self._driver.do({"op": "log", "client": client, "on": False})
            self._driver.do({"op": "events"})
        for key, name in sorted(self._made):
            closed = self._driver.do({"op": "close", key: name})
            problems += differences({"ok": True}, closed, f"close {name}")
        if "crate" in self._driver.features:
            return problems + self._received()
        until = time.monotonic() + 2
        while True:
            counted = self._driver.do({"op": "counters"})
            leaks = differences(_NO_LEAK, counted.get("value"), "counters at the end")
            if not leaks or time.monotonic() >= until:
                break
            time.sleep(0.02)
        return problems + leaks + self._received()

    def _received(self) -> List[str]:
        requests = self._service.requests
        expected = expand(self._scenario.received, self._variable)
        if expected is None:
            expected = self._sent
        if isinstance(expected, dict):
            names = ("create", "status")
            counts = {name: sum(one.to == name for one in requests) for name in names}
            return differences({"create": 0, "status": 0, **expected}, counts, "received")
        wanted = [{"to": one} if isinstance(one, str) else one for one in expected]
        return differences(wanted, [one.report() for one in requests], "received")

    def _variable(self, path: str) -> Any:
        """`${id}`, or a value in an earlier report, such as `${made.value.url}`."""
        if path in self._names:
            return self._names[path]
        first, *keys = path.split(".")
        value = self._reports.get(first)
        for key in keys:
            if isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            elif isinstance(value, dict):
                value = value.get(key)
            else:
                raise BadScenario(f"{self._scenario.name}: there is no ${{{path}}}")
        return value
