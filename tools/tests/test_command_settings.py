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
    create,
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
        config = self.config(
            json.dumps(
                {
                    "baseUrl": self.sandbox.url,
                    "clientKey": CREDENTIALS["client_key"],
                    "clientId": CREDENTIALS["client_id"],
                    "secretKey": "wrong",
                    "tls": {"roots": "system"},
                }
            )
        )
        self.assertEqual(
            run(None, "status", "A1", "--config", config).returncode, REJECTED
        )
        asked = run(
            None,
            "status",
            "A1",
            PAYORDER_CONFIG=config,
            PAYORDER_SECRET_KEY=CREDENTIALS["secret_key"],
        )
        self.assertIn("No such order", asked.stderr)

    def test_credentials_that_others_can_read_are_refused(self) -> None:
        config = self.config(
            '{"baseUrl": "http://127.0.0.1:9", "secretKey": "hidden-4711"}', 0o640
        )
        refused = run(None, "status", "A1", "--config", config)
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("chmod 600", refused.stderr)
        self.assertNotIn("hidden-4711", refused.stderr)

    def test_a_problem_with_the_settings_names_the_file_and_the_key(self) -> None:
        for text, words in (
            ("{", "too early to be JSON"),
            ("[]", "must be a JSON object"),
            ('{"clientkey": "k"}', "unknown configuration key `clientkey`"),
            ('{"tls": {"ca_file": "f"}}', "unknown configuration key `tls.ca_file`"),
            (None, "cannot be read"),
        ):
            config = (
                str(self.folder / "none.json") if text is None else self.config(text)
            )
            with self.subTest(words):
                refused = run(None, "status", "A1", "--config", config)
                self.assertEqual((refused.returncode, refused.stdout), (USAGE, ""))
                self.assertIn(words, refused.stderr)
                self.assertIn(config, refused.stderr)
        self.assertIn("PAYORDER_BASE_URL", run(None, "status", "A1").stderr)

    def test_no_output_shows_a_credential(self) -> None:
        create(self.sandbox, "A1")
        for arguments in (
            ["status", "A1", "--verbose"],
            ["doctor"],
            ["doctor", "--json"],
            ["status", "A9"],
        ):
            ended = run(self.sandbox, *arguments)
            for credential in VARIABLES.values():
                self.assertNotIn(credential, ended.stdout + ended.stderr)

    def test_no_credential_is_an_argument(self) -> None:
        for name in ("create", "status", "wait", "reconcile", "doctor"):
            usage = run(None, name, "--help").stdout
            for word in (
                "--access-token",
                "--client-key",
                "--client-id",
                "--secret-key",
            ):
                self.assertNotIn(word, usage)


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
            asked = run(None, "status", "A1", **pasted)
            self.assertIn("No such order", asked.stderr)
            running.terminate()
            running.communicate(timeout=PATIENCE)
        gone = run(None, "status", "A1", **pasted)
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
