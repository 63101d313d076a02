"""How large the library is, what a connected client keeps, and how often a reconnect resumes the session."""

from __future__ import annotations

import os
import subprocess
from typing import Dict, Tuple

from . import places
from .contender import Contender
from .responder import Responder


def stripped_size() -> int:
    stripped = places.MADE / "libpayorder.stripped.so"
    subprocess.run(["strip", "-o", str(stripped), str(places.LIBRARY)], check=True)
    return os.stat(stripped).st_size


def _memory(responder: Responder, port: str, clients: int) -> Tuple[int, int]:
    contender = Contender("payorder", responder.target(port), clients=clients)
    answer = contender.round("create", 1, clients)
    contender.close()
    return answer["heap"], answer["resident"]


def memory(responder: Responder, port: str, clients: int) -> Dict[str, float]:
    """KiB for each connected client after the first: of the heap's blocks, and of resident pages."""
    heap, resident = _memory(responder, port, clients)
    first_heap, first_resident = _memory(responder, port, 1)
    others = 1024 * (clients - 1)
    return {
        "port": port,
        "clients": clients,
        "first_heap": first_heap / 1024,
        "first_resident": first_resident / 1024,
        "heap": (heap - first_heap) / others,
        "resident": (resident - first_resident) / others,
    }


def resumed(responder: Responder) -> Tuple[int, int]:
    """Of a hundred connections of one client: how many were made again, and how many of those resumed the session."""
    before = responder.counts()
    contender = Contender("payorder", responder.target("tls"), connections="fresh")
    contender.round("create", 100, 0)
    contender.close()
    after = responder.counts()
    return after["connections"] - before["connections"] - 1, after["resumed"] - before[
        "resumed"
    ]
