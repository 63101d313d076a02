"""The command line with a journal in PostgreSQL. No output shows the database's password."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from pathlib import Path

import payorder
from payorder_tools.command.settings import shown

from .commands import run
from .database import PASSWORD, Database
from .support import PROJECT, Sandbox, closed_address, order


class Names(unittest.TestCase):
    def test_a_name_has_no_user_no_password_and_no_option(self) -> None:
        for given, name in (
            ("db/orders@home?.sqlite", "db/orders@home?.sqlite"),
            ("postgresql://a:PW@h:1,i:2/d", "postgresql://h:1,i:2/d"),
            ("postgres://h/d?user=a@b&password=PW", "postgresql://h/d"),
            ("postgresql:///d?password=P@W", "postgresql:///d"),
            ("postgresql://a:P?W@[::1]/d", "postgresql://[::1]/d"),
            ("postgresql://a:PW@h", "postgresql://h"),
            ("postgresql://a:P@W@h/d", "postgresql://h/d"),
            # The library refuses these.
            ("postgresql://a:P/W@h/d", "postgresql://..."),
            ("Postgres://a:PW@h/d", "postgresql://..."),
            ("postgresql:/a:PW@h/d", "postgresql://..."),
            ("host=h password=PW", "postgresql://..."),
        ):
            self.assertEqual(shown(given), name)


class Databases(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.database = Database()
        cls.addClassCleanup(cls.database.__exit__)
        cls.uri = cls.database.role("shop")
        cls.name = re.sub("//.*@", "//", cls.uri)
        # A role with a name that needs quotes.
        cls.database.role('"O\'Neil ""x"""')
        schema = PROJECT / "core/src/journal/postgresql/schema.sql"
        for role in ("shop", 'O\'Neil "x"'):
            sql = run(None, "journal schema --prune --role", role).stdout
            rights = run(None, "journal schema --prune --only-rights --role", role).stdout
            assert sql == schema.read_text(encoding="utf-8") + rights, sql
            cls.database.sql(sql if role == "shop" else rights)

    def setUp(self) -> None:
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.__exit__)
        self.database.sql("DELETE FROM payorder_orders; DELETE FROM payorder_events")

    def run_it(self, line: str, status: int = 0, uri: str = "") -> str:
        """What the command prints, which must end with this exit status."""
        ended = run(self.sandbox, line, PAYORDER_JOURNAL=uri or self.uri)
        printed = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, status, printed)
        for secret in (PASSWORD, PASSWORD.replace("/", "%2F")):
            self.assertNotIn(secret, printed)
        return printed

    def test_every_command_that_takes_a_journal_takes_a_database(self) -> None:
        with self.sandbox.client(journal=self.uri) as client:
            for number in (1, 2, 3):
                client.create_order(order(number))
        self.sandbox.pay("ORD-1")
        waited = self.run_it(f"wait ORD-1 --seconds 0 --journal {self.uri}", 0, "none")
        self.assertRegex(waited, "(?m)^PAID")
        self.assertEqual(len(self.run_it("journal list -q").splitlines()), 3)
        with tempfile.TemporaryDirectory() as name:
            sales = Path(name, "sales.csv")
            sales.write_text("orderId,amount\nORD-1,100.00\nORD-9,100.00\n")
            self.assertIn("not_in_journal", self.run_it(f"recover {sales}"))
            reconciled = self.run_it(f"reconcile {sales} --only-unexpected", 6)
            self.assertIn("ORD-9", reconciled)
        self.assertIn("0 still unresolved", self.run_it("journal resolve"))
        evidence = self.run_it("evidence ORD-1 --json").splitlines()
        self.assertEqual(json.loads(evidence[-1])["journal"], self.name)
        self.assertIn(f"the journal {self.name} has no", self.run_it("evidence NO", 2))
        entry = self.run_it("journal list --state open").split("\n")[1].split()[0]
        self.run_it(f"journal settle {entry} -q")
        self.database.sql("UPDATE payorder_orders SET updated_ms = 1")
        self.assertEqual(self.run_it("journal prune"), "2 removed\n")
        self.assertIn(f"{self.name}, with 0 unresolved", self.run_it("doctor"))

    def test_what_a_restored_database_lost_is_for_a_person(self) -> None:
        with self.sandbox.client(journal=self.uri) as client:
            for number in (1, 2):
                client.create_order(order(number))
        self.sandbox.pay("ORD-1")
        self.database.sql("DELETE FROM payorder_orders; DELETE FROM payorder_events")
        with tempfile.TemporaryDirectory() as name:
            sales = Path(name, "sales.csv")
            rows = (f"ORD-{number},100.00\n" for number in (1, 2, 3))
            sales.write_text("orderId,amount\n" + "".join(rows))
            found = self.run_it(f"recover {sales} --json", 6)
        one, two, three = json.loads(found)["sales"]
        verdicts = [one["verdict"], two["verdict"], three["verdict"]]
        self.assertEqual(verdicts, ["check", "url_lost", "not_in_journal"])
        self.assertEqual([reason["check"] for reason in one["reasons"]], ["journal"])

    def test_the_doctor_names_what_is_wrong_with_a_database(self) -> None:
        reads = self.database.role("reads")
        tables = "payorder_orders, payorder_events, payorder_version"
        self.database.sql(f"GRANT SELECT ON {tables} TO reads")
        self.database.sql("CREATE DATABASE empty")
        with closed_address() as nobody:
            wrong = {
                reads: "cannot be used by this role.*--role NAME --only-rights",
                self.database.uri("shop", "none"): '"none" does not exist',
                self.uri.replace("Only4", "Only5"): "authentication failed",
                f"postgresql://shop@{nobody}/shop": "cannot be reached",
            }
            for uri, words in wrong.items():
                doctor = self.run_it("doctor -q", 3, uri)
                self.assertRegex(doctor, f"failed +journal .*{words}")
        misspelt = self.run_it("doctor", 2, self.uri.replace("p", "P", 1))
        self.assertIn("a URI that begins with postgresql://", misspelt)

    def test_the_role_needs_each_right_that_is_printed(self) -> None:
        rights = 0
        for line in run(None, "journal schema --prune --role shop").stdout.split("\n"):
            granted = re.fullmatch(r'GRANT (.*) ON (\w+) TO "shop";', line)
            for right in granted[1].split(", ") if granted else ():
                self.assertTrue(self.works(), "with all rights")
                change = f"{right} ON {granted[2]}"
                self.database.sql(f"REVOKE {change} FROM shop")
                self.assertFalse(self.works(), change)
                self.database.sql(f"GRANT {change} TO shop")
                rights += 1
        self.assertEqual(rights, 8)

    def works(self) -> bool:
        with self.sandbox.client(journal=self.uri) as client:
            try:
                number = self.numbers = getattr(self, "numbers", 0) + 1
                client.create_order(order(number))
                client.get_status(order_id=f"ORD-{number}")
                [entry] = client.journal.list(order_id=f"ORD-{number}", events=True)
                client.journal.settle(entry.entry)
                client.journal.prune()
            except payorder.JournalError as error:
                self.assertEqual(error.cause, "journal_read_only")
                return False
        return True
