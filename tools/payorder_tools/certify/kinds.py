"""The kinds of scenarios: when the till is started and killed, and when the customer pays.

The key `kind` in scenarios.json is the name of a function here.
"""

from __future__ import annotations

import threading
import time
from . import customer
from .customer import BEHAVIOURS, Behaviour, Visit
from .program import Program
from .protocol import NOT_PAID, NOT_SENT, OPEN, PAID, REJECTED
from .record import Run
from .stages import Stage

#: Longer than any Retry-After of the sandbox, in seconds.
_RETRY_AFTER = 1.2
#: How long the service takes to start, in seconds.
_SLOW_START = 2.0


def first_run(stage: Stage, program: Program) -> Run:
    """The first run to its end, with the scenario's customer."""
    stage.customer(program)
    return stage.finish(program, stage.scenario.allowed)


def one_sale(stage: Stage) -> None:
    """The till runs, and runs again later if its verdict was `open`."""
    scenario = stage.scenario
    run = first_run(stage, stage.start())
    if scenario.later and run.verdict == OPEN:
        gone = scenario.customer is BEHAVIOURS["pays_and_closes_the_browser"]
        later(stage, customer.leaves if gone else customer.pays)


#: The stage has no service.
no_service = one_sale


def later(stage: Stage, behaviour: Behaviour = customer.pays, till: str = "till") -> None:
    """The trouble is over, and the till runs again. The customer still has the checkout page."""
    stage.sandbox.clear_faults()
    if any("rate-limit" in rule for rule in stage.scenario.faults):
        time.sleep(_RETRY_AFTER)
    program = stage.start(till)
    old = next((one for one in stage.checkout_urls() if stage.scenario.old_page), None)
    stage.customer(program, behaviour, old_url=old)
    stage.finish(program, None, later=True)


def closed(stage: Stage) -> None:
    """The till runs again after its last word, and sells nothing."""
    run = first_run(stage, stage.start())
    if run.verdict in (OPEN, NOT_PAID):
        later(stage, customer.leaves)


def pays_late(stage: Stage) -> None:
    """The customer pays after the first run has ended."""
    program = stage.start()
    run = first_run(stage, program)
    if run.verdict == OPEN:
        if program.url is not None:
            customer.press(program.url, "pay")
        later(stage, customer.leaves)


def borrowed_return(stage: Stage) -> None:
    """Somebody opens the return URL of another order, with the same amount."""
    borrowed = stage.create_another_order()
    program = stage.start()
    stage.customer(program, lambda visit: visit.come_back(borrowed))
    stage.finish(program, stage.scenario.allowed)


def refunded_later(stage: Stage) -> None:
    """The customer pays, and the shop refunds, after `paid` or before the till could ask. Then the
    till runs again."""
    run = first_run(stage, stage.start())
    if run.verdict in (OPEN, PAID) and stage.refund():
        later(stage, customer.leaves)


def double_click(stage: Stage) -> None:
    """Two processes in one folder. The customer pays at the first checkout URL. The responses are
    slow, so that the second one starts before the first one has an answer."""
    both = stage.start_together()
    first = stage.customer(both[0])
    stage.customer(both[1], first=first)
    stage.compare(both)
    ends = [stage.finish(program, stage.scenario.allowed) for program in both]
    if any(run.verdict == OPEN for run in ends):
        later(stage)


def two_tills(stage: Stage) -> None:
    """Two folders, as after a restart of a counter. The customer pays when both have created the
    order, or tried to."""
    stage.concurrent = True
    one = stage.start("till-1")
    stage.wait_for(one, one.url_printed.is_set)
    other = stage.start("till-2")

    def pays(visit: Visit) -> None:
        other.wait_until_ended(0.3 * stage.seconds)
        customer.pays(visit)

    first = stage.customer(one, pays)
    stage.customer(other, first=first)
    run = stage.finish(one, stage.scenario.allowed)
    # The order is the first till's. What the second one cannot know, it must not hand over.
    stage.finish(other, (REJECTED, OPEN, PAID), excused=(REJECTED,))
    if run.verdict == OPEN:
        later(stage, till="till-1")


def counter_restarted(stage: Stage) -> None:
    """The sale is paid, and the till runs again. Then its files and its counter are lost, and it
    sells to the next customer with the same order id. That customer pays nothing."""
    first_run(stage, stage.start())
    later(stage, customer.leaves if stage.sale_is_paid() else customer.pays)
    stage.next_customer()
    program = stage.start("till-2")
    stage.customer(program, customer.leaves)
    nothing = (OPEN, REJECTED, NOT_PAID, NOT_SENT)
    stage.finish(program, nothing, excused=nothing)


def slow_start(stage: Stage) -> None:
    """The service starts after the till. If the till did not wait for it, it runs again."""
    program = stage.start()
    starts = threading.Timer(_SLOW_START, stage.open)
    starts.start()
    run = first_run(stage, program)
    starts.join()
    if run.verdict in (OPEN, NOT_SENT):
        later(stage)


def restart(stage: Stage) -> None:
    """Killed after the service has made the order. The checkout URL is lost."""
    program = stage.start()
    stage.customer(program)
    made = stage.wait_for(program, lambda: any(one.created for one in stage.sandbox.requests()))
    if made:
        time.sleep(stage.dice.uniform(0.0, 0.3))
    if made and stage.killed(program, "the service had the order, the till no response"):
        later(stage)
    else:
        stage.finish(program, stage.scenario.allowed)


def restart_after_payment(stage: Stage) -> None:
    """Killed while it waits for the customer, who pays then."""
    program = stage.start()
    waits = stage.wait_for(program, program.url_printed.is_set)
    if waits:
        time.sleep(stage.dice.uniform(0.1, 0.8))
    if waits and stage.killed(program, "it waited for the customer"):
        assert program.url is not None
        customer.press(program.url, "pay")
        later(stage, customer.leaves)
    else:
        stage.finish(program, stage.scenario.allowed)


def damaged_files(stage: Stage) -> None:
    """Killed while it waits for the customer, who pays then. Its files cannot be read any more."""
    program = stage.start()
    waits = stage.wait_for(program, program.url_printed.is_set)
    if waits and stage.killed(program, "it waited for the customer"):
        assert program.url is not None
        customer.press(program.url, "pay")
        stage.damage_files()
        program = stage.start()
        stage.customer(program, customer.leaves)
    stage.finish(program, stage.scenario.allowed)
