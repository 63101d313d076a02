"""`payorder doctor` and a service with TLS."""

from __future__ import annotations

import email.utils
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List

from .commands import DONE, NOT_SENT, VARIABLES, CommandTestCase, run
from .service import Answer, Service, closed_port, raw_service


def certificates(folder: Path, days: int) -> None:
    """Creates an authority, ca.pem, and its certificate for localhost, chain.pem with key.pem."""
    if shutil.which("openssl") is None:
        if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
            raise AssertionError("openssl is not on the PATH")
        raise unittest.SkipTest("openssl is not on the PATH")
    (folder / "names").write_text(
        "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n"
    )
    for arguments in (
        "req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -days 30 "
        "-subj /CN=Authority",
        "req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost",
        "x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out leaf.pem "
        f"-extfile names -days {days}",
    ):
        subprocess.run(
            ["openssl", *arguments.split()],
            cwd=str(folder),
            check=True,
            stderr=subprocess.DEVNULL,
        )
    (folder / "chain.pem").write_text(
        (folder / "leaf.pem").read_text() + (folder / "ca.pem").read_text()
    )


class TlsService:
    """A TLS service with its own clock that refuses every request, and stores their headers."""

    def __init__(self, folder: Path, ahead: float = 0) -> None:
        self.heads: List[str] = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                service.heads.append(str(self.headers))
                self.send_response(200)
                self.end_headers()

            def do_POST(self) -> None:
                service.heads.append(str(self.headers))
                self.rfile.read(int(self.headers["Content-Length"]))
                body = b'{"responseCode":"401","responseMessage":"who are you"}'
                self.send_response(401)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def date_time_string(self, timestamp: Any = None) -> str:
                return email.utils.formatdate(time.time() + ahead, usegmt=True)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(str(folder / "chain.pem"), str(folder / "key.pem"))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://localhost:{self._server.server_address[1]}"
        threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        ).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class DoctorsAndTls(CommandTestCase):
    def findings(
        self, days: int = 60, ahead: float = 0, trusted: bool = True
    ) -> Dict[str, Any]:
        certificates(self.folder, days)
        config = self.folder / "payorder.json"
        tls = {"tls": {"caFile": str(self.folder / "ca.pem")}}
        config.write_text(json.dumps(tls if trusted else {}))
        config.chmod(0o600)
        service = TlsService(self.folder, ahead)
        self.addCleanup(service.close)
        line = f"doctor --json --config {config}"
        ended = self.payorder(line, PAYORDER_BASE_URL=service.url)
        for credential in VARIABLES.values():
            self.assertNotIn(credential, "".join(service.heads))
        found: Dict[str, Any] = {
            finding["check"]: finding
            for finding in map(json.loads, ended.stdout.splitlines())
        }
        failed = any(one["result"] == "failed" for one in found.values())
        self.assertEqual(ended.returncode, NOT_SENT if failed else DONE)
        return found

    def test_a_working_service_passes_every_check(self) -> None:
        found = self.findings()
        self.assertEqual({one["result"] for one in found.values()}, {"ok"})
        self.assertIn("localhost, from Authority, until", found["certificate"]["words"])
        self.assertIn("TLSv1.", found["TLS"]["words"])
        self.assertIn("ca.pem", found["roots"]["words"])

    def test_what_is_wrong_with_the_certificate_or_the_clock_is_found(self) -> None:
        for service, check, result, words in (
            ({"days": 3}, "certificate", "warning", "localhost"),
            ({"trusted": False}, "service", "failed", "certificate"),
            ({"ahead": 3600}, "clock", "failed", r"3(59|60)\d s behind the service"),
        ):
            with self.subTest(service):
                found = self.findings(**service)[check]  # type: ignore[arg-type]
                self.assertEqual(found["result"], result)
                self.assertRegex(found["words"], words)


