"""The main figures of each measured version, and their table.

python3 -m harness.versions [--check]    writes the table, or checks that it is up to date
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "performance"
DATA = FOLDER / "versions.json"
TABLE = FOLDER / "versions.md"

_HEAD = """\
# Figures by version

Made by `benches/run --keep` from `versions.json`, to which it adds its run; a run of the same
commit replaces the earlier one. The times were not measured in the same run, so compare them with
the raw socket of their own column. Counts do not depend on the machine. A dash: not measured.

"""

_TIMED = (
    "payorder, C",
    "payorder, Python",
    "libcurl and cJSON, C",
    "requests, Python",
    "stripe, Python",
)


def _time(port: str, contender: str, key: str) -> Callable[[Dict], float]:
    def read(results: Dict) -> float:
        rows = next(
            scene["rows"]
            for scene in results["warm"]
            if (scene["port"], scene["threads"]) == (port, 1)
        )
        return next(row for row in rows if row["contender"] == contender)[key]

    return read


def _above(port: str, contender: str) -> Callable[[Dict], float]:
    own, raw = _time(port, contender, "us"), _time(port, "raw socket", "us")
    return lambda results: own(results) - raw(results)


def _threads(program: str) -> Callable[[Dict], float]:
    def read(results: Dict) -> float:
        # For 1, 2, 4, 8, 16, 32 and 64 threads.
        curve = results["curves"]["threads"][f"{program}, plain, µs"]
        return curve[6] / curve[3]

    return read


def _many(key: str) -> Callable[[Dict], float]:
    return lambda results: results["statuses"]["one core"][-1][key]


def _figures() -> Dict[str, Callable[[Dict], float]]:
    figures: Dict[str, Callable[[Dict], float]] = {}
    for port, name in (("plain", "plain"), ("tls", "TLS")):
        figures[f"raw socket, {name}: µs a call"] = _time(port, "raw socket", "us")
        for contender in _TIMED:
            figures[f"{contender}, {name}: µs above it"] = _above(port, contender)
    for what in ("instructions", "allocations"):
        for work in ("create", "status"):
            for port, name in (("plain", "plain"), ("tls", "TLS")):
                key = f"{what} {work} {port}"
                figures[f"{what} of a {work}, {name}"] = lambda results, key=key: (
                    results["counts"][key]
                )
    figures["64 threads: processor time of a call, x 8 threads"] = _threads("payorder")
    figures["the same for raw sockets"] = _threads("raw")
    figures["many statuses: x the raw sockets' throughput"] = _many("ratio")
    figures["many statuses: memory of the call, KiB"] = _many("grown")
    figures["library without symbols, KiB"] = lambda results: results["size"] / 1024
    return figures


FIGURES = _figures()


def _of(results: Dict) -> Dict[str, float]:
    figures = {}
    for name, read in FIGURES.items():
        try:
            figures[name] = round(read(results), 2)
        except KeyError:
            # A run of an earlier version did not measure it.
            continue
    return figures


def _version() -> str:
    manifest = (FOLDER.parents[1] / "Cargo.toml").read_text()
    line = next(line for line in manifest.splitlines() if line.startswith("version"))
    return line.split('"')[1]


def _date(commit: str) -> str:
    shown = subprocess.run(
        ["git", "show", "-s", "--format=%cs", commit.split("-")[0]],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout.strip()


def keep(results: Dict) -> None:
    """Adds a run, or replaces the earlier run of the same commit, and writes the table."""
    commit = results["machine"]["library"]
    row = {
        "version": _version(),
        "commit": commit,
        "date": _date(commit),
        "machine": results["machine"]["machine"],
        "figures": _of(results),
    }
    rows = json.loads(DATA.read_text()) if DATA.exists() else []
    rows = [other for other in rows if other["commit"] != commit] + [row]
    DATA.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    TABLE.write_text(table(rows))


def _shown(value: Optional[float]) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(rows: List[Dict]) -> str:
    """The rows as Markdown, a column for each."""
    heads = [f"{row['version']}, {row['commit']}, {row['date']}" for row in rows]
    lines = ["| " + " | ".join(["", *heads]) + " |", "|---" + "|---:" * len(rows) + "|"]
    for name in FIGURES:
        cells = [_shown(row["figures"].get(name)) for row in rows]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    return _HEAD + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="versions", description=__doc__)
    parser.add_argument("--check", action="store_true")
    wanted = table(json.loads(DATA.read_text()))
    if not parser.parse_args().check:
        TABLE.write_text(wanted)
        return 0
    if TABLE.read_text() == wanted:
        return 0
    print(
        f"{TABLE} is not what {DATA.name} says; write it with\n"
        "cd benches && python3 -m harness.versions"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
