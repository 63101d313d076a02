"""A result of an exam, as the reports get it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict

from payorder_tools.certify.results import (
    ExamResult,
    Finding,
    RunOfProgram,
    ScenarioResult,
)

#: Text that means something in HTML, XML, on a terminal and in a shell.
HOSTILE = "</pre><script>alert('1')</script>&amp; ]]> \x1b[2J\x00\x0c \u202e \ud800 'x'"

PASSED = ScenarioResult(
    name="paid",
    title="The customer pays",
    passed=True,
    findings=[],
    runs=[],
    requests=[],
    orders=[],
    seed=7,
    seconds=1.25,
)
RUN = RunOfProgram(
    number=1,
    started="2026-11-20T09:00:00.000Z",
    seconds=2.5,
    verdict="not_sent",
    exit_status=1,
    killed_at=None,
    stdout="sending 1250.10 INR",
    stderr="timeout",
)
REQUEST: Dict[str, Any] = {
    "number": 1,
    "at": "2026-11-20T09:00:00.125Z",
    "step": "create",
    "orderId": "SALE-7",
    "method": "POST",
    "path": "/pg/create",
    "headers": {"accessToken": "right", "content-type": "application/json"},
    "body": '{"amount":"1250.10"}',
    "fault": "drop-after-commit",
    "created": True,
    "response": {"status": None, "headers": {}, "body": "", "ended": "cut"},
}
ANSWERED: Dict[str, Any] = {
    **REQUEST,
    "number": 2,
    "step": "status",
    "fault": None,
    "created": False,
    "response": {
        "status": 200,
        "headers": {"content-type": "application/json"},
        "body": '{"transactionStatus":"Pending"}',
        "ended": "complete",
    },
}
FAILED = replace(
    PASSED,
    name="lost-after",
    title="The response is lost after the order was made",
    passed=False,
    findings=[
        Finding(
            rule="not-forgotten",
            did="It said not_sent, but the service had order SALE-7.",
            expected="Say open, and ask for the status later.",
            money="The customer could have paid 1250.10 INR without getting anything.",
        ),
        Finding(
            rule="asked-first",
            did="It ended without a Get Status.",
            expected="Ask for the status before anything else.",
            money="Nobody would have looked for the payment.",
        ),
    ],
    runs=[RUN],
    requests=[REQUEST, ANSWERED],
    orders=[
        {
            "orderId": "SALE-7",
            "amount": "1250.10",
            "currencyCode": "INR",
            "state": "Pending",
            "refunded": False,
        }
    ],
)
BROKEN = replace(
    PASSED,
    name="two-tills",
    title="Two tills with one order id",
    passed=False,
    trouble="the sandbox did not start",
)
EXAM = ExamResult(
    command=["./till", "--shop", "Chai & Co"],
    version="0.1.0",
    seed=7,
    started="2026-11-20T09:00:00Z",
    seconds=12.345,
    scenarios=[PASSED, FAILED, BROKEN],
)
DRILL = replace(
    EXAM,
    kind="drill",
    scenarios=[
        replace(
            FAILED,
            name="17",
            runs=[
                replace(RUN, killed_at="0.4 s: Create Order was received"),
                replace(RUN, killed_at="0.7 s: Create Order was received"),
                replace(RUN, killed_at="0.1 s: the journal changed (change 3: db)"),
                replace(RUN, missed_kill="the journal changed"),
            ],
        )
    ],
)


def hostile() -> ExamResult:
    """A result in which every text is hostile."""
    finding = Finding(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    run = replace(RUN, verdict=HOSTILE, killed_at=None, stdout=HOSTILE, stderr=HOSTILE)
    request = {
        **ANSWERED,
        "orderId": HOSTILE,
        "path": HOSTILE,
        "body": HOSTILE,
        "fault": HOSTILE,
        "headers": {HOSTILE: HOSTILE},
        "response": {**ANSWERED["response"], "body": HOSTILE},
    }
    scenario = replace(
        FAILED,
        name=HOSTILE,
        title=HOSTILE,
        findings=[finding],
        runs=[run],
        requests=[request],
        orders=[{"orderId": HOSTILE, "amount": HOSTILE, "state": HOSTILE}],
    )
    broken = replace(scenario, findings=[], trouble=HOSTILE)
    return replace(EXAM, command=[HOSTILE], scenarios=[scenario, broken])
