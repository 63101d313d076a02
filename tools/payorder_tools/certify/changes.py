"""Watches a folder for changes of its files: with inotify on Linux, by polling elsewhere."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import struct
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Tuple

#: Takes the number of the change, from 1, and the name of the file.
OnChange = Callable[[int, str], None]

_MODIFY, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x40, 0x80, 0x100, 0x200
_CHANGES = _MODIFY | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_IS_FOLDER = 0x40000000
#: The watch, the mask, a cookie and the length of the name, which follows.
_EVENT = struct.Struct("iIII")
_BUFFER = 64 * 1024
_POLL_SECONDS = 0.001


class Changes:
    """Counts the changes of files in a folder, and calls `on_change` from a thread of its own.

    The system may report several writes in a row to the same file as one change.
    """

    def __init__(self, folder: Path, on_change: OnChange) -> None:
        self.count = 0
        self._on_change = on_change
        self._stop_reader, self._stop_writer = os.pipe()
        try:
            watch = self._watch(folder)
        except BaseException:
            os.close(self._stop_reader)
            os.close(self._stop_writer)
            raise
        self._thread = threading.Thread(
            target=watch, name="payorder-changes", daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Changes:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._stop_writer)
        self._thread.join()
        os.close(self._stop_reader)

    def _watch(self, folder: Path) -> Callable[[], None]:
        """Begins to watch, so that no later change is lost. Returns what the thread does."""
        raise NotImplementedError

    def _changed(self, name: str) -> None:
        self.count += 1
        self._on_change(self.count, name)


class NotifiedChanges(Changes):
    """With inotify."""

    def _watch(self, folder: Path) -> Callable[[], None]:
        self._libc: Any = ctypes.CDLL(None, use_errno=True)
        self._descriptor: int = self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self._descriptor < 0:
            raise _last_error()
        self._folders: Dict[int, Path] = {}
        try:
            self._add(folder)
        except BaseException:
            os.close(self._descriptor)
            raise
        return self._read

    def _add(self, folder: Path) -> None:
        watch: int = self._libc.inotify_add_watch(
            self._descriptor, os.fsencode(folder), _CHANGES
        )
        if watch < 0:
            raise _last_error()
        self._folders[watch] = folder

    def _read(self) -> None:
        try:
            while self._stop_reader not in self._ready():
                for watch, mask, name in _events(os.read(self._descriptor, _BUFFER)):
                    folder = self._folders.get(watch)
                    if folder is None:
                        continue
                    if mask & _CREATE and mask & _IS_FOLDER:
                        # The folder may be gone again.
                        with contextlib.suppress(OSError):
                            self._add(folder / name)
                    self._changed(name)
        finally:
            os.close(self._descriptor)

    def _ready(self) -> "list[int]":
        return select.select([self._stop_reader, self._descriptor], [], [])[0]


class PolledChanges(Changes):
    """By looking at the sizes and times of the files again and again."""

    def _watch(self, folder: Path) -> Callable[[], None]:
        self._folder = folder
        self._stopping = threading.Event()
        self._seen = _snapshot(folder)
        return self._poll

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        super().__exit__()

    def _poll(self) -> None:
        while not self._stopping.wait(_POLL_SECONDS):
            now = _snapshot(self._folder)
            for path in sorted(now.keys() | self._seen.keys()):
                if now.get(path) != self._seen.get(path):
                    self._changed(os.path.basename(path))
            self._seen = now


def watch(folder: Path, on_change: OnChange) -> Changes:
    """Watches a folder with the better of the two ways."""
    if sys.platform == "linux":
        # The number of inotify's instances is limited for each user.
        with contextlib.suppress(OSError):
            return NotifiedChanges(folder, on_change)
    return PolledChanges(folder, on_change)


def _events(data: bytes) -> Iterator[Tuple[int, int, str]]:
    """The watch, the mask and the name in each event."""
    at = 0
    while at < len(data):
        watch, mask, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        name = data[at : at + length].rstrip(b"\0")
        at += length
        yield watch, mask, os.fsdecode(name)


def _snapshot(folder: Path) -> Dict[str, Tuple[int, int, int]]:
    """The file number, the size and the time of each file below the folder."""
    found: Dict[str, Tuple[int, int, int]] = {}
    for place, folders, names in os.walk(str(folder)):
        for name in names + folders:
            path = os.path.join(place, name)
            # A file may disappear in the meantime.
            with contextlib.suppress(OSError):
                known = os.lstat(path)
                found[path] = (known.st_ino, known.st_size, known.st_mtime_ns)
    return found


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
