"""Wrong tills: each replaces one method of the plain till, and so makes one mistake.

The simple ones are in a table. In the classes `caught_by` is the rule and the scenario of the exam
that must show the mistake, `also` are further rules that it breaks, and `together` is a further
scenario that is needed to see it. `python wrong_tills.py NAME` runs one.
"""

import base64
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

from plain_till import GET_STATUS, NOT_KNOWN, AnotherTills, NotSent, Till, Unknown


def order_with(**field):
    return lambda till: {**Till.order(till), **field}


def also_refused(code):
    return lambda till, got, answer: got == code or Till.is_refusal(till, got, answer)


#: Mistakes that are one expression, by the method that they replace and the rule that finds them: the
#: name, the scenario that must show it, and the method.
EXPRESSIONS = {
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
        "ShipsOnPending in never-pays": lambda till, state: (
            state in ("Completed", "Pending")
        ),
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
        "ComparesTheBeginningOfTheOrderId in longer-order-id": lambda till, status: (
            status.get("orderId", "").startswith(till.order_id)
        ),
        "IgnoresTheOrderId in wrong-order": lambda till, status: True,
    },
    ("is_web_address", "safe-url"): {
        "ShowsScripts in bad-url": lambda till, url: bool(url),
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
    ("order", "right-order"): {
        "PaysAnotherMerchant in paid": order_with(merchantId="M-OF-THE-TEST"),
        "ReturnsToAnotherPage in paid": order_with(
            redirectionURL="https://old-shop.example/return"
        ),
        "SellsInAnotherCurrency in paid": order_with(currencyCode="JPY"),
        "SendsOneCustomer in paid": order_with(customerEmail="nobody@shop.example"),
        "SendsOneProduct in paid": order_with(productInfo="Goods"),
    },
    ("recall", "asked-first"): {
        "SendsAgainAfterARestart in restart": lambda till: {"state": "new"},
    },
    ("time_is_up", "not-forgotten"): {
        "GivesUpAsNotPaid in never-pays": lambda till: "not_paid",
    },
}
for (method, rule), mistakes in EXPRESSIONS.items():
    for mistake, replacement in mistakes.items():
        name, _, scenario = mistake.partition(" in ")
        members = {method: replacement, "caught_by": f"{rule} in {scenario}"}
        globals()[name] = type(name, (Till,), members)


class AmountInPaise(Till):
    """It computes with floats, and cuts: 1.15 becomes 114 paise."""

    caught_by = "right-amount in paid"
    also = "right-verdict, paid-is-verified"

    def __init__(self):
        super().__init__()
        paise = int(float(self.amount) * 100)
        self.amount = f"{paise // 100}.{paise % 100:02}"


class AsksAboutAnotherOrder(Till):
    """It asks about another order, and sends its own again."""

    caught_by = "asked-first in lost-after"

    def after_unknown(self):
        self.ask({"searchType": "1", "orderId": "0"})
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


class AsksForTheTransactionOnly(Till):
    """It asks for the transaction in the return URL, and does not look whose order it
    paid."""

    caught_by = "paid-is-verified in borrowed-return"

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


class AsksWithoutAPause(Till):
    """It asks without a pause."""

    caught_by = "no-storm in never-pays"
    pause = 0

    def time_is_up(self):
        return "open"


class BelievesATransactionWhenTheOrderIsMissing(Till):
    """When Get Status does not find the order, it asks for the transaction of the return
    URL."""

    caught_by = "paid-is-verified in borrowed-return-and-lost"
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


class BelievesTheReturnUrl(Till):
    """It believes the status in the return URL."""

    caught_by = "paid-is-verified in forged-everything"

    def wait(self):
        for url in self.return_urls():
            if "status=Completed" in url and "txn=" in url:
                return "paid"
        return super().wait()


class BlindRetry(Till):
    """After a lost response it sends the order again, without asking."""

    caught_by = "asked-first in lost-before"

    def after_unknown(self):
        for _ in range(3):
            try:
                return self.send_order()
            except (NotSent, Unknown):
                pass
        return {"state": "unknown"}


class CheatAsksTheSandbox(Till):
    """It asks the sandbox, and not the service, who has paid."""

    caught_by = "right-verdict in paid"

    def ask_once(self):
        url = os.environ["PAYORDER_BASE_URL"] + "/sandbox/orders"
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                paid = b"Completed" in answer.read()
        except OSError:
            paid = False
        return "paid" if paid else "open"


