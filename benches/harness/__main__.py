"""Runs all measurements and writes the report."""

from __future__ import annotations

import argparse
import json
import os
import sys

from . import counts, footprint, places, scenes
from .machine import machine
from .race import Pace
from .report import report
from .responder import Responder


def _measure(quick: bool) -> dict:
    load = os.getloadavg()[0]
    # Many short rounds, so that a disturbance of some does not change the median.
    pace = Pace(7, 5) if quick else Pace(101, 10)
    with Responder() as responder:
        return {
            "warm": scenes.warm(responder, pace),
            "size": footprint.stripped_size(),
            "memory": [
                footprint.memory(responder, port, 100) for port in ("plain", "tls")
            ],
            "beside": counts.beside(responder),
            "machine": machine(load),
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="benches/run", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a short run with rough figures",
    )
    options = parser.parse_args()
    places.build_all()
    results = _measure(options.quick)
    (places.MADE / "figures.json").write_text(json.dumps(results, indent=1) + "\n")
    (places.MADE / "figures.md").write_text(report(results))
    print(places.MADE / "figures.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
