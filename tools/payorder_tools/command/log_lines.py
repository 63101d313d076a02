"""What the calls do, as lines for people on stderr: all of it with `--verbose`, otherwise only that
the outcome of an order could not be recorded.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Dict, List

from payorder._library import library
from .output import one_line, print_note, warn

# By the number of the outcome (`payorder_outcome`).
_OUTCOMES = (
    "done",
    "nothing was sent",
    "the service refused the request",
    "the order may exist",
)
_UNKNOWN = 3

_Event = Dict[str, Any]


def show_log_lines(verbose: bool) -> None:
    """Shows the log events of this process."""
    logger = logging.getLogger("payorder")
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)
    logger.addHandler(LogLines() if verbose else JournalWarnings())


class JournalWarnings(logging.Handler):
    """Says that the journal does not have the outcome of an order."""

    def emit(self, record: logging.LogRecord) -> None:
        event: _Event = vars(record)["payorder"]
        if (event["event"], event["operation"]) == ("journal_failed", "create_order"):
            warn(
                f"the journal does not have the outcome of {one_line(event['orderId'])} "
                f"({event['cause']}): when it can be used again, run `payorder journal resolve`"
            )


class LogLines(logging.Handler):
    """Writes a line for each event, with the time of the event.

    The package logs the events of a wait as they happen, and those of another call when it ends, so
    its attempts are kept until then.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: Dict[str, List[_Event]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        event: _Event = vars(record)["payorder"]
        call = _call(event)
        if event["operation"] == "wait_for_payment":
            print_note(f"{_clock(record.created)}  {call}: {_words(event)}")
            return
        kept = self._kept.setdefault(call, [])
        kept.append(event)
        if event["event"].startswith("attempt_"):
            return
        del self._kept[call]
        began = record.created - event["elapsedMs"] / 1000
        for one in kept:
            print_note(f"{_clock(began + one['elapsedMs'] / 1000)}  {call}: {_words(one)}")


def _clock(seconds: float) -> str:
    milliseconds = int(seconds * 1000) % 1000
    return f"{time.strftime('%H:%M:%S', time.localtime(seconds))}.{milliseconds:03}"


def _call(event: _Event) -> str:
    """The call that an event belongs to."""
    operation = event["operation"].replace("_", " ")
    if "orderId" in event:
        return f"{operation} {one_line(event['orderId'])}"
    if "transactionId" in event:
        return f"{operation} of transaction {one_line(event['transactionId'])}"
    return str(operation)


def _words(event: _Event) -> str:
    """What happened."""
    attempt, took = f"attempt {event.get('attempt')}", f"{event['elapsedMs']} ms"
    known = event["event"]
    if known == "attempt_started":
        return f"{attempt} begins, to {event['host']}"
    if known == "attempt_finished":
        status = event.get("transactionStatus")
        more = "" if status is None else f", the payment is {one_line(status)}"
        return f"{attempt} has a response after {took} ({_http(event)}){more}"
    if known == "attempt_failed":
        return f"{attempt} failed after {took}: {_reason(event)}"
    if known == "journal_failed":
        return f"the outcome is not in the journal: {_reason(event)}"
    if known == "call_finished":
        return f"ended after {took}: {_reason(event)}"
    return f"{known} after {took}"


def _reason(event: _Event) -> str:
    """The outcome in words, and if there is a failure, its cause and name."""
    outcome = library.payorder_result_outcome(event["result"])
    words = _OUTCOMES[outcome]
    if outcome == _UNKNOWN and event["operation"] != "create_order":
        # A query creates nothing.
        words = "no usable response"
    details = [event.get("cause"), _http(event), event["name"]]
    if outcome == 0:
        return words
    return f"{words} ({', '.join(one for one in details if one)})"


def _http(event: _Event) -> str:
    return f"HTTP {event['httpStatus']}" if "httpStatus" in event else ""
