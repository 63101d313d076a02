"""Settings of the command, and its sandbox."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from .commands import (
    NOT_SENT,
    REJECTED,
    USAGE,
    VARIABLES,
    CommandTestCase,
    command,
    environment,
    run,
)
from .sandbox import CREDENTIALS, Sandbox
from .service import PATIENCE


class Settings(CommandTestCase):
    def config(self, text: str, mode: int = 0o600) -> str:
        path = self.folder / "payorder.json"
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    def test_a_file_has_the_same_settings_and_the_environment_comes_first(self) -> None:
        settings = {
            "baseUrl": self.sandbox.url,
            "clientKey": CREDENTIALS["client_key"],
            "clientId": CREDENTIALS["client_id"],
            "secretKey": "wrong",
            "tls": {"roots": "system"},
        }
        config = self.config(json.dumps(settings))
        refused = run(None, f"status A1 --config {config}")
        self.assertEqual(refused.returncode, REJECTED)
        secret = CREDENTIALS["secret_key"]
        asked = run(
            None, "status A1", PAYORDER_CONFIG=config, PAYORDER_SECRET_KEY=secret
        )
        self.assertIn("No such order", asked.stderr)

    def test_a_problem_with_the_settings_names_the_file_and_the_key(self) -> None:
        for text, words in (
            ("{", "too early to be JSON"),
            ('{"clientkey": "k"}', "unknown configuration key `clientkey`"),
            ('{"tls": {"ca_file": "f"}}', "unknown configuration key `tls.ca_file`"),
        ):
            config = self.config(text)
            with self.subTest(words):
                refused = self.refused(f"status A1 --config {config}", words=words)
                self.assertIn(config, refused.stderr)
        hidden = self.config('{"secretKey": "hidden-4711"}', 0o640)
        refused = self.refused(f"status A1 --config {hidden}", words="chmod 600")
        self.assertNotIn("hidden-4711", refused.stderr)
        self.assertIn("PAYORDER_BASE_URL", run(None, "status A1").stderr)

    def test_no_output_shows_a_credential(self) -> None:
        self.create("A1")
        for line in ("status A1 --verbose", "doctor", "doctor --json", "status A9"):
            ended = self.payorder(line)
            for credential in VARIABLES.values():
                self.assertNotIn(credential, ended.stdout + ended.stderr)

    def test_no_credential_is_an_argument(self) -> None:
        for name in ("create", "status", "wait", "reconcile", "doctor"):
            usage = run(None, f"{name} --help").stdout
            for word in ("access-token", "client-key", "client-id", "secret-key"):
                self.assertNotIn(f"--{word}", usage)


class Sandboxes(unittest.TestCase):
    def test_the_sandbox_prints_its_settings_and_ends_on_sigterm(self) -> None:
        with Sandbox():
            pass
        with subprocess.Popen(
            command("sandbox"),
            env=environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
        ) as running:
            assert running.stdout is not None
            # Until the requests begin: the settings are the last lines before them.
            lines = list(
                itertools.takewhile(
                    lambda line: not line.startswith("Time (UTC)"), running.stdout
                )
            )
            said = "".join(lines[-6:])
            url = re.search(r"export PAYORDER_BASE_URL=(\S+)", said)
            assert url is not None, said
            pasted = dict(re.findall(r"(PAYORDER_\w+)=(\S+)", said))
            asked = run(None, "status A1", **pasted)
            self.assertIn("No such order", asked.stderr)
            running.terminate()
            running.communicate(timeout=PATIENCE)
        gone = run(None, "status A1", **pasted)
        self.assertEqual(gone.returncode, NOT_SENT)

    def test_a_sandbox_that_cannot_be_started_is_not_an_output_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "sandbox"
            program.write_bytes(b"\0not a program")
            program.chmod(0o700)
            refused = run(None, "sandbox", PAYORDER_SANDBOX=str(program))
        self.assertEqual(refused.returncode, USAGE, refused)
        self.assertIn(f"the sandbox {program} cannot be started", refused.stderr)
        self.assertIn("Exec format error", refused.stderr)

    def test_a_missing_sandbox_is_reported_with_a_remedy(self) -> None:
        missing = run(None, "sandbox", PAYORDER_SANDBOX="/no/such/sandbox")
        self.assertEqual(missing.returncode, USAGE)
        self.assertIn("cargo build --example sandbox", missing.stderr)

    def test_a_bad_rule_is_a_wrong_command_line(self) -> None:
        refused = run(None, "sandbox --fault create:1:no-such-fault")
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("no-such-fault", refused.stderr)
