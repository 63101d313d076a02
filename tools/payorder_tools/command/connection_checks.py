"""Checks the connection to the service, step by step: proxy, DNS, TCP, TLS, clock."""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import os
import socket
import ssl
import tempfile
import threading
import time
import urllib.request
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import SplitResult, urlsplit

_CONNECT_SECONDS = 10.0
_CLOCK_SECONDS = 60.0
_EXPIRY_DAYS = 21

#: The name of a check; "ok", "warning" or "failed"; a description.
Step = Tuple[str, str, str]


class ConnectionChecks:
    """The checks from this machine to the service. Each one needs the one before it."""

    def __init__(self, config: Dict[str, Any], url: SplitResult) -> None:
        self._config = config
        self._tls: Dict[str, Any] = config.get("tls") or {}
        self._url = url
        self._host = url.hostname or ""
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self.host_and_port = _joined(self._host, self._port)

    def steps(self) -> Iterator[Step]:
        """Runs the checks, up to the first that fails."""
        host, port = self._host, self._port
        try:
            proxy = self._proxy()
            if proxy is not None:
                host, port = proxy.hostname or "", proxy.port or 80
        except ValueError:
            yield "proxy", "failed", "the proxy's address is not a URL"
            return
        address = _joined(host, port)
        yield "proxy", "ok", "none" if proxy is None else address
        if proxy is not None and proxy.scheme not in ("", "http"):
            words = f"only the last check goes through a {proxy.scheme} proxy"
            yield "proxy", "warning", words
            return
        try:
            began = time.monotonic()
            addresses = ", ".join(dict.fromkeys(_look_up(host, port)))
            yield "name", "ok", f"{host} is {addresses} ({_ms(began)})"
            began = time.monotonic()
            connection = socket.create_connection((host, port), _CONNECT_SECONDS)
        except (socket.gaierror, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            advice = "check its spelling and this machine's DNS"
            yield "name", "failed", f"{host} has no address: {reason}; {advice}"
            return
        except OSError as error:
            reason, advice = error.strerror or error, "check the firewall and the proxy"
            yield "connection", "failed", f"{address}: {reason}; {advice}"
            return
        with connection:
            yield "connection", "ok", f"{address} ({_ms(began)})"
            yield from self._through(connection, proxy)

    def _through(self, connection: socket.socket, proxy: Optional[SplitResult]) -> Iterator[Step]:
        if self._url.scheme == "http":
            words = "not used: others can read and change what is sent over http"
            yield "TLS", "warning", words
            yield self._clock(connection, proxy is not None)
            return
        try:
            if proxy is not None:
                _tunnel(connection, proxy, self.host_and_port)
            began = time.monotonic()
            context = self._tls_context()
            secured = context.wrap_socket(connection, server_hostname=self._host)
        except (OSError, ValueError) as error:
            yield "TLS", "failed", f"no handshake with {self._host}: {error}"
            return
        with secured:
            yield "TLS", "ok", f"{secured.version()} ({_ms(began)})"
            yield from _certificates(secured)
            yield "roots", "ok", self._roots()
            yield self._clock(secured, False)

    def _proxy(self) -> Optional[SplitResult]:
        """The proxy that the configuration or the environment names."""
        chosen = self._config.get("proxy")
        if chosen == "none":
            return None
        if chosen is None:
            if urllib.request.proxy_bypass(self._host):
                return None
            # Not HTTP_PROXY, because web servers set it from a request's header `Proxy`.
            names = [
                f"{self._url.scheme}_proxy",
                "HTTPS_PROXY" if self._url.scheme == "https" else "",
                "all_proxy",
                "ALL_PROXY",
            ]
            chosen = next((os.environ[name] for name in names if os.environ.get(name)), None)
        if not chosen:
            return None
        return urlsplit(chosen if "://" in chosen else f"http://{chosen}")

    def _tls_context(self) -> ssl.SSLContext:
        """Accepts any certificate. The last check says whether the library trusts it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if self._tls.get("certFile") and self._tls.get("keyFile"):
            context.load_cert_chain(self._tls["certFile"], self._tls["keyFile"])
        return context

    def _roots(self) -> str:
        bundled = "those bundled with the library"
        named = {"system": "this machine's", "both": f"this machine's and {bundled}"}
        roots = named.get(self._tls.get("roots") or "", bundled)
        if self._tls.get("caFile"):
            roots += f", and {self._tls['caFile']}"
        return f"{roots}; the last check says whether they trust the certificate"

    def _clock(self, connection: socket.socket, absolute: bool) -> Step:
        """Compares this machine's clock with the service's `Date`. Sends no credentials."""
        path = self._url.path or "/"
        target = f"http://{self.host_and_port}{path}" if absolute else path
        # Not `url.netloc`, which can hold a password.
        named = self.host_and_port if self._url.port else _joined(self._host, None)
        request = f"HEAD {target} HTTP/1.1\r\nHost: {named}\r\nConnection: close\r\n\r\n"
        try:
            connection.sendall(request.encode("ascii"))
            response = http.client.HTTPResponse(connection, method="HEAD")
            response.begin()
            date = response.getheader("Date")
            if date is None:
                return "clock", "warning", "the service's response has no Date"
            away = (
                datetime.now(timezone.utc) - email.utils.parsedate_to_datetime(date)
            ).total_seconds()
        except (OSError, ValueError, TypeError, http.client.HTTPException) as error:
            return "clock", "warning", f"the service's time is not known: {error}"
        if abs(away) > _CLOCK_SECONDS:
            order = "ahead of" if away > 0 else "behind"
            words = f"this machine is {abs(away):.0f} s {order} the service: set its clock"
            return "clock", "failed", words
        return "clock", "ok", f"within {max(1, round(abs(away)))} s of the service's"


def _tunnel(connection: socket.socket, proxy: SplitResult, to: str) -> None:
    if proxy.username:
        # A proxy's password is also a credential.
        raise ValueError(
            "the proxy needs a password, which this check does not send; see the last check"
        )
    connection.sendall(f"CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n".encode("ascii"))
    response = http.client.HTTPResponse(connection, method="CONNECT")
    status = "nothing"
    with contextlib.suppress(http.client.HTTPException):
        response.begin()
        status = str(response.status)
    if status != "200":
        raise ValueError(f"the proxy refuses to connect to {to} (HTTP {status})")


def _certificates(secured: ssl.SSLSocket) -> Iterator[Step]:
    """The service's certificate chain (before Python 3.13: only its own certificate)."""
    get_chain = getattr(secured, "get_unverified_chain", None)
    own = secured.getpeercert(binary_form=True) or b""
    chain: List[bytes] = get_chain() if get_chain else [own]
    for place, certificate in enumerate(chain):
        read = _read(certificate)
        name, issuer = _name(read.get("subject", ())), _name(read.get("issuer", ()))
        until = datetime.fromtimestamp(ssl.cert_time_to_seconds(read["notAfter"]), timezone.utc)
        days = (until - datetime.now(timezone.utc)).days
        result = "failed" if days < 0 else "warning" if days < _EXPIRY_DAYS else "ok"
        what = "certificate" if place == 0 else "issued by"
        words = f"{name}, from {issuer}, until {until:%Y-%m-%d} ({days} days)"
        yield what, result, words


def _read(certificate: bytes) -> Dict[str, Any]:
    """The fields of a certificate. Python's `ssl` decodes untrusted ones only from files."""
    handle, path = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "w") as file:
            file.write(ssl.DER_cert_to_PEM_cert(certificate))
        decoded: Dict[str, Any] = ssl._ssl._test_decode_cert(path)  # type: ignore[attr-defined]
        return decoded
    finally:
        os.unlink(path)


def _name(parts: Any) -> str:
    names = {key: value for part in parts for key, value in part}
    return str(names.get("commonName") or names.get("organizationName") or "nobody")


def _look_up(host: str, port: int) -> List[str]:
    """The addresses of a host. In a thread, because Ctrl-C does not interrupt a DNS lookup."""
    found: List[str] = []
    failed: List[Exception] = []

    def look_up() -> None:
        try:
            every = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(str(one[4][0]) for one in every)
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if failed:
        raise failed[0]
    return found


def _joined(host: str, port: Optional[int]) -> str:
    """A host and a port, written as in a URL."""
    named = f"[{host}]" if ":" in host else host
    return named if port is None else f"{named}:{port}"


def _ms(began: float) -> str:
    return f"{(time.monotonic() - began) * 1000:.0f} ms"
