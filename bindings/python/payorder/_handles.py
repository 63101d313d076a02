"""A client of the library, which its methods, its journal and its many statuses share."""

from __future__ import annotations

import ctypes
from typing import Optional

from ._calls import answer
from ._library import library


class ClientHandle:
    """The library's key of a client. The client is freed when nothing holds this any more."""

    # A client that could not be made has the NULL handle, which may be freed.
    pointer = ctypes.c_void_p()

    def __init__(self, config: bytes) -> None:
        # Kept here: the module's own name may be gone when the interpreter exits.
        self._library = library
        #: Whether the library was asked for log events.
        self.listening: Optional[bool] = None
        pointer = ctypes.c_void_p()
        answer(library.payorder_client_new, config, ctypes.byref(pointer))
        self.pointer = pointer

    def close(self) -> None:
        """Frees the client."""
        # For a client that was freed already the library returns a result, which is ignored.
        self._library.payorder_client_free(self.pointer)

    def __del__(self) -> None:
        if self.pointer:
            self.close()
