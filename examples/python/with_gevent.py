"""Orders in gevent: the event loop watches the descriptor of the answers.

python3 with_gevent.py SECONDS ORDER_ID...

Creates the orders at the same time. After SECONDS it cancels those that have no answer yet.
"""

from gevent import monkey

monkey.patch_all()

import sys  # noqa: E402
from typing import Any, Dict  # noqa: E402

import gevent  # noqa: E402
import payorder  # noqa: E402
from gevent.event import Event  # noqa: E402


class Calls:
    """Waits for the calls of one client, without blocking other greenlets."""

    def __init__(self, client: payorder.Client) -> None:
        self._client = client
        self._ended: Dict[payorder.StartedCall[Any], Event] = {}
        self._watcher = gevent.get_hub().loop.io(client.fileno(), 1)

    def _take(self) -> None:
        for call in self._client.take_done():
            self._ended.pop(call).set()
        if not self._ended:
            self._watcher.stop()

    def result(self, operation: payorder.Startable, *args: Any, **given: Any) -> Any:
        """What the client's method of this name would return or raise."""
        call = self._client.start(operation, *args, **given)
        ended = self._ended[call] = Event()
        self._watcher.start(self._take)
        try:
            ended.wait()
        except BaseException:
            # The order may be out. The call ends soon, and then it says so.
            call.cancel()
            ended.wait()
            log_cancelled(call)
            raise
        return call.result()

    def close(self) -> None:
        self._watcher.close()


def log_cancelled(call: "payorder.StartedCall[Any]") -> None:
    try:
        print("cancelled, but created:", call.result().url)
    except payorder.OutcomeUnknownError as error:
        print("cancelled, and may exist:", error.status_query)
    except payorder.PayorderError as error:
        print("cancelled:", error)


def sell(calls: Calls, order_id: str) -> None:
    try:
        checkout = calls.result("create_order", **order(order_id))
        print(order_id, checkout.url)
    except payorder.PayorderError as error:
        print(order_id, error.outcome, error.action)


def order(order_id: str) -> payorder.OrderFields:
    return payorder.OrderFields(
        amount="249.50",
        merchant_txn_id=f"{order_id}-1",
        order_id=order_id,
        pay_mode="all",
        merchant_id="M-1",
        product_info="Tea",
        customer_name="Asha Rao",
        customer_mobile="9000000001",
        customer_email="asha@example.com",
        redirection_url="https://shop.example.com/return",
        currency_code="INR",
    )


def main(seconds: float, *order_ids: str) -> None:
    with payorder.Client.from_env() as client:
        calls = Calls(client)
        selling = [gevent.spawn(sell, calls, order_id) for order_id in order_ids]
        gevent.joinall(selling, timeout=seconds)
        gevent.killall(selling)
        calls.close()


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
