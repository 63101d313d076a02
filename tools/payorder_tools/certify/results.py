"""What an exam or a drill found: the data that every report shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Mapping, Optional

#: The time that a till has, if the caller names no other one.
DEFAULT_SECONDS = 10.0


@dataclass(frozen=True)
class Finding:
    """A rule that the till broke, in words for a shop owner."""

    #: The rule's name, such as "one-order".
    rule: str
    #: What the till did.
    did: str
    #: What a right till does.
    expected: str
    #: What would have happened to the money.
    money: str


@dataclass(frozen=True)
class RunOfProgram:
    """One run of the till's program. Credentials in its output are masked."""

    #: 1 for the scenario's first run.
    number: int
    #: The start, in UTC, in ISO 8601 with milliseconds.
    started: str
    seconds: float
    #: "paid", "not_sent", "rejected", "open" or "not_paid"; None if it gave no verdict.
    verdict: Optional[str]
    #: Negative after a signal, as in `subprocess`; None if it had to be killed.
    exit_status: Optional[int]
    #: Why and when the exam killed it, such as "0.4 s: the order was made, no response yet".
    killed_at: Optional[str]
    #: At most 64 KiB each.
    stdout: str
    stderr: str
    #: In a drill: where it was to be killed, if it ended earlier.
    missed_kill: Optional[str] = None


@dataclass(frozen=True)
class ScenarioResult:
    """What happened in one scenario, or in one kill of a drill."""

    #: The name on the command line, such as "lost-after"; the kill's number in a drill.
    name: str
    #: One line for people.
    title: str
    passed: bool
    findings: List[Finding]
    runs: List[RunOfProgram]
    #: The requests and the orders, as the sandbox's control address returns them. Credentials are
    #: masked there already.
    requests: List[Mapping[str, Any]]
    orders: List[Mapping[str, Any]]
    seed: int
    seconds: float
    #: Set if the exam itself failed here, and the till could not be judged. `passed` is False then.
    trouble: Optional[str] = None
    #: What is right, but worth knowing.
    remarks: List[str] = field(default_factory=list)
    #: The rules that the caller expects to be broken here.
    expected: List[str] = field(default_factory=list)

    @property
    def failed_as_expected(self) -> bool:
        """Whether it failed, and broke only rules that were expected to be broken."""
        broken = {one.rule for one in self.findings}
        return self.trouble is None and bool(broken) and broken <= set(self.expected)

    @property
    def failed(self) -> bool:
        """Whether it failed, and not only as expected."""
        return not self.passed and not self.failed_as_expected


@dataclass(frozen=True)
class ExamResult:
    """An exam, or a drill."""

    command: List[str]
    #: The version of payorder.
    version: str
    seed: int
    #: The start, in UTC, in ISO 8601.
    started: str
    seconds: float
    scenarios: List[ScenarioResult] = field(default_factory=list)
    #: "exam" or "drill".
    kind: str = "exam"
    #: The time that the till had, as SALE_SECONDS.
    sale_seconds: float = DEFAULT_SECONDS
    #: Whether it was stopped before its end. `passed` is False then.
    interrupted: bool = False

    @property
    def passed(self) -> bool:
        """Whether every scenario passed, and there was at least one."""
        whole = bool(self.scenarios) and not self.interrupted
        return whole and all(one.passed for one in self.scenarios)

    @property
    def as_expected(self) -> bool:
        """Whether every scenario passed or failed as expected, and there was at least one."""
        whole = bool(self.scenarios) and not self.interrupted
        return whole and not any(one.failed for one in self.scenarios)

    def to_dict(self) -> Dict[str, Any]:
        """Everything as plain data for `json.dumps`."""
        return {"passed": self.passed, **asdict(self)}


class ExamInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed. `result` has what had ended by then."""

    def __init__(self, result: ExamResult) -> None:
        super().__init__()
        self.result = result
