"""Writes to stdout and stderr. The exit status is right even if that fails."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import json
import os
import re
import sys
import textwrap
from typing import Any, List, Match, Optional, TextIO, Tuple, Union


# The errors of writing to standard output.
_write_errors: List[OSError] = []

_USUAL_WIDTH = 80
#: Texts are no wider than this.
WIDEST = 88

#: The colours of verdicts: paid, open, and what a person must check.
PAID, OPEN, CHECK = "\x1b[32m", "\x1b[33m", "\x1b[31m"
_UNSAFE = re.compile("\x1b\\[(?:0|3[123])m|[^ -~\n\t]")


class _Closed(io.TextIOBase):
    """A standard stream that is closed."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def prepare_streams(as_json: bool) -> None:
    """Makes the standard streams safe to use, also if the caller closed them.

    `as_json` says whether the command prints JSON."""
    _write_errors.clear()
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
            if name == "stderr":
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding=_encoding(stream, as_json), errors="payorder")


def _encoding(stream: TextIO, as_json: bool) -> Optional[str]:
    """What standard output is encoded in, None for the encoding that it has.

    Where this is not UTF-8, JSON is ASCII, so that it is the same in every encoding. Files and
    programs get UTF-8, which is also the encoding of the files that the command reads.
    """
    if codecs.lookup(stream.encoding).name == "utf-8":
        return None
    if as_json:
        return "ascii"
    return None if stream.isatty() else "utf-8"


def _as_it_came(error: UnicodeError) -> Tuple[Union[str, bytes], int]:
    """Writes the bytes of a file that is not UTF-8 text as they were, and escapes the rest as JSON
    does."""
    assert isinstance(error, UnicodeEncodeError)
    character, end = error.object[error.start], error.start + 1
    byte = ord(character) - 0xDC00
    return (bytes([byte]) if 0x80 <= byte <= 0xFF else json.dumps(character)[1:-1]), end


codecs.register_error("payorder", _as_it_came)


def print_line(text: str) -> None:
    """Writes a line to standard output. If that fails, the run continues; see `output_failed`."""
    write(_for(sys.stdout, text) + "\n")
    flush()


def write(text: str) -> None:
    """Writes to the buffer of standard output. Call `flush` afterwards."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        _note_failure(error)


def flush() -> None:
    """Flushes the buffer of standard output."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _note_failure(error)


def output_failed() -> bool:
    """Whether writing to standard output has failed."""
    return bool(_write_errors)


def _note_failure(error: OSError) -> None:
    if not _write_errors:
        _abandon("stdout", 1)
        # No message if the reader closed the pipe, as `head` does.
        if not isinstance(error, BrokenPipeError):
            warn(f"the output cannot be written: {error.strerror or error}")
    _write_errors.append(error)


def warn(message: str) -> None:
    """Writes a message about a failure to standard error."""
    _to_stderr(f"payorder: {message}\n")


def print_note(text: str) -> None:
    """Writes a line to standard error that is not about a failure."""
    _to_stderr(text + "\n")


def hint(text: str) -> None:
    """Writes a further line of a message to standard error."""
    _to_stderr(f"  {text}\n")


def warn_of_bug(error: BaseException) -> None:
    """Writes the traceback of an unexpected exception."""
    import traceback

    _to_stderr("".join(traceback.format_exception(type(error), error, error.__traceback__)))
    warn(f"unexpected failure: {error or type(error).__name__}; please report it")


def _to_stderr(text: str) -> None:
    try:
        sys.stderr.write(_for(sys.stderr, text))
        sys.stderr.flush()
    except (OSError, ValueError):
        # The message is lost, but the exit status still says what happened.
        _abandon("stderr", 2)


def _for(stream: TextIO, text: str) -> str:
    """A text as this stream gets it. What the service sends must not change a terminal."""
    return _UNSAFE.sub(_escaped, text) if stream.isatty() else text


def _escaped(found: Match[str]) -> str:
    character = found[0]
    if len(character) > 1 or character.isprintable() or character in "\xa0\u200c\u200d":
        return character
    return character.encode("unicode_escape").decode()


def _abandon(name: str, descriptor: int) -> None:
    """Closes a stream that cannot be written, and discards the rest of its buffer.

    Otherwise Python would try to write the buffer at exit, fail, and change the exit status.
    """
    setattr(sys, name, _Closed())
    with contextlib.suppress(OSError):
        discard = os.open(os.devnull, os.O_WRONLY)
        os.dup2(discard, descriptor)
        os.close(discard)


def terminal_width(stream: TextIO) -> int:
    """The width of a stream's terminal in columns. `shutil` knows only standard output's."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _USUAL_WIDTH


def wrapped(text: str, first: str = "", later: str = "", width: int = WIDEST) -> List[str]:
    """The lines of a text, with what they begin with. A URL or a path is not broken."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def coloured(text: str, colour: str) -> str:
    """The text in this colour, if standard output is a terminal and NO_COLOR is not set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    if not colour or plain or not sys.stdout.isatty():
        return text
    return f"{colour}{text}\x1b[0m"


def one_line(text: str) -> str:
    """A text of the service without control characters: it cannot look like a line of its own, a
    terminal shows it in its order, and a shell that drops some of them cannot take it for another
    text."""
    return re.sub("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", _escaped, text)


def print_fields(**fields: Optional[str]) -> None:
    """Prints a name and a text on each line. Empty fields are left out."""
    width = max(map(len, fields))
    for name, text in fields.items():
        if text:
            print_line(f"{name.replace('_', ' '):<{width}}  {one_line(text)}")
