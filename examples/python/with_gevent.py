"""Orders in gevent: the event loop watches the descriptor of the answers.

python3 with_gevent.py SECONDS FILE

Creates the orders in a file, one as JSON on each line, at the same time. After SECONDS it cancels
those that have no answer yet.
"""

from gevent import monkey

monkey.patch_all()

import json  # noqa: E402
import sys  # noqa: E402
from typing import Any, Dict, Optional  # noqa: E402

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
        """What the client's method of this name would return or raise.

        If another exception ends the wait, such as a time limit's own one, it is raised, and the
        call's error is its cause. But an order that was created meanwhile is returned.
        """
        # A time limit that is already over is raised here, and nothing is sent. Timers run in the
        # order of their times, and the first `sleep` brings the clock up to date.
        gevent.sleep(1e-9)
        gevent.sleep(1e-9)
        call = self._client.start(operation, *args, **given)
        ended = self._ended[call] = Event()
        self._watcher.start(self._take)
        stop: Optional[BaseException] = None
        while not ended.is_set():
            try:
                ended.wait()
            except BaseException as error:
                # The order may be out. The call ends soon, and then its result says so.
                stop = stop or error
                call.cancel()
        try:
            return call.result()
        except payorder.PayorderError as error:
            if stop is None or isinstance(stop, (gevent.GreenletExit, gevent.Timeout)):
                raise
            raise stop from error

    def close(self) -> None:
        self._watcher.close()


def sell(calls: Calls, order: Dict[str, Any]) -> None:
    try:
        print(order["orderId"], calls.result("create_order", order).url)
    except payorder.PayorderError as error:
        print(order["orderId"], error.outcome, error.action)


def main(seconds: float, path: str) -> None:
    with open(path, encoding="utf-8") as file, payorder.Client.from_env() as client:
        calls = Calls(client)
        selling = [gevent.spawn(sell, calls, json.loads(line)) for line in file]
        gevent.joinall(selling, timeout=seconds)
        gevent.killall(selling)
        calls.close()


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
