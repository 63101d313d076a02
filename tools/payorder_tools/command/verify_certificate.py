"""`payorder verify-certificate`: whether a certificate of an exam can be accepted."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..certify.certificate import CannotSign, problems, verify
from . import settings
from .arguments import Parser
from .exits import DONE, NOT_PAID, UsageError
from .output import print_line


def add(command: Parser) -> None:
    command.description = (
        "Checks the signature of a certificate, which is in FILE.sig, and whether it "
        "is complete. Exit status: 0 if everything is as expected, 6 if not."
    )
    command.add_argument("file", metavar="FILE", type=Path, help="the certificate, JSON")
    command.option(
        "--key FILE",
        "the public SSH key of the signer, such as id_ed25519.pub",
        type=Path,
        required=True,
    )
    command.option("--nonce TEXT", "the nonce that you gave out")
    command.option(
        "--program FILE",
        "a file of the program that runs in the shop; may be repeated",
        type=Path,
        action="append",
        default=[],
    )
    settings.add_json(command)


def run(args: argparse.Namespace) -> int:
    """Prints what is wrong, or that nothing is."""
    try:
        verify(args.file, args.key)
        document = json.loads(args.file.read_text(encoding="utf-8"))
        wrong = problems(document, args.nonce, args.program)
        told = {key: str(document[key]) for key in ("title", "merchant", "started")}
    except CannotSign as error:
        if args.json:
            print_line(json.dumps({"signed": False, "problems": [str(error)]}))
        else:
            print_line(f"NOT VALID: {error}")
        return NOT_PAID
    except (KeyError, TypeError, AttributeError):
        raise UsageError(f"{args.file} cannot be checked: it is not a certificate") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{args.file} cannot be checked: {error}") from None
    if args.json:
        print_line(json.dumps({"signed": True, "problems": wrong, **told}))
        return NOT_PAID if wrong else DONE
    print_line(told["title"])
    print_line(f"merchant {told['merchant'] or '(none)'}, {told['started']}")
    for one in wrong:
        print_line(f"NOT AS EXPECTED: {one}")
    if wrong:
        return NOT_PAID
    print_line("The signature is valid, and the certificate is as expected.")
    return DONE