class Doctors(CommandTestCase):
    def test_it_says_when_it_cannot_tell_whether_credentials_are_checked(self) -> None:
        unknown = {"responseCode": "404", "responseMessage": "no such order"}
        the_same = "it would say the same to yours if they were wrong"
        for answer, result, words in (
            ({"responseCode": "401"}, "ok", "a status with your own shows whether"),
            (unknown, "warning", the_same),
            (Answer(json.dumps(unknown), 404), "warning", the_same),
            (Answer("", 404), "failed", "there is no payment service at this address"),
            (
                {"responseCode": "200", "data": {"orderId": "payorder-doctor"}},
                "warning",
                "accepts placeholder credentials",
            ),
        ):
            with Service(answer) as service:
                looked = self.payorder("doctor --json", PAYORDER_BASE_URL=service.url)
            last = json.loads(looked.stdout.splitlines()[-1])
            self.assertEqual((last["check"], last["result"]), ("service", result))
            self.assertIn(words, last["words"])

    def test_every_step_to_the_service_is_shown_and_no_credential_is_sent(self) -> None:
        answer = {"responseCode": "401", "responseMessage": "who are you"}
        with Service(answer) as service:
            ended = self.payorder("doctor", PAYORDER_BASE_URL=service.url, status=DONE)
        self.assertEqual(ended.stderr, "")
        self.assertTrue(service.requests)
        for request in service.requests:
            self.assertTrue(request.path.endswith("GetStatus"))
            for credential in VARIABLES.values():
                self.assertNotIn(credential, repr(request))
        for check in ("create order", "get status", "name", "connection", "clock"):
            self.assertRegex(ended.stdout, rf"(?m)^\w+ +{check} ")

    def test_a_failed_check_is_the_exit_status_and_says_its_cause(self) -> None:
        nobody = f"https://127.0.0.1:{closed_port()}"
        closed = self.payorder(f"doctor --base-url {nobody}", status=NOT_SENT).stdout
        failed = [line.split()[1] for line in closed.splitlines() if "failed" in line]
        self.assertEqual(failed, ["connection", "service"])
        self.assertRegex(closed, "(?m)^failed +service .*connection_refused; check")
        lost = self.payorder(f"doctor --base-url {self.sandbox.url}/nowhere")
        self.assertIn("check its path", lost.stdout)
        unset = run(None, f"doctor --base-url {self.sandbox.url}")
        self.assertIn("not set: PAYORDER_ACCESS_TOKEN", unset.stdout)

    def test_a_password_in_the_base_url_is_neither_sent_nor_shown(self) -> None:
        seen: List[bytes] = []

        def script(connection: socket.socket) -> None:
            seen.append(connection.recv(65536))

        with raw_service(script) as address:
            for url in (
                f"http://user:hidden-4711@{address}",
                f"http://hidden-4711@{address}/",
            ):
                for more in ("", "--json"):
                    line = f"doctor --base-url {url} {more}"
                    looked = self.payorder(line, status=NOT_SENT)
                    self.assertNotIn("hidden-4711", looked.stdout + looked.stderr)
                    self.assertIn("user name or a password", looked.stdout)
        self.assertNotIn(b"hidden-4711", b"".join(seen))

    def test_an_address_that_is_not_a_url_is_a_failed_check(self) -> None:
        for url in (
            "http://[::1",
            "http://127.0.0.1:99999",
            "ftp://x",
            "https://",
            "x",
        ):
            with self.subTest(url):
                looked = self.payorder(f"doctor --base-url {url}", status=NOT_SENT)
                self.assertEqual(looked.stderr, "")
                self.assertRegex(looked.stdout, "(?m)^failed +address ")
        proxied = self.payorder(
            "doctor --base-url https://127.0.0.1:9",
            HTTPS_PROXY="http://user:hidden-4711@127.0.0.1:99999",
        )
        self.assertRegex(proxied.stdout, "(?m)^failed +proxy ")
        self.assertNotIn("hidden-4711", proxied.stdout + proxied.stderr)

    def test_the_host_header_has_the_port(self) -> None:
        heads: List[bytes] = []

        def script(connection: socket.socket) -> None:
            heads.append(connection.recv(65536))

        with raw_service(script) as address:
            self.payorder(f"doctor --base-url http://{address}")
        self.assertIn(f"Host: {address}\r\n".encode(), heads[0])

    def test_a_journal_that_cannot_be_written_is_a_failed_check(self) -> None:
        # Not even root can create a file there, as on a read-only disk.
        looked = self.payorder("doctor --journal /proc/orders.sqlite", status=NOT_SENT)
        self.assertRegex(looked.stdout, "(?m)^failed +journal .*cannot be written")
        looked = self.in_journal("doctor")
        self.assertIn("will be created with the first order", looked.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])
