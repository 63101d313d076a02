"""`payorder doctor` and a service with TLS."""

from __future__ import annotations

import email.utils
import http.server
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List

from .commands import (
    DONE,
    NOT_SENT,
    VARIABLES,
    CommandTestCase,
    environment,
    run,
)
from .service import Answer, Service, closed_port


def certificates(folder: Path, days: int) -> None:
    """An authority, ca.pem, and a certificate of it for localhost, chain.pem with key.pem."""
    if shutil.which("openssl") is None:
        if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
            raise AssertionError("openssl is not on the PATH")
        raise unittest.SkipTest("openssl is not on the PATH")
    (folder / "names").write_text(
        "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n"
    )
    for arguments in (
        "req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -days 30 -subj /CN=Authority",
        "req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost",
        "x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out leaf.pem -extfile names "
        f"-days {days}",
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
    """Refuses everybody, over TLS, with a clock of its own; keeps the heads of the requests."""

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


class DoctorsAndTls(unittest.TestCase):
    def findings(self, days: int, ahead: float, trusted: bool) -> Dict[str, Any]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        certificates(Path(folder.name), days)
        config = Path(folder.name) / "payorder.json"
        config.write_text(
            json.dumps(
                {"tls": {"caFile": str(Path(folder.name) / "ca.pem")}}
                if trusted
                else {}
            )
        )
        service = TlsService(Path(folder.name), ahead)
        self.addCleanup(service.close)
        ended = run(
            None,
            "doctor",
            "--json",
            "--config",
            str(config),
            PAYORDER_BASE_URL=service.url,
            **VARIABLES,
        )
        for credential in VARIABLES.values():
            self.assertNotIn(credential, "".join(service.heads))
        found: Dict[str, Any] = {
            finding["check"]: finding
            for finding in map(json.loads, ended.stdout.splitlines())
        }
        self.assertEqual(
            ended.returncode,
            NOT_SENT
            if any(one["result"] == "failed" for one in found.values())
            else DONE,
        )
        return found

    def test_nothing_is_wrong_with_a_working_service(self) -> None:
        found = self.findings(days=60, ahead=0, trusted=True)
        self.assertEqual(
            {
                check: one["result"]
                for check, one in found.items()
                if one["result"] != "ok"
            },
            {},
        )
        self.assertIn("localhost, from Authority, until", found["certificate"]["words"])
        self.assertIn("TLSv1.", found["TLS"]["words"])
        self.assertIn("ca.pem", found["roots"]["words"])

    def test_a_certificate_about_to_expire_is_a_warning(self) -> None:
        self.assertEqual(
            self.findings(days=3, ahead=0, trusted=True)["certificate"]["result"],
            "warning",
        )

    def test_the_last_check_finds_an_untrusted_authority(self) -> None:
        found = self.findings(days=60, ahead=0, trusted=False)
        self.assertEqual(found["service"]["result"], "failed")
        self.assertIn("certificate", found["service"]["words"])

    def test_a_clock_that_is_wrong_is_found(self) -> None:
        found = self.findings(days=60, ahead=3600, trusted=True)
        self.assertEqual(found["clock"]["result"], "failed")
        self.assertRegex(found["clock"]["words"], r"3(59|60)\d s behind the service")


class Doctors(CommandTestCase):
    def test_every_step_to_the_service_is_shown_and_no_credential_is_sent(self) -> None:
        answer = {"responseCode": "401", "responseMessage": "who are you"}
        with Service(answer) as service:
            ended = run(self.sandbox, "doctor", PAYORDER_BASE_URL=service.url)
        self.assertEqual((ended.returncode, ended.stderr), (DONE, ""))
        self.assertTrue(service.requests)
        for request in service.requests:
            self.assertTrue(request.path.endswith("GetStatus"))
            for credential in VARIABLES.values():
                self.assertNotIn(credential, repr(request))
        for check in (
            "create order",
            "get status",
            "name",
            "connection",
            "clock",
            "service",
        ):
            self.assertIn(check, ended.stdout)

    def test_a_failed_check_is_the_exit_status(self) -> None:
        closed = run(
            self.sandbox,
            "doctor",
            "--json",
            PAYORDER_BASE_URL=f"https://127.0.0.1:{closed_port()}",
        )
        self.assertEqual(closed.returncode, NOT_SENT)
        failed = [
            finding["check"]
            for finding in map(json.loads, closed.stdout.splitlines())
            if finding["result"] == "failed"
        ]
        self.assertEqual(failed, ["connection", "service"])
        lost = run(self.sandbox, "doctor", "--base-url", f"{self.sandbox.url}/nowhere")
        self.assertIn("check its path", lost.stdout)
        unset = run(None, "doctor", "--base-url", self.sandbox.url)
        self.assertIn("not set: PAYORDER_ACCESS_TOKEN", unset.stdout)
