"""The rules of the exam: what is hard to tell apart, and what a report says.

tests/certify has a wrong till for each mistake, and right tills.
"""

from __future__ import annotations

import unittest
from typing import List, Optional

from payorder_tools.certify.judge import RULES, judge
from payorder_tools.certify.record import Record, seconds_since_1970
from payorder_tools.certify.results import Finding

from .certify_records import START, ask, at, create, order, record, run, unknown

PAID = order("S-1", 1.0, (1.5, "Completed"))


class Rules(unittest.TestCase):
    def rules(self, of: Record) -> List[str]:
        return [one.rule for one in judge(of)]

    def only(self, of: Record, rule: str) -> Finding:
        """The one finding, which is of this rule."""
        found = judge(of)
        self.assertEqual([one.rule for one in found], [rule])
        self.assertIn(rule, RULES)
        return found[0]

    def passes(self, of: Record) -> None:
        self.assertEqual(judge(of), [])

    def test_the_times_of_the_records_are_those_of_their_runs(self) -> None:
        self.assertEqual(seconds_since_1970(at(1.5)), START + 1.5)


class OneOrder(Rules):
    def two(self, first: "tuple[float, str]", *second: "tuple[float, str]") -> Record:
        return record(
            [run("open", allowed=("open",))],
            [create(1.0), ask(1.8, "Pending"), create(2.0, "S-1-2")],
            [
                order("S-1", 1.0, *([first] if first[1] else [])),
                order("S-1-2", 2.0, *second),
            ],
        )

    def test_a_second_order_is_found_with_what_the_customer_can_pay(self) -> None:
        may_both = "orders S-1 and S-1-2 may both be paid."
        for first, second, did, money in (
            ((0, ""), [], "was still open", may_both),
            (
                (1.5, "Completed"),
                [],
                "already paid",
                "order S-1 is paid, and order S-1-2",
            ),
            (
                (1.5, "Failed"),
                [],
                "after a failed payment the customer can try",
                may_both,
            ),
            ((1.5, "Cancelled"), [], "was cancelled, which may not be final", may_both),
            ((2.5, "Completed"), [(3, "Completed")], "still open", "both paid."),
        ):
            with self.subTest(first):
                found = self.only(self.two(first, *second), "one-order")
                self.assertIn(did, found.did)
                self.assertIn(money, found.money)
                self.assertIn("a person's decision", found.expected)

    def test_two_paid_orders_are_found_whatever_the_till_says(self) -> None:
        first = order("S-1", 1.0, (1.5, "Failed"), (3.5, "Completed"))
        second = order("S-1-2", 2.0, (3.0, "Completed"))
        requests = [create(), ask(1.8, "Failed"), create(2.0, "S-1-2")]
        for verdict, told in (
            ("paid", ask(3.2, orderId="S-1-2")),
            ("open", ask(3.2, "Failed")),
        ):
            runs = [run(verdict, allowed=("paid", "open"))]
            of = record(runs, [*requests, told], [first, second])
            self.assertIn("has paid twice", self.only(of, "one-order").money)

    def test_an_order_of_the_exam_is_not_of_the_sale(self) -> None:
        self.passes(
            record(
                [run("open", allowed=("open",))],
                [create(0.5, "OTHER"), create(1.0)],
                [order("OTHER", 0.5), order("S-1", 1.0)],
                own=frozenset({"OTHER"}),
            )
        )


class HandedOver(Rules):
    def test_each_line_counts(self) -> None:
        line = (START + 4.0, "handed over")
        for lines, rules in (([line], []), ([line, line], ["handed-over-once"])):
            of = record([run("paid", statements=lines)], [create(), ask(3)], [PAID])
            self.assertEqual(self.rules(of), rules)
        both = [run("paid"), run("paid", number=2, statements=[line])]
        self.passes(record(both, [create(), ask(3)], [PAID]))


class Verdicts(Rules):
    def test_careful_passes(self) -> None:
        careful = [run("open", allowed=("not_sent",), careful=("open",))]
        self.passes(record(careful))
        true = [run("not_sent", allowed=("open",))]
        self.passes(record(true, troubled=True))
        self.only(record(true), "right-verdict")


