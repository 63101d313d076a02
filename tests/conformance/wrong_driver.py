"""A Python driver with one planted mistake, which the judge must find.

wrong_driver.py MISTAKE
"""

import json
import os
import runpy
import sys
import threading
from pathlib import Path

BINDINGS = Path(__file__).resolve().parents[2] / "bindings" / "python"
MISTAKE = sys.argv[1]

sys.dont_write_bytecode = True
if MISTAKE == "takes any library":
    # Without the variable that names the library of another ABI.
    os.environ["PAYORDER_LIBRARY"] = sys.argv[2]
driver = runpy.run_path(str(BINDINGS / "conformance.py"), run_name="driver")
payorder = driver["payorder"]
create_order = payorder.Client.create_order
get_status = payorder.Client.get_status
names = driver["main"].__globals__
failure, status, run = names["failure"], names["status"], names["run"]


def sends_twice(client, *arguments, **fields):
    create_order(client, *arguments, **fields)
    return create_order(client, *arguments, **fields)


def changed(change):
    """Create Order with changed texts."""

    def create(client, **fields):
        texts = {name: change(text) for name, text in fields.items()}
        return create_order(client, **texts)

    return create


def loses_blanks(text):
    return text.rstrip() if isinstance(text, str) else text


def mixes_encodings(text):
    return text.encode().decode("latin-1") if isinstance(text, str) else text


def amount_as_float(client, amount, **fields):
    return create_order(client, amount=f"{float(amount):.2f}", **fields)


def null_as_text(value):
    return {key: "null" if one is None else one for key, one in status(value).items()}


def text_as_null(value):
    return {key: None if one == "null" else one for key, one in status(value).items()}


def swallows_the_outcome(client, **fields):
    try:
        return create_order(client, **fields)
    except payorder.PayorderError:
        return payorder.Checkout('{"responseCode":"200","data":{"url":""}}')


def loses_the_query(error):
    return {**failure(error), "statusQuery": None}


def says_not_sent(error):
    return {**failure(error), "outcome": "not_sent", "caught": "not_sent"}


def says_another_class(error):
    return {**failure(error), "class": "PayorderError"}


def says_another_cause(error):
    return {**failure(error), "cause": "connection_reset"}


def ignores_cancellations(client, *, cancellation=None, **fields):
    return create_order(client, **fields)


def collects_the_log(step):
    if step["op"] == "collect":
        names["listen"]({"on": False})
    return run(step)


def runs_in_another_thread(result):
    report = {}
    thread = threading.Thread(target=lambda: report.update(item(result)))
    thread.start()
    thread.join()
    return report


def writes_latin_1(line, flush):
    sys.stdout.buffer.write(line.encode("latin-1", "replace") + b"\n")
    sys.stdout.buffer.flush()


def ends_early(step):
    if step["op"] == "create":
        sys.exit("planted: the driver ends")
    return run(step)


item = names["item"]
if MISTAKE == "sends twice":
    payorder.Client.create_order = sends_twice
elif MISTAKE == "loses trailing blanks":
    payorder.Client.create_order = changed(loses_blanks)
elif MISTAKE == "mixes encodings":
    payorder.Client.create_order = changed(mixes_encodings)
elif MISTAKE == "sends the amount as a float":
    payorder.Client.create_order = amount_as_float
elif MISTAKE == "makes null a text":
    names["status"] = null_as_text
elif MISTAKE == "makes the text null nothing":
    names["status"] = text_as_null
elif MISTAKE == "swallows the outcome":
    payorder.Client.create_order = swallows_the_outcome
elif MISTAKE == "loses the status query":
    names["failure"] = loses_the_query
elif MISTAKE == "says not sent":
    names["failure"] = says_not_sent
elif MISTAKE == "says another class":
    names["failure"] = says_another_class
elif MISTAKE == "says another cause":
    names["failure"] = says_another_cause
elif MISTAKE == "has one class for two outcomes":
    names["CLASSES"]["rejected"] = "NotSentError"
elif MISTAKE == "forgets to free":
    names["leaked"] = []
    payorder.Client.close = lambda client: names["leaked"].append(client)
elif MISTAKE == "ignores cancellations":
    payorder.Client.create_order = ignores_cancellations
elif MISTAKE == "loses the log function":
    names["run"] = collects_the_log
elif MISTAKE == "calls back in another thread":
    names["item"] = runs_in_another_thread
elif MISTAKE == "writes another encoding":
    names["json"] = type("", (), {"loads": json.loads, "dumps": None})
    names["json"].dumps = lambda value: json.dumps(value, ensure_ascii=False)
    names["print"] = writes_latin_1
elif MISTAKE == "ends early":
    names["run"] = ends_early
elif MISTAKE not in ("none", "takes any library"):
    sys.exit(f"{MISTAKE} is not a mistake of this driver")

driver["main"]()
