"""A running contender; contenders/contender.h has the protocol."""

from __future__ import annotations

import json
import subprocess
from typing import Dict, List, Tuple

from . import places


def arguments(target: Dict[str, str], settings: Dict[str, object]) -> List[str]:
    return [f"{key}={value}" for key, value in {**target, **settings}.items()]


class Contender:
    def __init__(
        self, program: str, target: Dict[str, str], **settings: object
    ) -> None:
        self._name = program
        self._process = subprocess.Popen(
            places.command(program) + arguments(target, settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=places.environment(),
        )
        self.pid = self._process.pid
        self._read()
        self.threads = int(settings.get("threads", 1))

    def round(self, work: str, calls: int, warm: int) -> Dict[str, int]:
        self._process.stdin.write(f"{work} {calls} {warm}\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Dict[str, int]:
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(
                f"the contender {self._name} failed; see its messages above"
            )
        return json.loads(line)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def counted(
    program: str,
    target: Dict[str, str],
    work: str,
    calls: int,
    warm: int,
    **settings: object,
) -> Tuple[List[str], str]:
    """The command and the input of a single round, for a tool that counts."""
    return places.command(program) + arguments(
        target, settings
    ), f"{work} {calls} {warm}\n"
