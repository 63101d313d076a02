"""The bridge's driver of the conformance suite: see bindings/conformance/README.md.

Each client is a bridge of its own, and each step a line. The program in PAYORDER_BRIDGE is used.
"""

import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

NUMBERS = itertools.count()
#: Settings in the environment would override the judge's.
ENVIRONMENT = {
    key: value for key, value in os.environ.items() if not key.startswith("PAYORDER_")
}


class Bridge:
    """A bridge that runs, and the answers that have not been fetched yet."""

    def __init__(self, config):
        descriptor, self.config = tempfile.mkstemp()
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(config, file)
        self.process = subprocess.Popen(
            [os.environ["PAYORDER_BRIDGE"], "--config", self.config],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
        self.waiting = {}
        self.refused = None
        self.lock = threading.Lock()
        opened = self.begin({"call": "version"})
        threading.Thread(target=self.read, daemon=True).start()
        answer = opened.get()
        os.unlink(self.config)
        if answer["result"]:
            self.refused = answer
        else:
            self.version = answer["response"]

    def read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            key = answer["id"]
            # Without an id: the bridge did not start.
            for one in [key] if key is not None else list(self.waiting):
                self.waiting[one].put(answer)

    def begin(self, request):
        """Sends a request, and returns the queue of its answers."""
        key = next(NUMBERS)
        answers = self.waiting[key] = queue.Queue()
        answers.key = key
        # A text is sent as it is: a status to verify may be anything.
        if isinstance(request, dict):
            request = json.dumps(request, ensure_ascii=False)
        line = '{"id":%d,%s\n' % (key, request[1:])
        with self.lock:
            try:
                self.process.stdin.write(line.encode())
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
        return answers

    def close(self):
        self.process.stdin.close()


clients, cancellations, threads = {}, {}, {}


def status_report(answer):
    derived = answer.get("derived", {})
    report = {**answer["data"], "date": derived.get("transactionDate")}
    for key in ("responseCode", "responseMessage"):
        report[key] = answer[key]
    return {**report, "completed": derived.get("completed"), "raw": json.dumps(answer)}


def error_report(error):
    report = {**error, "caught": error["outcome"]}
    if "status" in error:
        report["status"] = status_report(error["status"])
    return report


def wait_report(answer):
    report = dict(answer)
    if "status" in answer:
        report["status"] = status_report(answer["status"])
    if "error" in answer:
        report["error"] = error_report(answer["error"])
    return report


def value_report(step, answer):
    op = step["op"]
    if op == "create":
        return {"url": answer["data"]["url"], **answer}
    if op == "status":
        return status_report(answer)
    if op == "wait":
        return wait_report(answer)
    if op == "build":
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    if op == "journal" and step["do"] in ("list", "prune"):
        return answer["entries" if step["do"] == "list" else "removed"]
    return answer


CALLS = {
    "create": "create_order",
    "status": "get_status",
    "wait": "wait_for_payment",
    "statuses": "get_statuses",
    "parse": "parse_return_url",
    "check": "check",
    "recover": "recover",
}
ARGUMENTS = ("order", "query", "queries", "sales", "url")


def request(step):
    op = step["op"]
    if op == "verify":
        # The judge gives text, and the bridge takes JSON.
        line = '{"call":"verify_payment","expected":%s,"status":%s}'
        return line % (json.dumps(step["expected"]), step["status"])
    name = CALLS.get(op)
    if op == "journal":
        name = "journal_" + step["do"]
    elif op == "build":
        name = "build_get_status" if "query" in step else "build_create_order"
    given = {key: step[key] for key in ARGUMENTS if key in step}
    if step.get("options") is not None:
        given["options"] = step["options"]
    return {"call": name, **given}


def finish(step, bridge, answers):
    """Waits for the answer of a call, and reports it."""
    report, items = {}, []
    while True:
        answer = answers.get()
        if "index" not in answer:
            break
        item = {"index": answer["index"], "ok": answer["result"] == 0}
        if item["ok"]:
            item["value"] = status_report(answer["response"])
        else:
            item["error"] = error_report(answer["error"])
        items.append({**item, "thread": "caller"})
        if "then" in step and len(items) == step["at"] + 1:
            run(step["then"])
    if step["op"] == "statuses":
        report["items"] = items
    if answer["result"]:
        return {**report, "ok": False, "error": error_report(answer["error"])}
    return {**report, "ok": True, "value": value_report(step, answer["response"])}


def begin(step):
    bridge = clients.get(step.get("client")) or offline()
    answers = bridge.begin(request(step))
    if "cancellation" in step:
        cancellations[step["cancellation"]].append((bridge, answers.key))
    return bridge, answers


def offline():
    if "" not in clients:
        clients[""] = Bridge({"baseUrl": "http://127.0.0.1:1"})
    return clients[""]


def cancel(step):
    if "cancellation" in step:
        for bridge, key in cancellations[step["cancellation"]]:
            bridge.begin({"call": "cancel", "target": key}).get()
    else:
        clients[step["client"]].begin({"call": "cancel_all"}).get()


def close(bridge):
    """Ends a bridge. What it has in addition to its client was not freed."""
    if not bridge.process.stdin.closed and not threads:
        counted = bridge.begin({"call": "version"}).get()["response"]["live"]
        counted["clients"] -= 1
        for key, count in counted.items():
            counters[key] += count
    bridge.close()


def run(step):
    op = step["op"]
    if op == "open":
        bridge = Bridge(step["config"])
        if bridge.refused:
            return {"ok": False, "error": error_report(bridge.refused["error"])}
        clients[step["client"]] = bridge
    elif op == "cancellation":
        cancellations[step["cancellation"]] = []
    elif op == "cancel":
        cancel(step)
    elif op == "close":
        if "cancellation" not in step:
            close(clients[step["client"]])
    elif op == "counters":
        if "" in clients:
            close(clients.pop(""))
        return {"ok": True, "value": counters}
    elif op == "join":
        return finish(*threads.pop(step["thread"]))
    elif op not in ("collect", "log"):
        running = (step, *begin(step))
        if "thread" not in step:
            return finish(*running)
        threads[step["thread"]] = running
    return {"ok": True}


def main():
    first = Bridge({"baseUrl": "http://127.0.0.1:1"})
    hello = {"driver": "bridge", "language": "payorder-bridge"}
    hello.update(library=first.version["version"], abi=first.version["abiVersion"])
    first.close()
    print(json.dumps({**hello, "features": ["threads", "bridge", "check"]}), flush=True)
    for line in sys.stdin.buffer:
        print(json.dumps(run(json.loads(line))), flush=True)


# The bridge has no strings to free.
counters = {"clients": 0, "strings": 0, "calls": 0}
main()
