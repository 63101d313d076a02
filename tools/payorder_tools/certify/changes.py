"""Watches a folder for changes of its files: with inotify on Linux, by polling elsewhere."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import struct
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Generator, Optional, Tuple

#: Takes the number of the change, from 1, and the name of the file.
OnChange = Callable[[int, str], None]
#: The names of changed files, as they change, and at times None. Its first value says that no later
#: change is lost.
Names = Generator[Optional[str], None, None]

_MODIFY, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x40, 0x80, 0x100, 0x200
_CHANGES = _MODIFY | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_IS_FOLDER = 0x40000000
#: The watch, the mask, a cookie and the length of the name, which follows.
_EVENT = struct.Struct("iIII")
_BUFFER = 64 * 1024
_STOP_SECONDS = 0.02
_POLL_SECONDS = 0.001


class Changes:
    """Counts the changes of files in a folder, and calls `on_change` from a thread of its own.

    The system may report several writes in a row to the same file as one change.
    """

    def __init__(self, names: Names, on_change: OnChange) -> None:
        self.count = 0
        self.names = names
        self._on_change = on_change
        self._stopping = False
        next(names)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Changes:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._thread.join()

    def _read(self) -> None:
        with contextlib.closing(self.names):
            for name in self.names:
                if self._stopping:
                    return
                if name is not None:
                    self.count += 1
                    self._on_change(self.count, name)


def watch(folder: Path, on_change: OnChange) -> Changes:
    """Watches a folder with the better of the two ways."""
    if sys.platform == "linux":
        # The number of inotify's instances is limited for each user.
        with contextlib.suppress(OSError):
            return Changes(notified(folder), on_change)
    return Changes(polled(folder), on_change)


def notified(folder: Path) -> Names:
    """With inotify."""
    libc: Any = ctypes.CDLL(None, use_errno=True)
    folders: Dict[int, Path] = {}

    def succeeded(result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result

    def add(path: Path) -> None:
        name = os.fsencode(path)
        folders[succeeded(libc.inotify_add_watch(descriptor, name, _CHANGES))] = path

    descriptor = succeeded(libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
    try:
        add(folder)
        while True:
            yield None
            if not select.select([descriptor], [], [], _STOP_SECONDS)[0]:
                continue
            for watched, mask, name in _events(os.read(descriptor, _BUFFER)):
                if watched not in folders:
                    continue
                if mask & _CREATE and mask & _IS_FOLDER:
                    # The folder may be gone again.
                    with contextlib.suppress(OSError):
                        add(folders[watched] / name)
                yield name
    finally:
        os.close(descriptor)


def _events(data: bytes) -> Generator[Tuple[int, int, str], None, None]:
    """The watch, the mask and the name in each event."""
    at = 0
    while at < len(data):
        watched, mask, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        name = data[at : at + length].rstrip(b"\0")
        at += length
        yield watched, mask, os.fsdecode(name)


def polled(folder: Path) -> Names:
    """By looking at the sizes and times of the files again and again."""
    seen = _snapshot(folder)
    while True:
        yield None
        time.sleep(_POLL_SECONDS)
        now = _snapshot(folder)
        for path in sorted(now.keys() | seen.keys()):
            if now.get(path) != seen.get(path):
                yield os.path.basename(path)
        seen = now


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