class AskedFirst(Rules):
    def sent_again(self, first: object, between: Optional[object] = None) -> Record:
        requests = [first, between, create(3.0)]
        return record(
            [run("open", allowed=("open",))],
            [one for one in requests if one],  # type: ignore[misc]
        )

    def test_sending_again_after_an_unknown_outcome_is_found(self) -> None:
        for first in (
            create(ended="cut", status=0, answer={}),
            create(ended="half"),
            create(ended="held", status=0, answer={}),
            create(status=502, answer={}),
            create(answer={}),
            create(answer={"responseCode": "500"}),
            create(status=408, answer={}),
            create(status=409, answer={}),
            create(status=403, answer={"responseCode": "200"}),
            create(status=403, answer=[]),  # type: ignore[arg-type]
            create(status=400, answer={"data": {"url": "http://127.0.0.1/1"}}),
        ):
            self.only(self.sent_again(first), "asked-first")

    def test_asking_in_between_is_right(self) -> None:
        self.passes(self.sent_again(create(ended="cut"), unknown(2.0)))

    def test_requests_count_in_the_order_in_which_they_arrived(self) -> None:
        # Microseconds apart: the order, the question about it, and the order again.
        lost = create(1.000001, ended="cut", status=0, answer={})
        again = create(1.000003)
        entries = [again, unknown(1.000002), lost]
        self.passes(record([run("open", allowed=("open",))], entries, [order()]))

    def test_only_an_answer_about_this_order_counts(self) -> None:
        lost = create(ended="cut", status=0, answer={})
        unanswered = unknown(2.0)
        unanswered["response"] = {"status": None, "ended": "cut"}
        for between in (
            {**unknown(2.0), "orderId": "S-9", "body": '{"orderId": "S-9"}'},
            unanswered,
        ):
            self.only(self.sent_again(lost, between), "asked-first")

    def test_an_order_that_exists_is_not_created_again(self) -> None:
        lost = create(ended="cut", status=0, answer={})
        found = self.only(self.sent_again(lost, ask(2.0, "Pending")), "asked-first")
        self.assertIn("had told it that order S-1 exists", found.did)

    def test_a_query_while_the_order_is_made_is_not_before_it(self) -> None:
        made = {**create(1.000002), "created": True}
        runs = [run("open", allowed=("open",))]
        self.passes(record(runs, [ask(1.000001, "Pending"), made], [order()]))
        self.only(
            record(runs, [ask(0.9, "Pending"), create()], [order()]), "asked-first"
        )

    def test_sending_again_after_a_refusal_is_right(self) -> None:
        self.passes(self.sent_again(create(status=429, answer={})))
        self.passes(self.sent_again(create(answer={"responseCode": "400"})))

    def test_a_restart_that_creates_the_order_again_is_found(self) -> None:
        of = record(
            [
                run(None, ended=2.0, killed=True),
                run("open", number=2, began=2.5, later=True),
            ],
            [create(1.0), create(3.0, status=409, answer={"responseCode": "409"})],
            [order()],
        )
        found = self.only(of, "asked-first")
        self.assertIn("after it had learned that the order exists", found.did)

    def test_a_till_that_was_killed_without_a_response_is_not_said_to_know(
        self,
    ) -> None:
        runs = [
            run(None, ended=2.0, killed=True),
            run("open", number=2, began=2.5, later=True),
        ]
        second = create(3.0, status=409, answer={"responseCode": "409"})
        of = record(runs, [create(1.0, ended="held"), second], [order()])
        self.assertIn("was killed before it ended", self.only(of, "asked-first").did)

    def test_two_processes_at_once_may_both_send_the_order(self) -> None:
        second = create(1.1, status=409, answer={"responseCode": "409"})
        runs = [run("open"), run("open", number=2)]
        self.passes(record(runs, [create(1.0), second], [order()], concurrent=True))
        self.only(record(runs, [create(1.0), second], [order()]), "asked-first")

    def test_another_till_may_send_the_order_before_the_first_till_asks(self) -> None:
        second = create(2.0, status=409, answer={"responseCode": "409"})
        runs = [run("open"), run("open", number=2, began=1.5)]
        self.passes(record(runs, [create(1.0), second], [order()], concurrent=True))
        lost = create(1.0, ended="cut")
        self.only(
            record(runs, [lost, second], [order()], concurrent=True), "asked-first"
        )