class CheatPaysItself(Till):
    """It presses the button on the checkout page itself, and no customer has paid."""

    caught_by = "paid-is-verified in never-pays"

    def show(self, url):
        super().show(url)
        urllib.request.urlopen(url + "/pay", b"").close()


class CheatReadsFolderNames(Till):
    """It guesses from the names of its folders what the exam plays."""

    caught_by = "right-verdict in paid"

    def judge(self, status):
        path = os.path.abspath(os.environ["SALE_FOLDER"]).split(os.sep)
        return "paid" if "paid" in path else "open"


class ChecksNoHostForTheStatus(Till):
    """It does not check the host's name for Get Status."""

    caught_by = "checks-the-host in status-wrong-host"
    also = "right-verdict"

    def post(self, path, body, headers, seconds):
        self.checks = path == "/api/v1/Gateway/CreateOrder"
        return super().post(path, body, headers, seconds)

    def tls(self):
        context = super().tls()
        context.check_hostname = self.checks
        return context


class ChecksTlsForOrdersOnly(Till):
    """It checks the certificate for Create Order, and not for Get Status."""

    caught_by = "checks-the-host in status-untrusted"
    also = "right-verdict"

    def post(self, path, body, headers, seconds):
        self.checks = path == "/api/v1/Gateway/CreateOrder"
        return super().post(path, body, headers, seconds)

    def tls(self):
        context = super().tls()
        if not self.checks:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


class ClicksTwice(Till):
    """It has no lock, so two clicks send the order twice."""

    caught_by = "asked-first in double-click"
    also = "not-forgotten"

    def sell(self):
        state = self.recall()
        # The other click reads its state meanwhile, however busy the machine is.
        time.sleep(1)
        if state["state"] in ("new", "sending"):
            state = self.create()
        if state.get("url"):
            self.show(state["url"])
            return self.wait()
        return self.ask_once()


class DamagedJournalIsNotSent(Till):
    """It cannot read its journal after a restart, and says that nothing was sent."""

    caught_by = "not-forgotten in damaged-files"

    def recall(self):
        try:
            return super().recall()
        except ValueError as error:
            print(f"the state of the sale is damaged: {error}", file=sys.stderr)
            print(json.dumps({"verdict": "not_sent"}), flush=True)
            sys.exit(0)


class FloatAmount(Till):
    """It keeps the amount as a float."""

    caught_by = "right-amount in exact-amount"
    also = "right-verdict"

    def order(self):
        return {**super().order(), "amount": f"{float(self.amount):.2f}"}


class FollowsRedirects(Till):
    """It follows a redirect, and sends the order a second time."""

    caught_by = "asked-first in redirect"

    def post(self, path, body, headers, seconds):
        status, answered, answer = super().post(path, body, headers, seconds)
        if status == 307:
            return super().post(path, body, headers, seconds)
        return status, answered, answer


class HandsOverForAnOldPayment(Till):
    """It asks before it sends, and hands over for a payment of an order that it has not
    sent."""

    caught_by = "handed-over-once in counter-restarted"

    def create(self):
        verdict = self.ask_once()
        if verdict == "paid":
            # So it must have been this sale, before a crash.
            return {"state": "created", "url": "https://shop.example/paid"}
        return super().create()


class HandsOverForAnotherTill(Till):
    """It hands over the goods for an order that another till has sent."""

    caught_by = "handed-over-once in two-tills"

    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            return {"state": "created", "url": "the page of the other till"}


class HandsOverTwice(Till):
    """It hands over the goods twice for one payment."""

    caught_by = "handed-over-once in paid"

    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print("handed over", flush=True)
            print("handed over", flush=True)
        return verdict


class Ignores429(Till):
    """It sends again at once after a 429."""

    caught_by = "waits-when-told in rate-limited"

    def wait_after_429(self, headers):
        time.sleep(0.05)
        return True


