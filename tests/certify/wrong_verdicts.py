"""Wrong tills: each makes one mistake about what happened to an order. See `caught_by`.

`python wrong_verdicts.py NAME` runs one.
"""

import json
import os
import sys
import urllib.request

from plain_till import (
    GET_STATUS,
    NOT_KNOWN,
    AnotherTills,
    NotSent,
    Till,
    Unknown,
    caught_by,
    of_expressions,
)


def believes(words):
    """Reads the first return URL only, as most tills do."""

    def wait(till):
        paise = till.amount.replace(".", "")
        url = next(till.return_urls(), "")
        believed = words.format(amount=till.amount, paise=paise) in url
        return "paid" if believed else Till.wait(till)

    return wait


def also_refused(code):
    return lambda till, got, answer: got == code or Till.is_refusal(till, got, answer)


EXPRESSIONS = {
    ("after_unknown", "right-verdict, not-forgotten"): {
        "NotFoundIsNotSent in lost-before": lambda till: {
            "state": "not_sent" if till.ask(till.query()) == NOT_KNOWN else "unknown"
        },
    },
    ("is_amount", "paid-is-verified"): {
        "AcceptsMoreMoney in overpaid": lambda till, status: (
            float(status["amount"]) >= float(till.amount)
        ),
        "ComparesAmountsLoosely in wrong-amount": lambda till, status: (
            int(float(status["amount"])) == int(float(till.amount))
        ),
        "ComparesFloats in huge-underpaid": lambda till, status: (
            float(status["amount"]) == float(till.amount)
        ),
        "IgnoresTheAmount in wrong-amount": lambda till, status: True,
        "NeedsNoAmount in no-amount": lambda till, status: (
            not status.get("amount") or Till.is_amount(till, status)
        ),
    },
    ("is_completed", "paid-is-verified"): {
        "AcceptsWhatBeginsWithCompleted in completed-in-part": lambda till, state: (
            state or ""
        ).startswith("Completed"),
        "FindsCompleteInIncomplete in incomplete": lambda till, state: (
            "complete" in (state or "").lower()
        ),
        "FindsSuccessInUnsuccessful in unsuccessful": lambda till, state: (
            state == "Completed" or "success" in (state or "").lower()
        ),
        "ShipsOnPending in never-pays": lambda till, state: state in ("Completed", "Pending"),
    },
    ("is_kept", "paid-is-verified"): {
        "IgnoresPartialRefunds in refunded-in-part": lambda till, status: (
            status.get("refundType") != "Full"
        ),
        "IgnoresRefunds in refunded": lambda till, status: True,
        "IgnoresTheRefundType in refund-type-only": lambda till, status: (
            not status.get("refundStatus")
        ),
    },
    ("is_refusal", "not-forgotten"): {
        "GatewayPageIsARefusal in gateway-page": lambda till, code, answer: code != 200,
        "Http408IsARefusal in http-408": also_refused(408),
        "Http499IsARefusal in http-499": also_refused(499),
        "Http500IsARefusal in http-500": also_refused(500),
        "ServiceErrorIsARefusal in service-error": also_refused(500),
    },
    ("is_this_order", "paid-is-verified"): {
        "ComparesTheBeginningOfTheOrderId in longer-order-id": lambda till, status: status.get(
            "orderId", ""
        ).startswith(till.order_id),
        "IgnoresTheOrderId in wrong-order": lambda till, status: True,
    },
    ("judge", "right-verdict"): {
        "CheatReadsFolderNames in paid": lambda till, status: (
            "paid" if "/paid/" in os.path.abspath(".") + "/" else "open"
        ),
    },
    ("left", "in-time"): {
        "NeverGivesUp in never-pays": lambda till: 3600,
    },
    ("no_status", "not-forgotten"): {
        "SwallowsErrors in status-lost": lambda till: "not_paid",
    },
    ("not_completed", "not-forgotten"): {
        "FailedIsFinal in failed-then-paid": lambda till, state: (
            "not_paid" if state == "Failed" else "open"
        ),
        "UnknownStatusIsFailed in unknown-status": lambda till, state: (
            "open" if state in ("Pending", "Failed") else "not_paid"
        ),
    },
    ("run", "paid-is-verified"): {
        "SaysHello in paid": lambda till: print("hello"),
    },
    ("run", "right-verdict"): {
        "PrintsPrettyJson in paid": lambda till: print(
            json.dumps({"verdict": till.sell()}, indent=2)
        ),
    },
    ("show", "right-verdict"): {
        # It is not flushed, so the customer does not see it.
        "KeepsTheUrl in paid": lambda till, url: print(f"please pay at {url}"),
    },
    ("time_is_up", "not-forgotten"): {
        "GivesUpAsNotPaid in never-pays": lambda till: "not_paid",
    },
    ("wait", "not-forgotten"): {
        "NeedsTheBrowser in paid-browser-closed": lambda till: next(
            (till.ask_once() for _ in till.return_urls()), "open"
        ),
    },
    ("wait", "paid-is-verified"): {
        "BelievesCaptured in forged-captured": believes("status=captured"),
        "BelievesCompleted in forged-everything": believes("status=Completed"),
        "BelievesCredit in forged-credit": believes("payment_status=Credit"),
        "BelievesPaid in forged-paid": believes("status=paid"),
        "BelievesPaise in forged-paise": believes("amount={paise}"),
        "BelievesRupees in forged-success": believes("amount={amount}"),
        "BelievesSuccess in forged-success": believes("status=success"),
        "BelievesSuccessInCapitals in forged-success-in-capitals": believes("status=SUCCESS"),
        "BelievesTxnSuccess in forged-txn-success": believes("STATUS=TXN_SUCCESS"),
    },
}
globals().update(of_expressions(EXPRESSIONS))


