"""Runs the till: its process group, its pipes, and its end."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .protocol import checkout_url

#: How much of each stream a report shows.
KEPT = 64 * 1024
#: Longer lines are not searched for a checkout URL.
_LONGEST_LINE = 64 * 1024


class CannotStart(Exception):
    """The till's program cannot be started."""


class Output:
    """One stream of a till: its beginning, its end, and the secrets that were in it."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = {name: name.encode() for name in secrets}
        self._overlap = max((len(one) for one in self._secrets.values()), default=1)
        self._start = b""
        self._end = b""
        self._size = 0
        self._searched = b""
        #: The secrets that were printed.
        self.leaked: List[str] = []

    def add(self, chunk: bytes) -> None:
        """Takes the next bytes of the stream."""
        self._size += len(chunk)
        room = KEPT // 2 - len(self._start)
        self._start += chunk[: max(0, room)]
        self._end = (self._end + chunk[max(0, room) :])[-KEPT // 2 :]
        # A secret can be cut by the end of a chunk.
        window = self._searched + chunk
        for name, secret in self._secrets.items():
            if secret in window and name not in self.leaked:
                self.leaked.append(name)
        self._searched = window[-self._overlap :]

    def text(self) -> str:
        """The text for people: secrets are masked, and the middle of a long one is left out."""
        left_out = self._size - len(self._start) - len(self._end)
        kept = self._start
        if left_out:
            kept += f"\n[... {left_out} bytes ...]\n".encode()
        kept += self._end
        for secret in self._secrets.values():
            kept = kept.replace(secret, b"[redacted]")
        return kept.decode("utf-8", "replace")


class Program:
    """A running till. Use it in a `with` statement: no process of it survives that."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        base_url: str,
        secrets: Sequence[str] = (),
    ) -> None:
        self.started = time.time()
        self._begun = time.monotonic()
        self.seconds = 0.0
        #: Why it was killed.
        self.killed: Optional[str] = None
        self.stdout, self.stderr = Output(secrets), Output(secrets)
        #: The first checkout URL that it printed.
        self.url: Optional[str] = None
        self.url_printed = threading.Event()
        self._base_url = base_url
        self._lines: "queue.Queue[Optional[bytes]]" = queue.Queue()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=str(folder),
                env=dict(environment),
                **_own_group(),
            )
        except OSError as error:
            raise CannotStart(
                f"{command[0]} cannot be started: {error.strerror or error}"
            ) from None
        self._readers = [
            self._thread(self._read, self._process.stdout, self.stdout),
            self._thread(self._read, self._process.stderr, self.stderr),
        ]
        self._writer = self._thread(self._write)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill("the scenario was over")
        self.wait(10.0)

    @property
    def running(self) -> bool:
        """Whether the till itself still runs."""
        return self._process.poll() is None

    @property
    def exit_status(self) -> Optional[int]:
        """The exit status, or None if it runs or was killed."""
        return None if self.killed else self._process.poll()

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begun

    def say(self, line: str) -> None:
        """Writes a line to stdin."""
        self._lines.put(line.encode() + b"\n")

    def end_stdin(self) -> None:
        """Ends stdin, after all lines."""
        self._lines.put(None)

    def wait(self, seconds: float) -> bool:
        """Waits until the till has ended. False if it still runs after this time."""
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        self._clean_up()
        return True

    def kill(self, why: str) -> bool:
        """Kills the till and its children. False if it had ended already."""
        if not self.running:
            return False
        self.killed = why
        _kill_group(self._process)
        return True

    def _clean_up(self) -> None:
        """Ends what a till that ended left behind, and reads the rest of its output."""
        if self.seconds:
            return
        self.seconds = self.elapsed()
        if sys.platform != "win32" and self._process.returncode != -signal.SIGKILL:
            # It had ended when the signal was sent.
            self.killed = None
        _kill_group(self._process)
        self.end_stdin()
        for reader in self._readers:
            # A child of the till that left the group may still have the streams open.
            reader.join(2.0)

    @staticmethod
    def _thread(target: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread

    def _read(self, stream: IO[bytes], output: Output) -> None:
        line = b""
        with contextlib.suppress(OSError, ValueError), stream:
            while True:
                chunk = stream.read(64 * 1024)
                if not chunk:
                    break
                output.add(chunk)
                if output is self.stdout and self.url is None:
                    *lines, line = (line + chunk).split(b"\n")
                    line = line[-_LONGEST_LINE:]
                    self._find_url(lines)
            if output is self.stdout and self.url is None:
                self._find_url([line])

    def _find_url(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            url = checkout_url(line.decode("utf-8", "replace"), self._base_url)
            if url is not None:
                self.url = url
                self.url_printed.set()
                return

    def _write(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        # The till need not read its stdin.
        with contextlib.suppress(OSError, ValueError):
            while True:
                line = self._lines.get()
                if line is None:
                    break
                stdin.write(line)
        with contextlib.suppress(OSError, ValueError):
            stdin.close()


def _own_group() -> Dict[str, Any]:
    """So that the till's children can be killed with it, and Ctrl-C reaches only this process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        if process.poll() is None:
            # Its children too. TerminateProcess would end only the till itself.
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(process.pid)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            with contextlib.suppress(OSError):
                process.kill()
        return
    # The group has the id of the till, which led it, until its last process has ended.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def leaked_in_files(folder: Path, secrets: Sequence[str]) -> List[Tuple[str, str]]:
    """The files below a folder that contain a secret, as path and secret."""
    found: List[Tuple[str, str]] = []
    for place, _, names in os.walk(str(folder)):
        for name in sorted(names):
            path = Path(place, name)
            # A pipe or a device would block.
            if path.is_symlink() or not path.is_file():
                continue
            output = Output(secrets)
            with contextlib.suppress(OSError), open(path, "rb") as stream:
                while True:
                    chunk = stream.read(1024 * 1024)
                    if not chunk:
                        break
                    output.add(chunk)
            found += [
                (path.relative_to(folder).as_posix(), one) for one in output.leaked
            ]
    return found