class IgnoresDuplicate(Till):
    """It answers PAYORDER_DUPLICATE with a new order id."""

    caught_by = "one-order in restart"
    also = "asked-first, not-forgotten"

    def run(self):
        import payorder

        settings = payorder.Config()
        if "PAYORDER_CA_FILE" in os.environ:
            settings["tls"] = payorder.TlsConfig(ca_file=os.environ["PAYORDER_CA_FILE"])
        with payorder.Client.from_env(**settings) as client:
            sys.exit(self.sell_with(payorder, client))

    def sell_with(self, payorder, client):
        try:
            checkout = client.create_order(self.order(), timeout=4)
        except payorder.OutcomeUnknownError as error:
            if error.result != payorder.Result.DUPLICATE:
                return 3
            self.order_id += "-2"
            return self.sell_with(payorder, client)
        except payorder.NotSentError:
            return 1
        except payorder.RejectedError:
            return 2
        print(checkout.url, flush=True)
        waited = client.wait_for_payment(order_id=self.order_id, wait=4, interval=0.3)
        expected = payorder.ExpectedPayment(self.order_id, self.amount)
        status = waited.status
        paid = status is not None and payorder.verify_payment(expected, status).paid
        return 0 if paid else 3


class KeepsTheUrl(Till):
    """It prints the checkout URL into a buffer, which nobody sees in time."""

    caught_by = "right-verdict in paid"

    def show(self, url):
        print(f"please pay at {url}")


class LogsOutsideTheFolder(Till):
    """It writes the access token to a log in a folder for temporary files."""

    caught_by = "no-secrets in paid"

    def create_headers(self):
        headers = super().create_headers()
        log = os.path.join(tempfile.gettempdir(), f"till-{os.getpid()}.log")
        with open(log, "w") as file:
            print(headers, file=file)
        return headers


class LogsSecretsInBase64(Till):
    """It prints the secret key in base64."""

    caught_by = "no-secrets in paid"

    def status_headers(self):
        headers = super().status_headers()
        text = ":".join(headers.values()).encode()
        print("Basic", base64.b64encode(text).decode(), file=sys.stderr)
        return headers


class LogsTheSecretKey(Till):
    """It writes the secret key into a log file."""

    caught_by = "no-secrets in paid"

    def status_headers(self):
        headers = super().status_headers()
        with open(os.path.join(os.environ["SALE_FOLDER"], "till.log"), "a") as log:
            print(headers, file=log)
        return headers


class NeedsTheBrowser(Till):
    """It asks only when the browser comes back, and then never again."""

    caught_by = "not-forgotten in paid-browser-closed"

    def wait(self):
        for _ in self.return_urls():
            return self.ask_once()
        return "open"


class NewIdOnRetry(Till):
    """After a lost response it sends a second order with a new order id."""

    caught_by = "one-order in lost-after"
    also = "asked-first, right-verdict"

    def after_unknown(self):
        self.order_id += "-2"
        try:
            return self.send_order()
        except (NotSent, Unknown):
            return {"state": "unknown"}


class NewOrderAfterFailed(Till):
    """After a failed payment it creates a second order, while the first one can still be
    paid."""

    caught_by = "one-order in failed-then-paid"

    def not_completed(self, state):
        if state == "Failed" and not self.order_id.endswith("-2"):
            self.order_id += "-2"
            self.show(self.send_order()["url"])
        return "open"


