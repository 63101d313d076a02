"""Runs the till: its process group, its pipes, and its end."""

from __future__ import annotations

import base64
import contextlib
import os
import queue
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import (
    IO,
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
)
from urllib.parse import quote

from .protocol import checkout_url, statement

#: How much of each stream a report shows.
KEPT = 64 * 1024
#: Longer lines are not searched for a checkout URL.
_LONGEST_LINE = 64 * 1024


#: Folders of the system, and programs that run the till, from a folder that is not its own.
_SYSTEM = [
    *"/bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/lib64 /usr/libexec".split(),
    str(Path(os.environ.get("SystemRoot", "/bin")).resolve()),
]
_INTERPRETER = re.compile(
    r"(py|python|pypy|node|nodejs|deno|bun|ruby|perl|php|java|dotnet|mono|lua|luajit|tclsh|rscript"
    r"|wine|env|cmd|powershell|pwsh|[cw]script|(ba|da|k|z)?sh)[\d.]*(-dbg)?w?(\.exe)?",
    re.I,
)


class CannotStart(Exception):
    """The till's program cannot be started."""


def forms(secret: str) -> List[bytes]:
    """A secret as it is, and in base64 at each place of a longer text, URL-encoded and in hex."""
    raw = secret.encode()
    if len(raw) < 8:
        return [raw]
    found = [raw, quote(secret, safe="").encode(), raw.hex().encode()]
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + raw).rstrip(b"=")
        # The first and the last characters depend on what is around the secret.
        part = encoded[(0, 2, 3)[before] : len(encoded) - 1]
        found += [part, part.translate(bytes.maketrans(b"+/", b"-_"))]
    return list(dict.fromkeys(found))


class Output:
    """One stream of a till: its beginning, its end, and the secrets that were in it."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = {name: forms(name) for name in secrets}
        self._overlap = max(
            (len(one) for some in self._secrets.values() for one in some), default=1
        )
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
            if name not in self.leaked and any(one in window for one in secret):
                self.leaked.append(name)
        self._searched = window[-self._overlap :]

    def text(self) -> str:
        """The text for people: secrets are masked, and the middle of a long one is left out."""
        left_out = self._size - len(self._start) - len(self._end)
        kept = self._start
        if left_out:
            kept += f"\n[... {left_out} bytes ...]\n".encode()
        kept += self._end
        for some in self._secrets.values():
            for secret in some:
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
        #: What it said in lines of stdout, with the time in seconds since 1970.
        self.statements: List[Tuple[float, str]] = []
        #: The secrets in the arguments of its processes.
        self.in_arguments: List[str] = []
        self._secrets = {one: forms(one) for one in secrets}
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
        if sys.platform == "linux":
            self._thread(self._watch_arguments)

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

    def pause(self) -> None:
        """Stops it, so that it goes on together with another one. Not on Windows."""
        if sys.platform != "win32":
            _signal_group(self._process, signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on. Its time starts now."""
        self.started, self._begun = time.time(), time.monotonic()
        if sys.platform != "win32":
            _signal_group(self._process, signal.SIGCONT)

    def processor_seconds(self) -> Optional[float]:
        """The processor time of its processes so far; None where the system does not say it."""
        if sys.platform != "linux":
            return None
        ticks = sum(map(_ticks, _processes(self._process.pid)))
        return ticks / os.sysconf("SC_CLK_TCK")

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

    def wait_until_ended(self, seconds: float) -> None:
        """Waits for the till itself, at most this long. Another thread cleans up."""
        deadline = time.monotonic() + seconds
        while self.running and time.monotonic() < deadline:
            time.sleep(0.02)

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
                if output is self.stdout:
                    *lines, line = (line + chunk).split(b"\n")
                    line = line[-_LONGEST_LINE:]
                    self._understand(lines)
            if output is self.stdout:
                self._understand([line])

    def _understand(self, lines: Sequence[bytes]) -> None:
        # A line may show its progress with carriage returns.
        for text in b"\n".join(lines).decode("utf-8", "replace").splitlines():
            said = statement(text)
            if said is not None:
                self.statements.append((time.time(), said))
            url = None if self.url else checkout_url(text, self._base_url)
            if url is not None:
                self.url = url
                self.url_printed.set()

    def _watch_arguments(self) -> None:
        """Looks at the arguments of the till's processes, which everybody on a machine can read."""
        while self.running and len(self.in_arguments) < len(self._secrets):
            for process in _processes(self._process.pid):
                arguments = _proc(process, "cmdline")
                for name, secret in self._secrets.items():
                    if name not in self.in_arguments:
                        if any(one in arguments for one in secret):
                            self.in_arguments.append(name)
            time.sleep(0.02)

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


def _processes(process: int) -> Iterator[int]:
    """A process and all that it started, on Linux."""
    yield process
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            for child in _proc(process, f"task/{task}/children").split():
                yield from _processes(int(child))


def _proc(process: int, file: str) -> bytes:
    """What Linux says about a process; empty if it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/{file}").read_bytes()
    return b""


def _ticks(process: int) -> int:
    """The processor time of a process and of its children that ended."""
    # The name of its program is in parentheses, and can have spaces.
    fields = _proc(process, "stat").rpartition(b") ")[2].split()
    return sum(map(int, fields[11:15]))


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
    _signal_group(process, signal.SIGKILL)


def _signal_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    # The group has the id of the till, which led it, until its last process has ended.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


#: The most that is searched outside SALE_FOLDER: levels of folders, bytes of a file, and seconds
#: below one root.
_DEEPEST, _LARGEST_FILE, _LONGEST = 3, 4 * 1024 * 1024, 1.0


def leaked(paths: Iterable[Path], secrets: Sequence[str]) -> List[Tuple[Path, str]]:
    """The files that contain a secret, as path and secret."""
    # One search for all of them: there can be hundreds.
    known = {one: secret for secret in secrets for one in forms(secret)}
    if not known:
        return []
    pattern = re.compile(b"|".join(map(re.escape, known)))
    found: Set[Tuple[Path, str]] = set()
    for path in paths:
        with contextlib.suppress(OSError):
            found |= {(path, known[one]) for one in pattern.findall(path.read_bytes())}
    return sorted(found)


def files_below(folder: Path) -> Iterator[Path]:
    """All files. A pipe or a device would block."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path


def own_folders(files: Sequence[str]) -> List[Path]:
    """The folders of a program, whose command names these files, the last one first: not those of
    the system, nor that of an interpreter."""
    own: Dict[Path, None] = {}
    for one in reversed(files):
        ways = (Path(one), Path(one).resolve())
        if not any(_INTERPRETER.fullmatch(way.name) for way in ways):
            own.update(dict.fromkeys(way.parent.resolve() for way in ways))
    return [one for one in own if not any(str(above) in _SYSTEM for above in (one, *one.parents))]


def changed_below(roots: Sequence[Path], since: float) -> Iterator[Path]:
    """Files below the roots that changed since then."""
    for root in dict.fromkeys(one.resolve() for one in roots):
        deadline = time.monotonic() + _LONGEST
        for place, folders, names in os.walk(str(root)):
            if time.monotonic() > deadline:
                break
            if len(Path(place).parts) - len(root.parts) >= _DEEPEST:
                folders.clear()
            for name in names:
                with contextlib.suppress(OSError):
                    known = os.lstat(os.path.join(place, name))
                    changed = stat.S_ISREG(known.st_mode) and known.st_mtime >= since
                    if changed and known.st_size <= _LARGEST_FILE:
                        yield Path(place, name)
