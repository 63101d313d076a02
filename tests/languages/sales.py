"""Runs the programs of docs/guides/other-languages.md: sales.py [LANGUAGE...]."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from payorder_tools.testing import Sandbox

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "guides" / "other-languages.md"
#: They convert texts by the locale.
BY_LOCALE = ("Guile", "R", "Tcl, with SWIG")


def programs() -> Iterator[Tuple[str, Dict[str, str], str]]:
    """Each language, with its files and its commands."""
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        files, commands = {}, ""
        for language, text in re.findall(r"^```(\w+)\n(.*?)^```", section, re.M | re.S):
            if language == "sh":
                commands = text
            else:
                files[text.split()[1]] = text
        if commands:
            yield section.split("\n")[0], files, commands


def order(number: int) -> Dict[str, str]:
    return {
        "amount": "249.50",
        "merchantTxnId": f"T-{number}",
        "orderId": f"आशा-{number}",
        "payMode": "all",
        "merchantId": "M-1",
        "productInfo": "Two coffees",
        "customerName": "आशा",
        "customerMobile": "9000000000",
        "customerEmail": "a@example.com",
        "redirectionURL": "https://shop.example/return",
        "currencyCode": "INR",
    }


def run(language: str, files: Dict[str, str], commands: str, libraries: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        common = {
            **os.environ,
            **sandbox.environment(),
            "LIBRARY_PATH": str(libraries),
            "LD_LIBRARY_PATH": str(libraries),
            "C_INCLUDE_PATH": str(PROJECT / "include"),
            "LC_ALL": "C.UTF-8",
        }

        def sell(sent: Dict[str, str], **changes: str) -> str:
            made = subprocess.run(
                ["bash", "-c", commands],
                cwd=folder,
                env={**common, "ORDER": json.dumps(sent, ensure_ascii=False), **changes},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=300,
            )
            return made.stdout.decode(errors="replace")

        said = sell(order(1))
        assert re.search(r"^\W*0 \{.*/checkout/1\"", said.replace("redefined order", ""), re.M), (
            said
        )
        [created] = sandbox.orders()
        assert (created.order_id, created.amount) == ("आशा-1", "249.50"), created
        said = sell(dict(order(2), amount="0"))
        assert re.search(r"^.*\b4 \{.*\"not_sent\"", said, re.M), said
        said = sell(order(3), PAYORDER_ACCESS_TOKEN="wrong")
        assert re.search(r"^.*\b101 \{.*\"rejected\"", said, re.M), said
        said = sell(dict(order(4), productInfo="sandbox:drop-after-commit"))
        assert re.search(r"^.*\b201 \{.*\"unknown\"", said, re.M), said
        said = sell(order(5), PAYORDER_BASE_URL="not-a-url")
        assert re.search(r"^.*\b3 \{.*\"not_sent\"", said, re.M), said
        if language in BY_LOCALE:
            said = sell(order(6), LC_ALL="C")
            assert "start it with LC_ALL=C.UTF-8" in said, said
        sent = {one.order_id for one in sandbox.orders()}
        assert sent == {"आशा-1", "आशा-4"}, sent


def main(chosen: List[str]) -> None:
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("libpayorder.so", "libpayorder.so.1"):
            Path(folder, name).symlink_to(os.environ["PAYORDER_LIBRARY"])
        for language, files, commands in programs():
            tools = re.findall(r"(?:^|&& )(\w[\w-]*)(?= )", commands, re.M)
            if chosen and language not in chosen:
                continue
            if not all(map(shutil.which, tools)):
                missing.append(language)
                continue
            run(language, files, commands, Path(folder))
            print(f"{language}: ok", flush=True)
    if missing:
        print("SKIPPED, no tools:", ", ".join(missing))
        sys.exit(bool(os.environ.get("PAYORDER_TESTS_WANT_ALL")))


if __name__ == "__main__":
    main(sys.argv[1:])
