"""The simulated customer: opens the checkout page, presses a button, and comes back, or does not.

What a customer does is a function of a `Visit`.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import ssl
import threading
import time
from collections import defaultdict
from typing import Callable, Dict, Optional
from urllib.parse import urlsplit

from .program import Program
from .protocol import Sale

_PATIENCE = 30.0
#: How often customers pressed a button on each checkout page.
PRESSES: Dict[str, int] = defaultdict(int)


class Visit:
    """A customer on a checkout page, with the browser that returns to the till."""

    def __init__(
        self, program: Program, url: str, sale: Sale, dice: random.Random
    ) -> None:
        self.url = url
        self.return_url = sale.return_url
        self.order_id, self.amount = sale.order_id, sale.amount
        self.dice = dice
        self._program = program

    def press(self, button: str) -> str:
        """Presses "pay", "fail" or "cancel". Returns the return URL that the service names."""
        # Programs that ask again and again see the open order first.
        time.sleep(self.dice.uniform(0.05, 0.3))
        return press(self.url, button)

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


def pays(visit: Visit) -> None:
    """Pays, and comes back."""
    visit.come_back(visit.press("pay"))


def pays_and_closes_the_browser(visit: Visit) -> None:
    """Pays, and does not come back."""
    visit.press("pay")


def fails(visit: Visit) -> None:
    """The payment fails."""
    visit.come_back(visit.press("fail"))


def fails_then_pays(visit: Visit) -> None:
    """The payment fails, and a second one on the same page does not."""
    visit.come_back(visit.press("fail"))
    # Programs that ask again and again see the failed payment first.
    time.sleep(visit.dice.uniform(0.8, 1.2))
    visit.come_back(visit.press("pay"))


def cancels(visit: Visit) -> None:
    """Cancels."""
    visit.come_back(visit.press("cancel"))


def leaves(visit: Visit) -> None:
    """Looks at the page, and goes."""
    time.sleep(visit.dice.uniform(0.05, 0.3))


def forges(visit: Visit) -> None:
    """Types a return URL with a transaction that does not exist."""
    visit.come_back(forged(visit))


def forges_everything(visit: Visit) -> None:
    """Types a return URL that says itself that all is paid."""
    words = ("status", "transactionStatus", "responseCode", "responseMessage")
    values = ("Completed", "Completed", "200", "Success")
    said = "&".join(f"{word}={value}" for word, value in zip(words, values))
    visit.come_back(
        f"{forged(visit)}&{said}&amount={visit.amount}&orderId={visit.order_id}"
        "&paid=true&success=1&result=success"
    )


def forges_then_pays(visit: Visit) -> None:
    """Opens a wrong return URL first, and pays then."""
    visit.come_back(forged(visit))
    time.sleep(visit.dice.uniform(0.3, 0.6))
    visit.come_back(visit.press("pay"))


def pays_then_returns_twice(visit: Visit) -> None:
    """Fails, pays, and then the browser opens the first return URL again."""
    first = visit.press("fail")
    visit.come_back(visit.press("pay"))
    visit.come_back(first)


def forged(visit: Visit) -> str:
    """A return URL with a transaction that does not exist."""
    return f"{visit.return_url}?txn=TXN{visit.dice.randrange(10**7):07}"


def returns_three_times(visit: Visit) -> None:
    """Pays, and reloads the shop's page."""
    url = visit.press("pay")
    for _ in range(3):
        visit.come_back(url)


class Customer:
    """A customer who waits for a till's checkout URL. When the customer has gone, stdin ends."""

    def __init__(
        self,
        program: Program,
        behaviour: Behaviour,
        sale: Sale,
        patience: float,
        dice: random.Random,
        first: Optional["Customer"] = None,
        old_url: Optional[str] = None,
    ) -> None:
        """`first` is the same customer at another program: pays only there. If the program prints
        no URL, the customer still has the page of `old_url`."""
        self._program = program
        self._behaviour = behaviour
        self._sale = sale
        self._old_url = old_url
        self._patience = patience
        self._dice = dice
        self._first = first
        #: Whether this customer had a checkout URL. Two programs share it.
        self._visits: threading.Lock = (
            threading.Lock() if first is None else first._visits
        )
        self.gone = threading.Event()
        self.error: Optional[Exception] = None
        self._thread = threading.Thread(target=self._shop, daemon=True)
        self._thread.start()

    def _shop(self) -> None:
        program = self._program
        try:
            deadline = time.monotonic() + self._patience
            while program.running and time.monotonic() < deadline:
                if program.url_printed.wait(0.05):
                    break
            # Two programs of one customer: the first URL is opened, and only once.
            url = program.url or self._old_url
            if url is not None and self._visits.acquire(blocking=False):
                visit = Visit(program, url, self._sale, self._dice)
                self._behaviour(visit)
        except (OSError, http.client.HTTPException) as error:
            self.error = error
        finally:
            self.gone.set()
            if self._first is not None:
                self._first.gone.wait(_PATIENCE)
            program.end_stdin()

    def join(self) -> None:
        """Waits until the customer has gone. The program has ended already."""
        self._thread.join(_PATIENCE)
