"""Runs all measurements and writes the report."""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys

from . import counts, curves, footprint, places, scenes
from .machine import machine
from .race import Pace
from .report import report
from .responder import Responder
from .statuses import statuses


def _measure(quick: bool) -> dict:
    load = os.getloadavg()[0]
    # Many short rounds, so that a disturbance of some does not change the median.
    pace = Pace(7, 5) if quick else Pace(101, 10)
    # Fewer rounds, because the system keeps closed connections for a minute.
    fresh_pace = Pace(7, 5) if quick else Pace(51, 10)
    curve_pace = Pace(3, 5) if quick else Pace(31, 10)
    with Responder() as responder:
        return {
            "warm": scenes.warm(responder, pace),
            "fresh": scenes.fresh(responder, fresh_pace),
            "local": scenes.local(pace),
            "parts": scenes.parts(pace),
            "cold": scenes.cold(responder, 3 if quick else 15),
            "size": footprint.stripped_size(),
            "memory": [
                footprint.memory(responder, port, 100) for port in ("plain", "tls")
            ],
            "resumed": footprint.resumed(responder),
            "curves": {
                "fields": curves.fields(responder, curve_pace),
                "threads": curves.threads(responder, curve_pace),
                "clients": curves.clients(responder, curve_pace),
            },
            "statuses": statuses(responder, quick),
            "counts": counts.of_library(responder),
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
    # A thousand clients need a thousand sockets, here and in the responder.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    places.build_all()
    results = _measure(options.quick)
    (places.MADE / "figures.json").write_text(json.dumps(results, indent=1) + "\n")
    (places.MADE / "figures.md").write_text(report(results))
    print(places.MADE / "figures.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
