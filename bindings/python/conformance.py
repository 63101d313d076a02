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
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, List, Optional

sys.path.insert(0, __file__.rpartition("/")[0])

try:
    import payorder
except ImportError as refused:
    print(json.dumps({"refused": str(refused)}))
    sys.exit(1)

from payorder import aio  # noqa: E402
from payorder._library import ABI_VERSION, library  # noqa: E402
from payorder._status_fields import StatusFields  # noqa: E402
from payorder._text import python_name, wire_name  # noqa: E402

AIO = "--aio" in sys.argv
Step = Dict[str, Any]
Report = Dict[str, Any]

FEATURES = "exceptions threads gc finalizers load untyped closing".split()
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
    return attributes(type(value), value)


def attributes(kind: type, value: object) -> Report:
    names = (name for name in kind.__annotations__ if name[0] != "_" and name != "raw")
    return {wire_name(name): reported(getattr(value, name)) for name in names}


def status(value: payorder.Status) -> Report:
    report = attributes(StatusFields, value)
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
    report = attributes(payorder.PayorderError, error)
    return {**report, "class": type(error).__name__, "caught": caught(error)}


def item(result: "payorder.StatusResult[Any]") -> Report:
    report: Report = {"index": result.index, "ok": result.error is None}
    if result.error is not None:
        report["error"] = failure(result.error)
    if result.status is not None:
        report["value"] = status(result.status)
    return {**report, "thread": this_thread()}


# ---- The client for asyncio ------------------------------------------------------------------


loop = asyncio.new_event_loop()
loop_thread = threading.Thread(target=loop.run_forever, daemon=True)


class Awaited:
    """The object of `payorder.aio`, with its methods as ordinary ones, outside the event loop."""

    def __init__(self, own: Any) -> None:
        self._own = own
        self.close: Any = getattr(own, "aclose", None) and self._called(own.aclose)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._own, name)
        return self._called(found) if callable(found) else wrapped(found)

    def __enter__(self) -> "Awaited":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> "Awaited":
        return self

    def __next__(self) -> Any:
        try:
            return self._called(self._own.__anext__)()
        except StopAsyncIteration:
            raise StopIteration from None

    @staticmethod
    def _called(method: Callable[..., Any]) -> Callable[..., Any]:
        async def awaited(value: Any) -> Any:
            return await value

        def call(*arguments: Any, **given: Any) -> Any:
            value = method(*arguments, **given)
            if not inspect.isawaitable(value):
                return wrapped(value)
            if threading.current_thread() is loop_thread:
                return value
            return asyncio.run_coroutine_threadsafe(awaited(value), loop).result()

        return call


def wrapped(value: Any) -> Any:
    """An object whose methods are awaited, or any other value."""
    own = isinstance(value, aio.AsyncJournal) or hasattr(value, "__anext__")
    return Awaited(value) if own else value


def opened(settings: Step) -> Any:
    client = payorder.Client(**settings)
    return Awaited(aio.AsyncClient(client)) if AIO else client


# ---- State -----------------------------------------------------------------------------------

clients: Dict[str, Any] = {}
cancellations: Dict[str, payorder.Cancellation] = {}
threads: Dict[str, "Future[Report]"] = {}
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
            perform(self.then)

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


def statuses(step: Step, report: Report) -> Any:
    report["items"] = []
    with client(step).get_statuses(step["queries"], **options(step)) as results:
        for result in results:
            report["items"].append(item(result))
            if "then" in step and len(report["items"]) == step["at"] + 1:
                if step["then"]["op"] == "stop":
                    break
                perform(step["then"])
    return results.summary


def journal(step: Step) -> Any:
    entries = client(step).journal
    if step["do"] == "list":
        return list(entries.list(**options(step)))
    return getattr(entries, step["do"])(**options(step))


def target(step: Step) -> Any:
    """What a step cancels or closes."""
    return (
        cancellations[step["cancellation"]] if "cancellation" in step else client(step)
    )


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


def reset() -> None:
    listen({"on": False})
    for running in threads.values():
        running.result()
    for one in clients.values():
        one.close()
    for cancellation in cancellations.values():
        cancellation.close()
    for state in (clients, cancellations, threads, events):
        state.clear()


def throw() -> None:
    raise Planted("planted")


def perform(step: Step, report: Optional[Report] = None) -> Any:
    """Runs a step, and returns the package's own object."""
    report = {} if report is None else report
    operations: Dict[str, Callable[[], Any]] = {
        "open": lambda: clients.update(
            {step["client"]: opened(arguments(step["config"]))}
        ),
        "create": lambda: client(step).create_order(**order(step), **options(step)),
        "status": lambda: client(step).get_status(step["query"], **options(step)),
        "wait": lambda: client(step).wait_for_payment(step["query"], **options(step)),
        "statuses": lambda: statuses(step, report),
        "journal": lambda: journal(step),
        "recover": lambda: client(step).recover(step.get("sales"), **options(step)),
        "credentials": lambda: client(step).set_credentials(
            **arguments(step["credentials"])
        ),
        "shutdown": lambda: client(step).stop(),
        "build": lambda: build(step),
        "parse": lambda: payorder.parse_return_url(step["url"]),
        "verify": lambda: payorder.verify_payment(step["expected"], step["status"]),
        "cancellation": lambda: cancellations.update(
            {step["cancellation"]: payorder.Cancellation()}
        ),
        "cancel": lambda: target(step).cancel(),
        "close": lambda: target(step).close(),
        "log": lambda: listen(step),
        "events": take_events,
        "counters": counters,
        "collect": lambda: gc.collect() and None,
        "forget": lambda: clients.pop(step["client"]) and None,
        "reset": reset,
        "throw": throw,
    }
    return operations[step["op"]]()


@contextlib.contextmanager
def reporting(report: Report) -> Iterator[None]:
    """Reports how a step ended."""
    before = in_step.set(threading.get_ident())
    try:
        yield
    except payorder.PayorderError as error:
        report.update(ok=False, error=failure(error))
    except Planted as error:
        report.update(ok=False, thrown=str(error))
    finally:
        in_step.reset(before)


def run(step: Step) -> Report:
    report: Report = {}
    with reporting(report):
        report.update(ok=True, value=reported(perform(step, report)))
    return report


async def run_as_task(step: Step) -> Report:
    report: Report = {}
    with reporting(report):
        report.update(ok=True, value=reported(await perform(step)))
    return report


def start(step: Step) -> "Future[Report]":
    """Runs a step in the background."""
    if not (AIO and step["op"] in ("create", "status", "wait")):
        return pool.submit(run, step)
    future = asyncio.run_coroutine_threadsafe(run_as_task(step), loop)
    # After the first part of the task, which puts the call into the queue.
    started = threading.Event()
    loop.call_soon_threadsafe(loop.call_soon, started.set)
    started.wait()
    return future


def main() -> None:
    hello = {
        "driver": "python",
        "language": f"Python {platform.python_version()}",
        "library": payorder.library_version(),
        "abi": ABI_VERSION,
        "features": FEATURES,
        "classes": CLASSES,
    }
    loop_thread.start()
    print(json.dumps(hello), flush=True)
    for line in sys.stdin.buffer:
        step = json.loads(line)
        if step["op"] == "join":
            report = threads.pop(step["thread"]).result()
        elif "thread" in step:
            threads[step["thread"]] = start(step)
            report = {"ok": True}
        else:
            report = run(step)
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
