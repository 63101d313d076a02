"""Closed, full or broken output streams: the exit status stays right, and no URL is lost."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterator, List, NamedTuple, Tuple

from .commands import (
    DONE,
    FAILED,
    NOT_PAID,
    NOT_SENT,
    ORDER,
    REJECTED,
    UNKNOWN,
    USAGE,
    VARIABLES,
    CommandTestCase,
    command,
    environment,
    run,
)
from .service import (
    CHECKOUT_URL,
    CREATED,
    PATIENCE,
    STATUS,
    WANTS_ALL,
    Answer,
    Service,
)

STATES = ("fine", "closed", "full", "broken")
CREATE = ["create", "--order-id", "ORD-1", "--amount", "100.00", *ORDER]
PENDING = {**STATUS, "data": {**STATUS["data"], "transactionStatus": "Pending"}}
REFUSAL = Answer({"responseCode": "404", "responseMessage": "unknown order"}, 404)


class Ended(NamedTuple):
    status: int
    output: str
    complaint: str


@contextlib.contextmanager
def stream(state: str) -> Iterator[int]:
    """A descriptor in this state. If it should be closed, the shell closes it."""
    if state == "broken":
        reading, writing = os.pipe()
        os.close(reading)
    else:
        path = "/dev/full" if state == "full" else os.devnull
        writing = os.open(path, os.O_WRONLY)
    try:
        yield writing
    finally:
        os.close(writing)


def run_with(url: str, stdout: str, stderr: str, arguments: List[str]) -> Ended:
    """Runs the command with its output streams in these states."""
    closing = (">&- " if stdout == "closed" else "") + (
        "2>&-" if stderr == "closed" else ""
    )
    shell = ["sh", "-c", f'exec "$@" {closing}', "sh", *command(*arguments)]
    with stream(stdout) as out, stream(stderr) as err:
        ended = subprocess.run(
            shell,
            env=environment(None, PAYORDER_BASE_URL=url, **VARIABLES),
            stdout=subprocess.PIPE if stdout == "fine" else out,
            stderr=subprocess.PIPE if stderr == "fine" else err,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE * 4,
        )
    return Ended(
        ended.returncode,
        (ended.stdout or b"").decode(),
        (ended.stderr or b"").decode(),
    )


#: The service's responses, the arguments, and the exit status if all output can be written.
CASES: List[Tuple[str, List[object], List[str], int]] = [
    ("an order is created", [CREATED], CREATE, DONE),
    ("an order is created, as JSON", [CREATED], [*CREATE, "--json"], DONE),
    (
        "an order is created, its status fails",
        [CREATED, Answer("{}", 401)],
        [*CREATE, "--wait"],
        UNKNOWN,
    ),
    ("an order is refused", [REFUSAL], CREATE, REJECTED),
    ("an order may exist", [Answer("no JSON")], CREATE, UNKNOWN),
    ("an order breaks a rule", [CREATED], [*CREATE, "--amount", "0.5"], NOT_SENT),
    ("the arguments are wrong", [CREATED], ["create", "--nope"], USAGE),
    ("paid", [STATUS], ["status", "ORD-1", "--amount", "100"], DONE),
    ("not paid", [PENDING], ["status", "ORD-1", "--amount", "100"], NOT_PAID),
]


class Streams(unittest.TestCase):
    def check(self, name: str, answers: List[object], stdout: str, stderr: str) -> None:
        _, _, arguments, promised = next(case for case in CASES if case[0] == name)
        with Service(*answers) as service:  # type: ignore[arg-type]
            ended = run_with(service.url, stdout, stderr, arguments)
        # If the output is lost, a successful run does not end with DONE.
        expected = FAILED if promised == DONE and stdout != "fine" else promised
        case = f"{name}: stdout {stdout}, stderr {stderr}"
        self.assertEqual(ended.status, expected, f"{case}\n{ended}")
        self.assertNotIn("Traceback", ended.complaint, case)
        if name.startswith("an order is created"):
            if stdout == "fine":
                self.assertIn(CHECKOUT_URL, ended.output, case)
            elif stderr == "fine":
                self.assertIn("order ORD-1 was created", ended.complaint, case)
                self.assertIn(CHECKOUT_URL, ended.complaint, case)
                self.assertIn("payorder status ORD-1", ended.complaint, case)
        if stdout == "full" and stderr == "fine":
            if name not in ("an order is refused", "an order may exist"):
                if promised not in (NOT_SENT, USAGE):
                    self.assertIn("the output cannot be written", ended.complaint, case)

    def test_no_state_of_the_streams_changes_the_exit_status(self) -> None:
        checked = itertools.product(
            enumerate(CASES), enumerate(STATES), enumerate(STATES)
        )
        with ThreadPoolExecutor(4) as pool:
            checks = [
                pool.submit(self.check, case[0], case[1], stdout, stderr)
                for (number, case), (first, stdout), (second, stderr) in checked
                # Otherwise each case has each state of each stream once, and all cases together
                # have each pair of states.
                if WANTS_ALL or (number + first + second) % 4 == 0
            ]
            failures = [str(one.exception()) for one in checks if one.exception()]
        self.assertEqual(failures, [], "\n\n".join(failures))

    def test_help_that_cannot_be_written_is_a_failure(self) -> None:
        for stdout in STATES:
            for arguments in (["--help"], ["--version"], ["create", "--help"]):
                ended = run_with("http://127.0.0.1:9", stdout, "fine", arguments)
                promised = DONE if stdout == "fine" else FAILED
                self.assertEqual(ended.status, promised, (stdout, ended))

    def test_a_missing_character_set_does_not_end_a_command(self) -> None:
        with Service(CREATED) as service:
            ended = subprocess.run(
                command(*CREATE, "--order-id", "B\u00e9"),
                env={
                    **environment(None, PAYORDER_BASE_URL=service.url),
                    "PAYORDER_ACCESS_TOKEN": "token",
                    "PYTHONIOENCODING": "ascii",
                    "PYTHONUTF8": "1",
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=PATIENCE * 4,
            )
        self.assertEqual((ended.returncode, ended.stderr), (DONE, b""))
        self.assertIn(b"order B\\xe9 was created", ended.stdout)


class Afterwards(CommandTestCase):
    """After an order was created, no failure looks as if it was not sent."""

    def made(self, *answers: object, more: str) -> Any:
        with Service(CREATED, *answers) as service:  # type: ignore[arg-type]
            url = {"PAYORDER_BASE_URL": service.url}
            ended = self.payorder(*CREATE, "--wait", *more.split(), **url)
        self.assertIn(CHECKOUT_URL, ended.stdout)
        return ended

    def test_a_failure_afterwards_names_the_order_and_the_next_step(self) -> None:
        for answer, more, promised in (
            (Answer("{}", 401), "", UNKNOWN),
            (REFUSAL, "--seconds 1", UNKNOWN),
            (PENDING, "--seconds 0", NOT_PAID),
            (PENDING, "--seconds 1 --final Pending", NOT_PAID),
        ):
            with self.subTest(more):
                ended = self.made(answer, more=more)
                self.assertEqual(ended.returncode, promised, ended)
                self.assertIn("order ORD-1 was created", ended.stderr)
                self.assertIn(CHECKOUT_URL, ended.stderr)
                self.assertIn("payorder status ORD-1", ended.stderr)

    def test_credentials_that_are_missing_for_the_wait_do_not_say_not_sent(
        self,
    ) -> None:
        with Service(CREATED) as service:
            settings = {"PAYORDER_BASE_URL": service.url, "PAYORDER_ACCESS_TOKEN": "t"}
            ended = run(None, *CREATE, "--wait", "--json", **settings)
        self.assertEqual(ended.returncode, UNKNOWN, ended)
        made, failed = ended.stdout.splitlines()
        self.assertIn(CHECKOUT_URL, made)
        self.assertIn(
            '"order":{"orderId": "ORD-1", "url": "%s"}' % CHECKOUT_URL, failed
        )
        self.assertIn("order ORD-1 was created", ended.stderr)
