"""The Python package's driver of the conformance suite: see bindings/conformance/README.md.

It reads one step per line, as JSON, and writes one report per line. It uses the package as a
program does, and reports what the package's own objects say. With `--aio`, the calls are those of
`payorder.aio`, in one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import gc
import inspect
import json
import logging
import platform
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, AsyncIterator, Callable, Dict, List, Optional

sys.path.insert(0, __file__.rpartition("/")[0])

try:
    import payorder
except ImportError as refused:
    print(json.dumps({"refused": str(refused)}))
    sys.exit(1)

from payorder import aio  # noqa: E402
from payorder._library import ABI_VERSION, library  # noqa: E402
from payorder._text import python_name, wire_name  # noqa: E402

AIO = "--aio" in sys.argv
Step = Dict[str, Any]
Report = Dict[str, Any]

FEATURES = "exceptions threads gc finalizers load opens untyped closing query-text check".split()
FEATURES += ["started"] if AIO else []
CLASSES = {
    "not_sent": "NotSentError",
    "rejected": "RejectedError",
    "unknown": "OutcomeUnknownError",
    "unusable": "UnusableTextError",
    # The others are named as their results.
    "suffix": "Error",
    "PAYORDER_CONNECT_FAILED": "ConnectError",
    "PAYORDER_TLS_FAILED": "TlsError",
    "PAYORDER_JOURNAL_FAILED": "JournalError",
    "PAYORDER_TIMEOUT": "ResponseTimeoutError",
}


class Planted(Exception):
    """The exception of the step `throw`."""


# ---- Reports: the package's objects as JSON, under the wire's names --------------------------


def reported(value: Any) -> Any:
    """All attributes of the package's object, or any other value."""
    if isinstance(value, payorder.PayorderError):
        return failure(value)
    if isinstance(value, payorder.Status):
        return status(value)
    if isinstance(value, (list, tuple)):
        return [reported(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) or not type(value).__module__.startswith("payorder"):
        return value
    return attributes(value)


def attributes(value: object) -> Report:
    kinds = (vars(kind).get("__annotations__", ()) for kind in type(value).__mro__)
    names = (name for kind in kinds for name in kind if name[0] != "_" and name != "raw")
    return {wire_name(name): reported(getattr(value, name)) for name in names}


def status(value: payorder.Status) -> Report:
    report = attributes(value)
    # The text has the wire's name, as the date itself has none.
    date = {"transactionDate": report.pop("transactionDateText")}
    more = {"completed": value.completed, "raw": value.raw}
    return {**report, **date, **more, "date": reported(value.transaction_date)}


def caught(error: payorder.PayorderError) -> str:
    """The clause with which a program catches the error."""
    try:
        raise error
    except payorder.NotSentError:
        return "not_sent"
    except payorder.RejectedError:
        return "rejected"
    except payorder.OutcomeUnknownError:
        return "unknown"
    except payorder.UnusableTextError:
        return "unusable"


def failure(error: payorder.PayorderError) -> Report:
    report = attributes(error)
    return {**report, "class": type(error).__name__, "caught": caught(error)}


def item(result: "payorder.StatusResult[Any]") -> Report:
    report: Report = {"index": result.index, "ok": result.error is None}
    if result.error is not None:
        report["error"] = failure(result.error)
    if result.status is not None:
        report["value"] = status(result.status)
    return {**report, "thread": this_thread()}


# ---- The package's two kinds of clients ------------------------------------------------------


def opened(settings: Step) -> Any:
    client = payorder.Client(**settings)
    return aio.AsyncClient(client) if AIO else client


async def ended(value: Any) -> Any:
    """What a method has returned, or what its coroutine returns."""
    return await value if inspect.isawaitable(value) else value


async def each(results: Any) -> AsyncIterator[Any]:
    if hasattr(results, "__anext__"):
        async for one in results:
            yield one
    else:
        for one in results:
            yield one


def close(closed: Any) -> Any:
    return closed.aclose() if hasattr(closed, "aclose") else closed.close()


# ---- State -----------------------------------------------------------------------------------

clients: Dict[str, Any] = {}
cancellations: Dict[str, payorder.Cancellation] = {}
threads: Dict[str, "asyncio.Future[Report]"] = {}
pool = ThreadPoolExecutor(32)
events: List[Report] = []
#: The thread that runs the step: there, callbacks run. A task's thread has only its context.
in_step: "contextvars.ContextVar[int]" = contextvars.ContextVar("in_step", default=0)


def this_thread() -> str:
    caller = in_step.get()
    here = caller and AIO or caller == threading.get_ident()
    return "caller" if here else "other"


class Listener(logging.Handler):
    """Keeps the package's log events, and runs the step `then` at one of them."""

    def __init__(self, at: Optional[str], then: Optional[Step]) -> None:
        super().__init__()
        self.at, self.then = at, then

    def emit(self, record: logging.LogRecord) -> None:
        event = record.payorder  # type: ignore[attr-defined]
        events.append({**event, "thread": this_thread()})
        if self.then is not None and event["event"] == self.at:
            with contextlib.suppress(StopIteration):
                # Without waiting.
                perform(self.then).send(None)

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def listen(step: Step) -> None:
    log = logging.getLogger("payorder")
    log.handlers.clear()
    log.setLevel(logging.DEBUG)
    log.propagate = False
    if step.get("on", True):
        log.addHandler(Listener(step.get("at"), step.get("then")))


# ---- Steps -----------------------------------------------------------------------------------


def arguments(given: Optional[Step]) -> Step:
    """The keyword arguments. The scenarios have times in milliseconds."""
    found = {}
    for key, value in (given or {}).items():
        if key.endswith("Ms") and type(value) is int:
            key, value = key[:-2], value / 1000
        found[python_name(key)] = value
    return found


def options(step: Step) -> Step:
    found = arguments(step.get("options"))
    if "cancellation" in step:
        found["cancellation"] = cancellations[step["cancellation"]]
    return found


def client(step: Step) -> Any:
    return clients[step["client"]]


def order(step: Step) -> Step:
    fields = arguments(step["order"])
    is_typed = all(isinstance(value, str) for value in fields.values())
    if is_typed and fields.keys() <= payorder.OrderFields.__annotations__.keys():
        return fields
    return {"order": step["order"]}


async def statuses(step: Step, report: Report) -> Any:
    report["items"] = []
    results = client(step).get_statuses(step["queries"], **options(step))
    try:
        async for result in each(results):
            report["items"].append(item(result))
            if "then" in step and len(report["items"]) == step["at"] + 1:
                if step["then"]["op"] == "stop":
                    break
                await perform(step["then"])
    finally:
        await ended(close(results))
    return results.summary


async def journal(step: Step) -> Any:
    entries = client(step).journal
    if step["do"] == "list":
        return [one async for one in each(entries.list(**options(step)))]
    return await ended(getattr(entries, step["do"])(**options(step)))


def target(step: Step) -> Any:
    """What a step cancels or closes."""
    return cancellations[step["cancellation"]] if "cancellation" in step else client(step)


def build(step: Step) -> str:
    if "query" in step:
        return payorder.build_get_status(step["query"])
    return payorder.build_create_order(**order(step), **arguments(step.get("options")))


def take_events() -> List[Report]:
    taken = events[:]
    events.clear()
    return taken


def counters() -> Report:
    return {
        "clients": library.payorder_live_clients(),
        "strings": library.payorder_live_strings(),
        "calls": library.payorder_live_calls(),
    }


def throw() -> None:
    raise Planted("planted")


async def perform(step: Step, report: Optional[Report] = None) -> Any:
    """Runs a step, and returns the package's own object."""
    report = {} if report is None else report
    operations: Dict[str, Callable[[], Any]] = {
        "open": lambda: clients.update({step["client"]: opened(arguments(step["config"]))}),
        "create": lambda: client(step).create_order(**order(step), **options(step)),
        "status": lambda: client(step).get_status(step["query"], **options(step)),
        "wait": lambda: client(step).wait_for_payment(step["query"], **options(step)),
        "statuses": lambda: statuses(step, report),
        "journal": lambda: journal(step),
        "check": lambda: client(step).check(**options(step)),
        "recover": lambda: client(step).recover(step.get("sales"), **options(step)),
        "credentials": lambda: client(step).set_credentials(**arguments(step["credentials"])),
        "shutdown": lambda: client(step).stop(),
        "build": lambda: build(step),
        "parse": lambda: payorder.parse_return_url(step["url"]),
        "verify": lambda: payorder.verify_payment(step["expected"], step["status"]),
        "cancellation": lambda: cancellations.update(
            {step["cancellation"]: payorder.Cancellation()}
        ),
        "cancel": lambda: target(step).cancel(),
        "close": lambda: close(target(step)),
        "log": lambda: listen(step),
        "events": take_events,
        "counters": counters,
        "collect": lambda: gc.collect() and None,
        "forget": lambda: clients.pop(step["client"]) and None,
        "throw": throw,
    }
    return await ended(operations[step["op"]]())


async def run(step: Step) -> Report:
    """Reports how a step ended."""
    report: Report = {}
    before = in_step.set(threading.get_ident())
    try:
        report.update(ok=True, value=reported(await perform(step, report)))
    except payorder.PayorderError as error:
        report.update(ok=False, error=failure(error))
    except Planted as error:
        report.update(ok=False, thrown=str(error))
    except TypeError as error:
        # Python's own exception for the type of an amount, which is refused before the call.
        if not str(error).startswith("amount is "):
            raise
        report.update(ok=False, thrown=str(error))
    finally:
        in_step.reset(before)
    return report


async def start(step: Step) -> "asyncio.Future[Report]":
    """Runs a step in the background."""
    if not AIO:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(pool, asyncio.run, run(step))
    task = asyncio.ensure_future(run(step))
    # The first part of the task begins the call.
    await asyncio.sleep(0)
    return task


async def main() -> None:
    hello = {
        "driver": "python",
        "language": f"Python {platform.python_version()}",
        "library": payorder.library_version(),
        "abi": ABI_VERSION,
        "features": FEATURES,
        "classes": CLASSES,
    }
    print(json.dumps(hello), flush=True)
    read = sys.stdin.buffer.readline
    while line := await asyncio.get_running_loop().run_in_executor(None, read):
        step = json.loads(line)
        if step["op"] == "join":
            report = await threads.pop(step["thread"])
        elif "thread" in step:
            threads[step["thread"]] = await start(step)
            report = {"ok": True}
        else:
            report = await run(step)
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
