"""`payorder doctor` over TLS, and with a clock that is wrong. sessions/settings.txt has the rest."""

from __future__ import annotations

import email.utils
import json
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict

from payorder_tools.certify import certificates
from payorder_tools.certify.front import TlsFront
from payorder_tools.command.exits import DONE, NOT_SENT

from .commands import VARIABLES, run
from .support import Sandbox, Service


class Doctors(unittest.TestCase):
    def findings(self, url: str, config: str = "") -> Dict[str, Any]:
        line = f"doctor --json --base-url {url} {config}"
        ended = run(None, line, **VARIABLES)
        found: Dict[str, Any] = {
            finding["check"]: finding for finding in map(json.loads, ended.stdout.splitlines())
        }
        failed = any(one["result"] == "failed" for one in found.values())
        self.assertEqual(ended.returncode, NOT_SENT if failed else DONE)
        return found

    def test_each_step_of_tls_is_checked(self) -> None:
        for certificate, trusted, failed in (
            (certificates.VALID, True, ["credentials"]),
            (certificates.VALID, False, ["tls"]),
            (certificates.EXPIRED, True, ["tls"]),
        ):
            with tempfile.TemporaryDirectory() as name, Sandbox() as sandbox:
                folder = Path(name)
                config = folder / "config.json"
                with TlsFront(certificate, folder, "localhost") as front:
                    front.target = sandbox.address
                    front.open()
                    tls = {"caFile": str(front.authority)} if trusted else {}
                    config.write_text(json.dumps({"tls": tls}))
                    config.chmod(0o600)
                    found = self.findings(front.base_url, f"--config {config}")
            results = {name: one["result"] for name, one in found.items()}
            self.assertEqual([name for name, result in results.items() if result != "ok"], failed)
            if "tls" not in failed:
                self.assertRegex(
                    found["tls"]["words"],
                    r"^TLSv1\..*payorder exam.* until 2.*\(\d+ days\)$",
                )

    def test_a_wrong_clock_is_found_and_no_order_is_created(self) -> None:
        date = email.utils.formatdate(time.time() + 3600, usegmt=True)
        answers = {"status": [{"text": "", "headers": {"Date": date}}]}
        with Service(**answers) as service:
            clock = self.findings(service.url)["clock"]
        self.assertEqual(clock["result"], "failed")
        self.assertRegex(clock["words"], r"3(59|60)\d s behind the service")
        (request,) = service.requests
        self.assertEqual(request.body()["orderId"], "payorder-check")
