"""TLS in front of a sandbox: accepts connections with a certificate, and forwards the bytes."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import threading
from pathlib import Path
from typing import List
from urllib.parse import urlsplit

from . import certificates


class TlsFront:
    """Listens on a free port of this machine. Close it, or use it in a `with` statement."""

    def __init__(self, base_url: str, certificate: str, folder: Path) -> None:
        """`certificate` is one of `certificates`. The files that TLS needs go into the folder."""
        target = urlsplit(base_url)
        self._target = (target.hostname or "127.0.0.1", target.port or 80)
        #: For PAYORDER_CA_FILE.
        self.authority = folder / "authority.pem"
        self.authority.write_text(certificates.AUTHORITY, encoding="ascii")
        chain, key = folder / "certificate.pem", folder / "key.pem"
        chain.write_text(certificate, encoding="ascii")
        key.write_text(certificates.KEY, encoding="ascii")
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(str(chain), str(key))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: List[socket.socket] = []
        self._lock = threading.Lock()
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "TlsFront":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
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
                threading.Thread(
                    target=self._serve, args=(connection,), daemon=True
                ).start()

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
            secure = self._context.wrap_socket(connection, server_side=True)
            stack.callback(secure.close)
            secure.settimeout(None)
            self._keep(secure)
            sandbox = socket.create_connection(self._target)
            stack.callback(sandbox.close)
            self._keep(sandbox)
            _forward(secure, sandbox)


def _forward(secure: ssl.SSLSocket, sandbox: socket.socket) -> None:
    """Forwards both ways until one side ends. One thread, because TLS is not safe in two."""
    while True:
        ready: List[socket.socket] = [secure]
        if not secure.pending():
            ready = select.select([secure, sandbox], [], [])[0]
        for source, target in ((secure, sandbox), (sandbox, secure)):
            if source in ready:
                received = source.recv(64 * 1024)
                if not received:
                    return
                target.sendall(received)
