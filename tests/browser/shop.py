"""A shop that uses the Python package: its orders, and their outcome when the customer returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import payorder

from .sandbox import CREDENTIALS

AMOUNT = "249.50"


@dataclass(frozen=True)
class Order:
    order_id: str
    amount: str
    checkout_url: str


@dataclass(frozen=True)
class Return:
    """A customer's return to the shop, and the status of the payment."""

    transaction_id: str
    status: payorder.Status
    payment: payorder.Verification


class Shop:
    def __init__(self, base_url: str) -> None:
        self._client = payorder.Client(base_url, proxy="none", **CREDENTIALS)
        self.return_url = f"{base_url}/shop/return"
        self._orders = 0

    def order(self, **own: Any) -> Order:
        """An order of two coffees, with these fields replaced."""
        self._orders += 1
        fields = {
            "amount": AMOUNT,
            "merchant_txn_id": f"MTX-{1000 + self._orders}",
            "order_id": f"ORD-{1000 + self._orders}",
            "pay_mode": "all",
            "merchant_id": "M-1",
            "product_info": "Two coffees",
            "customer_name": "Asha Rao",
            "customer_mobile": "9000000001",
            "customer_email": "asha@example.com",
            "redirection_url": self.return_url,
            "currency_code": "INR",
            **own,
        }
        checkout = self._client.create_order(**fields)
        return Order(fields["order_id"], fields["amount"], checkout.url)

    def welcome_back(self, order: Order, address: str) -> Return:
        """Reads the address in the browser, asks for the status, and verifies the payment."""
        named = payorder.parse_return_url(address)
        status = self._client.get_status(named.status_query)
        expected = payorder.ExpectedPayment(
            order.order_id, order.amount, named.transaction_id
        )
        return Return(
            named.transaction_id, status, payorder.verify_payment(expected, status)
        )

    def status(self, order: Order) -> payorder.Status:
        return self._client.get_status(order_id=order.order_id)

    def close(self) -> None:
        self._client.close()
