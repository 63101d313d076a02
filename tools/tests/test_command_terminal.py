"""The output of `payorder create` and `payorder wait` on a terminal."""

from __future__ import annotations

import re

from .commands import (
    ORDER,
    CommandTestCase,
    environment,
    on_a_terminal,
)
from .service import CHECKOUT_URL, CREATED, Service

#: Replaces the package that draws QR codes: draws one that is WIDTH columns wide, or fails.
SEGNO = """
import os

class Code:
    def symbol_size(self):
        return int(os.environ["WIDTH"]), 10
    def terminal(self, out, compact):
        out.write("\\u2588" * int(os.environ["WIDTH"]) + "\\n")

def make(text, micro):
    if os.environ["WIDTH"] == "none":
        raise ValueError("too much data")
    return Code()
"""


class QrCodes(CommandTestCase):
    def shown(self, width: str, columns: int, encoding: str = "utf-8") -> str:
        (self.folder / "segno.py").write_text(SEGNO)
        with Service(CREATED) as service:
            variables = environment(
                self.sandbox,
                PAYORDER_BASE_URL=service.url,
                PYTHONPATH=f"{self.folder}:{environment()['PYTHONPATH']}",
                PYTHONIOENCODING=encoding,
                WIDTH=width,
            )
            arguments = ["create", "--order-id", "ORD-1", "--amount", "5", *ORDER]
            shown = on_a_terminal(arguments, variables, columns)
        self.assertIn(CHECKOUT_URL, shown)
        self.assertNotIn("Traceback", shown)
        return shown

    def test_a_qr_code_is_drawn_if_it_fits(self) -> None:
        self.assertIn("\u2588" * 45, self.shown("45", 80))
        narrow = self.shown("45", 40)
        self.assertNotIn("\u2588", narrow)
        self.assertIn("too narrow", narrow)
        # A terminal without block characters gets the URL alone.
        plain = self.shown("45", 80, "ascii")
        self.assertNotIn("2588", plain)
        self.assertNotIn("\u2588", plain)

    def test_a_qr_code_that_fails_does_not_make_the_order_look_failed(self) -> None:
        self.assertIn("(no QR code: too much data)", self.shown("none", 80))


class Colours(CommandTestCase):
    def test_a_verdict_has_a_colour_only_on_a_terminal_and_never_with_no_color(
        self,
    ) -> None:
        journal = ["--journal", self.journal]
        for order_id in ("PAID", "LESS", "OPEN"):
            self.create(f"{order_id} 5.00", *journal)
        self.sandbox.press("pay", 1)
        self.sandbox.press("pay", 2)
        green, yellow, red = "\x1b[32m", "\x1b[33m", "\x1b[31m"
        terminal = {"TERM": "xterm", "NO_COLOR": ""}
        for arguments, beginning in (
            (["status", "PAID", "--amount", "5"], f"{green}PAID, as expected"),
            (["status", "OPEN", "--amount", "5"], f"{yellow}NOT PAID as expected"),
            (["status", "LESS", "--amount", "1"], f"{red}NOT AS EXPECTED"),
            (["recover", *journal], f"{green}paid "),
            (["recover", *journal], f"{yellow}payable "),
        ):
            with self.subTest(arguments):
                coloured = environment(self.sandbox, **terminal)
                shown = on_a_terminal(arguments, coloured)
                self.assertRegex(shown, re.escape(beginning) + r"[^\r\n]*\x1b\[0m\r\n")
                plain = {**coloured, "NO_COLOR": "1"}
                self.assertNotIn("\x1b", on_a_terminal(arguments, plain))
                piped = self.payorder(*arguments, **terminal)
                self.assertNotIn("\x1b", piped.stdout + piped.stderr)
