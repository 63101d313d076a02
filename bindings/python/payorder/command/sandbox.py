"""`payorder sandbox`: the service on this machine, to try things with."""

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
from .output import Unusable

_SETTINGS = """
To use it with the other commands, paste this into their terminal
  export PAYORDER_BASE_URL={url}
  export PAYORDER_ACCESS_TOKEN=sandbox-access-token
  export PAYORDER_CLIENT_KEY=sandbox-client-key PAYORDER_CLIENT_ID=sandbox-client-id
  export PAYORDER_SECRET_KEY=sandbox-secret-key
"""


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "sandbox",
        help="run a service on this machine, to try things with",
        description="Runs the project's sandbox of the service until Ctrl-C. No real money moves there.",
        allow_abbrev=False,
    )
    command.add_argument(
        "--port",
        metavar="N",
        type=int,
        help="listen on this port; without it, on any free one",
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Starts the sandbox, and shows what it says."""
    found = program()
    if found is None:
        raise Unusable(
            "the sandbox is not here: call this in a checkout of payorder where it is built "
            "(`cargo build --example sandbox`), or name its binary in PAYORDER_SANDBOX"
        )
    arguments = [] if given.port is None else ["--port", str(given.port)]
    # Or the sandbox would outlive this.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    running = subprocess.Popen(
        [str(found), *arguments], stdout=subprocess.PIPE, universal_newlines=True
    )
    assert running.stdout is not None
    try:
        for line in running.stdout:
            sys.stdout.write(line)
            address = re.search(r"listens at (http://\S+)", line)
            if address:
                print(_SETTINGS.format(url=address[1]))
            sys.stdout.flush()
        return running.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        running.terminate()
        running.wait()


def program() -> Optional[Path]:
    """The sandbox's binary: the one that is named, or the newest near the library or in the checkout, or on the PATH."""
    named = os.environ.get("PAYORDER_SANDBOX")
    if named:
        return Path(named) if Path(named).is_file() else None
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
    installed = shutil.which("payorder-sandbox")
    return None if installed is None else Path(installed)
