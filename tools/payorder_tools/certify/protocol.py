"""How an exam talks to a till: the variables that it receives and the verdict that it gives."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Mapping, Optional, Sequence, Tuple

#: The verdicts; the index is the exit status.
VERDICTS: Tuple[str, ...] = ("paid", "not_sent", "rejected", "open", "not_paid")
PAID, NOT_SENT, REJECTED, OPEN, NOT_PAID = VERDICTS
#: A line that says that the goods were handed over.
HANDED_OVER = "handed over"

#: The caller's variables that a till keeps although they begin with PAYORDER_.
_KEPT = ("PAYORDER_LIBRARY",)
_NAMES = ("Asha", "Ravi", "Meera", "John", "Leila", "Arjun", "Maria", "Wei")
_FAMILIES = ("Rao", "Shah", "Iyer", "Smith", "Khan", "Das", "Lopez", "Chen")
_PRODUCTS = ("coffees", "cups of tea", "sandwiches", "notebooks", "umbrellas", "lamps")
_HOSTS = ("shop.example", "store.example.com", "www.example.org", "mail.example.net")
_PATHS = ("return", "thanks", "back/from/payment", "r")
_LOOPBACK = "127.0.0.1,localhost,::1"
#: The fields of Create Order that have the same value in each order of a sale, and its attributes.
_FIELDS = {
    "currencyCode": "currency",
    "merchantId": "merchant_id",
    "productInfo": "product",
    "customerName": "customer_name",
    "customerMobile": "customer_mobile",
    "customerEmail": "customer_email",
    "redirectionURL": "return_url",
}


@dataclass(frozen=True)
class Sale:
    """What the till is to sell."""

    order_id: str
    #: Decimal text.
    amount: str
    product: str = "Two coffees"
    currency: str = "INR"
    merchant_id: str = "M-1"
    customer_name: str = "Asha Rao"
    customer_mobile: str = "9000000000"
    customer_email: str = "asha@example.com"
    return_url: str = "https://shop.example/return"

    @classmethod
    def draw(cls, dice: random.Random, amount: str) -> "Sale":
        """A sale like no other: a till cannot know it from one before."""
        name, family = dice.choice(_NAMES), dice.choice(_FAMILIES)
        count = dice.randrange(2, 9)
        return cls(
            order_id=f"{dice.choice('ABCDEFGHKLMNPRST')}{dice.randrange(10**9):09}",
            amount=amount,
            product=f"{count} {dice.choice(_PRODUCTS)}",
            currency=dice.choice(("INR", "INR", "USD", "EUR", "GBP")),
            merchant_id=f"{dice.choice('KMQX')}{dice.randrange(10**6):06}",
            customer_name=f"{name} {family}",
            customer_mobile=f"9{dice.randrange(10**9):09}",
            customer_email=f"{name.lower()}{dice.randrange(1000)}@{dice.choice(_HOSTS)}",
            return_url=f"https://{dice.choice(_HOSTS)}/{dice.choice(_PATHS)}",
        )

    @property
    def expected(self) -> Dict[str, str]:
        """The fields of Create Order that the sale decides."""
        return {field: vars(self)[name] for field, name in _FIELDS.items()}

    def has_order(self, order_id: object) -> bool:
        """Whether an order with this order id is one of this sale."""
        return isinstance(order_id, str) and bool(
            re.fullmatch(re.escape(self.order_id) + r"(-[2-9]|-[1-9][0-9]+)?", order_id)
        )

    def variables(self) -> Dict[str, str]:
        """The sale as variables, such as SALE_ORDER_ID."""
        return {f"SALE_{name.upper()}": text for name, text in vars(self).items()}


def environment(
    settings: Mapping[str, str],
    sale: Sale,
    folder: Path,
    seconds: float,
    of: Optional[Mapping[str, str]] = None,
) -> Dict[str, str]:
    """The environment of a till: this process's (or `of`), and the variables of the protocol.

    The caller's own settings of payorder are left out, because a merchant's real credentials must
    never reach a scenario. The till reaches this machine directly, also if a proxy is set.
    """
    known = dict(os.environ if of is None else of)
    variables = {
        name: value
        for name, value in known.items()
        if name.upper() in _KEPT or not name.upper().startswith(("PAYORDER_", "SALE_"))
    }
    for name in ("NO_PROXY", "no_proxy"):
        variables[name] = ",".join(filter(None, (known.get(name), _LOOPBACK)))
    variables.update(settings)
    variables.update(sale.variables())
    variables["PAYORDER_JOURNAL"] = str(folder / "journal.db")
    variables["SALE_FOLDER"] = str(folder)
    variables["SALE_SECONDS"] = f"{seconds:g}"
    return variables


def verdict(said: Sequence[str], stdout: str, exit_status: Optional[int]) -> Optional[str]:
    """The verdict of a run, or None if it gave none.

    The last of those that it said counts; without one, the exit status. `stdout` may lack its middle.
    """
    if said:
        return said[-1] if said[-1] in VERDICTS else None
    if almost_a_verdict(stdout):
        return None
    if exit_status is None or not 0 <= exit_status < len(VERDICTS):
        return None
    return VERDICTS[exit_status]


def almost_a_verdict(stdout: str) -> bool:
    """Whether a verdict seems to be printed, such as JSON on several lines.

    For a run that said none in the way that is read.
    """
    lines = stdout.splitlines()
    return any(re.match(r"""\s*[{,]?\s*["']?verdict["']?\s*[:=]""", one) for one in lines)


def statement(line: str) -> Optional[str]:
    """What a line of stdout says: a verdict, or that the goods were handed over."""
    if re.fullmatch(r"handed over( [^ ]+)?", line.strip()):
        return HANDED_OVER
    return _verdict_of_line(line)


def _verdict_of_line(line: str) -> Optional[str]:
    text = line.strip()
    if not (text.startswith("{") and '"verdict"' in text):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return str(read["verdict"]) if "verdict" in read else None


def checkout_url(line: str, base_url: str) -> Optional[str]:
    """The first checkout URL of a service in a line of the till's output."""
    # Some JSON writers write a slash as \\/.
    found = re.search(re.escape(base_url) + r"/checkout/[0-9]+", line.replace("\\/", "/"))
    return None if found is None else found[0]
