"""The simulated customer: opens the checkout page, presses a button, and comes back, or does not.

What a customer does is a function of a `Visit`.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import threading
import time
from typing import Callable, Optional
from urllib.parse import urlsplit

from .program import Program

_PATIENCE = 30.0


class Visit:
    """A customer on a checkout page, with the browser that returns to the till."""

    def __init__(
        self, program: Program, url: str, return_url: str, dice: random.Random
    ) -> None:
        self.url = url
        self.return_url = return_url
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
    connection = http.client.HTTPConnection(page.netloc, timeout=_PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", page.path)
        connection.getresponse().read()
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
    visit.come_back(f"{visit.return_url}?txn=TXN{visit.dice.randrange(10**12):012}")


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
        return_url: str,
        patience: float,
        dice: random.Random,
        first: Optional["Customer"] = None,
    ) -> None:
        """`first` is the same customer at another program: pays only there."""
        self._program = program
        self._behaviour = behaviour
        self._return_url = return_url
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
            if program.url is not None and self._visits.acquire(blocking=False):
                visit = Visit(program, program.url, self._return_url, self._dice)
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
