"""Results and errors as Python objects: values, dicts, and nothing that a response can break."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import pickle
import sys
import tempfile
import traceback
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Callable, Dict, List
from unittest import mock

import payorder
from payorder import Result, aio
from payorder._library import library
from payorder.errors import error_class

from .support import (
    CHECKOUT_URL,
    CREATED,
    CREDENTIALS,
    ORDER,
    PATIENCE,
    PROJECT,
    STATUS,
    CountedTestCase,
    Sandbox,
    order,
    served,
)

ABI: Dict[str, Any] = json.loads(
    (PROJECT / "include" / "payorder-abi.json").read_text(encoding="utf-8")
)
EXPECTED = {"orderId": "ORD-1", "amount": "100.00"}
WAITED = {"final": True, "timedOut": False, "polls": 1, "status": STATUS}


def error_json(result: int = 200, **further: Any) -> str:
    error = {"result": result, "name": "PAYORDER_TIMEOUT", "outcome": "unknown"}
    return json.dumps({"error": {**error, "message": "no answer came", **further}})


class Errors(CountedTestCase):
    def test_any_number_has_the_librarys_outcome(self) -> None:
        outcomes = {
            1: payorder.NotSentError,
            2: payorder.RejectedError,
            3: payorder.OutcomeUnknownError,
        }
        for result in [*range(-3, 320), 2**31 - 1, -(2**31)]:
            if result != Result.OK:
                outcome = outcomes[library.payorder_result_outcome(result)]
                self.assertTrue(issubclass(error_class(result), outcome), result)

    def test_an_error_survives_pickling_and_copying(self) -> None:
        for result in set(Result) - {Result.OK}:
            kind = error_class(result)
            error = kind(error_json(result, statusQuery={"orderId": "ORD-1"}))
            pickled = pickle.loads(pickle.dumps(error))
            for again in (pickled, copy.copy(error), copy.deepcopy(error)):
                self.assertIs(type(again), kind)
                self.assertEqual(vars(again), vars(error))
                self.assertEqual(str(again), str(error))

    def test_an_entry_of_another_version_hides_no_order(self) -> None:
        of_another_version = error_json(203, violations=[{"field": "amount"}])
        self.assertEqual(error_class(203)(of_another_version).violations, ())
        error = payorder.DuplicateError(error_json(206, previous={"entry": 7}))
        self.assertIsNone(error.previous)
        self.assertEqual(error.to_dict()["error"]["previous"], {"entry": 7})

    def test_the_wait_after_a_rate_limit_is_in_seconds(self) -> None:
        for further, seconds in (({"retryAfterMs": 1500}, 1.5), ({}, None)):
            error = payorder.RateLimitedError(error_json(102, **further))
            self.assertEqual(error.retry_after, seconds)

    def test_an_unusable_text_is_also_a_value_error(self) -> None:
        with self.assertRaises(ValueError) as caught:
            payorder.parse_return_url("?")
        self.assertIsInstance(caught.exception, payorder.UnusableTextError)


class Values(CountedTestCase):
    def test_results_are_immutable_values_that_can_be_pickled(self) -> None:
        status = payorder.Status.from_json(STATUS)
        for result in (
            status,
            payorder.Checkout.from_json(CREATED),
            payorder.Waited.from_json(WAITED),
            payorder.verify_payment(EXPECTED, status),
            payorder.parse_return_url("?txn=T"),
        ):
            self.assertEqual(pickle.loads(pickle.dumps(result)), result)
            hash(result)
            with self.assertRaises(AttributeError):
                setattr(result, "raw", "{}")

    def test_what_is_expected_is_json_also_with_a_decimal_and_a_time(self) -> None:
        began = datetime(2026, 11, 21, 14, 5, tzinfo=timezone.utc)
        expected = payorder.ExpectedPayment("ORD-1", Decimal("1E+2"), not_before=began)
        given = json.loads(json.dumps(expected.to_dict()))
        self.assertEqual((given["orderId"], given["amount"]), ("ORD-1", "100"))

    def test_a_status_of_a_response_has_the_texts_that_the_library_gives(self) -> None:
        data = {**STATUS["data"], "transactionId": 17, "refundStatus": None}
        del data["payMode"]
        response = json.dumps({**STATUS, "responseCode": 200, "data": data})
        response = response.replace('"100.00"', "100.50")
        with served(status=[{"text": response}]) as (_, client):
            asked = client.get_status("ORD-1")
        made = payorder.Status.from_json(response)
        self.assertEqual((made.amount, made.transaction_id), ("100.50", "17"))
        for name in set(payorder.Status._paths) - {"_date"}:
            self.assertEqual(getattr(made, name), getattr(asked, name), name)

    def test_only_a_paid_verification_is_true(self) -> None:
        """A status has a truth value: `if error.status:` asks whether there is one."""
        expected = payorder.ExpectedPayment("ORD-1", "100.00")
        status = json.loads(json.dumps(STATUS))
        status["data"]["transactionDate"] = "11/21/2026 02:05:06 PM"
        # 26 hours later, in India.
        zone = timezone(timedelta(hours=5, minutes=30))
        began = datetime(2026, 11, 22, 21, 35, 6, tzinfo=zone)
        for one, paid in (
            (expected, True),
            (replace(expected, amount="101"), False),
            (replace(expected, not_before=began), True),
            (replace(expected, not_before=began + timedelta(seconds=1)), False),
        ):
            verification = payorder.verify_payment(one, status)
            self.assertIs(bool(verification), paid, one)
        with self.assertRaisesRegex(ValueError, "time zone"):
            naive = replace(expected, not_before=began.replace(tzinfo=None))
            payorder.verify_payment(naive, status)
        text: Any = "2026-11-21T14:05:06Z"
        with self.assertRaisesRegex(TypeError, "a datetime, not str"):
            payorder.verify_payment(replace(expected, not_before=text), status)
        with served() as (_, client):
            waited = client.wait_for_payment(order_id="ORD-1")
            for result in (waited, next(client.get_statuses(["ORD-1"]))):
                with self.assertRaisesRegex(TypeError, "verify_payment"):
                    print("paid" if result else "not paid")

    def test_nothing_shows_the_customers_data_on_its_own(self) -> None:
        shows: List[Callable[[Any], object]] = [vars, dict, json.dumps]
        status = payorder.Status.from_json(STATUS)
        waited = payorder.Waited.from_json(WAITED)
        inside = error_json(204, status=STATUS, responseMessage="Asha Rao")
        error = payorder.CancelledInFlightError(inside)
        self.assertEqual(status.customer_name, "Asha Rao")
        self.assertEqual((waited.status, error.status), (status, status))
        for one in (status, waited):
            # FastAPI would return what the first two do.
            for show in shows:
                with self.assertRaises(TypeError):
                    show(one)
        self.assertEqual(error.args, ("no answer came (PAYORDER_TIMEOUT)",))
        # What trackers of errors show.
        variables = repr(vars(payorder.CancelledInFlightError(error_json(204, status=STATUS))))
        with served(status=[{"json": STATUS}]) as (_, client):
            started = client.start("get_status", "ORD-1")
            self.assertEqual(client.take_done(PATIENCE), [started])
            self.assertEqual(started.result().customer_name, "Asha Rao")
        shown = (repr(status), repr(waited), repr(error), str(error))
        for text in (*shown, variables, repr(vars(started))):
            for personal in ("Asha", "9000000001", "asha@"):
                self.assertNotIn(personal, text)

    def test_only_a_checkout_shows_the_payment_page_on_its_own(self) -> None:
        page = "https://checkout.example.com/pay/ORD-1"
        further = {"responseBody": f"Asha Rao pays at {page}", "checkoutUrl": page}
        failed = payorder.BadResponseError(error_json(202, **further))
        for error in (failed, copy.copy(failed)):
            self.assertEqual((error.response_body, error.checkout_url), tuple(further.values()))
            self.assertNotIn(page, repr(vars(error)))
        with tempfile.TemporaryDirectory() as folder:
            unpaid = {**STATUS, "data": {**STATUS["data"], "transactionStatus": "Pending"}}
            with served({"journal": f"{folder}/orders"}, status=[{"json": unpaid}]) as (_, client):
                client.create_order(**ORDER)
                with self.assertRaises(payorder.DuplicateError) as caught:
                    client.create_order(**ORDER)
                (sale,) = client.recover().sales
                (entry,) = client.journal.list()
        assert caught.exception.previous is not None
        for one in (caught.exception.previous, sale, entry):
            self.assertEqual(one.url, CHECKOUT_URL)
            for text in (repr(one), repr(vars(caught.exception))):
                self.assertIn("ORD-1", text)
                self.assertNotIn(CHECKOUT_URL, text)


class Frames(CountedTestCase):
    """What trackers of errors show: the local variables of the package's functions."""

    def check(self, call: Callable[..., Any], *arguments: Any, **given: Any) -> None:
        try:
            call(*arguments, **given)
        except payorder.PayorderError as error:
            frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
            # `assertRaises` would clear them.
            shown = [
                (one.f_code.co_name, name, repr(value))
                for one in frames
                if one.f_globals["__name__"].startswith("payorder.")
                for name, value in one.f_locals.items()
            ]
        self.assertTrue(shown)
        secrets = ("A-SECRET", "Asha Rao", "9000000001")
        found = [one for one in shown if any(secret in one[2] for secret in secrets)]
        self.assertEqual(found, [], call)

    def test_no_frame_shows_a_credential(self) -> None:
        async def awaited() -> None:
            async for _ in aio.AsyncClient(client).get_statuses(["ORD-1"], **wrong):
                pass

        wrong: Dict[str, Any] = {"client_key": "A-SECRET", "timeout": 0}
        self.check(payorder.Client, "https://pay.example.com", **wrong)
        self.check(payorder.Client.from_env, "https://pay.example.com", **wrong)
        with served() as (_, client):
            self.check(client.get_status, "ORD-1", **wrong)
            self.check(client.wait_for_payment, "ORD-1", **wrong)
            self.check(client.get_statuses, ["ORD-1"], **wrong)
            self.check(asyncio.run, awaited())
            self.check(client.start, "get_status", "ORD-1", **wrong)
            self.check(client.set_credentials, client_key="A-SECRET\n")

    def test_no_frame_shows_the_order_or_the_response(self) -> None:
        async def awaited() -> None:
            await aio.AsyncClient(client).create_order(**ORDER)

        response = {"text": "<html>Asha Rao"}
        settings = {"quote_responses": True}
        with served(settings, create=[response], status=[response]) as (_, client):
            for order in ((ORDER,), ()):
                given = {} if order else ORDER
                self.check(client.create_order, *order, **given)
                self.check(client.create_order, *order, **given, timeout=0)
                self.check(client.start, "create_order", *order, **given, timeout=0)
            self.check(client.get_status, "ORD-1")
            self.check(asyncio.run, awaited())
            started = client.start("get_status", "ORD-1")
            self.assertEqual(client.take_done(PATIENCE), [started])
            self.check(started.result)


