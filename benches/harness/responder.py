"""The running responder."""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Dict, Iterator, Optional, Set, Type

from . import places


class Responder:
    """A `with` block's responder; it ends with the block, and with this process."""

    def __enter__(self) -> "Responder":
        self._process = subprocess.Popen(
            [str(places.RESPONDER), str(places.CA)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ports: Dict[str, int] = self._read()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.stdin.close()
        self._process.wait()

    def _read(self) -> Dict[str, int]:
        return json.loads(self._process.stdout.readline())

    def target(
        self, port: str, host: str = "127.0.0.1", path: str = ""
    ) -> Dict[str, str]:
        """A contender's target: `plain`, `tls` (sessions can be resumed) or `full` (they cannot)."""
        scheme = "http" if port == "plain" else "https"
        target = {"url": f"{scheme}://{host}:{self._ports[port]}{path}"}
        return target if port == "plain" else {**target, "ca": str(places.CA)}

    def counts(self) -> Dict[str, int]:
        """`connections`, `requests`, and handshakes: `full` and `resumed`."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self._read()

    @contextmanager
    def one_core(self) -> Iterator[None]:
        """For the block the responder, and all that is started in the block, share one core.

        A caller and the service that it waits for never work at the same time. On cores of their own most of a call's time is one core waking
        the other, and where the scheduler puts them is luck.
        """
        cores = os.sched_getaffinity(0)
        self._stay_on({max(cores)})
        try:
            yield
        finally:
            self._stay_on(cores)

    def _stay_on(self, cores: Set[int]) -> None:
        os.sched_setaffinity(0, cores)
        for thread in os.listdir(f"/proc/{self._process.pid}/task"):
            # A connection's thread may have ended since.
            with suppress(ProcessLookupError):
                os.sched_setaffinity(int(thread), cores)

    def cpu(self) -> int:
        """The processor's time that it took so far, in nanoseconds."""
        # The clock of another process, as clock_getcpuclockid makes it.
        return time.clock_gettime_ns((~self._process.pid << 3) | 2)
