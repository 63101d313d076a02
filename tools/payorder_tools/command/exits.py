"""The exit statuses, and the rule that chooses one."""

from __future__ import annotations

import signal
from typing import List, NoReturn, Optional, Union

from payorder._text import NotText
from payorder.errors import InvalidConfigError, PayorderError, UnusableTextError

DONE = 0
FAILED = 1
USAGE = 2
NOT_SENT = 3
REJECTED = 4
UNKNOWN = 5
NOT_PAID = 6
NOT_VERIFIED = 7
INTERRUPTED = 130

EXITS = """\
  0    done; if a payment was to be checked, it is paid as expected
  1    unexpected failure, or the output could not be written; the order may have been sent
  2    no command, or an invalid command line, settings or input file; nothing was sent
  3    nothing was sent: fix the problem named in the message and run the command again
  4    the service refused the request
  5    unknown: the order may exist; run `payorder status` before anything else
  6    not paid, or not everything is as expected
  7    not verified: no order id or no amount to compare with, from you or the journal
  130  interrupted by Ctrl-C; `create` ends with 3 or 5 if Ctrl-C cancelled its request
"""

_BY_OUTCOME = {"not_sent": NOT_SENT, "rejected": REJECTED}


class UsageError(Exception):
    """Invalid arguments, settings or files, found before anything was sent.

    `cause` is one of the library's causes. `settings` is true if the settings are wrong.
    """

    def __init__(self, message: str, cause: str = "invalid_value", settings: bool = False) -> None:
        super().__init__(message)
        self.cause = cause
        self.settings = settings


class Interrupted(Exception):
    """Ctrl-C was pressed. The message says what may have happened, `action` what to do next."""

    def __init__(self, message: str, action: str = "retry") -> None:
        super().__init__(message)
        self.action = action


class OrderState:
    """What this run knows about the order that it creates."""

    def __init__(self) -> None:
        self.order_id = ""
        #: The checkout URL. If it is set, the order was created.
        self.url: Optional[str] = None
        #: Whether the checkout URL was printed: on stdout, or on stderr if stdout failed.
        self.shown = False
        #: The arguments that chose the settings, for the next command.
        self.settings: List[str] = []


def interrupt_by_signals() -> None:
    """Lets SIGTERM and SIGHUP (a closed terminal) do what Ctrl-C does. By default they would end
    this process, but not the programs that it has started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has none.
    if signal.getsignal(hangup) != signal.SIG_IGN:
        signal.signal(hangup, _interrupt_once)


def _interrupt_once(number: int, _: object) -> NoReturn:
    # A terminal that is closed may send it twice.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def exit_status(ended: Union[int, BaseException], order: OrderState, output_failed: bool) -> int:
    """The exit status of a run that ended with a status or an exception.

    After an order was created, it is never 2, 3 or 4. If the output could not be written, only 0
    becomes 1, because every other status says something about the order.
    """
    status = ended if isinstance(ended, int) else _of_exception(ended)
    if order.url is not None and status in (USAGE, NOT_SENT, REJECTED):
        status = UNKNOWN
    return FAILED if output_failed and status == DONE else status


def _of_exception(error: BaseException) -> int:
    if isinstance(error, (Interrupted, KeyboardInterrupt)):
        return INTERRUPTED
    if isinstance(error, (UsageError, UnusableTextError, NotText, InvalidConfigError)):
        return USAGE
    if isinstance(error, PayorderError):
        return _BY_OUTCOME.get(error.outcome, UNKNOWN)
    return FAILED