class Unreadable(CountedTestCase):
    """Unknown fields with values that `json.loads` refuses hide no result."""

    VALUES = (
        "7" * 5_000,
        "[" * 3_000 + "]" * 3_000,
        '[{"a":' + "1" * 5_000 + ',"b":' + "[" * 3_000 + "]" * 3_000 + "}]",
    )

    def test_json_refuses_these_values(self) -> None:
        # Which of them `json.loads` refuses depends on the version of Python.
        with self.assertRaises((ValueError, RecursionError)):
            for value in self.VALUES:
                json.loads(value)

    def test_every_result_has_its_known_fields(self) -> None:
        def answer(known: Any, value: str) -> Dict[str, str]:
            data = json.dumps(known["data"])[:-1] + f',"new":{value}}}'
            whole = json.dumps({**known, "data": "DATA", "more": "MORE"})
            text = whole.replace('"DATA"', data).replace('"MORE"', value)
            return {"text": text}

        for value in self.VALUES:
            created, found = answer(CREATED, value), answer(STATUS, value)
            with served(create=[created], status=[found]) as (_, client):
                checkout = client.create_order(**ORDER)
                status = client.get_status(order_id="ORD-1")
                (result,) = client.get_statuses(["ORD-1"])
                waited = client.wait_for_payment(order_id="ORD-1")
            self.assertEqual(checkout.url, CHECKOUT_URL)
            self.assertIn(CHECKOUT_URL, repr(checkout))
            own = type("Own", (payorder.Checkout,), {"__slots__": ("own",)})
            self.assertIn(CHECKOUT_URL, repr(own(checkout.raw)))
            self.assertIn(value, checkout.raw)
            self.assertEqual((waited.final, waited.polls), (True, 1))
            self.assertIn(value, waited.raw)
            inside = f'"status":{status.raw}}}}}'
            error = payorder.CancelledInFlightError(error_json(204, attempts=2)[:-2] + f",{inside}")
            self.assertEqual((error.result, error.attempts), (204, 2))
            error_dict = json.loads(json.dumps(error.to_dict()))["error"]
            self.assertEqual(error_dict["outcome"], "unknown")
            self.assertEqual(error_dict["status"]["data"]["amount"], "100.00")
            waited_dict = json.loads(json.dumps(waited.to_dict()))
            self.assertEqual(waited_dict["status"]["data"]["amount"], "100.00")
            for one in (status, result.status, waited.status, error.status):
                assert one is not None
                self.assertEqual(one.customer_email, "asha@example.com")
                self.assertEqual(str(one.transaction_date), "2026-11-21 14:05:06")
                self.assertTrue(payorder.verify_payment(EXPECTED, one))
                self.assertIs(one.to_dict()["derived"]["completed"], True)

    def test_a_number_that_no_float_holds_stays_a_text(self) -> None:
        status = payorder.Status('{"responseCode":"200","new":1e400,"other":0.5}')
        known = {"responseCode": "200", "new": "1e400", "other": 0.5}
        self.assertEqual(status.to_dict(), known)

    def test_a_status_says_whether_money_moved_or_may_have(self) -> None:
        pending = {"transactionStatus": "Pending"}
        for moved, data in (
            (True, {"transactionStatus": "Completed"}),
            (True, {"transactionStatus": " COMPLETED\u00a0"}),
            (True, {"refundStatus": "Refunded"}),
            (True, {"refundType": "Full"}),
            (True, {"settlementStatus": "Settled"}),
            (True, {"settlementDate": "11/21/2026"}),
            (False, {"transactionStatus": "Incomplete", "settlementStatus": " "}),
            (False, {}),
        ):
            text = json.dumps({**STATUS, "data": {**STATUS["data"], **pending, **data}})
            self.assertIs(payorder.Status(text).money_moved, moved, data)
        for odd in ("{}", '{"data":{}}', '{"data":{"settlementDate":null,"refundType":7}}'):
            self.assertIs(payorder.Status(odd).money_moved, "7" in odd, odd)


