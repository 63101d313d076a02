"""A certificate says what was played, and only its signer could have made it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from payorder_tools.certify.certificate import (
    KILLS,
    SALES,
    CannotSign,
    certificate,
    problems,
    sign,
    to_json,
    verify,
)
from payorder_tools.certify.reports.html import certificate_page
from payorder_tools.certify.results import ExamResult
from payorder_tools.certify.scenarios import SCENARIOS

from .certify_results import PASSED, RUN
from .commands import run

KILLED = replace(RUN, killed_at="0.4 s: the order was made and no response sent")
EXAM = ExamResult(
    command=["./till"],
    version="1.0",
    seed=7,
    started="2026-11-20T09:00:00Z",
    seconds=30.0,
    scenarios=[replace(PASSED, name=name) for name in SCENARIOS],
)
DRILL = replace(
    EXAM,
    kind="drill",
    scenarios=[replace(PASSED, name=str(n), runs=[KILLED]) for n in range(SALES)],
)


class Certificates(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.till = self.folder / "till"
        self.till.write_text("sells", encoding="utf-8")

    def made(
        self, exam: ExamResult = EXAM, drill: ExamResult = DRILL
    ) -> "dict[str, object]":
        return certificate(exam, drill, [str(self.till)], "Shop", "n-1", "till 2.3")

    def test_a_complete_one_is_as_expected(self) -> None:
        made = self.made()
        self.assertEqual(made["title"], "COMPLETE test of a till: passed")
        self.assertEqual(problems(made, "n-1", [self.till]), [])

    def test_what_is_missing_is_in_the_title(self) -> None:
        part = replace(EXAM, scenarios=EXAM.scenarios[:3])
        missed = [replace(one, runs=[RUN]) for one in DRILL.scenarios[:-1]]
        made = self.made(part, replace(DRILL, scenarios=missed))
        self.assertEqual(made["title"], "PARTIAL test of a till: passed")
        self.assertEqual(
            problems(made, None, []),
            [
                f"3 of {len(SCENARIOS)} scenarios were run",
                f"the drill had {SALES - 1} sales, and not {SALES}",
                f"0 kills met the program alive, and not {KILLS}",
            ],
        )

    def test_another_program_nonce_or_result_is_found(self) -> None:
        failed = replace(
            EXAM, scenarios=[replace(one, passed=False) for one in EXAM.scenarios]
        )
        made = self.made(failed)
        self.assertIn("FAILED", str(made["title"]))
        other = self.folder / "other"
        other.mkdir()
        (other / "till").write_text("sells differently", encoding="utf-8")
        self.assertEqual(len(problems(made, "n-2", [other / "till"])), 3)

    def test_the_page_has_what_the_json_has(self) -> None:
        made = self.made()
        page = certificate_page(made, EXAM, DRILL)
        for text in ("Shop", "n-1", "till 2.3", str(made["rules"]), *SCENARIOS):
            self.assertIn(text, page)
        self.assertIn("version, typed by the user</dt><dd>till 2.3<", page)

    def test_a_partial_one_has_its_own_colour(self) -> None:
        part = replace(EXAM, scenarios=EXAM.scenarios[:3])
        bad = replace(PASSED, passed=False)
        stopped = replace(DRILL, scenarios=DRILL.scenarios[:2], interrupted=True)
        failed = replace(part, scenarios=[*part.scenarios, bad])
        for exam, drill, classes, title in (
            (EXAM, DRILL, ["good", "good"], "COMPLETE test of a till: passed"),
            (part, DRILL, ["partial"] * 3, "PARTIAL test of a till: passed"),
            (
                failed,
                DRILL,
                ["bad"] + ["partial"] * 2,
                "PARTIAL test of a till: FAILED",
            ),
            (
                EXAM,
                stopped,
                ["partial"] * 5,
                "PARTIAL test of a till: interrupted, nothing failed before",
            ),
            (
                replace(failed, interrupted=True),
                replace(DRILL, scenarios=[], interrupted=True),
                ["bad"] + ["partial"] * 5,
                "PARTIAL test of a till: FAILED",
            ),
        ):
            made = self.made(exam, drill)
            self.assertEqual(made["title"], title)
            page = certificate_page(made, exam, drill)
            self.assertEqual(re.findall('class="result (\\w+)"', page), classes)

    @unittest.skipUnless(shutil.which("ssh-keygen"), "ssh-keygen is not installed")
    def test_a_changed_document_is_not_valid(self) -> None:
        key, file = self.folder / "key", self.folder / "c.json"
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
        subprocess.run(make, check=True)
        made = self.made()
        file.write_text(to_json(made), encoding="utf-8")
        sign(file, key)
        public = key.with_suffix(".pub")
        verify(file, public)
        self.assertEqual(json.loads(file.read_text(encoding="utf-8")), made)
        check = ("verify-certificate", str(file), "--key", str(public), "--json")
        told = json.loads(run(None, *check, "--nonce", "n-1").stdout)
        self.assertEqual((told["signed"], told["problems"]), (True, []))
        told = json.loads(run(None, *check, "--nonce", "n-2").stdout)
        self.assertEqual(len(told["problems"]), 1)
        file.write_text(to_json({**made, "merchant": "Other"}), encoding="utf-8")
        with self.assertRaises(CannotSign):
            verify(file, public)
        self.assertFalse(json.loads(run(None, *check).stdout)["signed"])


if __name__ == "__main__":
    unittest.main()
