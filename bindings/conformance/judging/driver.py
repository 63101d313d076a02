"""The driver's process: a step in, a report out."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .results import with_suffix

#: How long a driver may take for a step, and to start.
PATIENCE = 60.0
#: How long threads may stay after their last work.
_LINGERING = 10.0
#: How many threads of its own a language's runtime may have added in the end.
_OF_RUNTIME = 12


class DriverFailed(Exception):
    """The driver ended, did not answer, or wrote something else than a report."""


class Driver:
    """A running driver. `hello` is its first line."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=dict(environment),
            )
        except OSError as error:
            raise DriverFailed(f"the driver does not start: {error}") from None
        self._lines: "queue.Queue[Optional[bytes]]" = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.hello = self._report("its first line")
            if isinstance(self.hello.get("classes"), dict):
                self.hello["classes"] = with_suffix(self.hello["classes"])
        except DriverFailed:
            self.stop()
            raise
        self._first_threads = self.threads()

    @property
    def features(self) -> List[str]:
        features = self.hello.get("features", [])
        return [str(one) for one in features] if isinstance(features, list) else []

    def threads(self) -> Optional[int]:
        """How many threads it has, with those of its child processes. None if nobody can say."""
        try:
            return _threads(Path("/proc", str(self._process.pid), "task"))
        except OSError:
            return None

    def keeps_threads(self, before: Optional[int], more: int) -> Optional[str]:
        """Waits until it has at most so many threads more. Says so if it keeps others."""
        until = time.monotonic() + _LINGERING
        while True:
            now = self.threads()
            if before is None or now is None or now <= before + more:
                return None
            if time.monotonic() >= until:
                return f"the driver has {now} threads; before, it had {before}"
            time.sleep(0.02)

    def do(self, step: Mapping[str, Any]) -> Dict[str, Any]:
        """Sends a step, and returns the report."""
        assert self._process.stdin is not None
        line = json.dumps(step, ensure_ascii=False).encode() + b"\n"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise DriverFailed(self._ended()) from None
        return self._report("a report")

    def end(self) -> Optional[str]:
        """Ends the input. Says what is wrong unless the driver has ended its threads and exits
        with 0."""
        assert self._process.stdin is not None
        kept = self.keeps_threads(self._first_threads, _OF_RUNTIME)
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.stop()
            return f"the driver did not end within {PATIENCE:.0f} s after its input"
        return kept if status == 0 else self._ended()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _report(self, what: str) -> Dict[str, Any]:
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise DriverFailed(
                f"the driver did not write {what} within {PATIENCE:.0f} s{self._printed()}"
            ) from None
        if line is None:
            raise DriverFailed(self._ended())
        try:
            report = json.loads(line.decode())
        except ValueError as error:
            raise DriverFailed(
                f"the driver wrote a line that is not JSON in UTF-8 ({error}): {line[:400]!r}"
                f"{self._printed()}"
            ) from None
        if not isinstance(report, dict):
            raise DriverFailed(f"the driver wrote {line[:400]!r}, which is not an object")
        return report

    def _ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        status = self._process.poll()
        return f"the driver ended with exit status {status}{self._printed()}"

    def _printed(self) -> str:
        """The end of what the driver printed on stderr."""
        self._errors.seek(0)
        text = self._errors.read().decode("utf-8", "replace").strip()
        return f"; on stderr it printed\n{text[-3000:]}" if text else ""


def _threads(tasks: Path) -> int:
    """Counts a process and its children in Linux's list of tasks."""
    count = 0
    for task in tasks.iterdir():
        count += 1
        # A thread may end meanwhile.
        with contextlib.suppress(OSError):
            for child in (task / "children").read_text().split():
                count += _threads(Path("/proc", child, "task"))
    return count