class PaidIsVerified(Rules):
    def said(self, *requests: object) -> Record:
        return record(
            [run("paid", allowed=("paid", "open"))],
            [create(), *requests],  # type: ignore[list-item]
            [PAID],
        )

    def test_a_later_status_of_another_order_changes_nothing(self) -> None:
        requests = [ask(1.5, "Failed"), create(2.0, "S-1-2"), ask(3.0, orderId="S-1-2")]
        orders = [
            order("S-1", 1.0, (1.2, "Failed")),
            order("S-1-2", 2.0, (2.5, "Completed")),
        ]
        runs = [run("paid", allowed=("paid", "open"))]
        for last in ([], [ask(4.0, "Failed")]):
            self.only(record(runs, [create(), *requests, *last], orders), "one-order")

    def test_a_response_that_was_cut_says_nothing(self) -> None:
        cut = ask()
        cut["response"]["ended"] = "half"
        self.only(self.said(cut), "paid-is-verified")

    def test_a_second_payment_of_the_order_is_one_of_the_sale(self) -> None:
        paid = order("S-1", 1.0, (1.5, "Failed"), (2.5, "Completed"))
        runs = [run("paid", allowed=("paid",))]
        self.passes(record(runs, [create(), ask(1.8, "Failed"), ask(3)], [paid]))


class NotForgotten(Rules):
    def ended(self, verdict: str, *state: "tuple[float, str]") -> Record:
        return record(
            [run(verdict, allowed=("open",))],
            [create(), ask(2.0, "Pending")],
            [order("S-1", 1.0, *state)],
        )

    def test_a_payment_after_the_end_does_not_make_an_order_open(self) -> None:
        of = record([run("not_sent", allowed=("not_sent",))], [], [order("S-1", 6.0)])
        self.passes(of)

    def test_money_that_is_not_as_expected_may_be_called_not_paid(self) -> None:
        for told in (
            ask(amount="100.09"),
            ask(refundStatus="Refunded"),
            ask(refundType="Full"),
        ):
            of = record(
                [run("not_paid", allowed=("not_paid", "open"))],
                [create(), told],
                [PAID],
            )
            self.passes(of)

    def test_a_refusal_after_a_byte_order_mark_may_be_read(self) -> None:
        marked = create(status=400, answer={"responseCode": "400"})
        for mark, rules in (("\ufeff", []), ("<!--", ["not-forgotten"])):
            answer = {**marked["response"], "body": mark + marked["response"]["body"]}
            sent = {**marked, "response": answer}
            of = record([run("rejected", allowed=("rejected",))], [sent], [order()])
            self.assertEqual(self.rules(of), rules)

    def test_a_second_till_may_be_refused(self) -> None:
        refused = create(2.0, status=409, answer={"responseCode": "409"})
        for excused, rules in ((("rejected",), []), ((), ["not-forgotten"])):
            of = record(
                [
                    run("open", allowed=("open",), ended=1.9, till="1"),
                    run("rejected", allowed=("rejected",), excused=excused, till="2"),
                ],
                [create(), ask(1.5), refused],
                [PAID],
            )
            self.assertEqual(self.rules(of), rules)

    def later(self, verdict: str, *state: "tuple[float, str]") -> Record:
        return record(
            [
                run("open", ended=2.0, allowed=("open",)),
                run(verdict, number=2, began=3.0, ended=5.0, later=True),
            ],
            [create(), ask(4.0)],
            [order("S-1", 1.0, *state)],
        )

    def test_a_payment_in_the_last_moment_may_be_unknown(self) -> None:
        self.passes(self.later("open", (4.5, "Completed")))

    def test_a_lost_request_may_still_arrive(self) -> None:
        runs = [
            run("open", ended=2.0, allowed=("open",)),
            run("not_sent", number=2, began=3.0, later=True),
        ]
        lost = create(ended="cut", status=0, answer={})
        self.only(record(runs, [lost]), "not-forgotten")
        self.passes(record(runs, [create(status=429, answer={})]))


class RightVerdict(Rules):
    def test_a_verified_payment_is_no_wrong_verdict(self) -> None:
        of = record([run("paid", allowed=("open",))], [create(), ask(1.8)], [PAID])
        self.passes(of)

    def test_a_crash_after_create_order_may_look_like_not_sent(self) -> None:
        lost = create(ended="cut")
        of = record(
            [run("not_sent", allowed=("open",), last_words="KeyError: 'url'")],
            [lost, ask(2.0, "Pending")],
        )
        found = self.only(of, "right-verdict")
        self.assertIn("If that was a crash", found.did)
        self.assertIn("An order had left this machine.", found.money)

    def test_a_wrong_verdict_is_said_once(self) -> None:
        of = record([run("paid", allowed=("open",))], [create()], [order()])
        self.only(of, "paid-is-verified")


if __name__ == "__main__":
    unittest.main()
