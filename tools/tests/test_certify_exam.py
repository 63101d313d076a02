"""`payorder certify` with small tills that use plain HTTP. tests/certify has right and wrong ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List

from payorder_tools.certify.run import Exam, version_line

from .commands import NOT_PAID, USAGE
from .program import LIBRARY, PYTHONPATH
from .sandbox import program as sandbox_program
from .service import PATIENCE

#: What the tills below share: `post` returns the response's envelope, or None without one.
COMMON = """
import json, os, sys, time, urllib.request

E = os.environ
ID = E["SALE_ORDER_ID"]
END = time.monotonic() + float(E["SALE_SECONDS"]) - 1
CREATE = {"ACCESS-TOKEN": E["PAYORDER_ACCESS_TOKEN"]}
STATUS = {"X-" + name: E["PAYORDER_" + name.replace("-", "_")]
          for name in ("CLIENT-KEY", "CLIENT-ID", "SECRET-KEY")}

def post(path, body, headers):
    request = urllib.request.Request(
        E["PAYORDER_BASE_URL"] + "/api/v1/Gateway/" + path, json.dumps(body).encode(),
        {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=1) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        return {"responseCode": str(error.code)}
    except Exception as error:
        print(error)

def create(order_id=ID):
    return post("CreateOrder", {
        "amount": E["SALE_AMOUNT"], "merchantTxnId": order_id, "orderId": order_id,
        "payMode": "all", "merchantId": E["SALE_MERCHANT_ID"],
        "productInfo": E["SALE_PRODUCT"], "customerName": E["SALE_CUSTOMER_NAME"],
        "customerMobile": E["SALE_CUSTOMER_MOBILE"], "customerEmail": E["SALE_CUSTOMER_EMAIL"],
        "redirectionURL": E["SALE_RETURN_URL"], "currencyCode": E["SALE_CURRENCY"]}, CREATE)

def show(made):
    print("pay at", made["data"]["url"], flush=True)

def ask():
    # On a busy machine, a response may come too late.
    while time.monotonic() < END:
        told = post("GetStatus", {"searchType": "1", "orderId": ID}, STATUS)
        if told:
            return told.get("data") or {}
    sys.exit(3)

def is_paid(told):
    return (told.get("transactionStatus") == "Completed" and told["orderId"] == ID
            and told["amount"] == E["SALE_AMOUNT"] and not told["refundStatus"])
"""
FORGETS = """
made = create()
if "data" not in made:
    sys.exit(2)
show(made)
sys.stdin.read()
sys.exit(0 if is_paid(ask()) else 3)
"""
VERSIONED = """
if sys.argv[1:] == ["--version"]:
    print("till 9")
    sys.exit(0)
open("started", "w").close()
time.sleep(600)
"""
HANGS = """
import subprocess
print(E["PAYORDER_SECRET_KEY"])
subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])
"""


class Exams(unittest.TestCase):
    def setUp(self) -> None:
        sandbox_program()  # Skips the test without one.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def command(self, *arguments: str) -> List[str]:
        return [sys.executable, "-m", "payorder", "certify", *arguments]

    def till(self, source: str) -> List[str]:
        (self.folder / "till.py").write_text(
            textwrap.dedent(COMMON + source), encoding="utf-8"
        )
        return ["--", sys.executable, "till.py"]

    def environment(self) -> Dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": PYTHONPATH,
            "PAYORDER_LIBRARY": str(LIBRARY),
            "PAYORDER_SECRET_KEY": "of-the-real-service",
        }

    def run_command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=240,
        )

    def exam(self, source: str, *names: str) -> Dict[str, Any]:
        """The results of the scenarios by name, and the exit status."""
        file = self.folder / "result.json"
        only = [word for name in names for word in ("--only", name)]
        options = [*only, *"--seconds 4 --seed 1 --json".split(), str(file)]
        ended = self.run_command(*options, *self.till(source))
        self.assertEqual(ended.stderr, "")
        result = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(ended.returncode, 0 if result["passed"] else NOT_PAID)
        found: Dict[str, Any] = {one["name"]: one for one in result["scenarios"]}
        self.assertEqual(sorted(found), sorted(names))
        return found

    def rules(self, result: Dict[str, Any]) -> List[str]:
        self.assertIsNone(result["trouble"])
        return [one["rule"] for one in result["findings"]]

    def test_a_till_that_hangs_is_stopped_with_its_children(self) -> None:
        result = self.exam(HANGS, "paid")["paid"]
        self.assertEqual(self.rules(result), ["no-secrets", "in-time"])
        self.assertEqual(result["runs"][0]["stdout"], "[redacted]\n")
        self.assertNotIn("of-the-real-service", json.dumps(result))

    def test_the_same_seed_makes_the_same_sale(self) -> None:
        sales = [self.exam("sys.exit(1)", "paid") for _ in range(2)]
        self.assertEqual(*[one["paid"]["seed"] for one in sales])
        till = "print(ID, E['SALE_AMOUNT']); sys.exit(1)"
        shown = [self.exam(till, "paid")["paid"]["runs"][0]["stdout"] for _ in range(2)]
        self.assertRegex(shown[0], r"^[A-Z][0-9]{9} [0-9]+\.[0-9]{2}\n$")
        self.assertEqual(*shown)

    def test_the_wire_is_shown_without_credentials(self) -> None:
        ended = self.run_command(
            "--only", "paid", "--show-wire", "--keep", "kept", *self.till(FORGETS)
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("/api/v1/Gateway/CreateOrder", ended.stdout)
        self.assertNotIn("sandbox-access-token", ended.stdout)
        kept = self.folder / "kept" / "paid"
        self.assertIn("pay at", (kept / "run-1.stdout").read_text(encoding="utf-8"))
        self.assertTrue([one for one in kept.iterdir() if one.is_dir()])

    def test_what_is_wrong_with_the_command_line_is_said_before_anything_runs(
        self,
    ) -> None:
        for arguments, words in (
            (["--", "no-such-till"], "no-such-till cannot be started"),
            (["--only", "payed", "--", sys.executable], "there is no scenario payed"),
            ([], "write its command after --"),
            (["--jobs", "0", "--", sys.executable], "--jobs"),
            (["--html", "no/r.html", "--", sys.executable], "no/r.html"),
        ):
            ended = self.run_command(*arguments)
            self.assertEqual((ended.returncode, ended.stdout), (USAGE, ""))
            self.assertIn(words, ended.stderr)

    def started(self, source: str, *options: str) -> "subprocess.Popen[bytes]":
        """An exam one of whose tills has made the file `started`."""
        till = self.till(source)
        exam = subprocess.Popen(
            self.command("--keep", "kept", "--seconds", "600", *options, *till),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # The test may run as a background job, in which the signal is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self.wait_for(lambda: bool(list(self.folder.glob("kept/*/*/started"))))
        return exam

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def interrupted(self, source: str, *options: str) -> int:
        """Presses Ctrl-C in an exam that has started. Returns its process id."""
        exam = self.started(source, *options)
        exam.send_signal(signal.SIGINT)
        out, err = exam.communicate(timeout=PATIENCE)
        self.assertEqual(exam.returncode, 130, err)
        self.assertNotIn(b"Traceback", err)
        self.assertEqual(out.count(b"INTERRUPTED after 0 scenarios"), 1)
        return exam.pid

    def processes(self) -> List[List[str]]:
        """The process group and the arguments of every process."""
        listed = subprocess.run(
            ["ps", "-eo", "pgid,args"], stdout=subprocess.PIPE, universal_newlines=True
        )
        return [line.split(None, 1) for line in listed.stdout.splitlines()]

    @unittest.skipIf(sys.platform == "win32", "Windows has no SIGINT for one process")
    def test_a_certificate_of_an_interrupted_exam_says_so(self) -> None:
        self.interrupted(
            VERSIONED,
            *("--certificate", "certificate.json", "--program-version", "typed"),
        )
        file = self.folder / "certificate.json"
        made = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual(
            made["title"],
            "PARTIAL test of a till: interrupted, nothing failed before",
        )
        self.assertIn("the test was interrupted", made["missing"])
        self.assertFalse(made["passed"])
        self.assertEqual(made["program"]["versionPrintedByProgram"], "till 9")
        self.assertEqual(made["program"]["versionTypedByUser"], "typed")
        self.assertTrue((self.folder / "certificate.json.html").exists())

    def test_a_till_without_a_version_has_none(self) -> None:
        (self.folder / "till.py").write_text(COMMON + "show(create())")
        command = [sys.executable, str(self.folder / "till.py")]
        self.assertIsNone(version_line(Exam(command, command, (), 1)))

    @unittest.skipIf(sys.platform == "win32", "Windows has no SIGINT for one process")
    def test_ctrl_c_ends_the_tills_and_the_sandboxes(self) -> None:
        process = self.interrupted(
            "open('started', 'w').close(); time.sleep(600)", "--json", "report.json"
        )
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        self.assertTrue(report["interrupted"])
        self.assertFalse(report["passed"])
        # The tills have the folder in their arguments, the sandboxes are in the exam's group.
        for group, *arguments in self.processes():
            self.assertNotEqual(group, str(process))
            self.assertNotIn(str(self.folder), " ".join(arguments))

    @unittest.skipIf(sys.platform == "win32", "ps is not on Windows")
    def test_an_exam_that_is_killed_leaves_no_sandboxes_behind(self) -> None:
        exam = self.started("open('started', 'w').close(); sys.stdin.read()")
        exam.kill()
        exam.communicate()
        group = str(exam.pid)
        self.wait_for(lambda: group not in [one[0] for one in self.processes()])


if __name__ == "__main__":
    unittest.main()
