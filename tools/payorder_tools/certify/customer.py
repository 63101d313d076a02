"""The simulated customer: opens the checkout page, presses a button, and comes back, or not."""

from __future__ import annotations

import contextlib
import http.client
import random
import ssl
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional
from urllib.parse import urlsplit

from .program import Program
from .protocol import Sale

_PATIENCE = 30.0
#: The words of gateways for a payment, and the names under which they write them into a return URL.
WORDS = ("Completed", "success", "SUCCESS", "paid", "captured", "TXN_SUCCESS", "Credit")
_NAMES = (
    *("status", "STATUS", "payment_status", "transactionStatus", "txnStatus"),
    *("txStatus", "state", "result"),
)
_MORE = (
    "&responseCode=200&RESPCODE=01&code=200&responseMessage=Success&paid=true&success=1"
    "&amount={amount}&TXNAMOUNT={amount}&orderId={order_id}&order_id={order_id}"
)
#: How often customers pressed a button on each checkout page.
PRESSES: Dict[str, int] = defaultdict(int)


class Visit:
    """A customer on a checkout page, with the browser that returns to the till."""

    def __init__(self, program: Program, url: str, sale: Sale, dice: random.Random) -> None:
        self.url = url
        self.return_url = sale.return_url
        self.order_id, self.amount = sale.order_id, sale.amount
        self.dice = dice
        self._program = program
        #: The return URLs that the service has named, or that were forged.
        self._named: List[str] = []

    def take(self, step: str) -> None:
        """Does one thing."""
        if step in ("pay", "fail", "cancel"):
            # Programs that ask again and again see the open order first.
            time.sleep(self.dice.uniform(0.05, 0.3))
            self._named.append(press(self.url, step))
        elif step.startswith("forge"):
            forged = f"?txn=TXN{self.dice.randrange(10**7):07}"
            _, *claims = step.split(":")
            if claims:
                forged += self._claims(*claims)
            self._named.append(self.return_url + forged)
        elif step.startswith("return"):
            self.come_back(self._named[0 if step == "return-first" else -1])
        else:
            first, last = map(float, step.split("-"))
            time.sleep(self.dice.uniform(first, last))

    def _claims(self, word: str, unit: str) -> str:
        """The part of a return URL that says that all is paid, with the amount in this unit."""
        rupees = self.amount
        amount = rupees if unit == "rupees" else str(int(rupees.replace(".", "")))
        says = "".join(f"&{name}={word}" for name in _NAMES)
        return says + _MORE.format(amount=amount, order_id=self.order_id)

    def come_back(self, return_url: str) -> None:
        """The browser opens a return URL, which the till reads on stdin."""
        self._program.say(return_url)


def press(url: str, button: str) -> str:
    """Presses a button on a checkout page. Returns the return URL; empty if there is none."""
    page = urlsplit(url)
    if page.scheme == "https":
        # A browser's authorities are not the exam's.
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            page.netloc, timeout=_PATIENCE, context=ssl._create_unverified_context()
        )
    else:
        connection = http.client.HTTPConnection(page.netloc, timeout=_PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", page.path)
        connection.getresponse().read()
        PRESSES[url] += 1
        connection.request("POST", f"{page.path}/{button}")
        response = connection.getresponse()
        response.read()
        return response.headers.get("Location") or ""


Behaviour = Callable[[Visit], None]


def _steps(text: str) -> Behaviour:
    def behave(visit: Visit) -> None:
        for step in text.split():
            visit.take(step)

    return behave


def _claims(word: str, units: str = "rupees paise") -> str:
    # Not too fast: a till may ask after each one.
    return " ".join(f"forge:{word}:{unit} return 0.1-0.1" for unit in units.split())


#: What a customer does: presses a button, forges a return URL, or waits. `return` opens the last return
#: URL, and `return-first` the first one.
BEHAVIOURS = {
    name: _steps(steps)
    for name, steps in (
        ("pays", "pay return"),
        ("pays_and_closes_the_browser", "pay"),
        ("fails", "fail return"),
        # Programs that ask again and again see the failed payment first.
        ("fails_then_pays", "fail return 0.8-1.2 pay return"),
        ("cancels", "cancel return"),
        ("leaves", "0.05-0.3"),
        ("forges", "forge return"),
        ("forges_everything", " ".join(map(_claims, WORDS))),
        # A till may read only the first one.
        *((f"forges_{word}", _claims(word)) for word in WORDS),
        ("forges_paise", _claims("ok", "paise rupees")),
        ("forges_then_pays", "forge return 0.3-0.6 pay return"),
        ("pays_then_returns_twice", "fail pay return return-first"),
        ("returns_three_times", "pay return return return"),
    )
}
pays, leaves = BEHAVIOURS["pays"], BEHAVIOURS["leaves"]


@dataclass(eq=False)
class Customer:
    """A customer who waits for a till's checkout URL. When the customer has gone, stdin ends."""

    program: Program
    behaviour: Behaviour
    sale: Sale
    patience: float
    dice: random.Random
    #: The same customer at another program: pays only there.
    first: Optional["Customer"] = None
    #: The page that the customer still has if the program prints no URL.
    old_url: Optional[str] = None

    def __post_init__(self) -> None:
        #: Whether this customer had a checkout URL. Two programs share it.
        self._visits: threading.Lock = (
            threading.Lock() if self.first is None else self.first._visits
        )
        self.gone = threading.Event()
        self._thread = threading.Thread(target=self._shop, daemon=True)
        self._thread.start()

    def _shop(self) -> None:
        program = self.program
        try:
            deadline = time.monotonic() + self.patience
            while program.running and time.monotonic() < deadline:
                if program.url_printed.wait(0.05):
                    break
            # Two programs of one customer: the first URL is opened, and only once.
            url = program.url or self.old_url
            if url is not None and self._visits.acquire(blocking=False):
                self.behaviour(Visit(program, url, self.sale, self.dice))
        except (OSError, http.client.HTTPException):
            # The judge sees that nothing was paid.
            pass
        finally:
            self.gone.set()
            if self.first is not None:
                self.first.gone.wait(_PATIENCE)
            program.end_stdin()

    def join(self) -> None:
        """Waits until the customer has gone. The program has ended already."""
        self._thread.join(_PATIENCE)
