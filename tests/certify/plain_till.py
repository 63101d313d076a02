"""A right till without this library: HTTP with Python's standard library only.

It passes the exam itself. Each of the wrong tills replaces some of its methods. It needs Unix,
because it locks a file.
"""

import decimal
import fcntl
import http.client
import json
import os
import select
import ssl
import sys
import time
import traceback
import urllib.parse

CREATE_ORDER = "/api/v1/Gateway/CreateOrder"
GET_STATUS = "/api/v1/Gateway/GetStatus"


#: The codes whose standard meaning is that nothing was done.
REFUSALS = {*range(400, 408), *range(410, 418), 421, 422, 426, 428, 429, 431, 451}

#: A response that is not one JSON object.
UNREADABLE = {}

#: The service does not know the order, or not yet.
NOT_KNOWN = {}


class NotSent(Exception):
    """No byte of the request left this machine."""


class Unknown(Exception):
    """The request was sent, and its outcome is not known."""


class AnotherTills(Exception):
    """The service has an order with this id already, and this till has not sent it."""


class Till:
    #: The pause between two questions, in seconds.
    pause = 0.3

    def __init__(self):
        seconds = float(os.environ["SALE_SECONDS"])
        # The rest is for the start of Python, and for a busy machine.
        self.end = time.monotonic() + seconds * 0.75
        self.create_seconds = seconds * 0.4
        self.base_url = urllib.parse.urlsplit(os.environ["PAYORDER_BASE_URL"])
        self.order_id = os.environ["SALE_ORDER_ID"]
        self.amount = os.environ["SALE_AMOUNT"]
        self.state_file = os.path.join(os.environ["SALE_FOLDER"], "sale.json")

    # ---- The sale ------------------------------------------------------------------------------

    def run(self):
        """Sells, prints the verdict as JSON, and exits."""
        try:
            verdict = self.sell()
        except Exception:
            # Python would end with exit status 1, which means: not sent.
            traceback.print_exc()
            verdict = "open"
        print(json.dumps({"verdict": verdict}), flush=True)
        sys.exit(0)

    def sell(self):
        # A second click waits here until the first one knows what happened to the order.
        with open(self.state_file + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = self.recall()
            if state["state"] == "new":
                state = self.create()
        if state["state"] in ("not_sent", "rejected"):
            return state["state"]
        if state["state"] == "another till's":
            # Whoever sent it hands over the goods.
            return "open"
        if state.get("url"):
            self.show(state["url"])
            return self.wait()
        return self.ask_once()

    def show(self, url):
        print(f"please pay at {url}", flush=True)

    def create(self):
        """Sends the order, at most once, and keeps what happened."""
        # Before the request: after a crash the order may exist.
        self.remember({"state": "sending"})
        try:
            state = self.send_order()
        except NotSent as error:
            print(f"not sent: {error}", file=sys.stderr)
            # The same order may be sent again.
            self.remember({"state": "new"})
            return {"state": "not_sent"}
        except AnotherTills as error:
            print(f"not this till's order: {error}", file=sys.stderr)
            state = {"state": "another till's"}
        except Unknown as error:
            print(f"unknown: {error}", file=sys.stderr)
            state = self.after_unknown()
        self.remember(state)
        return state

    def after_unknown(self):
        """The order may exist: the next thing is to ask. Only if the service does not know it, the
        same order is sent once more. The service would refuse it if the first one arrived."""
        if self.ask(self.query()) == NOT_KNOWN:
            try:
                state = self.send_order()
            except (NotSent, Unknown, AnotherTills) as error:
                print(f"still unknown: {error}", file=sys.stderr)
            else:
                if state["state"] == "created":
                    return state
        return {"state": "unknown"}

    def send_order(self):
        """The state after Create Order. It sends again only after a 429, which is a refusal."""
        while True:
            status, headers, answer = self.post(
                CREATE_ORDER, self.order(), self.create_headers(), self.create_seconds
            )
            code = self.code(status, answer)
            if code == 200 and self.is_web_address(answer.get("data", {}).get("url")):
                return {"state": "created", "url": answer["data"]["url"]}
            if code == 429 and self.wait_after_429(headers):
                continue
            if code == 409:
                raise AnotherTills("the service has an order with this id")
            if self.is_refusal(code, answer):
                return {"state": "rejected"}
            raise Unknown(f"HTTP {status}, responseCode {code}")

    def is_web_address(self, url):
        """A browser would run `javascript:`."""
        return isinstance(url, str) and url.startswith(("https://", "http://"))

    def is_refusal(self, code, answer):
        """Whether nothing was done. A page that the service did not write says nothing."""
        readable = answer is not UNREADABLE and not answer.get("data")
        return code in REFUSALS and readable

    def order(self):
        return {
            "amount": self.amount,
            "merchantTxnId": self.order_id,
            "orderId": self.order_id,
            "payMode": "all",
            "merchantId": os.environ["SALE_MERCHANT_ID"],
            "productInfo": os.environ["SALE_PRODUCT"],
            "customerName": os.environ["SALE_CUSTOMER_NAME"],
            "customerMobile": os.environ["SALE_CUSTOMER_MOBILE"],
            "customerEmail": os.environ["SALE_CUSTOMER_EMAIL"],
            "redirectionURL": os.environ["SALE_RETURN_URL"],
            "currencyCode": os.environ["SALE_CURRENCY"],
        }

    def wait(self):
        """Asks until the payment is final or the time is up. Return URLs are not looked at."""
        while True:
            verdict = self.ask_once()
            if verdict != "open":
                return verdict
            if self.left() < 2 * self.pause:
                return self.time_is_up()
            time.sleep(self.pause)

    def time_is_up(self):
        return "open"

    def ask_once(self):
        status = self.ask(self.query())
        return self.judge(status) if status else self.no_status()

    def query(self):
        return {"searchType": "1", "orderId": self.order_id}

    def no_status(self):
        """No answer, or "no such order", which proves nothing."""
        return "open"

    # ---- The verdict ---------------------------------------------------------------------------

    def judge(self, status):
        """The verdict after a status. Only the service's own words count."""
        state = status.get("transactionStatus")
        if self.is_completed(state):
            expected = (
                self.is_this_order(status) and self.is_amount(status) and self.is_kept(status)
            )
            # Money that moved in another way is for a person.
            return "paid" if expected else "open"
        return self.not_completed(state)

    def is_completed(self, state):
        return state == "Completed"

    def not_completed(self, state):
        """The customer can still pay, also after Failed."""
        return "open"

    def is_this_order(self, status):
        return status.get("orderId") == self.order_id

    def is_amount(self, status):
        try:
            return decimal.Decimal(status["amount"]) == decimal.Decimal(self.amount)
        except (KeyError, decimal.InvalidOperation):
            return False

    def is_kept(self, status):
        return not status.get("refundStatus") and not status.get("refundType")

    # ---- What survives a crash -----------------------------------------------------------------

    def recall(self):
        try:
            with open(self.state_file) as file:
                return json.load(file)
        except FileNotFoundError:
            return {"state": "new"}

    def remember(self, state):
        """Replaces the file at once: after a crash it has the old state or the new one."""
        with open(self.state_file + ".new", "w") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.state_file + ".new", self.state_file)

    # ---- HTTP ----------------------------------------------------------------------------------

    def left(self):
        return self.end - time.monotonic()

    def create_headers(self):
        return {"ACCESS-TOKEN": os.environ["PAYORDER_ACCESS_TOKEN"]}

    def status_headers(self):
        return {
            "X-CLIENT-KEY": os.environ["PAYORDER_CLIENT_KEY"],
            "X-CLIENT-ID": os.environ["PAYORDER_CLIENT_ID"],
            "X-SECRET-KEY": os.environ["PAYORDER_SECRET_KEY"],
        }

    def ask(self, query):
        """The data of Get Status, NOT_KNOWN, or None without an answer. It is safe to ask again."""
        while self.left() > 0:
            try:
                status, headers, answer = self.post(
                    GET_STATUS, query, self.status_headers(), min(self.left(), 3)
                )
            except (NotSent, Unknown) as error:
                print(f"no status: {error}", file=sys.stderr)
                return None
            code = self.code(status, answer)
            if code == 429 and self.wait_after_429(headers):
                continue
            if code == 404:
                return NOT_KNOWN
            return answer.get("data") if code == 200 else None
        return None

    def code(self, status, answer):
        """200 only if HTTP and the service both say so."""
        text = str(answer.get("responseCode", ""))
        code = int(text) if text.isdigit() else 0
        return code if status == 200 else status

    def wait_after_429(self, headers):
        """Waits as the service asks. False if the time is not enough."""
        seconds = float(headers.get("Retry-After", "1"))
        if seconds > self.left() - 1:
            return False
        time.sleep(seconds)
        return True

    def connection(self, seconds):
        host = self.base_url.netloc
        if self.base_url.scheme == "http":
            return http.client.HTTPConnection(host, timeout=seconds)
        return http.client.HTTPSConnection(host, timeout=seconds, context=self.tls())

    def tls(self):
        return ssl.create_default_context(cafile=os.environ.get("PAYORDER_CA_FILE"))

    def post(self, path, body, headers, seconds):
        connection = self.connection(seconds)
        try:
            try:
                connection.connect()
            except OSError as error:
                raise NotSent(error) from None
            try:
                headers = {"Content-Type": "application/json", **headers}
                connection.request("POST", path, json.dumps(body), headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
            except ValueError:
                # A page of a gateway, for example. Its HTTP status is known.
                answer = UNREADABLE
            except (OSError, http.client.HTTPException) as error:
                raise Unknown(f"{type(error).__name__}: {error}") from None
            if not isinstance(answer, dict):
                answer = UNREADABLE
            return response.status, response.headers, answer
        finally:
            connection.close()

    # ---- For the tills that listen to the browser ----------------------------------------------

    def return_urls(self):
        """The return URLs on stdin, until the time is up or the customer has gone."""
        rest = b""
        while self.left() > 1:
            if not select.select([0], [], [], 0.1)[0]:
                continue
            read = os.read(0, 65536)
            if not read:
                return
            *lines, rest = (rest + read).split(b"\n")
            for line in lines:
                yield line.decode()

    def transaction(self, url):
        query = urllib.parse.urlsplit(url).query.replace("?", "&")
        return urllib.parse.parse_qs(query).get("txn", [""])[0]


def caught_by(mistake, also="", together=""):
    """Marks a wrong till, which replaces some methods of the right one, and so makes one mistake.

    `mistake` is the rule and the scenario of the exam that must show it, such as "in-time in
    timeout"; `also` are further rules that it breaks, and `together` is a further scenario that is
    needed to see it.
    """

    def mark(till):
        till.rule, _, scenario = mistake.partition(" in ")
        till.scenarios = (scenario, together) if together else (scenario,)
        till.also = tuple(also.split(", "))
        return till

    return mark


def of_expressions(expressions):
    """Wrong tills that replace one method, or one value, with an expression.

    By the method and the rules that it breaks, then by the till's name and the scenario.
    """
    tills = {}
    for (method, rules), mistakes in expressions.items():
        rule, _, also = rules.partition(", ")
        for mistake, expression in mistakes.items():
            name, _, scenario = mistake.partition(" in ")
            till = type(name, (Till,), {method: expression})
            tills[name] = caught_by(f"{rule} in {scenario}", also)(till)
    return tills


if __name__ == "__main__":
    Till().run()
