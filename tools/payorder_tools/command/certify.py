"""`payorder certify`: tests a till against the sandbox."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .inputs import number


def add(commands: Any) -> None:
    """Adds the subcommand and its arguments."""
    command = commands.add_parser(
        "certify",
        help="test your till against the sandbox",
        usage="payorder certify [option...] -- COMMAND [ARGUMENT...]",
        description="Runs COMMAND, your till, through scenarios against a sandbox: lost responses, "
        "forged return URLs, crashes, double clicks. Says what it did, what was expected, and "
        "what would have happened to the money. docs/certify.md describes what COMMAND receives, "
        "and how it ends. Exit status: 0 if every scenario passed, 6 if one failed, 2 if the "
        "command line is wrong.",
    )
    command.option("--list", "print the scenarios, and run none")
    command.option(
        "--only NAME",
        "run only this scenario; may be repeated",
        action="append",
        default=[],
    )
    command.option(
        "--seconds N",
        "the time that COMMAND has, as SALE_SECONDS (default 10)",
        type=number(float, 1, 600, "from 1 to 600"),
        default=10.0,
    )
    command.option(
        "--seed N",
        "repeat a run: order ids, amounts and moments come from this number, which every "
        "report shows (default: a new one)",
        type=number(int, 0, float("inf"), "0 or more"),
    )
    command.option(
        "--jobs N",
        "how many scenarios run at once (default 12)",
        type=number(int, 1, 64, "from 1 to 64"),
        default=12,
    )
    command.option(
        "--drill N",
        "kill COMMAND in the middle of N sales (default 200) and start it again, instead of "
        "the scenarios; --only is then the number of a sale",
        type=number(int, 1, 100_000, "from 1 to 100000"),
        nargs="?",
        const=200,
    )
    command.option(
        "--show-wire", "print all requests and responses; without credentials"
    )
    for kind, what in (
        ("json", "everything that was found, as JSON"),
        ("html", "a page to print or to send to somebody"),
        ("junit", "a report for CI, in JUnit's format"),
    ):
        command.add_argument(
            f"--{kind}", metavar="FILE", type=Path, help=f"write {what}"
        )
    command.option(
        "--keep DIR",
        "keep the files and the output of COMMAND in this new or empty folder",
        type=Path,
    )
    command.option(
        "--certificate FILE",
        "run the scenarios and then the drill, and write one document about both as JSON, and "
        "the same as FILE.html",
        type=Path,
    )
    for name, what in (
        ("merchant", "the merchant's name, for the certificate"),
        (
            "nonce",
            "a text from whoever asks for the certificate, to show that it is new",
        ),
        (
            "program-version",
            "the version of COMMAND, for the certificate, which says that you typed it",
        ),
    ):
        command.add_argument(f"--{name}", metavar="TEXT", default="", help=what)
    command.option(
        "--sign KEY",
        "sign the certificate with this SSH key, as FILE.sig; needs ssh-keygen",
        type=Path,
    )
    command.add_argument("program", nargs="*", metavar="COMMAND", help="the till")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the scenarios and prints the report."""
    # Not at the top: each other command would start more slowly.
    from . import examination

    return examination.run(args)
