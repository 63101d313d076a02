"""`payorder completions`: what each shell completes."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set, Tuple

from payorder_tools.command import parser

from .commands import DONE, environment, in_bash, readme_block, run
from .service import PATIENCE

#: Completes the last of the arguments after the script, and prints one completion on each line.
#: bash splits words at "=", so "--option=x" is given as three arguments.
BASH = """
source "$1"
shift
COMP_WORDS=(payorder "$@") COMP_CWORD=$#
_payorder
printf '%s\\n' "${COMPREPLY[@]}"
"""

#: The same for zsh, with functions that print in place of those that complete.
ZSH = """
compdef() { : }
_files() { print -l -- *(N) }
_describe() { print -l -- ${(P)@[-1]} }
compset() { PREFIX=${PREFIX#*=} }
source "$1"
shift
words=(payorder "$@") CURRENT=$#words PREFIX=$words[-1]
_payorder
"""

FISH = 'source $argv[1]; complete -C "$argv[2]"'

CASES: Tuple[Tuple[str, Set[str], Set[str]], ...] = (
    # The line, what must be offered, and what must not.
    ("", {"create", "journal", "completions"}, {"list", "--json", "orders.csv"}),
    ("cre", {"create"}, {"--help"}),
    ("journal ", {"list", "resolve", "settle", "prune"}, {"create", "orders.csv"}),
    ("journal list --st", {"--state"}, {"--note"}),
    ("journal list --state ", {"unresolved", "sending"}, {"list", "orders.csv"}),
    ("journal settle --n", {"--note"}, {"--state"}),
    ("reconcile ", {"orders.csv"}, {"create"}),
    ("reconcile orders.csv --report ", {"orders.csv"}, {"--json"}),
    ("create --config ", {"orders.csv"}, {"--json"}),
    ("create --am", {"--amount"}, {"--order-column"}),
    ("create --amount ", set(), {"orders.csv", "--json", "create"}),
    ("create -c ", {"orders.csv"}, {"--json"}),
    ("create --pay-mode ", {"all", "upi"}, {"--json", "orders.csv"}),
    ("help ", {"create"}, {"orders.csv"}),
    ("explain connection_ref", {"connection_refused"}, {"orders.csv"}),
    ("completions ", {"bash", "zsh", "fish"}, {"orders.csv"}),
)


def commands(
    of: argparse.ArgumentParser, path: Tuple[str, ...] = ()
) -> Iterator[Tuple[Tuple[str, ...], argparse.ArgumentParser]]:
    """Every command, and its parser."""
    yield path, of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                yield from commands(one, (*path, name))


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
            if os.environ.get("PAYORDER_TESTS_WANT_ALL"):
                raise AssertionError(f"{shell} is not installed")
            raise unittest.SkipTest(f"{shell} is not installed")
        printed = run(None, "completions", shell)
        self.assertEqual((printed.returncode, printed.stderr), (DONE, ""))
        path = self.folder / shell
        path.write_text(printed.stdout)
        self.shell([shell, "-n", str(path)])
        return str(path)

    def shell(self, arguments: List[str]) -> Set[str]:
        """Runs a shell and returns the lines that it prints."""
        settings: Dict[str, Any] = {"universal_newlines": True, "timeout": 60}
        ended = subprocess.run(
            arguments,
            cwd=self.folder / "files",
            env={**os.environ, "HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **settings,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), arguments)
        return {line for line in ended.stdout.splitlines() if line}

    def check(self, shell: str, line: str, offered: Set[str]) -> None:
        _, wanted, unwanted = next(case for case in CASES if case[0] == line)
        self.assertEqual(wanted - offered, set(), f"{shell}: {line}: {offered}")
        self.assertEqual(unwanted & offered, set(), f"{shell}: {line}: {offered}")

    def bash(self, script: str, *words: str) -> Set[str]:
        return self.shell(["bash", "--norc", "-c", BASH, "bash", script, *words])

    def test_bash_completes_commands_options_values_and_files(self) -> None:
        script = self.script("bash")
        for line, _, _ in CASES:
            self.check("bash", line, self.bash(script, *line.split(" ")))
        equals = self.bash(script, "journal", "list", "--state", "=", "un")
        self.assertEqual(equals, {"unknown", "unresolved"})
        equals = self.bash(script, "create", "--config", "=")
        self.assertEqual(equals, {"orders.csv"})

    def test_bash_knows_every_option_of_every_command(self) -> None:
        script = self.script("bash")
        seen = 0
        for path, one in commands(parser()):
            with self.subTest(path):
                options = {name for name in one._option_string_actions if "--" in name}
                self.assertEqual(self.bash(script, *path, "--"), options)
                seen += len(options)
        self.assertGreater(seen, 100)

    def test_the_readmes_line_switches_the_completions_of_bash_on(self) -> None:
        line = readme_block("sh", "source <(payorder")
        shown = subprocess.run(
            in_bash(f"{line}\ncomplete -p payorder"),
            env=environment(),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            timeout=PATIENCE,
        )
        self.assertEqual(shown.stdout, "complete -F _payorder payorder\n")

    def test_zsh_completes_commands_options_values_and_files(self) -> None:
        script = self.script("zsh")
        for line, _, _ in CASES:
            words = line.split(" ")
            printed = self.shell(["zsh", "-f", "-c", ZSH, "zsh", script, *words])
            offered = {one.split(":")[0] for one in printed}
            self.check(
                "zsh", line, {one for one in offered if one.startswith(words[-1])}
            )
        given = ["journal", "list", "--state=un"]
        printed = self.shell(["zsh", "-f", "-c", ZSH, "zsh", script, *given])
        self.assertIn("unresolved", printed)

    def test_fish_completes_commands_options_values_and_files(self) -> None:
        script = self.script("fish")
        for line, _, _ in CASES:
            printed = self.shell(
                ["fish", "--no-config", "-c", FISH, script, f"payorder {line}"]
            )
            self.check("fish", line, {one.split("\t")[0] for one in printed})
