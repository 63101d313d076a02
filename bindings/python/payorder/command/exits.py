"""The exit statuses, and the one rule that chooses between them."""

from __future__ import annotations

from typing import Optional, Union

from .._text import NotText
from ..errors import PayorderError, UnusableTextError

DONE = 0
FAILED = 1
USAGE = 2
NOT_SENT = 3
REJECTED = 4
UNKNOWN = 5
NOT_PAID = 6
INTERRUPTED = 130

EXITS = """\
  0  done; if a payment was to be checked, it is paid
  1  unexpected failure, or the output cannot be written: the order may have been sent
  2  the command line, a settings file or an input file cannot be used; nothing was sent
  3  nothing was sent: fix the problem named in the message and run the command again
  4  the service refused
  5  unknown: the order may exist; ask with `payorder status` before anything else
  6  not paid, or not everything is as expected
  130  interrupted by Ctrl-C; `create` ends with 3 or 5 if Ctrl-C stopped its request
"""

_BY_OUTCOME = {"not_sent": NOT_SENT, "rejected": REJECTED}


class UsageError(Exception):
    """Arguments, settings or files that cannot be used, found before anything was sent.

    `cause` is one of the library's; `settings` says that the settings are wrong.
    """

    def __init__(
        self, message: str, cause: str = "invalid_value", settings: bool = False
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.settings = settings


class Interrupted(Exception):
    """Ctrl-C, with a message that says what may have happened."""


class OrderState:
    """What this run knows about the order that it makes."""

    def __init__(self) -> None:
        self.order_id = ""
        #: The checkout URL. When it is set, the order was made.
        self.url: Optional[str] = None
        #: The checkout URL was written: to standard output, or to standard error if that was lost.
        self.shown = False


def exit_status(
    ended: Union[int, BaseException], order: OrderState, output_lost: bool
) -> int:
    """The exit status of a run that ended with a status or an exception.

    Once an order was made, no status says that nothing was made. Output that was lost shows in the
    status only if that would be 0: the others say something about the order.
    """
    status = ended if isinstance(ended, int) else _of_exception(ended)
    if order.url is not None and status in (USAGE, NOT_SENT, REJECTED):
        status = UNKNOWN
    return FAILED if output_lost and status == DONE else status


def _of_exception(error: BaseException) -> int:
    if isinstance(error, (Interrupted, KeyboardInterrupt)):
        return INTERRUPTED
    if isinstance(error, (UsageError, UnusableTextError, NotText)):
        return USAGE
    if isinstance(error, PayorderError):
        return _BY_OUTCOME.get(error.outcome, UNKNOWN)
    return FAILED
