"""Wrong tills: each makes one mistake in what it sends, writes or shows. See `caught_by`.

`python wrong_sending.py NAME` runs one.
"""

import base64
import os
import ssl
import subprocess
import sys
import tempfile
import time

from plain_till import AnotherTills, NotSent, Till, Unknown, caught_by, of_expressions


def order_with(**field):
    return lambda till: {**Till.order(till), **field}


def tls_without_check(of_certificates):
    def tls(till):
        context = Till.tls(till)
        context.check_hostname = False
        if of_certificates:
            context.verify_mode = ssl.CERT_NONE
        return context

    return tls


EXPRESSIONS = {
    ("is_web_address", "safe-url"): {
        "ShowsScripts in bad-url": lambda till, url: bool(url),
    },
    ("order", "right-amount, right-verdict"): {
        "FloatAmount in exact-amount": lambda till: {
            **Till.order(till),
            "amount": f"{float(till.amount):.2f}",
        },
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
    ("pause", "no-storm"): {
        "AsksWithoutAPause in never-pays": 0,
    },
    ("recall", "asked-first"): {
        "SendsAgainAfterARestart in restart": lambda till: {"state": "new"},
    },
    ("tls", "checks-the-host, right-verdict"): {
        "NoCertificateCheck in expired-certificate": tls_without_check(True),
        "NoHostCheck in wrong-host": tls_without_check(False),
    },
    ("wait_after_429", "waits-when-told"): {
        "Ignores429 in rate-limited": lambda till, headers: not time.sleep(0.05),
    },
}
globals().update(of_expressions(EXPRESSIONS))


@caught_by("right-amount in paid", also="right-verdict, paid-is-verified")
class AmountInPaise(Till):
    def __init__(self):
        super().__init__()
        paise = int(float(self.amount) * 100)
        self.amount = f"{paise // 100}.{paise % 100:02}"


@caught_by("asked-first in lost-after")
class AsksAboutAnotherOrder(Till):
    def after_unknown(self):
        self.ask({"searchType": "1", "orderId": "0"})
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


@caught_by("asked-first in lost-before")
class BlindRetry(Till):
    def after_unknown(self):
        for _ in range(3):
            try:
                return self.send_order()
            except (NotSent, Unknown):
                pass
        return {"state": "unknown"}


@caught_by("checks-the-host in status-wrong-host", also="right-verdict")
class ChecksNoHostForTheStatus(Till):
    def post(self, path, body, headers, seconds):
        self.checks = path == "/api/v1/Gateway/CreateOrder"
        return super().post(path, body, headers, seconds)

    def tls(self):
        context = super().tls()
        context.check_hostname = self.checks
        return context


@caught_by("checks-the-host in status-untrusted", also="right-verdict")
class ChecksTlsForOrdersOnly(ChecksNoHostForTheStatus):
    def tls(self):
        context = super().tls()
        if not self.checks:
            context.verify_mode = ssl.CERT_NONE
        return context


@caught_by("asked-first in double-click", also="not-forgotten")
class ClicksTwice(Till):
    def sell(self):
        state = self.recall()
        # What else a till does before it sells. The other click reads its state meanwhile.
        time.sleep(0.05)
        if state["state"] in ("new", "sending"):
            state = self.create()
        if state.get("url"):
            self.show(state["url"])
            return self.wait()
        return self.ask_once()


@caught_by("asked-first in redirect")
class FollowsRedirects(Till):
    def post(self, path, body, headers, seconds):
        status, answered, answer = super().post(path, body, headers, seconds)
        if status == 307:
            return super().post(path, body, headers, seconds)
        return status, answered, answer


@caught_by("one-order in restart", also="asked-first, not-forgotten")
class IgnoresDuplicate(Till):
    def recall(self):
        if super().recall()["state"] != "new":
            self.order_id += "-2"
        return {"state": "new"}


@caught_by("no-secrets in paid")
class LogsOutsideTheFolder(Till):
    def create_headers(self):
        headers = super().create_headers()
        log = os.path.join(tempfile.gettempdir(), f"till-{os.getpid()}.log")
        with open(log, "w") as file:
            print(headers, file=file)
        return headers


@caught_by("no-secrets in paid")
class LogsSecretsInBase64(Till):
    def status_headers(self):
        headers = super().status_headers()
        text = ":".join(headers.values()).encode()
        print("Basic", base64.b64encode(text).decode(), file=sys.stderr)
        return headers


@caught_by("no-secrets in paid")
class LogsTheSecretKey(Till):
    def status_headers(self):
        headers = super().status_headers()
        with open(os.path.join(os.environ["SALE_FOLDER"], "till.log"), "a") as log:
            print(headers, file=log)
        return headers


@caught_by("one-order in lost-after", also="asked-first, right-verdict")
class NewIdOnRetry(Till):
    def after_unknown(self):
        self.order_id += "-2"
        try:
            return self.send_order()
        except (NotSent, Unknown):
            return {"state": "unknown"}


@caught_by("one-order in failed-then-paid")
class NewOrderAfterFailed(Till):
    def not_completed(self, state):
        if state == "Failed" and not self.order_id.endswith("-2"):
            self.order_id += "-2"
            self.show(self.send_order()["url"])
        return "open"


@caught_by("no-secrets in paid")
class PrintsTheToken(Till):
    def create_headers(self):
        headers = super().create_headers()
        print(f"debug: {headers}", file=sys.stderr)
        return headers


@caught_by("no-secrets in paid")
class PutsSecretsIntoArguments(Till):
    def create_headers(self):
        headers = super().create_headers()
        wait = [sys.executable, "-c", "import time; time.sleep(0.5)"]
        subprocess.run([*wait, f"ACCESS-TOKEN: {headers['ACCESS-TOKEN']}"])
        return headers


@caught_by("one-order in payment-cancelled")
class SellsAgainAfterNotPaid(Till):
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


@caught_by("asked-first in lost-and-unanswered")
class SendsAgainWithoutAnAnswer(Till):
    def after_unknown(self):
        if not self.ask(self.query()):
            try:
                return self.send_order()
            except Exception:
                pass
        return {"state": "unknown"}


@caught_by("asked-first in lost-after")
class SendsAnOrderThatExistsAgain(Till):
    def after_unknown(self):
        self.ask(self.query())
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


@caught_by("stops-when-refused in rejected")
class SendsRefusedOrdersAgain(Till):
    def send_order(self):
        for _ in range(5):
            state = super().send_order()
            if state["state"] != "rejected":
                break
        return state


@caught_by("one-order in double-click", also="asked-first, not-forgotten, right-verdict")
class TwoJournals(Till):
    def __init__(self):
        super().__init__()
        self.state_file += f".{os.getpid()}"

    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            self.order_id += "-2"
            return super().send_order()


@caught_by("right-order in repeated-return", together="paid")
class UsesOneTransactionId(Till):
    def order(self):
        return {**super().order(), "merchantTxnId": "T-1"}


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
