"""Runs the till in one scenario, and records what happened."""

from __future__ import annotations

import contextlib
import random
import re
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..testing import Sandbox
from . import certificates, customer
from .customer import Behaviour, Customer
from .front import TlsFront
from .program import Program, files_below, leaked
from .protocol import HANDED_OVER, Sale, almost_a_verdict, environment, verdict
from .record import Record, Run, is_paid
from .results import RunOfProgram
from .scenarios import CERTIFICATES, Scenario

#: Seconds that a program may take longer than SALE_SECONDS, because a machine can be slow.
GRACE = 5.0


class Stopped(Exception):
    """The exam ends before this scenario is over."""


class Stage:
    """A sandbox, a sale, and the runs of the till so far. Use it in a `with` statement."""

    def __init__(
        self,
        scenario: Scenario,
        command: Sequence[str],
        seconds: float,
        seed: int,
        folder: Path,
        stop: threading.Event,
        trial: int = 0,
    ) -> None:
        self.scenario = scenario
        # The first trial of a scenario is the same as in an exam without others.
        number = f":{trial}" if trial else ""
        self.dice = random.Random(f"{seed}:{scenario.name}{number}")
        self.sale = Sale.draw(self.dice, _amount(self.dice, scenario.huge))
        self.sales = [self.sale]
        self.runs: List[Run] = []
        self.runs_of_program: List[RunOfProgram] = []
        #: The order ids of orders that the exam itself made.
        self.own: List[str] = []
        self.concurrent = False
        #: Whether two processes really ran at the same time; None if that does not matter, or if
        #: the system does not say it.
        self.together: Optional[bool] = None
        self._command = command
        self.seconds = seconds
        self._folder = folder
        self._stop = stop
        self._folders: Dict[str, Path] = {}
        self._tills: Dict[Program, str] = {}
        self._customers: Dict[Program, Customer] = {}
        self._leaks: List[Tuple[str, str]] = []
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> "Stage":
        with contextlib.ExitStack() as stack:
            self._front: Optional[TlsFront] = None
            if self.scenario.certificate is not None:
                then = self.scenario.certificate_of_status
                self._front = stack.enter_context(
                    TlsFront(
                        getattr(certificates, self.scenario.certificate),
                        self._folder,
                        self.dice.choice(("127.0.0.1", "localhost")),
                        None if then is None else getattr(certificates, then),
                    )
                )
            self.sandbox = stack.enter_context(
                Sandbox(
                    faults=[self._filled(one) for one in self.scenario.faults],
                    private=True,
                    public_url=None if self._front is None else self._front.base_url,
                )
            )
            self._settings = {
                name: value
                for name, value in self.sandbox.environment().items()
                if name.startswith("PAYORDER_")
            }
            address = self._settings["PAYORDER_BASE_URL"]
            #: The names of the credentials by their value.
            self.secrets = {
                value: name for name, value in self._settings.items() if value != address
            }
            if self._front is not None:
                self._front.target = self.sandbox.address
                self._settings["PAYORDER_CA_FILE"] = str(self._front.authority)
                if self.scenario.kind != "slow_start":
                    self._front.open()
            elif self.scenario.kind == "no_service":
                # Bound, and nobody listens.
                port = stack.enter_context(socket.socket())
                port.bind(("127.0.0.1", 0))
                closed = f"http://127.0.0.1:{port.getsockname()[1]}"
                self._settings["PAYORDER_BASE_URL"] = closed
            self._exits = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def _filled(self, rule: str) -> str:
        """A fault rule with the values of this sale."""
        paise = int(self.sale.amount.replace(".", ""))
        return rule.format(
            less=_rupees(paise - 1),
            more=_rupees(paise + 1),
            double=_rupees(2 * paise),
            other=f"{self.sale.order_id[:-1]}{'71'[self.sale.order_id[-1] == '7']}",
            longer=f"{self.sale.order_id}{self.dice.randrange(10)}",
            transaction=f"TXN{self.dice.randrange(10**7):07}",
            create=self.dice.choice(_LOST_CREATES),
            status=self.dice.choice(_LOST_STATUSES),
            status2=self.dice.choice(_LOST_STATUSES),
            n=self.dice.randrange(1, 3),
            refund=self.dice.choice(("Refunded", "Initiated", "Partially Refunded", "Success")),
        )

    # ---- The till ---------------------------------------------------------------------------

    def folder(self, till: str = "till") -> Path:
        """The folder of the till with this name."""
        if till not in self._folders:
            # A name that says nothing.
            folder = self._folder / f"{self.dice.randrange(16**8):08x}"
            folder.mkdir(parents=True)
            self._folders[till] = folder
        return self._folders[till]

    def damage_files(self) -> None:
        """Overwrites the files of the till, as a failing disk may. No program runs."""
        for folder in self._folders.values():
            for path in folder.rglob("*"):
                if path.is_file():
                    path.write_bytes(b"\xff damaged " * 512)

    def start(self, till: str = "till") -> Program:
        """Starts the till in the folder with this name."""
        if self._stop.is_set():
            raise Stopped
        folder = self.folder(till)
        settings = dict(self._settings)
        if self.scenario.wrong is not None and not self.runs:
            settings[self.scenario.wrong] = settings[self.scenario.wrong][::-1]
        program = Program(
            self._command,
            environment(settings, self.sale, folder, self.seconds),
            folder,
            self.sandbox.base_url,
            list(self.secrets),
        )
        self._exits.enter_context(program)
        self._tills[program] = till
        return program

    def start_together(self) -> List[Program]:
        """Starts the till twice at once."""
        both = [self.start(), self.start()]
        for program in both:
            program.pause()
        for program in both:
            program.resume()
        return both

    def compare(self, both: Sequence[Program]) -> None:
        """Notes whether both were equally far when the service got the first order: on a busy
        machine, one of them may have to wait."""
        if self.wait_for(both[0], lambda: bool(self.sandbox.orders())):
            self.together = are_equal([one.processor_seconds() for one in both])

    def open(self) -> None:
        """The service starts, in a scenario in which it did not run."""
        if self._front is not None:
            self._front.open()

    def next_customer(self) -> None:
        """From now on the till sells to another customer, with the same order id and amount."""
        self.sale = replace(
            Sale.draw(self.dice, self.sale.amount),
            order_id=self.sale.order_id,
            currency=self.sale.currency,
            merchant_id=self.sale.merchant_id,
        )
        self.sales.append(self.sale)

    def customer(
        self,
        program: Program,
        behaviour: Optional[Behaviour] = None,
        first: Optional[Customer] = None,
        old_url: Optional[str] = None,
    ) -> Customer:
        """A customer for a program."""
        came = Customer(
            program,
            behaviour or self.scenario.customer,
            self.sale,
            self.seconds / 2,
            self.dice,
            first,
            old_url,
        )
        self._customers[program] = came
        return came

    def wait_for(self, program: Program, condition: Callable[[], bool]) -> bool:
        """Waits until something is true. False if the program ended or its time is over."""
        while program.running and program.elapsed() < self.seconds + GRACE:
            if self._stop.is_set():
                raise Stopped
            if condition():
                return True
            time.sleep(0.02)
        return False

    def finish(
        self,
        program: Program,
        allowed: Optional[Sequence[str]],
        later: bool = False,
        excused: Sequence[str] = (),
    ) -> Run:
        """Waits for the end of a program, and adds the run to the record."""
        overtime = False
        while not program.wait(0.1):
            if self._stop.is_set():
                raise Stopped
            if program.elapsed() > self.seconds + GRACE:
                overtime = program.kill(f"still running after {self.seconds:g} s")
        # It may have ended in the moment in which it was to be killed.
        overtime = overtime and program.killed is not None
        return self._add(program, allowed, later, excused, overtime)

    def killed(self, program: Program, why: str) -> bool:
        """Kills a program, and adds the run to the record. False if it had ended already."""
        if not program.kill(why):
            return False
        program.wait(10.0)
        self._add(program, None, bool(self.runs), (), False)
        return True

    def _add(
        self,
        program: Program,
        allowed: Optional[Sequence[str]],
        later: bool,
        excused: Sequence[str],
        overtime: bool,
    ) -> Run:
        if program in self._customers:
            # What the customer does is over before anything else happens.
            self._customers[program].join()
        out, err = program.stdout.text(), program.stderr.text()
        said = [one for _, one in program.statements if one != HANDED_OVER]
        number = len(self.runs) + 1
        ended = program.started + program.seconds
        run = Run(
            number=number,
            began=program.started,
            ended=ended,
            verdict=verdict(said, out, program.exit_status),
            exit_status=program.exit_status,
            killed=program.killed is not None and not overtime,
            overtime=overtime,
            allowed=allowed,
            later=later,
            excused=excused,
            last_words=_last_line(err) or _last_line(out),
            careful=self.scenario.careful if allowed is not None else (),
            statements=list(program.statements),
            till=self._tills.get(program, ""),
            unsafe_line=_unsafe_line(out),
            almost=not said and almost_a_verdict(out),
        )
        self.runs.append(run)
        for stream, output in (("stdout", program.stdout), ("stderr", program.stderr)):
            self._leaks += [(stream, self.secrets[one]) for one in output.leaked]
        self._leaks += [
            ("the arguments of a process", self.secrets[one]) for one in program.in_arguments
        ]
        self.runs_of_program.append(
            RunOfProgram(
                number=number,
                started=_utc(program.started),
                seconds=round(program.seconds, 3),
                verdict=run.verdict,
                exit_status=run.exit_status,
                killed_at=None
                if program.killed is None or overtime
                else f"{program.seconds:.1f} s: {program.killed}",
                stdout=out,
                stderr=err,
            )
        )
        return run

    # ---- The record -------------------------------------------------------------------------

    def record(self) -> Record:
        """Everything that the judge needs."""
        for folder in self._folders.values():
            for path, secret in leaked(files_below(folder), list(self.secrets)):
                where = path.relative_to(folder).as_posix()
                self._leaks.append((f"the file {where}", self.secrets[secret]))
        wrong = CERTIFICATES.get(
            self.scenario.certificate_of_status or self.scenario.certificate or ""
        )
        exposed = self._front is not None and self._front.exposed
        return Record(
            sale=self.sale,
            sales=self.sales,
            seconds=self.seconds,
            runs=sorted(self.runs, key=lambda run: run.number),
            requests=[one.to_dict() for one in self.sandbox.requests()],
            orders=[one.to_dict() for one in self.sandbox.orders()],
            own=frozenset(self.own),
            concurrent=self.concurrent,
            certificate=wrong if exposed else None,
            troubled=bool(self.scenario.faults or wrong)
            or self.scenario.kind in ("no_service", "slow_start"),
            leaks=sorted(set(self._leaks)),
            own_presses=[
                one.order_id
                for one in self.sandbox.orders()
                if len(one.transactions) > customer.PRESSES[one.checkout_url]
            ],
        )

    def checkout_urls(self) -> List[str]:
        """The checkout pages of the till's orders."""
        return [one.checkout_url for one in self.sandbox.orders() if one.order_id not in self.own]

    def refund(self) -> bool:
        """The shop refunds what was paid. False if nothing was."""
        paid = [one for one in self.sandbox.orders() if is_paid(one.to_dict())]
        for one in paid:
            self.sandbox.refund(one.order_id)
        return bool(paid)

    def sale_is_paid(self) -> bool:
        """Whether the service has the customer's money for this sale."""
        return any(is_paid(one.to_dict()) for one in self.sandbox.orders())

    # ---- The service ------------------------------------------------------------------------

    def create_another_order(self) -> str:
        """An order of another sale with the same amount, which is then paid: its return URL."""
        number = f"{self.dice.randrange(10**9):09}"
        sale = replace(self.sale, order_id=self.sale.order_id[0] + number)
        self.own.append(sale.order_id)
        order = {
            **sale.expected,
            "amount": sale.amount,
            "merchantTxnId": sale.order_id,
            "orderId": sale.order_id,
            "payMode": "all",
        }
        with self.sandbox.client() as client:
            return customer.press(client.create_order(order).url, "pay")


