"""The files of the benchmarks, and how they are built."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Dict, List

BENCHES = Path(__file__).resolve().parent.parent
PROJECT = BENCHES.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or PROJECT / "target").absolute()
#: The folder for everything that the benchmarks make.
MADE = TARGET / "bench"
PYTHON = MADE / "venv" / "bin" / "python"
LIBRARY = TARGET / "release" / "libpayorder.so"
RESPONDER = MADE / "responder" / "release" / "responder"
CA = MADE / "ca.pem"

_CONTENDERS = BENCHES / "contenders"
_COMPILER = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]


def environment() -> Dict[str, str]:
    """The environment of a contender: without a proxy or other root certificates."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C.UTF-8",
        "PAYORDER_LIBRARY": str(LIBRARY),
        "PYTHONPATH": str(PROJECT / "bindings" / "python"),
    }


def command(contender: str) -> List[str]:
    if contender.endswith(".py"):
        return [str(PYTHON), str(_CONTENDERS / contender)]
    return [str(MADE / contender)]


def _cargo(target: Path, *arguments: str, **settings: str) -> None:
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--quiet", *arguments],
        cwd=PROJECT,
        env={**os.environ, "CARGO_TARGET_DIR": str(target), **settings},
        check=True,
    )


def _compile(name: str, sources: List[str], *links: str) -> None:
    compiler = [os.environ.get("CC", "cc"), *_COMPILER, "-I", str(PROJECT / "include")]
    files = [str(_CONTENDERS / source) for source in sources]
    subprocess.run([*compiler, *files, "-o", str(MADE / name), *links], check=True)


def build_counted() -> None:
    """Builds the library, the responder, and the contender whose calls are counted."""
    MADE.mkdir(parents=True, exist_ok=True)
    _cargo(TARGET, "--lib")
    # Fast, not small as the library is.
    speed = {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "3"}
    _cargo(MADE / "responder", "--package", "responder", **speed)
    links = [
        f"-L{LIBRARY.parent}",
        "-lpayorder",
        f"-Wl,-rpath,{LIBRARY.parent}",
        "-pthread",
    ]
    _compile("payorder", ["payorder.c", "contender.c"], *links)


def build_all() -> None:
    build_counted()
    _compile("raw", ["raw.c", "contender.c"], "-lssl", "-lcrypto", "-pthread")
    _compile(
        "libcurl",
        ["libcurl.c", "cjson_order.c", "contender.c"],
        "-lcurl",
        "-lcjson",
        "-pthread",
    )
