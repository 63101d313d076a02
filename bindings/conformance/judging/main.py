"""The judge's command line."""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from . import libraries, scenarios
from .driver import Driver, DriverFailed
from .matching import differences
from .results import ABI_VERSION, VERSION, classes_problems
from .sandbox import NoSandbox, Sandbox, find
from .scenarios import FEATURES, BadScenario, Scenario
from .trial import Trial

#: What happened to a scenario: "passed", "failed" or "left out", and why.
Outcome = Tuple[str, List[str]]


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        chosen = _chosen(scenarios.read(options.scenarios), options.only, options.leave_out)
        if options.list:
            for scenario in chosen:
                print(f"{scenario.name}: {scenario.promise}")
            return 0
        if not options.command:
            raise BadScenario("give the command that starts the driver")
        sandbox = Sandbox(find(options.sandbox))
    except (BadScenario, NoSandbox) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    try:
        return _Run(options.command, sandbox, options).judge(chosen)
    except BadScenario as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    finally:
        sandbox.stop()


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="judge",
        description="Runs a binding's driver through the scenarios. The exit status is 0 if it"
        " passed all that apply, 1 if it failed one, and 2 if the judge cannot run.",
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="a name or a pattern")
    parser.add_argument("--except", action="append", metavar="NAME", dest="leave_out", default=[])
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--verbose", action="store_true", help="show the passed ones too")
    parser.add_argument("--sandbox", metavar="PATH", help="the sandbox's program, or its URL")
    parser.add_argument("--scenarios", type=Path, default=scenarios.FOLDER, help=argparse.SUPPRESS)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="starts the driver")
    options = parser.parse_args(arguments)
    if options.command[:1] == ["--"]:
        del options.command[0]
    return options


def _chosen(
    all_of_them: List[Scenario], only: Optional[List[str]], leave_out: List[str]
) -> List[Scenario]:
    def is_named(scenario: Scenario, patterns: List[str]) -> bool:
        return any(fnmatch.fnmatchcase(scenario.name, pattern) for pattern in patterns)

    found = [
        one for one in all_of_them if is_named(one, only or ["*"]) and not is_named(one, leave_out)
    ]
    if not found:
        raise BadScenario(f"no scenario is named {' or '.join(only or leave_out)}")
    return found


class _Run:
    """All scenarios with one driver, which is started again after a failure."""

    def __init__(self, command: List[str], sandbox: Sandbox, options: argparse.Namespace) -> None:
        self._command = command
        self._sandbox = sandbox
        self._verbose: bool = options.verbose
        self._driver: Optional[Driver] = None
        self._features: List[str] = []
        self._hello: Mapping[str, Any] = {}

    def judge(self, chosen: List[Scenario]) -> int:
        started = time.monotonic()
        problems = self._introduce()
        counts = {"passed": 0, "failed": 0, "left out": 0}
        for scenario in [] if problems else chosen:
            outcome, why = self._outcome(scenario)
            counts[outcome] += 1
            if outcome == "failed":
                print(f"FAILED {scenario.name} ({scenario.file})\n  {scenario.promise}")
                print("\n".join(f"    {line}" for line in why))
            elif outcome == "left out":
                print(f"left out {scenario.name}: {'; '.join(why)}")
            elif self._verbose:
                print(f"passed {scenario.name}")
        if self._driver is not None:
            ending = self._driver.end()
            problems += [ending] if ending else []
        for problem in problems:
            print(f"FAILED the driver: {problem}")
        seconds = time.monotonic() - started
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{self._hello.get('language', 'driver')}: {told}, in {seconds:.1f} s")
        return 1 if problems or counts["failed"] or not counts["passed"] else 0

    def _introduce(self) -> List[str]:
        """Starts the driver, and checks its first line."""
        try:
            driver = self._start()
        except DriverFailed as error:
            return [str(error)]
        self._hello, self._features = driver.hello, driver.features
        expected = {
            "driver": {"$type": "string"},
            "language": {"$type": "string"},
            "library": VERSION,
            "abi": ABI_VERSION,
            "features": [{"$oneOf": list(FEATURES)}] * len(driver.features),
        }
        problems = differences(expected, dict(driver.hello), "first line")
        if driver.hello.get("classes") is not None:
            problems += classes_problems(driver.hello["classes"])
        return problems

    def _outcome(self, scenario: Scenario) -> Outcome:
        missing = [
            name for name in scenario.needs if not set(name.split(" or ")) & set(self._features)
        ]
        if missing:
            return "left out", [f"the driver has no {', '.join(missing)}"]
        present = [name for name in scenario.excepts if name in self._features]
        if present:
            return "left out", [f"the driver has {', '.join(present)}"]
        if scenario.library:
            return self._with_library(scenario)
        try:
            driver = self._driver or self._start()
        except DriverFailed as error:
            return "failed", [str(error)]
        problems = Trial(scenario, driver, self._sandbox).run()
        if problems:
            # Whatever the scenario left behind must not disturb the next one.
            driver.stop()
            self._driver = None
        return ("failed" if problems else "passed"), problems

    def _start(self) -> Driver:
        self._driver = Driver(self._command, os.environ)
        return self._driver

    def _with_library(self, scenario: Scenario) -> Outcome:
        """With a library in place of ours. The driver must refuse it, or run the steps."""
        using = libraries.compiler()
        if using is None:
            return "left out", ["there is no C compiler"]
        with tempfile.TemporaryDirectory(prefix="payorder-") as folder:
            environment = libraries.environment(scenario.library, Path(folder), using)
            try:
                driver = Driver(self._command, environment)
            except DriverFailed as error:
                return "failed", [str(error)]
            refused = libraries.REFUSED.get(scenario.library)
            if refused is None:
                problems = Trial(scenario, driver, self._sandbox).run()
            else:
                parts = [re.escape(environment["PAYORDER_LIBRARY"]), *refused]
                expected = {"refused": {"$all": [{"$matches": part} for part in parts]}}
                problems = differences(expected, dict(driver.hello), "first line")
            driver.stop()
        return ("failed" if problems else "passed"), problems