def are_equal(times: Sequence[Optional[float]]) -> Optional[bool]:
    """Whether processes have used about as much processor time. It is counted in 0.01 s."""
    known = [one for one in times if one is not None]
    if len(known) < len(times):
        return None
    return max(known) - min(known) < max(0.025, 0.2 * max(known))


#: What can happen to Create Order when the service keeps the order.
_LOST_CREATES = (
    "drop-after-commit",
    "drop-mid-answer",
    "html-502",
    "http-500",
    "http-503",
    "http-504",
    "malformed-json",
    "service-error",
)
#: What can happen to Get Status.
_LOST_STATUSES = ("drop", "html-502", "malformed-json", "echo")


def _rupees(paise: int) -> str:
    return f"{paise // 100}.{paise % 100:02}"


def _unsafe_line(stdout: str) -> Optional[str]:
    """A line that shows a script as the checkout URL, and does not say that it is wrong."""
    warns = re.compile("not |unus|unsafe|inval|refus|error|bad|open|unknown|wrong", re.I)
    lines = [one.strip() for one in stdout.splitlines() if "javascript:" in one]
    return next((one for one in lines if not warns.search(one)), None)


def _amount(dice: random.Random, huge: bool) -> str:
    """An amount for which arithmetic with floating-point numbers goes wrong.

    A usual one changes when it is multiplied by 100 and cut. A huge one changes when it is read.
    """
    while True:
        rupees = dice.randrange(7 * 10**13, 9 * 10**13) if huge else dice.randrange(2, 3000)
        amount = f"{rupees}.{dice.randrange(100):02}"
        wrong = (
            f"{float(amount):.2f}" != amount
            and float(_rupees(int(amount.replace(".", "")) - 1)) == float(amount)
            if huge
            else int(float(amount) * 100) != int(amount.replace(".", ""))
        )
        if wrong:
            return amount


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _utc(moment: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
    return f"{whole}.{int(moment % 1 * 1000):03}Z"
