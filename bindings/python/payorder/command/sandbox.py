"""`payorder sandbox`: runs a simulation of the service on this machine."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, List, Optional

from .._library import library
from . import settings
from .exits import DONE, FAILED, UsageError
from .output import output_failed, print_line

_SETTINGS = """
To use it with the other commands, paste this into another terminal:
  export PAYORDER_BASE_URL={url}
  export PAYORDER_ACCESS_TOKEN=sandbox-access-token
  export PAYORDER_CLIENT_KEY=sandbox-client-key PAYORDER_CLIENT_ID=sandbox-client-id
  export PAYORDER_SECRET_KEY=sandbox-secret-key
"""
_HOW_TO_GET_ONE = (
    "run this in a checkout of payorder after `cargo build --example sandbox`, "
    "or name the program in PAYORDER_SANDBOX"
)


def add(commands: Any) -> None:
    """Adds the subcommand and its arguments."""
    command = commands.add_parser(
        "sandbox",
        help="run a simulation of the service on this machine",
        description="Runs a simulation of the service on this machine, until Ctrl-C. "
        "No real money is moved.",
        allow_abbrev=False,
    )
    command.add_argument(
        "--port",
        metavar="N",
        type=int,
        help="listen on this port (default: any free port)",
    )
    settings.add_quiet(command, "print only the sandbox's URL")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Starts the sandbox and prints its output."""
    found = program()
    arguments = [] if args.port is None else ["--port", str(args.port)]
    # By default SIGTERM would end this process, but not the sandbox.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            [str(found), *arguments], stdout=subprocess.PIPE, universal_newlines=True
        )
    except OSError as error:
        raise UsageError(
            f"the sandbox {found} cannot be started: {error.strerror}; {_HOW_TO_GET_ONE}"
        ) from None
    assert running.stdout is not None
    try:
        for line in running.stdout:
            address = re.search(r"listens at (http://\S+)", line)
            if not args.quiet:
                print_line(line.rstrip("\n"))
            elif address:
                print_line(address[1])
            if address and not args.quiet:
                print_line(_SETTINGS.format(url=address[1]))
            if output_failed():
                return FAILED
        return DONE if running.wait() == 0 else FAILED
    except KeyboardInterrupt:
        return DONE
    finally:
        running.terminate()
        running.wait()


def program() -> Path:
    """The sandbox's program: PAYORDER_SANDBOX, the newest build, or an installed one."""
    named = os.environ.get("PAYORDER_SANDBOX")
    if named:
        if not Path(named).is_file():
            raise UsageError(
                f"PAYORDER_SANDBOX names {named}, which is not a file; {_HOW_TO_GET_ONE}"
            )
        return Path(named)
    name = "sandbox.exe" if sys.platform == "win32" else "sandbox"
    builds: List[Path] = list(Path(library._name).resolve().parents)[:2]
    for checkout in (
        Path(__file__).resolve().parents[4],
        Path.cwd(),
        *Path.cwd().parents,
    ):
        if (checkout / "examples" / "sandbox").is_dir():
            builds += [checkout / "target" / build for build in ("debug", "release")]
    built = [
        build / "examples" / name
        for build in builds
        if (build / "examples" / name).is_file()
    ]
    if built:
        return max(built, key=lambda path: path.stat().st_mtime)
    installed: Optional[str] = shutil.which("payorder-sandbox")
    if installed is None:
        raise UsageError(f"the sandbox was not found: {_HOW_TO_GET_ONE}")
    return Path(installed)
