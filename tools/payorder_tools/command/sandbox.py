"""`payorder sandbox`: runs a simulation of the service on this machine."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any, Dict
from urllib.parse import urlsplit

from payorder.configuration import VARIABLES

from ..testing.program import SandboxError, could_not_start, program
from . import settings
from .arguments import Parser
from .exits import DONE, FAILED, USAGE, UsageError, interrupt_by_signals
from .output import output_failed, print_line, print_note


def add(command: Parser) -> None:
    command.description = (
        "Runs a simulation of the service on this machine, until Ctrl-C. No real money is moved."
    )
    command.option("--port N", "listen on this port (default: any free port)", type=int)
    command.option(
        "--listen ADDRESS[:PORT]",
        "let other machines reach it at this address, such as 0.0.0.0 for every address of this "
        "one; its page then needs the secret that is printed at the start",
    )
    command.option(
        "--tls NAME",
        "serve https, with a certificate of a new authority for these names and addresses of this "
        "machine, and print where the authority's ca.pem is",
        nargs="*",
    )
    command.option("--cert FILE", "serve https with this certificate, in PEM; needs --key")
    command.option("--key FILE", "the certificate's key, in PEM")
    command.option("--public-url URL", "how programs reach it, if not at its own address")
    command.option(
        "--fault STEP:WHICH:FAULT",
        "let some requests go wrong, such as create:1:drop-after-commit, status:*:drop "
        "or create:3-:slow=500; may be given several times. STEP is create, status or return",
        action="append",
        default=[],
    )
    command.option("--slow MS", "send each response this much later, in milliseconds", type=int)
    settings.add_quiet(command, "print only the sandbox's URL")
    settings.add_json(command)


def run(args: argparse.Namespace) -> int:
    """Starts the sandbox and prints its output."""
    try:
        arguments = [str(program())]
    except SandboxError as error:
        raise UsageError(str(error)) from None
    for name in ("port", "listen", "cert", "key", "public_url", "slow"):
        value = getattr(args, name)
        if value is not None:
            arguments += [f"--{name.replace('_', '-')}", str(value)]
    if args.tls is not None:
        arguments += ["--tls", *args.tls]
    for rule in args.fault:
        arguments += ["--fault", rule]
    interrupt_by_signals()
    try:
        running = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, encoding="utf-8", errors="surrogateescape"
        )
    except OSError as error:
        refused = could_not_start(arguments[0], error.strerror)
        raise UsageError(str(refused)) from None
    assert running.stdout is not None
    found: Dict[str, str] = {}
    started = False
    try:
        for line in running.stdout:
            # The lines after the start have texts of whoever sends a request.
            if not started and line.startswith("  export "):
                for word in shlex.split(line)[1:]:
                    name, _, found[name] = word.partition("=")
            started = started or line.startswith("Time (UTC)")
            page = re.match(r"Open (\S+#\S+) in a browser", line)
            if not (args.quiet or args.json):
                print_line(line.rstrip("\n"))
            elif page:
                print_note(f"its page, with the secret: {page[1]}")
            elif line.startswith("Time (UTC)"):
                print_line(json.dumps(_config(found)) if args.json else found["PAYORDER_BASE_URL"])
            if output_failed():
                return FAILED
        return {0: DONE, 2: USAGE}.get(running.wait(), FAILED)
    except KeyboardInterrupt:
        return DONE
    finally:
        running.terminate()
        running.wait()
        authority = Path(found.get("PAYORDER_CA_FILE", ""))
        if re.fullmatch(r"payorder-sandbox-[0-9a-f]{32}/ca\.pem", "/".join(authority.parts[-2:])):
            # The authority is gone with the sandbox.
            with contextlib.suppress(OSError):
                authority.unlink()
                authority.parent.rmdir()


def _config(found: Dict[str, str]) -> Dict[str, Any]:
    """What the sandbox printed, as in a file of settings."""
    config: Dict[str, Any] = {key: found[name] for key, name in VARIABLES.items() if name in found}
    if "PAYORDER_CA_FILE" in found:
        config["tls"] = {"caFile": found["PAYORDER_CA_FILE"]}
    url = urlsplit(config["baseUrl"])
    if url.scheme == "http" and not re.fullmatch(r"localhost|127\..*|::1", url.hostname or ""):
        config["allowInsecureHttp"] = True
    return config
