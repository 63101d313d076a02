"""A certificate: one document about an exam and a drill of one program, and its signature."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence

from .program import own_folders
from .reports.summary import kills_by_point
from .results import ExamResult
from .rules import RULES
from .scenarios import SCENARIOS

#: What a complete certificate needs at least: sales in the drill, and kills that met the program
#: alive.
SALES, KILLS = 200, 150
#: What the signature is for. A signature for something else is not valid here.
_NAMESPACE = "payorder-certificate"
_SIGNER = "signer"
_MOST_FILES = 2000


class CannotSign(Exception):
    """A certificate cannot be signed or verified, with the reason."""


def certificate(
    exam: ExamResult,
    drill: ExamResult,
    files: Sequence[str],
    merchant: str,
    nonce: str,
    typed: str,
    printed: Optional[str] = None,
) -> Dict[str, Any]:
    """The document as plain data. `files` are those that the command names, `typed` is the version
    that the user typed, and `printed` the one that the program printed."""
    kills = kills_by_point(drill).values()
    done, missed = sum(one.done for one in kills), sum(one.missed for one in kills)
    passed = exam.passed and drill.passed
    own = own_folders([one for one in files if os.path.isfile(one)])
    named = [Path(one).resolve() for one in files if os.path.isfile(one)]
    missing = []
    if [one.name for one in exam.scenarios] != list(SCENARIOS):
        missing.append(f"{len(exam.scenarios)} of {len(SCENARIOS)} scenarios were run")
    for one in exam.scenarios:
        if one.failed_as_expected:
            broken = ", ".join(finding.rule for finding in one.findings)
            missing.append(f"{one.name} failed, as expected: {broken}")
    if len(drill.scenarios) < SALES:
        missing.append(f"the drill had {len(drill.scenarios)} sales, and not {SALES}")
    if done < KILLS:
        missing.append(f"{done} kills met the program alive, and not {KILLS}")
    if exam.interrupted or drill.interrupted:
        missing.append("the test was interrupted")
    hashes = _hashes(named, missing)
    not_listed: List[str] = []
    folder = _hashes(_next_to(named, own, not_listed), not_listed)
    kind = "PARTIAL" if missing else "COMPLETE"
    return {
        "title": f"{kind} test of a till: {_ended(exam, drill)}",
        "complete": not missing,
        "missing": missing,
        "passed": passed,
        "expectedFailures": {one.name: one.expected for one in exam.scenarios if one.expected},
        "merchant": merchant,
        "nonce": nonce,
        "program": {
            "command": exam.command,
            "versionPrintedByProgram": printed,
            "versionTypedByUser": typed,
            "files": hashes,
            "folder": folder,
            "folderNotListed": not_listed,
        },
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "madeWith": f"payorder {exam.version}",
        "rules": rules_version(),
        "started": exam.started,
        "seconds": round(exam.seconds + drill.seconds, 3),
        "seed": exam.seed,
        "saleSeconds": exam.sale_seconds,
        "played": {
            "scenarios": len(exam.scenarios),
            "sales": len(drill.scenarios),
            "kills": done,
            "endedBefore": missed,
        },
        "exam": exam.to_dict(),
        "drill": drill.to_dict(),
    }


def _ended(exam: ExamResult, drill: ExamResult) -> str:
    scenarios = (*exam.scenarios, *drill.scenarios)
    if any(one.failed for one in scenarios):
        return "FAILED"
    expected = sum(one.failed_as_expected for one in scenarios)
    if exam.interrupted or drill.interrupted:
        other = "unexpectedly " if expected else ""
        return f"interrupted, nothing failed {other}before"
    if expected:
        return f"{expected} expected failure{'' if expected == 1 else 's'}, no other one"
    return "passed" if exam.passed and drill.passed else "FAILED"


def rules_version() -> str:
    """A number that changes with the rules and the scenarios."""
    played = [(one.name, one.title, one.allowed, one.faults) for one in SCENARIOS.values()]
    text = repr((sorted(RULES.items()), sorted(played)))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _hashes(paths: Iterable[Path], unread: List[str]) -> Dict[str, str]:
    """The SHA-256 of each file. Adds those that cannot be read to `unread`."""
    hashes = {}
    for one in paths:
        try:
            hashes[str(one)] = sha256(one)
        except OSError as error:
            unread.append(f"{one} cannot be read: {error.strerror}")
    return hashes


def _next_to(named: Sequence[Path], folders: Iterable[Path], not_listed: List[str]) -> List[Path]:
    """What else is in the program's own folders. Nothing shows which of it ran. Says what it does
    not list."""
    found: Dict[Path, None] = {}

    def unread(error: OSError) -> None:
        not_listed.append(f"{error.filename} cannot be read: {error.strerror}")

    for folder in folders:
        for place, _, names in os.walk(str(folder), onerror=unread):
            for path in (Path(place, name) for name in sorted(names)):
                if path in named or not os.path.isfile(path) and os.access(place, os.X_OK):
                    continue
                if len(found) == _MOST_FILES:
                    not_listed.append(f"all but {_MOST_FILES} of the folder's other files")
                    return list(found)
                found[path] = None
    return list(found)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_key(key: Path) -> None:
    """Raises `CannotSign` if files cannot be signed with this key."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        path.touch()
        sign(path, key)


def sign(path: Path, key: Path) -> Path:
    """Signs a file with an SSH key, such as one of `ssh-keygen -t ed25519`: the signature's path."""
    signature = path.with_name(path.name + ".sig")
    signature.unlink(missing_ok=True)
    _ssh_keygen("sign", "-f", str(key), "-n", _NAMESPACE, str(path))
    return signature


def verify(path: Path, key: Path) -> None:
    """Checks the signature next to a file with a public key. Raises `CannotSign`."""
    signature = path.with_name(path.name + ".sig")
    with tempfile.TemporaryDirectory() as folder:
        signers = Path(folder, "signers")
        signers.write_text(f"{_SIGNER} {key.read_text(encoding='utf-8')}", "utf-8")
        _ssh_keygen(
            *("verify", "-f", str(signers), "-I", _SIGNER, "-n", _NAMESPACE),
            *("-s", str(signature)),
            text=path.read_bytes(),
        )


def problems(document: Dict[str, Any], nonce: Optional[str], programs: Sequence[Path]) -> List[str]:
    """What is not as somebody who accepts the certificate expects; empty if all is."""
    found = list(document["missing"])
    if not document["passed"]:
        found.append("the program did not pass")
    if nonce is not None and document["nonce"] != nonce:
        found.append(f"its nonce is {document['nonce']!r}, and not {nonce!r}")
    tested = document["program"]
    for program in programs:
        digest = sha256(program)
        if digest in tested["files"].values():
            continue
        known = digest in tested["folder"].values()
        found.append(
            f"{program} was in the program's folder, but the command does not name it: nothing "
            "shows that it ran"
            if known
            else f"{program} is not a file of the program that was tested"
        )
    if document["rules"] != rules_version():
        found.append("it was made with other rules than this version has")
    return found


def _ssh_keygen(*arguments: str, text: bytes = b"") -> None:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise CannotSign("ssh-keygen is not installed; it is a part of OpenSSH")
    ended = subprocess.run(
        [program, "-Y", *arguments],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if ended.returncode != 0:
        said = ended.stdout.decode("utf-8", "replace").strip().splitlines()
        raise CannotSign(said[-1] if said else "ssh-keygen failed")
