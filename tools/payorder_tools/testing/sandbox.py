"""A sandbox in a process of its own, and its control address."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple, cast

from .program import SandboxError, could_not_start, program
from .records import FaultRule, Order, Request, order_of, python_name, request_of

if TYPE_CHECKING:
    from payorder import Client, Config

#: Seconds until the sandbox must have started, or answered. It needs a few milliseconds.
_PATIENCE = 60.0
#: No proxy, because the sandbox is on this machine.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Sandbox:
    """A simulation of the payment service on this machine. No real money is moved.

        with Sandbox() as sandbox:
            client = sandbox.client()
            client.create_order(order_id="O-1", ...)
            sandbox.pay("O-1")

    Each one is a process of its own, listens on a free port of 127.0.0.1, and keeps its orders in
    memory. A fault rule is a text such as "create:1:drop-after-commit"; `payorder sandbox --help`
    and examples/sandbox/README.md list the faults.

    Attributes:
        base_url: The URL of the service.
        credentials: The four credentials, as keyword arguments of `Client`.
        version: The version of the sandbox's program.
    """

    base_url: str
    credentials: Dict[str, str]
    version: str

    def __init__(
        self,
        faults: Iterable[str] = (),
        slow: Optional[float] = None,
        private: bool = False,
        public_url: Optional[str] = None,
    ) -> None:
        """Starts a sandbox.

        Args:
            faults: Fault rules. Default: none.
            slow: How much later each response of the two endpoints comes, in seconds.
                Default: 0.
            private: Gives the control address a port of its own, and makes credentials and numbers
                random, for a program that must not know that it is tested. Default: no.
            public_url: The URL under which the program reaches it, if not directly. Default: none.

        Raises:
            SandboxError: The program was not found or did not start, or a rule is invalid.
        """
        arguments = [str(program())]
        rules = list(faults)
        if private:
            arguments.append("--private")
        else:
            # Everybody on this machine can read the arguments of a process.
            arguments += [word for rule in rules for word in ("--fault", rule)]
        if public_url is not None:
            arguments += ["--public-url", public_url]
        if slow:
            arguments += ["--slow", str(round(slow * 1000))]
        output = _Output(_start(arguments, private))
        #: Ends the process, also if the program forgets to do it.
        self._end = weakref.finalize(self, output.end)
        #: Where it listens, also behind something else.
        self.address = output.address()
        self._control, self._secret = output.control or (self.address, "")
        described = self._ask("GET", "")
        self.base_url = described["baseUrl"]
        self.version = described["version"]
        self.credentials = {
            python_name(name): value for name, value in described["credentials"].items()
        }
        for rule in rules if private else ():
            self.fault(rule)

    def environment(self) -> Dict[str, str]:
        """The environment variables with the sandbox's settings, for `Client.from_env`.

        The variables with the hosts that need no proxy are among them, with this machine added.
        """
        settings = {"base_url": self.base_url, **self.credentials}
        direct = ",".join(
            filter(
                None,
                [os.environ.get("no_proxy", os.environ.get("NO_PROXY")), "127.0.0.1"],
            )
        )
        return {
            **{f"PAYORDER_{name.upper()}": value for name, value in settings.items()},
            "NO_PROXY": direct,
            "no_proxy": direct,
        }

    def config(self) -> Config:
        """The keyword arguments of a `Client` for this sandbox, except the URL."""
        return cast("Config", {**self.credentials, "proxy": "none"})

    def client(self, **more: Any) -> Client:
        """Creates a client of this sandbox. The caller closes it.

        Args:
            more: Further keyword arguments of `Client`.

        Returns:
            The client.
        """
        # Only here, so that a sandbox for a till in another language loads no library.
        from payorder import Client

        settings: Dict[str, Any] = {**self.config(), **more}
        return Client(self.base_url, **settings)

    def orders(self) -> List[Order]:
        """The orders that the sandbox has, the oldest first."""
        return [order_of(one) for one in self._ask("GET", "/orders")["orders"]]

    def order(self, order_id: str) -> Order:
        """One order. Raises `SandboxError` if there is no such order."""
        return order_of(self._ask("GET", _order(order_id)))

    def pay(self, order_id: str) -> Order:
        """The customer pays, as with the button of the checkout page. An order is paid only once.

        Returns the order after it. Raises `SandboxError` if there is no such order, or if it
        was cancelled.
        """
        return self._press(order_id, "pay")

    def fail(self, order_id: str) -> Order:
        """The payment fails. The customer can try again.

        Returns the order after it. Raises `SandboxError` if there is no such order, or if it
        is paid or cancelled.
        """
        return self._press(order_id, "fail")

    def cancel(self, order_id: str) -> Order:
        """The customer cancels, and the order cannot be paid any more.

        Returns the order after it. Raises `SandboxError` if there is no such order, or if it
        is paid.
        """
        return self._press(order_id, "cancel")

    def refund(self, order_id: str) -> Order:
        """The shop refunds a paid order in full.

        Returns the order after it. Raises `SandboxError` if there is no such order, or if it
        is not paid.
        """
        return self._press(order_id, "refund")

    def requests(self, after: int = 0, wait: float = 0) -> List[Request]:
        """The requests that the two endpoints received, the oldest first.

        A request is in the list when its response was written, or when it is clear that it will
        get none. The sandbox keeps the last 10,000.

        Args:
            after: Leaves out the requests up to this number. Default: 0, which leaves out none.
            wait: If there is none yet, how long to wait for one, in seconds; 0 to 60.
                Default: 0.

        Returns:
            The requests.
        """
        asked = f"/requests?after={after}&wait={round(wait * 1000)}"
        received = self._ask("GET", asked, patience=_PATIENCE + wait)
        return [request_of(one) for one in received["requests"]]

    def fault(self, rule: str) -> None:
        """Adds a fault rule, which counts requests from now on.

        Args:
            rule: STEP:WHICH:FAULT, such as "create:1:drop-after-commit" or "status:*:drop".

        Raises:
            SandboxError: The rule is invalid. The message says what is wrong.
        """
        self._ask("POST", "/faults", {"rule": rule})

    def fault_rules(self) -> List[FaultRule]:
        """The fault rules, in the order in which they are tried."""
        rules = self._ask("GET", "/faults")["rules"]
        return [FaultRule(one["rule"], one["used"]) for one in rules]

    def clear_faults(self) -> None:
        """Removes all fault rules."""
        self._ask("DELETE", "/faults")

    def reset(self) -> None:
        """Forgets all orders, requests and fault rules."""
        self._ask("POST", "/reset")

    def close(self) -> None:
        """Ends the sandbox. Closing it again does nothing."""
        self._end()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _press(self, order_id: str, button: str) -> Order:
        return order_of(self._ask("POST", f"{_order(order_id)}/{button}"))

    def _ask(
        self,
        method: str,
        path: str,
        body: Optional[Dict[str, Any]] = None,
        patience: float = _PATIENCE,
    ) -> Any:
        """Sends a request to the control address and returns the JSON of its response."""
        if not self._end.alive:
            raise SandboxError("this sandbox is closed")
        request = urllib.request.Request(
            f"{self._control}/sandbox{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        if self._secret:
            request.add_header("Authorization", f"Bearer {self._secret}")
        try:
            with _OPENER.open(request, timeout=patience) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            with error:
                raise SandboxError(_reason(error)) from None
        except OSError as error:
            raise SandboxError(f"the sandbox at {self.address} does not answer: {error}") from None
        return json.loads(text) if text else None


class _Output:
    """The output of the sandbox's process. It is read to its end, or its pipe would fill up."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._owner = os.getpid()
        self._address: Optional[str] = None
        #: The control address and its secret, if it needs one.
        self.control: Optional[Tuple[str, str]] = None
        self._first_lines: List[str] = []
        self._known = threading.Event()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            # The lines after the start have texts of whoever sends a request.
            if not self._known.is_set():
                self._first_lines.append(line)
                control = re.search(r"address is (\S+) with \S+ Bearer (\S+)", line)
                if control:
                    self.control = (control[1], control[2])
                found = re.search(r"listens at (http://\S+)", line)
                if found:
                    self._address = found[1]
                page = re.match(r"Open (\S+) in a browser", line)
                secret = page and page[1].partition("#")[2]
                if self._address and secret:
                    self.control = (self._address, secret)
                if self._address and (self.control or page):
                    self._known.set()
        self._known.set()

    def address(self) -> str:
        """Waits until the sandbox has printed its URL."""
        self._known.wait(_PATIENCE)
        if self._address is not None:
            return self._address
        self.end()
        said = "".join(self._first_lines).strip()
        raise SandboxError(f"the sandbox did not start: {said or 'it printed nothing'}")

    def end(self) -> None:
        """Ends the process. It has nothing to save."""
        if os.getpid() != self._owner:
            return  # A forked child, which ends earlier than the tests.
        self._process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()


def _start(arguments: List[str], private: bool) -> "subprocess.Popen[str]":
    try:
        return subprocess.Popen(
            arguments,
            # A private one ends with this process, also if that is killed.
            stdin=subprocess.PIPE if private else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise could_not_start(arguments[0], error.strerror) from None


def _order(order_id: str) -> str:
    return f"/orders/{urllib.parse.quote(order_id, safe='')}"


def _reason(error: urllib.error.HTTPError) -> str:
    text = error.read().decode("utf-8", "replace")
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return (
            f"the sandbox answered {error.code} at {error.url}; "
            "its program is perhaps older than this package"
        )
