"""The report of an exam as a page, made with the till of docs/certify.md."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from . import axe
from .chromium import PHONE, Chromium, Screen

PROJECT = Path(__file__).resolve().parents[2]
PICTURE = PROJECT / "docs" / "images" / "exam.png"
#: As wide as a phone, and as high as what the picture shows.
SCREEN: Screen = (PHONE[0], 400, PHONE[2], True)


class Report(unittest.TestCase):
    def test_the_report_of_a_failed_till_fits_a_phone_and_breaks_no_rule(self) -> None:
        page = (PROJECT / "docs/certify.md").read_text(encoding="utf-8")
        till = page.split("cat > till.py <<'END'\n")[1].split("\nEND\n")[0]
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        (folder / "till.py").write_text(till, encoding="utf-8")
        command = [sys.executable, "-m", "payorder", "certify", "--seed", "7"]
        command += ["--only", "never-pays", "--html", "report.html"]
        exam = subprocess.run(
            [*command, "--", "python3", "till.py"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        self.assertEqual(exam.returncode, 6)

        browser = Chromium()
        self.addCleanup(browser.quit)
        for scheme in ("dark", "light"):
            browser.screen(SCREEN, scheme)
            browser.open((folder / "report.html").as_uri())
            self.assertEqual(axe.faults(browser), [])
            width = browser.run("return document.scrollingElement.scrollWidth")
            self.assertEqual(width, PHONE[0])
        browser.run("document.querySelectorAll('h2')[3].scrollIntoView()")
        if os.environ.get("PAYORDER_KEEP_PICTURES"):
            PICTURE.write_bytes(browser.picture())
        self.assertLess(PICTURE.stat().st_size, 80_000)
