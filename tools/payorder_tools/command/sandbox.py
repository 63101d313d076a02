"""`payorder sandbox`: runs a simulation of the service on this machine."""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess

from ..testing.program import SandboxError, could_not_start, program
from . import settings
from .arguments import Parser
from .exits import DONE, FAILED, USAGE, UsageError
from .output import output_failed, print_line

_CREDENTIALS = {
    "accessToken": "sandbox-access-token",
    "clientKey": "sandbox-client-key",
    "clientId": "sandbox-client-id",
    "secretKey": "sandbox-secret-key",
}


def add(command: Parser) -> None:
    command.description = (
        "Runs a simulation of the service on this machine, until Ctrl-C. No real money is moved."
    )
    command.option("--port N", "listen on this port (default: any free port)", type=int)
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
    if args.port is not None:
        arguments += ["--port", str(args.port)]
    if args.slow is not None:
        arguments += ["--slow", str(args.slow)]
    for rule in args.fault:
        arguments += ["--fault", rule]
    # By default SIGTERM would end this process, but not the sandbox.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        running = subprocess.Popen(arguments, stdout=subprocess.PIPE, universal_newlines=True)
    except OSError as error:
        refused = could_not_start(arguments[0], error.strerror)
        raise UsageError(str(refused)) from None
    assert running.stdout is not None
    url = ""
    try:
        for line in running.stdout:
            address = re.search(r"listens at (http://\S+)", line)
            url = address[1] if address else url
            if not (args.quiet or args.json):
                print_line(line.rstrip("\n"))
            elif address:
                # As in a file of settings.
                config = json.dumps({"baseUrl": url, **_CREDENTIALS})
                print_line(config if args.json else url)
            if output_failed():
                return FAILED
        return {0: DONE, 2: USAGE}.get(running.wait(), FAILED)
    except KeyboardInterrupt:
        return DONE
    finally:
        running.terminate()
        running.wait()
