"""`payorder completions`: what bash completes. shtab makes the scripts for all shells."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import List, Set, Tuple

from .commands import environment, missing, python_with

#: Completes the words after the script, and prints one completion on each line.
BASH = """
source "$1"
shift
COMP_WORDS=(payorder "$@") COMP_CWORD=$#
_shtab_payorder payorder "${@: -1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""

CASES: Tuple[Tuple[str, Set[str], Set[str]], ...] = (
    # The line, what must be offered, and what must not.
    ("", {"create", "journal", "completions"}, {"list", "--json", "orders.csv"}),
    ("cre", {"create"}, {"--help"}),
    ("journal ", {"list", "resolve", "settle", "prune"}, {"create", "orders.csv"}),
    ("journal list --st", {"--state"}, {"--note"}),
    ("journal list --state ", {"unresolved", "sending"}, {"list", "orders.csv"}),
    ("reconcile ", {"orders.csv"}, {"create"}),
    ("reconcile orders.csv --report ", {"orders.csv"}, {"--json"}),
    ("create --am", {"--amount"}, {"--order-column"}),
    ("create --amount ", set(), {"orders.csv", "--json", "create"}),
    ("create -c ", {"orders.csv"}, {"--json"}),
    ("create --pay-mode ", {"all", "upi"}, {"--json", "orders.csv"}),
    ("help ", {"create"}, {"orders.csv"}),
    ("explain connection_ref", {"connection_refused"}, {"orders.csv"}),
    ("completions ", {"bash", "zsh", "fish"}, {"orders.csv"}),
)


class Completions(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "files").mkdir()
        (self.folder / "files" / "orders.csv").touch()

    def script(self, shell: str) -> str:
        """The script, in a file. Skips the test if the shell is not installed."""
        if shutil.which(shell) is None:
            raise missing(shell)
        printed = subprocess.run(
            [python_with("shtab"), "-m", "payorder", "completions", shell],
            env=environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=True,
        )
        path = self.folder / shell
        path.write_text(printed.stdout)
        return str(path)

    def offered(self, script: str, words: List[str]) -> Set[str]:
        """What bash offers for the last word."""
        ended = subprocess.run(
            ["bash", "--norc", "-c", BASH, "bash", script, *words],
            cwd=self.folder / "files",
            stdout=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
            check=True,
        )
        return {line for line in ended.stdout.splitlines() if line}

    def test_bash_completes_commands_options_values_and_files(self) -> None:
        script = self.script("bash")
        for line, wanted, unwanted in CASES:
            with self.subTest(line):
                offered = self.offered(script, line.split(" "))
                self.assertEqual(wanted - offered, set(), offered)
                self.assertEqual(unwanted & offered, set(), offered)

    def test_zsh_and_fish_can_read_their_scripts(self) -> None:
        for shell in ("zsh", "fish"):
            with self.subTest(shell):
                subprocess.run([shell, "-n", self.script(shell)], check=True)
