"""Shared by all contenders in Python: the target, the rounds, the clock; see contender.h."""

from __future__ import annotations

import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple

ORDER_ID = "O-20261121-000001"
ORDER = {
    "amount": "1499.00",
    "merchantTxnId": "T-20261121-000001",
    "orderId": ORDER_ID,
    "payMode": "upi",
    "merchantId": "M-1001",
    "productInfo": "Two tickets, row 7",
    "customerName": "Asha Rao",
    "customerMobile": "9000000000",
    "customerEmail": "asha@example.com",
    "redirectionURL": "https://shop.example.com/return",
    "currencyCode": "INR",
}
ORDER_TEXT = json.dumps(ORDER, separators=(",", ":"))
QUERY = {"searchType": "1", "orderId": ORDER_ID}

ACCESS_TOKEN = "bench-access-token-0123456789abcdef"
CLIENT_KEY = "bench-client-key"
CLIENT_ID = "bench-client-id"
SECRET_KEY = "bench-secret-key-0123456789abcdef"
CREATE_HEADERS = {"ACCESS-TOKEN": ACCESS_TOKEN}
STATUS_HEADERS = {
    "X-CLIENT-KEY": CLIENT_KEY,
    "X-CLIENT-ID": CLIENT_ID,
    "X-SECRET-KEY": SECRET_KEY,
}
CREATE_PATH = "/api/v1/Gateway/CreateOrder"
STATUS_PATH = "/api/v1/Gateway/GetStatus"

#: The kinds of work by name.
Works = Dict[str, Callable[[], Any]]


@dataclass
class Target:
    url: str = "http://127.0.0.1:1"
    ca: Optional[str] = None
    threads: int = 1


def _read_target() -> Target:
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    url, ca = given.get("url", Target.url), given.get("ca")
    return Target(url, ca, int(given.get("threads", 1)))


def both(create: Callable[[], Any], status: Callable[[], Any]) -> Works:
    def create_and_status() -> None:
        create()
        status()

    return {"create": create, "status": status, "both": create_and_status}


def check(data: Dict[str, Any]) -> Dict[str, Any]:
    """The data of a successful response."""
    if data["responseCode"] != "200":
        raise SystemExit(f"an unexpected response: {data}")
    return data["data"]


def serve(load: Callable[[], None], open_worker: Callable[[Target], Works]) -> None:
    """Runs a contender. `load` imports the library, and `open_worker` prepares a thread."""
    target = _read_target()
    load()
    workers = [open_worker(target) for _ in range(target.threads)]
    print(json.dumps({"ready": 1}), flush=True)
    # The same threads in all rounds, because some packages keep a connection for each thread.
    with ThreadPoolExecutor(target.threads) as pool:
        for line in sys.stdin:
            name, calls, warm = line.split()
            print(
                json.dumps(_round(pool, workers, name, int(calls), int(warm))),
                flush=True,
            )


def _round(
    pool: ThreadPoolExecutor, workers: "list[Works]", name: str, calls: int, warm: int
) -> Dict[str, int]:
    start = threading.Barrier(len(workers))

    def run(worker: Works) -> Tuple[int, int]:
        call = worker[name]
        try:
            for _ in range(warm):
                call()
        except BaseException:
            start.abort()
            raise
        start.wait()
        began = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return began, time.perf_counter_ns()

    cpu = time.process_time_ns()
    times = list(pool.map(run, workers))
    cpu = time.process_time_ns() - cpu
    return {
        "ns": max(end for _, end in times) - min(begin for begin, _ in times),
        "cpu": cpu,
    }
