"""Prints the tables of docs/compared.md: the same sale in several clients, under the same faults."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

from service import FAULTS, Service

PROGRAMS = Path(__file__).resolve().parent / "programs"
FOLDER = Path(sys.argv[1])


class Client(NamedTuple):
    name: str
    source: str
    command: List[str]
    #: The folder into which pip installed it.
    installed: str
    honours_keys: bool = False
    retries: int = 2


def python(name: str, source: str, installed: str, **more: Any) -> Client:
    return Client(name, source, [sys.executable, str(PROGRAMS / source)], installed, **more)


CLIENTS = [
    python("requests, as usual", "requests_usual.py", "requests"),
    python("requests, careful", "requests_careful.py", "requests"),
    Client("libcurl and cJSON, careful", "libcurl.c", [str(FOLDER / "libcurl")], ""),
    python("razorpay", "razorpay_client.py", "razorpay"),
    python("stripe, no retries", "stripe_client.py", "stripe", retries=0),
    python("stripe, its keys are ignored", "stripe_client.py", "stripe"),
    python("stripe, its keys are honoured", "stripe_client.py", "stripe", honours_keys=True),
    python("payorder", "payorder_client.py", "payorder"),
]


def environment(client: Client) -> Dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PAYORDER")}
    more = {"RETRIES": str(client.retries), "no_proxy": "*"}
    return {**kept, **more, "PYTHONPATH": str(FOLDER / client.installed)}


def sold(client: Client, fault: str) -> str:
    """What the client said, and whether that is right: a cell of the table."""
    service = Service(fault, client.honours_keys)
    sales = ["KEEP-1", "SALE-1"] if fault == "drop-kept" else ["SALE-1"]
    command = [*client.command, service.url, *sales]
    ended = subprocess.run(
        command, env=environment(client), capture_output=True, text=True, timeout=120
    )
    # What the service still does, such as the rest of a stall.
    service.close()
    said = dict(re.findall(r"^(\S+) (paid|failed|unknown)$", ended.stdout, re.MULTILINE))
    orders = service.orders.count("SALE-1")
    verdict = said.get("SALE-1", "nothing")
    # Somebody who hears "failed" or nothing sells again or lets the customer go.
    wrong = verdict in ("failed", "nothing") and orders > 0 or verdict == "paid" and orders == 0
    if "KEEP-1" in sales:
        assert said.get("KEEP-1") == "paid" and service.orders.count("KEEP-1") == 1, ended
    if verdict == "nothing":
        print(f"{client.name}, {fault}: {ended.stderr.splitlines()[-1:]}", file=sys.stderr)
    notes = [note for note, true in (("WRONG", wrong), ("DOUBLE", orders > 1)) if true]
    return " ".join([verdict, *notes])


def seconds(client: Client) -> Tuple[float, float]:
    """From the start to the first request, and of CPU for the whole sale."""
    service = Service("none")
    command = [*client.command, service.url, "SALE-1"]
    used = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    start = time.monotonic()
    subprocess.run(command, env=environment(client), check=True, stdout=subprocess.DEVNULL)
    service.close()
    assert service.first_request is not None
    cpu = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - used
    return service.first_request - start, cpu


def lines(client: Client) -> int:
    text = (PROGRAMS / client.source).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return sum(1 for line in text.splitlines() if line.strip() and not line.startswith("# "))


def installed_bytes(client: Client) -> int:
    """What is installed in addition to Python or the C library."""
    if client.installed:
        files = [path for path in (FOLDER / client.installed).rglob("*") if path.is_file()]
        return sum(path.stat().st_size for path in files if path.suffix != ".pyc")
    listed = subprocess.check_output(["ldd", *client.command], text=True)
    own = re.findall(r"=> (/\S+)", listed)
    own = [path for path in own if not re.search(r"/(libc|libm|libdl|libpthread)\.so", path)]
    return sum(os.stat(path).st_size for path in own)


def table(head: List[str], rows: List[List[str]]) -> None:
    for row in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(row) + " |")
    print()


def verdicts() -> None:
    faults = ["none", *FAULTS]
    cells = {client.name: [sold(client, fault) for fault in faults] for client in CLIENTS}
    names = list(cells)
    rows = [[fault, *(cells[name][at] for name in names)] for at, fault in enumerate(faults)]
    for word in ("WRONG", "DOUBLE"):
        counts = [str(sum(word in cell for cell in cells[name])) for name in names]
        rows.append([f"**{word}**", *counts])
    table(["fault", *names], rows)


def costs() -> None:
    # In turn, so that a busy moment of the machine is not one client's.
    rounds = [[seconds(client) for client in CLIENTS] for _ in range(15)]
    rows = []
    for client, *times in zip(CLIENTS, *rounds):
        start, cpu = (f"{min(time) * 1000:.0f} ms" for time in zip(*times))
        size = f"{installed_bytes(client) / 1e6:.1f} MB"
        rows.append([client.name, str(lines(client)), size, start, cpu])
    table(["client", "lines", "installed", "start", "CPU"], rows)


verdicts()
costs()
