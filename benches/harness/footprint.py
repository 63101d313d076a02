"""The size of the library, and the memory of a connected client."""

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
    result = contender.round("create", 1, clients)
    contender.close()
    return result["heap"], result["resident"]


def memory(responder: Responder, port: str, clients: int) -> Dict[str, float]:
    """KiB of heap and of resident memory, for one client and for each connected client more."""
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
