"""A call that blocks or is started: what the library gets, and how its answer is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Callable, Dict, Generic, Optional, Tuple, TypeVar

from ._calls import LibraryResult
from ._handles import ClientHandle
from ._interrupts import call
from ._library import library
from .cancellation import Cancellation
from .errors import PayorderError, error_class

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
    #: Where the answer is even if a signal handler raises an exception.
    received: Optional[LibraryResult] = None
    #: Whether events are logged while the call waits.
    logs: bool = False

    def call(self, client: ClientHandle) -> Value:
        """Makes the call in this thread."""
        function = getattr(library, f"payorder_{self.name}")
        how = (self.options, self.cancellation, self.received, self.logs)
        try:
            return self.make(call(client, function, self.arguments, *how))
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
