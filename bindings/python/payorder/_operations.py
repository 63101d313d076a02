"""A call that blocks or is started: what the library gets, and how its answer is read."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Generic, Mapping, Optional, Tuple, TypeVar

from ._calls import LibraryResult
from ._handles import ClientHandle
from ._interrupts import call
from ._library import library
from ._options import call_options
from .cancellation import Cancellation
from .errors import PayorderError, error_class

Value = TypeVar("Value")


class Operation(Generic[Value]):
    """One call, with the options of this kind that a program gave."""

    def __init__(
        self,
        name: str,
        make: Callable[[str], Value],
        kind: Any,
        options: Mapping[str, Any],
        *arguments: Optional[bytes],
        asked: bytes = b"",
        logs: bool = False,
    ) -> None:
        self.name: str = name
        self.make: Callable[[str], Value] = make
        #: Those between the client and the options.
        self.arguments: Tuple[Optional[bytes], ...] = arguments
        self.options: Dict[str, object] = call_options(name, options, kind)
        self.cancellation: Optional[Cancellation] = options.get("cancellation")
        #: The query, which an error of it keeps.
        self.asked = asked
        #: Whether events are logged while the call waits.
        self.logs = logs
        #: Where the answer is even if a signal handler raises an exception.
        self.received: Optional[LibraryResult] = None

    def call(self, client: ClientHandle) -> Value:
        """Makes the call in this thread."""
        function = getattr(library, f"payorder_{self.name}")
        how = (self.cancellation, self.received, self.logs)
        try:
            return self.make(call(client, function, self.arguments, self.options, *how))
        except PayorderError as error:
            self.complete(error)
            raise

    def read(self, result: int, text: str) -> Value:
        """Returns or raises what the library answered."""
        if result == 0:
            return self.make(text)
        error = error_class(result)(text)
        del text  # Error trackers show variables, and it may have the customer's data.
        raise self.complete(error)

    def complete(self, error: PayorderError) -> PayorderError:
        if self.asked:
            error._asked = error._asked or json.loads(self.asked)
        return error

    def reader(self) -> Operation[Value]:
        """The same without the order, with the customer's data, and without credentials."""
        return Operation(self.name, self.make, None, {}, asked=self.asked)
