"""TLS in front of a sandbox: accepts connections with a certificate, and forwards the bytes."""

from __future__ import annotations

import contextlib
import re
import select
import socket
import ssl
import threading
from pathlib import Path
from typing import List, Optional
from urllib.parse import urlsplit

from . import certificates


class TlsFront:
    """Listens on a free port of this machine. Use it in a `with` statement."""

    def __init__(
        self,
        certificate: str,
        folder: Path,
        host: str,
        then: Optional[str] = None,
    ) -> None:
        """`certificate` is one of `certificates`. After the first response to Create Order, new
        connections get the certificate `then`. Nobody can connect before `open`."""
        #: Where the sandbox listens; set before the till is started.
        self.target = ""
        #: Whether a request came over a connection whose certificate is not valid.
        self.exposed = False
        #: For PAYORDER_CA_FILE.
        self.authority = folder / "authority.pem"
        self.authority.write_text(certificates.AUTHORITY, encoding="ascii")
        self._valid = certificate == certificates.VALID
        self._context = _context(certificate, folder)
        self._then = None if then is None else _context(then, folder)
        # Bound, and nobody listens.
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self.base_url = f"https://{host}:{self._listener.getsockname()[1]}"
        self._open: List[socket.socket] = []
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> None:
        """Listens from now on."""
        # It may be closed already.
        with contextlib.suppress(OSError):
            self._listener.listen()
            threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "TlsFront":
        return self

    def __exit__(self, *_: object) -> None:
        """Ends all connections."""
        with self._lock:
            self._closed = True
            connections = [self._listener, *self._open]
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                connection.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _keep(self, connection: socket.socket) -> None:
        with self._lock:
            if self._closed:
                raise OSError("closed")
            self._open.append(connection)

    def _serve(self, connection: socket.socket) -> None:
        # A client that refuses the certificate ends the handshake. That is no error here.
        with contextlib.suppress(OSError, ValueError), contextlib.ExitStack() as stack:
            stack.callback(connection.close)
            connection.settimeout(60.0)
            valid = self._valid
            secure = self._context.wrap_socket(connection, server_side=True)
            stack.callback(secure.close)
            secure.settimeout(None)
            self._keep(secure)
            target = urlsplit(self.target)
            sandbox = socket.create_connection((target.hostname, target.port))
            stack.callback(sandbox.close)
            self._keep(sandbox)
            self._forward(secure, sandbox, valid)

    def _forward(self, secure: ssl.SSLSocket, sandbox: socket.socket, valid: bool) -> None:
        """Forwards both ways until one side ends. One thread, because TLS is not safe in two."""
        sent, received = b"", b""
        while True:
            ready: List[socket.socket] = [secure]
            if not secure.pending():
                ready = select.select([secure, sandbox], [], [])[0]
            if secure in ready:
                part = secure.recv(64 * 1024)
                if not part:
                    return
                sent += part
                # The customer's browser comes this way too.
                self.exposed |= not valid and b"/Gateway/" in sent
                sandbox.sendall(part)
            if sandbox in ready:
                part = sandbox.recv(64 * 1024)
                if not part:
                    return
                received += part
                create = b"/Gateway/CreateOrder" in sent
                ends = self._then is not None and valid and create and _is_whole(received)
                if ends:
                    # The till must connect again for its next request.
                    assert self._then is not None
                    self._context, self._valid = self._then, False
                secure.sendall(part)
                if ends:
                    secure.unwrap()
                    return


def _context(certificate: str, folder: Path) -> ssl.SSLContext:
    chain = folder / "chain.pem"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    chain.write_text(certificate + certificates.KEY, encoding="ascii")
    context.load_cert_chain(str(chain))
    # The till finds nothing that says what it is connected to.
    chain.unlink()
    return context


def _is_whole(response: bytes) -> bool:
    head, end, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: *([0-9]+)", head.lower())
    return bool(end) and length is not None and len(body) >= int(length[1])
