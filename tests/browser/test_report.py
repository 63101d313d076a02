"""The report of an exam as a page, made with the till of docs/certify.md."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from .pages import PHONE, PROJECT, SCHEMES, BrowserTestCase


class Report(BrowserTestCase):
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

        for scheme in reversed(SCHEMES):
            page = self.tab(scheme, **PHONE)
            page.goto((folder / "report.html").as_uri())
            self.check_rules(page)
            self.check_width(page, PHONE)
