"""What the command writes. If a stream cannot be written, the exit status must stay right."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import traceback
from typing import Any, List, Optional, TextIO

from ..verification import Verification
from .exits import DONE, NOT_PAID


# What went wrong when standard output was written.
_lost: List[OSError] = []

_USUAL_WIDTH = 80


class _Closed(io.TextIOBase):
    """Standard output when the caller has closed it."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def prepare_streams() -> None:
    """Makes the standard streams safe to use, whatever the caller did to them."""
    _lost.clear()
    # A file or a socket that is opened later must not become descriptor 0, 1 or 2.
    with contextlib.suppress(OSError):
        while True:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor > 2:
                os.close(descriptor)
                break
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed())
        elif hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character must not end the command.
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Writes a line to standard output. If that fails, the run goes on; see `output_is_lost`."""
    write(text + "\n")
    flush()


def write(text: str) -> None:
    """Writes to standard output; `flush` follows."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        _lose(error)


def flush() -> None:
    """Writes what is still in the buffer of standard output."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _lose(error)


def output_is_lost() -> bool:
    """Whether something that was written to standard output did not get there."""
    return bool(_lost)


def _lose(error: OSError) -> None:
    if not _lost:
        _abandon("stdout", 1)
        # A reader that has seen enough, such as `head`, is not told that it has.
        if not isinstance(error, BrokenPipeError):
            warn(f"the output cannot be written: {error.strerror or error}")
    _lost.append(error)


def warn(message: str) -> None:
    """Writes a message for a person to standard error."""
    _to_stderr(f"payorder: {message}\n")


def note(text: str) -> None:
    """Writes a line to standard error that is not about a failure."""
    _to_stderr(text + "\n")


def hint(text: str) -> None:
    """Writes a further line of a message."""
    _to_stderr(f"  {text}\n")


def warn_of_defect(error: BaseException) -> None:
    """Writes where an unexpected exception came from."""
    _to_stderr(
        "".join(traceback.format_exception(type(error), error, error.__traceback__))
    )
    warn(f"unexpected failure: {error or type(error).__name__}; please report it")


def _to_stderr(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        # Where nobody can be told, the exit status still says what happened.
        _abandon("stderr", 2)


def _abandon(name: str, descriptor: int) -> None:
    """Gives a stream up.

    The rest of its buffer goes nowhere, or Python would fail at exit, with a status of its own.
    """
    setattr(sys, name, _Closed())
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def terminal_width(stream: TextIO) -> int:
    """The columns of a stream's terminal. `shutil` has this only for standard output."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _USUAL_WIDTH


def say_verdict(payment: Verification) -> int:
    """Says whether a payment is what was expected, and gives the exit status."""
    if payment.paid:
        say("PAID, as expected")
        return DONE
    say("NOT PAID as expected: do not hand anything over yet")
    for reason in payment.reasons:
        say(
            f"  {reason.check}: expected {reason.expected or 'nothing'}, "
            f"got {reason.actual or 'nothing'}"
        )
    return NOT_PAID


def say_fields(**fields: Optional[str]) -> None:
    """Writes a name and a text on each line, without the fields that are empty."""
    width = max(map(len, fields))
    for name, text in fields.items():
        if text:
            say(f"{name.replace('_', ' '):<{width}}  {text}")
