"""Starts and controls the responder."""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Dict, Iterator, Optional, Set, Type

from . import places


def cores_of(pid: int) -> Set[int]:
    """The cores that the threads of a process may use."""
    cores: Set[int] = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        # The thread of a connection may have ended meanwhile.
        with suppress(ProcessLookupError):
            cores |= os.sched_getaffinity(int(thread))
    return cores


class Responder:
    """A running responder. It ends with the `with` block, and with this process."""

    def __enter__(self) -> "Responder":
        self._process = subprocess.Popen(
            [str(places.RESPONDER), str(places.CA)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ports: Dict[str, int] = self._read()
        self.pid = self._process.pid
        #: The only core, within `one_core`.
        self.core: Optional[int] = None
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

    def target(self, port: str, host: str = "127.0.0.1") -> Dict[str, str]:
        """A contender's target: `plain` or `tls`."""
        scheme = "http" if port == "plain" else "https"
        target = {"url": f"{scheme}://{host}:{self._ports[port]}"}
        return target if port == "plain" else {**target, "ca": str(places.CA)}

    def counts(self) -> Dict[str, int]:
        """`connections` and `requests`."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self._read()

    @contextmanager
    def one_core(self) -> Iterator[None]:
        """Within the block, the responder and every process that is started share one core.

        A caller and the service that it waits for never work at the same time. On different cores,
        one core waking the other would take most of a call's time, and the scheduler's choice of
        cores would change the figures.
        """
        cores = os.sched_getaffinity(0)
        self.core = max(cores)
        self._stay_on({self.core})
        try:
            yield
        finally:
            self.core = None
            self._stay_on(cores)

    def _stay_on(self, cores: Set[int]) -> None:
        os.sched_setaffinity(0, cores)
        for thread in os.listdir(f"/proc/{self._process.pid}/task"):
            # The thread of a connection may have ended meanwhile.
            with suppress(ProcessLookupError):
                os.sched_setaffinity(int(thread), cores)

    def cpu(self) -> int:
        """The processor time that it has used, in nanoseconds."""
        # The clock of another process, computed as in clock_getcpuclockid.
        return time.clock_gettime_ns((~self._process.pid << 3) | 2)