@caught_by("paid-is-verified in borrowed-return")
class AsksForTheTransactionOnly(Till):
    def wait(self):
        for url in self.return_urls():
            transaction = self.transaction(url)
            query = {"searchType": "2", "orderId": "", "transactionId": transaction}
            status = self.ask(query)
            if status and self.judge(status) == "paid":
                return "paid"
        return super().wait()

    def is_this_order(self, status):
        return True


@caught_by("paid-is-verified in borrowed-return-and-lost")
class BelievesATransactionWhenTheOrderIsMissing(Till):
    asked = None

    def wait(self):
        for url in self.return_urls():
            for _ in range(2):
                if self.judge_either(self.transaction(url)) == "paid":
                    return "paid"
        return super().wait()

    def judge_either(self, transaction):
        status = self.ask(self.query())
        if status != NOT_KNOWN:
            return self.judge(status or {})
        query = {"searchType": "2", "orderId": "", "transactionId": transaction}
        status = self.ask(query) or {}
        return self.judge({**status, "orderId": self.order_id})


@caught_by("right-verdict in paid")
class CheatAsksTheSandbox(Till):
    def ask_once(self):
        url = os.environ["PAYORDER_BASE_URL"] + "/sandbox/orders"
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                paid = b"Completed" in answer.read()
        except OSError:
            paid = False
        return "paid" if paid else "open"


@caught_by("paid-is-verified in never-pays")
class CheatPaysItself(Till):
    def show(self, url):
        super().show(url)
        urllib.request.urlopen(url + "/pay", b"").close()


@caught_by("not-forgotten in damaged-files")
class DamagedJournalIsNotSent(Till):
    def recall(self):
        try:
            return super().recall()
        except ValueError as error:
            print(f"the state of the sale is damaged: {error}", file=sys.stderr)
            print(json.dumps({"verdict": "not_sent"}), flush=True)
            sys.exit(0)


@caught_by("handed-over-once in counter-restarted")
class HandsOverForAnOldPayment(Till):
    def create(self):
        verdict = self.ask_once()
        if verdict == "paid":
            # So it must have been this sale, before a crash.
            return {"state": "created", "url": "https://shop.example/paid"}
        return super().create()


@caught_by("handed-over-once in two-tills")
class HandsOverForAnotherTill(Till):
    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            return {"state": "created", "url": "the page of the other till"}


@caught_by("handed-over-once in paid")
class HandsOverTwice(Till):
    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print("handed over", flush=True)
            print("handed over", flush=True)
        return verdict


@caught_by("not-forgotten in restart-after-payment", also="asked-first")
class NoJournal(Till):
    def recall(self):
        return {"state": "new"}

    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            if "409" in str(error):
                return {"state": "rejected"}
            raise


@caught_by("in-time in timeout")
class NoTimeLimit(Till):
    def __init__(self):
        super().__init__()
        self.create_seconds = None


@caught_by("not-forgotten in timeout", also="right-verdict")
class NotSentAfterTimeout(Till):
    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            raise NotSent(error) from None


@caught_by("not-forgotten in status-refused")
class RefusedStatusIsNotPaid(Till):
    refused = False

    def post(self, path, *arguments):
        answer = super().post(path, *arguments)
        self.refused |= path == GET_STATUS and answer[0] == 401
        return answer

    def no_status(self):
        return "not_paid" if self.refused else "open"


@caught_by("one-verdict in paid", also="right-verdict")
class SaysPaidAndThenOpen(Till):
    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print('{"verdict":"paid"}', flush=True)
            return "open"
        return verdict


@caught_by("paid-is-verified in never-pays", also="one-verdict")
class SaysPaidAtOnce(Till):
    def wait(self):
        print('{"verdict":"paid"}', flush=True)
        return super().wait()


@caught_by("paid-is-verified in forged-return")
class TrustsReturnUrl(Till):
    def wait(self):
        for url in self.return_urls():
            if self.transaction(url):
                return "paid"
        return super().wait()


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
