"""`payorder completions`: what each shell completes."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Set, Tuple

from .commands import environment, missing, python_with

#: Completes the words after the script, and prints one completion on each line.
BASH = """
source "$1"
shift
COMP_WORDS=(payorder "$@") COMP_CWORD=$#
_shtab_payorder payorder "${@: -1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""

#: Types a line into a zsh of its own, and waits until that shows the completed one.
ZSH = """
zmodload zsh/zpty
zpty shell 'TERM=dumb exec zsh -i'
zpty -r -m shell shown '*READY*' && zpty -w -n shell "$1"$'\\t'
zpty -r -m shell shown "*$2*"
"""

FISH = 'source $argv[1]; complete -C "$argv[2]"'

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

    def shell(self, *arguments: str) -> Set[str]:
        """Runs a shell and returns the lines that it prints."""
        ended = subprocess.run(
            arguments,
            cwd=self.folder / "files",
            env={**os.environ, "HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), arguments)
        return {line.split("\t")[0] for line in ended.stdout.splitlines() if line}

    def test_bash_and_fish_complete_commands_options_values_and_files(self) -> None:
        bash, fish = self.script("bash"), self.script("fish")
        for line, wanted, unwanted in CASES:
            words = line.split(" ")
            for offered in (
                self.shell("bash", "--norc", "-c", BASH, "bash", bash, *words),
                self.shell("fish", "--no-config", "-c", FISH, fish, f"payorder {line}"),
            ):
                with self.subTest(line):
                    self.assertEqual(wanted - offered, set(), offered)
                    self.assertEqual(unwanted & offered, set(), offered)

    def test_zsh_completes_commands_and_values(self) -> None:
        Path(self.script("zsh")).rename(self.folder / "_payorder")
        (self.folder / ".zshrc").write_text(
            "fpath=(~ $fpath); autoload -Uz compinit; compinit -u; PS1='READY '"
        )
        for typed, completed in (
            ("journal set", "journal settle"),
            ("journal list --state unr", "--state unresolved"),
            ("reconcile ord", "reconcile orders.csv"),
        ):
            with self.subTest(typed):
                self.shell("zsh", "-fc", ZSH, "zsh", f"payorder {typed}", completed)