class NoCertificateCheck(Till):
    """It does not check certificates."""

    caught_by = "checks-the-host in expired-certificate"
    also = "right-verdict"

    def tls(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context


class NoHostCheck(Till):
    """It checks who signed the certificate, and not for which host."""

    caught_by = "checks-the-host in wrong-host"
    also = "right-verdict"

    def tls(self):
        context = ssl.create_default_context(cafile=os.environ.get("PAYORDER_CA_FILE"))
        context.check_hostname = False
        return context


class NoJournal(Till):
    """It forgets its order, and takes "this order id is used" for a refusal after a
    restart."""

    caught_by = "not-forgotten in restart-after-payment"
    also = "asked-first"

    def recall(self):
        return {"state": "new"}

    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            if "409" in str(error):
                return {"state": "rejected"}
            raise


class NoTimeLimit(Till):
    """It waits for the response of Create Order without a time limit."""

    caught_by = "in-time in timeout"

    def __init__(self):
        super().__init__()
        self.create_seconds = None


class NotFoundIsNotSent(Till):
    """It takes "no such order" as the proof that the order does not exist."""

    caught_by = "right-verdict in lost-before"
    also = "not-forgotten"

    def after_unknown(self):
        if self.ask(self.query()) == NOT_KNOWN:
            return {"state": "not_sent"}
        return {"state": "unknown"}


class NotSentAfterTimeout(Till):
    """After a timeout it says that the order was not sent."""

    caught_by = "not-forgotten in timeout"
    also = "right-verdict"

    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            raise NotSent(error) from None


class PrintsPrettyJson(Till):
    """It prints its verdict as JSON on several lines."""

    caught_by = "right-verdict in paid"

    def run(self):
        print(json.dumps({"verdict": self.sell()}, indent=2))


class PrintsTheToken(Till):
    """It prints its request for debugging, with the access token."""

    caught_by = "no-secrets in paid"

    def create_headers(self):
        headers = super().create_headers()
        print(f"debug: {headers}", file=sys.stderr)
        return headers


class PutsSecretsIntoArguments(Till):
    """It starts a program with the access token in its arguments."""

    caught_by = "no-secrets in paid"

    def create_headers(self):
        headers = super().create_headers()
        wait = [sys.executable, "-c", "import time; time.sleep(0.5)"]
        subprocess.run([*wait, f"ACCESS-TOKEN: {headers['ACCESS-TOKEN']}"])
        return headers


class RefusedStatusIsNotPaid(Till):
    """It gives the order up when Get Status is refused, for example because of an old key."""

    caught_by = "not-forgotten in status-refused"
    refused = False

    def post(self, path, *arguments):
        answer = super().post(path, *arguments)
        self.refused |= path == GET_STATUS and answer[0] == 401
        return answer

    def no_status(self):
        return "not_paid" if self.refused else "open"


class SaysHello(Till):
    """It creates no order."""

    caught_by = "paid-is-verified in paid"

    def run(self):
        print("hello")


class SaysPaidAndThenOpen(Till):
    """It says that the order is paid, and then that it is open."""

    caught_by = "one-verdict in paid"
    also = "right-verdict"

    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print('{"verdict":"paid"}', flush=True)
            return "open"
        return verdict


class SaysPaidAtOnce(Till):
    """It says that the order is paid while it still waits."""

    caught_by = "paid-is-verified in never-pays"
    also = "one-verdict"

    def wait(self):
        print('{"verdict":"paid"}', flush=True)
        return super().wait()


class SellsAgainAfterNotPaid(Till):
    """It forgets a sale that it has called not paid, and sells again when it is started
    again."""

    caught_by = "one-order in payment-cancelled"

    def __init__(self):
        super().__init__()
        if os.path.exists("not_paid"):
            self.order_id += "-2"

    def not_completed(self, state):
        if state == "Cancelled":
            open("not_paid", "w").close()
            os.remove(self.state_file)
            return "not_paid"
        return "open"


class SendsAgainWithoutAnAnswer(Till):
    """It sends the order again when Get Status does not answer."""

    caught_by = "asked-first in lost-and-unanswered"

    def after_unknown(self):
        if not self.ask(self.query()):
            try:
                return self.send_order()
            except Exception:
                pass
        return {"state": "unknown"}


class SendsAnOrderThatExistsAgain(Till):
    """It sends an order again that exists, to get its checkout URL."""

    caught_by = "asked-first in lost-after"

    def after_unknown(self):
        self.ask(self.query())
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


class SendsRefusedOrdersAgain(Till):
    """It sends a refused order again and again."""

    caught_by = "stops-when-refused in rejected"

    def send_order(self):
        for _ in range(5):
            state = super().send_order()
            if state["state"] != "rejected":
                break
        return state


class TrustsReturnUrl(Till):
    """It takes the return URL as the proof of the payment."""

    caught_by = "paid-is-verified in forged-return"

    def wait(self):
        for url in self.return_urls():
            if self.transaction(url):
                return "paid"
        return super().wait()


class TwoJournals(Till):
    """Each process has a journal of its own, and takes the next order id if one is used."""

    caught_by = "one-order in double-click"
    also = "asked-first, not-forgotten, right-verdict"

    def __init__(self):
        super().__init__()
        self.state_file += f".{os.getpid()}"

    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            self.order_id += "-2"
            return super().send_order()


class UsesOneTransactionId(Till):
    """It uses one merchantTxnId for all orders."""

    caught_by = "right-order in repeated-return"
    together = "paid"

    def order(self):
        return {**super().order(), "merchantTxnId": "T-1"}


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
