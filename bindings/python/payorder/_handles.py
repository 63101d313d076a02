"""The handle of a client, shared by `Client`, `Journal` and `Statuses`."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from ._calls import call_library
from ._library import library


class ClientHandle:
    """The library's handle of a client. The client is freed together with this object."""

    # A client that could not be created has the NULL handle, which may be freed.
    owned: ctypes.c_void_p = ctypes.c_void_p()

    def __init__(self, create: Any, config: bytes) -> None:
        # Kept here, because the module's global may be gone when the interpreter exits.
        self._library = library
        #: Whether the library's log events are switched on; None before the first call.
        self.listening: Optional[bool] = None
        pointer = ctypes.c_void_p()
        call_library(create, config, ctypes.byref(pointer))
        self.owned = pointer
        #: For calls. After `Queue.close`, started calls may still run, and no others begin.
        self.pointer: ctypes.c_void_p = pointer

    def cancel(self) -> int:
        """Ends all calls in flight. Returns the library's result."""
        result: int = self._library.payorder_client_cancel(self.pointer)
        return result

    def close(self) -> None:
        """Frees the client."""
        # If the client was freed already, the library returns an error, which is ignored.
        self._library.payorder_client_free(self.owned)
        self.pointer = self.owned

    def __del__(self) -> None:
        if self.owned:
            self.close()
