"""How an exam talks to a till: the variables that it receives and the verdict that it gives."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Mapping, Optional, Tuple

PAID, NOT_SENT, REJECTED, OPEN, NOT_PAID = (
    "paid",
    "not_sent",
    "rejected",
    "open",
    "not_paid",
)
#: The verdicts; the index is the exit status.
VERDICTS: Tuple[str, ...] = (PAID, NOT_SENT, REJECTED, OPEN, NOT_PAID)

#: The caller's variables that a till keeps although they begin with PAYORDER_.
_KEPT = ("PAYORDER_LIBRARY",)
_LOOPBACK = "127.0.0.1,localhost,::1"


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

    def has_order(self, order_id: object) -> bool:
        """Whether an order with this order id is one of this sale."""
        return isinstance(order_id, str) and bool(
            re.fullmatch(re.escape(self.order_id) + r"(-[2-9]|-[1-9][0-9]+)?", order_id)
        )

    def variables(self) -> Dict[str, str]:
        """The sale as variables."""
        return {
            "SALE_ORDER_ID": self.order_id,
            "SALE_AMOUNT": self.amount,
            "SALE_CURRENCY": self.currency,
            "SALE_PRODUCT": self.product,
            "SALE_MERCHANT_ID": self.merchant_id,
            "SALE_CUSTOMER_NAME": self.customer_name,
            "SALE_CUSTOMER_MOBILE": self.customer_mobile,
            "SALE_CUSTOMER_EMAIL": self.customer_email,
            "SALE_RETURN_URL": self.return_url,
        }


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


def verdict(stdout: str, exit_status: Optional[int]) -> Optional[str]:
    """The verdict of a run, or None if it gave none.

    The last line of JSON with a verdict counts; without one, the exit status.
    """
    for line in reversed(stdout.splitlines()):
        given = _verdict_of_line(line)
        if given is not None:
            return given if given in VERDICTS else None
    if exit_status is None or not 0 <= exit_status < len(VERDICTS):
        return None
    return VERDICTS[exit_status]


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
    found = re.search(
        re.escape(base_url) + r"/checkout/[0-9]+", line.replace("\\/", "/")
    )
    return None if found is None else found[0]
