"""The service that the driver's clients call. It records every request.

It gives a scenario's own responses, or passes the bytes on to the sandbox and back.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from .responses import response

CREATE, STATUS = "/api/v1/Gateway/CreateOrder", "/api/v1/Gateway/GetStatus"
_NAMES = {CREATE: "create", STATUS: "status"}
#: The first byte of a TLS handshake.
_TLS = b"\x16"


class Request(NamedTuple):
    """A request, as scenarios describe it in `received`."""

    to: str  #: "create", "status", or the path
    headers: Dict[str, str]  #: with lower-case names
    text: str

    def body(self) -> Any:
        try:
            return json.loads(self.text)
        except ValueError:
            return None

    def report(self) -> Dict[str, Any]:
        return {**self._asdict(), "body": self.body()}


class Service:
    """One scenario's service on a free port of 127.0.0.1."""

    def __init__(
        self,
        script: Mapping[str, Sequence[Mapping[str, Any]]],
        sandbox: Optional[str] = None,
    ) -> None:
        self.requests: List[Request] = []
        self.problems: List[str] = []
        self._script = {name: list(given) for name, given in script.items()}
        self._sandbox = sandbox
        self._released = threading.Event()
        self._changed = threading.Condition()
        self._sockets: List[socket.socket] = []
        self._stopped = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def wait_for_requests(self, count: int, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: len(self.requests) >= count, seconds)

    def release(self) -> None:
        """Lets the responses go that are on hold."""
        self._released.set()

    def stop(self) -> None:
        """Closes all connections."""
        self._stopped = True
        self.release()
        _close(self._listener)
        for one in self._sockets:
            _close(one)

    def _accept(self) -> None:
        while not self._stopped:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._sockets.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # A client may end a connection at any time.
        with contextlib.suppress(OSError):
            if self._sandbox is None:
                self._respond(connection)
            else:
                self._pass_on(connection, self._sandbox)
        _close(connection)

    def _respond(self, connection: socket.socket) -> None:
        reader = _Reader(connection)
        while True:
            request = reader.request()
            if request is None:
                return
            given = self._next(request.to)
            self._record(request)
            if given is None:
                return
            body = request.body()
            try:
                made = response(given, body if isinstance(body, dict) else {})
            except ValueError as error:
                self.problems.append(str(error))
                return
            if made.hold:
                self._released.wait()
            connection.sendall(made.content)
            if made.cut:
                return

    def _next(self, name: str) -> Optional[Mapping[str, Any]]:
        """The next response of the script; the last one is repeated."""
        with self._changed:
            left = self._script.get(name)
            if not left:
                return None
            return left.pop(0) if len(left) > 1 else left[0]

    def _pass_on(self, connection: socket.socket, sandbox: str) -> None:
        host, _, port = sandbox.rpartition(":")
        with socket.create_connection((host, int(port))) as other:
            self._sockets.append(other)
            back = threading.Thread(target=_copy, args=(other, connection), daemon=True)
            back.start()
            reader = _Reader(connection)
            while True:
                request = reader.request()
                if request is None:
                    return
                self._record(request)
                other.sendall(reader.last)

    def _record(self, request: Request) -> None:
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()


class _Reader:
    """Reads requests with a Content-Length, one after another."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._arrived = b""
        self.last = b""  #: the bytes of the last request

    def request(self) -> Optional[Request]:
        """The next request; None if the client has closed the connection, or speaks TLS."""
        while b"\r\n\r\n" not in self._arrived:
            if not self._receive() or self._arrived[:1] == _TLS:
                return None
        head, _, _ = self._arrived.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        parted = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in parted}
        whole = len(head) + 4 + int(headers.get("content-length", "0"))
        while len(self._arrived) < whole:
            if not self._receive():
                return None
        self.last, self._arrived = self._arrived[:whole], self._arrived[whole:]
        path = (first.split(" ") + [""])[1]
        # Broken UTF-8 differs from every text that a scenario can expect.
        text = self.last[len(head) + 4 :].decode("utf-8", "backslashreplace")
        return Request(_NAMES.get(path, path), headers, text)

    def _receive(self) -> bool:
        piece = self._connection.recv(65536)
        self._arrived += piece
        return piece != b""


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            piece = source.recv(65536)
            if not piece:
                break
            target.sendall(piece)
    _close(target)


def _close(one: socket.socket) -> None:
    # Wakes the threads that read from it, which `close` does not.
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextlib.contextmanager
def closed_address() -> Iterator[str]:
    """An address of 127.0.0.1 at which nothing listens, and at which nobody else can."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield "127.0.0.1:%d" % bound.getsockname()[1]
