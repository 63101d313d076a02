"""What the command says, and the status that it ends with."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Dict, Optional, Type

from ..errors import (
    DuplicateError,
    MissingCredentialsError,
    NotSentError,
    OutcomeUnknownError,
    PayorderError,
    RejectedError,
    UnusableTextError,
)
from ..verification import Verification

DONE = 0
NOT_SENT = 1
REJECTED = 2
UNKNOWN = 3
NOT_PAID = 4
INTERRUPTED = 130

EXITS = """\
  0  done; where a payment was to be checked: it is paid
  1  nothing was sent: the arguments, the settings, the network; mend it and call again
  2  the service refused
  3  nobody knows: ask `payorder status` before doing anything else
  4  not paid, or not all as expected
  130  interrupted by Ctrl-C
"""

_ENDS: Dict[Type[PayorderError], int] = {
    NotSentError: NOT_SENT,
    RejectedError: REJECTED,
    OutcomeUnknownError: UNKNOWN,
    UnusableTextError: NOT_SENT,
}


class Unusable(Exception):
    """Arguments or settings that cannot be used, in words for the person who gave them."""


def complain(message: str) -> None:
    """One message for a person, beside the output."""
    print(f"payorder: {message}", file=sys.stderr)


def fail(error: PayorderError, given: argparse.Namespace) -> int:
    """Says what a failed call means, and gives the exit status."""
    if getattr(given, "json", False):
        print(error.raw)
    if len(error.violations) > 1:
        complain("nothing was sent; mend these")
        for violation in error.violations:
            print(f"  {violation.message}{_argument(violation.field)}", file=sys.stderr)
    elif isinstance(error, RejectedError) and error.response_message:
        complain(
            f"the service refused: {error.response_message} (HTTP {error.http_status})"
        )
    else:
        sent_nothing = (
            isinstance(error, NotSentError) and "nothing was sent" not in error.message
        )
        complain(error.message + ("; nothing was sent" if sent_nothing else ""))
    if (
        isinstance(error, DuplicateError)
        and error.previous
        and error.previous.get("url")
    ):
        print(f"  its customer pays at {error.previous['url']}", file=sys.stderr)
    if isinstance(error, MissingCredentialsError):
        print(
            "  set PAYORDER_ACCESS_TOKEN to create orders, and PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID and",
            file=sys.stderr,
        )
        print(
            "  PAYORDER_SECRET_KEY to ask for their status; or put them into a file (payorder --help)",
            file=sys.stderr,
        )
    if isinstance(error, OutcomeUnknownError) and error.response_message:
        print(f"  the service says: {error.response_message}", file=sys.stderr)
    if isinstance(error, OutcomeUnknownError) and error.status_query:
        print(
            f"  ask with: payorder status {shlex.quote(error.status_query['orderId'])}",
            file=sys.stderr,
        )
    return next(ends for kind, ends in _ENDS.items() if isinstance(error, kind))


def _argument(field: str) -> str:
    """The argument of `payorder create` that a field of the wire comes from."""
    if field == "redirectionURL":
        return " (--redirection-url)"
    return (
        " (--"
        + "".join(
            f"-{letter.lower()}" if letter.isupper() else letter for letter in field
        )
        + ")"
    )


def tell_verdict(payment: Verification) -> int:
    """Says whether a payment is what was expected, and gives the exit status."""
    if payment.paid:
        print("PAID, as expected")
        return DONE
    print("NOT PAID as expected: hand nothing over yet")
    for reason in payment.reasons:
        print(
            f"  {reason.check}: expected {reason.expected or 'nothing'}, it is {reason.actual or 'empty'}"
        )
    return NOT_PAID


def tell(**lines: Optional[str]) -> None:
    """Lines of a name and a text each, without those that are empty."""
    width = max(map(len, lines))
    for name, text in lines.items():
        if text:
            print(f"{name.replace('_', ' '):<{width}}  {text}")