def keys(name: str, only_always: bool = False) -> Any:
    described = ABI["objects"][name]["keys"]
    return {one["key"] for one in described if one["always"] or not only_always}


class Dicts(CountedTestCase):
    """Every result as a dict that `json.dumps` writes, with the keys of the library's JSON."""

    def check(self, value: Any, name: str) -> Dict[str, Any]:
        """The dict, after it was written as JSON and read again."""
        given = value.to_dict()
        self.assertIs(type(given), dict)
        text = json.dumps(given, allow_nan=False)
        self.assertLessEqual(set(given), keys(name))
        self.assertLessEqual(keys(name, only_always=True), set(given))
        for secret in CREDENTIALS.values():
            self.assertNotIn(secret, text)
        # A new dict each time: changing it changes no result.
        given.clear()
        read: Dict[str, Any] = json.loads(text)
        self.assertEqual(value.to_dict(), read)
        return read

    def test_the_results_of_an_orders_life(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
            with payorder.Client(
                sandbox.url, proxy="none", journal=f"{folder}/orders", **CREDENTIALS
            ) as client:
                checkout = client.create_order(**ORDER)
                read = self.check(checkout, "checkout")
                self.assertEqual(read["data"]["url"], checkout.url)
                recovered = client.recover([{"orderId": "ORD-9", "amount": "5"}])
                read = self.check(recovered, "recovered")
                self.assertEqual(read["sales"][1]["url"], checkout.url)
                self.assertIs(recovered.sales[1].verdict, payorder.Verdict.PAYABLE)
                sandbox.press("pay")
                waited = client.wait_for_payment(order_id="ORD-1", wait=30)
                read = self.check(waited, "waited")
                self.assertEqual((read["final"], read["polls"]), (True, 1))
                assert waited.status is not None
                status = self.check(waited.status, "status")
                self.assertEqual(read["status"], status)
                self.assertEqual(set(status["data"]), keys("statusData"))
                self.assertTrue(status["derived"]["completed"])
                wrong = {"orderId": "ORD-1", "amount": "1.00"}
                verdict = payorder.verify_payment(wrong, waited.status)
                read = self.check(verdict, "verdict")
                self.assertEqual(read["reasons"][0]["actual"], "100.00")
                results = client.get_statuses(["ORD-1", "ORD-2"])
                list(results)
                read = self.check(results.summary, "summary")
                self.assertEqual((read["ok"], read["rejected"]), (1, 1))
                self.check_events(client.journal, sandbox.url)
                with self.assertRaises(payorder.OutcomeUnknownError) as raised:
                    client.create_order(**order(3, "Tea sandbox:drop-before"))
                self.check(raised.exception, "error")
                refused = client.recover([{"orderId": "ORD-9", "amount": "5"}])
                read = self.check(refused, "recovered")
                self.assertEqual(read["refusal"], "No such order or transaction")
                self.assertEqual(refused.refusal, read["refusal"])
                resolved = client.journal.resolve()
                read = self.check(resolved, "resolved")
                self.assertEqual(read["entries"][0]["orderId"], "ORD-3")
                settled = client.journal.settle(resolved.entries[0].entry, note="asked")
                self.assertEqual(self.check(settled, "entry")["note"], "asked")
        returned = self.check(payorder.parse_return_url("/?txn=TXN-1"), "returned")
        self.assertEqual(returned["statusQuery"]["transactionId"], "TXN-1")

    def check_events(self, journal: payorder.Journal, url: str) -> None:
        (without,) = journal.list()
        (entry,) = journal.list(order_id="ORD-1", events=True)
        self.assertIsNone(without.events)
        assert entry.events is not None
        sending, attempt, *statuses = entry.events
        self.assertEqual((sending.at, sending.number), (entry.started_at, 1))
        self.assertEqual((attempt.result, attempt.http_status), (0, 200))
        self.assertEqual((attempt.host, attempt.cause), (url[7:], None))
        self.assertEqual(statuses[-1].transaction_status, "Completed")
        self.assertEqual(self.check(entry, "entry")["events"][0], sending.to_dict())
        self.assertEqual(payorder.JournalEntry.from_mapping(entry.to_dict()), entry)

    def test_an_order_that_may_exist_has_its_error_also_without_stack(self) -> None:
        def deep(client: payorder.Client, calls: int) -> None:
            deep(client, calls - 1) if calls else client.create_order(ORDER)

        not_sent = 0
        with served(create=[{"http": 500}]) as (service, client):
            most = sys.getrecursionlimit() - len(inspect.stack(0))
            for left in range(5, 60):
                before, raised = len(service.requests), None
                try:
                    deep(client, most - left)
                except Exception as error:
                    raised = error
                if len(service.requests) > before:
                    self.assertIsInstance(raised, payorder.OutcomeUnknownError, left)
                else:
                    not_sent += 1
            self.assertGreater(len(service.requests), 5)
        self.assertGreater(not_sent, 0)

    def test_all_pages_of_the_journal_are_read_in_order(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with served({"journal": f"{folder}/orders"}) as (_, client):
                for number in range(7):
                    client.create_order(**order(number))
                listed = client.journal.list
                everything = list(listed())
                with mock.patch.multiple("payorder.journals", _PAGE=3):
                    self.assertEqual(list(listed()), everything)
                    self.assertEqual(list(listed(limit=5)), everything[:5])
                with mock.patch.multiple("payorder.journals", _PAGE_WITH_EVENTS=3):
                    self.assertEqual(len(list(listed(events=True))), 7)
                # Invalid arguments are raised by the call.
                with self.assertRaisesRegex(payorder.InvalidArgumentError, "state"):
                    listed(state="paid")  # type: ignore[arg-type]
        ids = [one.order_id for one in everything]
        self.assertEqual(ids, [f"ORD-{number}" for number in range(7)])
