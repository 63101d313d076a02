"""The calls that block or can be started: what the library gets, and how its answer is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
)

from ._arguments import BatchOptions, OrderFields, OrderOptions, RecoverOptions
from ._arguments import StatusOptions, WaitOptions
from ._calls import LibraryResult
from ._handles import ClientHandle
from ._interrupts import call
from ._library import library
from ._options import call_options
from ._requests import order_json, query_json, sales_json
from .cancellation import Cancellation
from .errors import PayorderError, error_class
from .orders import Checkout
from .recovery import Recovered
from .resolved import Resolved
from .statuses import Status
from .waiting import Waited

Value = TypeVar("Value")


@dataclass(frozen=True)
class Operation(Generic[Value]):
    """One call. `arguments` are those between the client and the options."""

    name: str
    make: Callable[[str], Value]
    arguments: Tuple[Optional[bytes], ...]
    options: Dict[str, object]
    cancellation: Optional[Cancellation]
    #: The query, which an error of it keeps.
    asked: bytes = b""

    def call(
        self,
        client: ClientHandle,
        received: Optional[LibraryResult] = None,
        logs: bool = False,
    ) -> Value:
        """Makes the call in this thread."""
        function = getattr(library, f"payorder_{self.name}")
        cancellation = self.cancellation
        try:
            return self.make(
                call(
                    *(client, function, self.arguments, self.options),
                    *(cancellation, received, logs),
                )
            )
        except PayorderError as error:
            self.complete(error)
            raise

    def read(self, result: int, text: str) -> Value:
        """Returns or raises what the library answered."""
        if result == 0:
            return self.make(text)
        raise self.complete(error_class(result)(text))

    def complete(self, error: PayorderError) -> PayorderError:
        if self.asked:
            error._asked = error._asked or json.loads(self.asked)
        return error

    def reader(self) -> Operation[Value]:
        """The same without the order, with the customer's data, and without credentials."""
        return replace(self, arguments=(), options={}, cancellation=None)


def create_order(
    order: Optional[Mapping[str, object]] = None, **given: Any
) -> Operation[Checkout]:
    name = "create_order"
    fields = {field: given.pop(field, None) for field in OrderFields.__annotations__}
    options = call_options(name, given, OrderOptions)
    request = order_json(name, order, fields)
    return Operation(name, Checkout, (request,), options, given.get("cancellation"))


def get_status(
    query: object = None,
    *,
    order_id: Optional[str] = None,
    transaction_id: Optional[str] = None,
    search_type: Optional[str] = None,
    **given: Any,
) -> Operation[Status]:
    name = "get_status"
    options = call_options(name, given, StatusOptions)
    request = query_json(name, query, order_id, transaction_id, search_type)
    stop = given.get("cancellation")
    return Operation(name, Status, (request,), options, stop, asked=request)


def wait_for_payment(
    query: object = None,
    *,
    order_id: Optional[str] = None,
    transaction_id: Optional[str] = None,
    search_type: Optional[str] = None,
    **given: Any,
) -> Operation[Waited]:
    name = "wait_for_payment"
    options = call_options(name, given, WaitOptions)
    request = query_json(name, query, order_id, transaction_id, search_type)
    return Operation(name, Waited, (request,), options, given.get("cancellation"))


def recover(
    sales: Optional[Sequence[Mapping[str, object]]] = None, **given: Any
) -> Operation[Recovered]:
    name = "recover"
    options = call_options(name, given, RecoverOptions)
    request = None if sales is None else sales_json(sales)

    def read(text: str) -> Recovered:
        return Recovered.from_mapping(json.loads(text))

    return Operation(name, read, (request,), options, given.get("cancellation"))


def journal_resolve(**given: Any) -> Operation[Resolved]:
    name = "journal_resolve"
    options = call_options(name, given, BatchOptions)

    def read(text: str) -> Resolved:
        return Resolved.from_mapping(json.loads(text))

    return Operation(name, read, (), options, given.get("cancellation"))


#: Those that can be started, by their names.
STARTABLE: Dict[str, Callable[..., Operation[Any]]] = {
    one.__name__: one
    for one in (create_order, get_status, wait_for_payment, recover, journal_resolve)
}
