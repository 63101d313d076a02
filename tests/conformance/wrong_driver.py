"""A Python driver with one planted mistake, which the judge must find.

wrong_driver.py MISTAKE LIBRARY
"""

import asyncio
import json
import os
import runpy
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BINDINGS = Path(__file__).resolve().parents[2] / "bindings" / "python"
MISTAKE = sys.argv[1]

sys.dont_write_bytecode = True
if MISTAKE == "takes any library":
    # Without the variable that names the library of another ABI.
    os.environ["PAYORDER_LIBRARY"] = sys.argv[2]
driver = runpy.run_path(str(BINDINGS / "conformance.py"), run_name="driver")
names = driver["main"].__globals__
payorder = driver["payorder"]
create_order = payorder.Client.create_order
failure, item, run, status = (names[name] for name in ("failure", "item", "run", "status"))


def sends_twice(client, **fields):
    create_order(client, **fields)
    return create_order(client, **fields)


def loses_blanks(client, **fields):
    product_info = fields.pop("product_info").rstrip()
    return create_order(client, product_info=product_info, **fields)


def swallows_the_outcome(client, **fields):
    try:
        return create_order(client, **fields)
    except payorder.PayorderError:
        return payorder.Checkout('{"responseCode":"200","data":{"url":""}}')


def ignores_cancellations(client, *, cancellation=None, **fields):
    return create_order(client, **fields)


def null_as_text(value):
    return {key: "null" if one is None else one for key, one in status(value).items()}


async def collects_the_log(step):
    if step["op"] == "collect":
        names["listen"]({"on": False})
    return await run(step)


def runs_in_another_thread(result):
    report = {}
    thread = threading.Thread(target=lambda: report.update(item(result)))
    thread.start()
    thread.join()
    return report


def writes_latin_1(line, flush):
    sys.stdout.buffer.write(line.encode("latin-1", "replace") + b"\n")
    sys.stdout.buffer.flush()


async def ends_early(step):
    if step["op"] == "create":
        sys.exit("planted: the driver ends")
    return await run(step)


class OtherJson:
    loads = staticmethod(json.loads)
    dumps = staticmethod(lambda value: json.dumps(value, ensure_ascii=False))


def fails_with(**other):
    return {"failure": lambda error: {**failure(error), **other}}


leaked = []
# What a mistake replaces: functions of the package's client, and names of the driver.
CLIENT = {
    "sends twice": {"create_order": sends_twice},
    "loses trailing blanks": {"create_order": loses_blanks},
    "swallows the outcome": {"create_order": swallows_the_outcome},
    "forgets to free": {"close": lambda client: leaked.append(client)},
    "ignores cancellations": {"create_order": ignores_cancellations},
}
DRIVER = {
    "makes null a text": {"status": null_as_text},
    "loses the status query": fails_with(statusQuery=None),
    "says not sent": fails_with(outcome="not_sent", caught="not_sent"),
    "says another class": fails_with(**{"class": "PayorderError"}),
    "has one class for two outcomes": {"CLASSES": {**names["CLASSES"], "rejected": "NotSentError"}},
    "loses the log function": {"run": collects_the_log},
    "calls back in another thread": {"item": runs_in_another_thread},
    "writes another encoding": {"json": OtherJson, "print": writes_latin_1},
    "ends early": {"run": ends_early},
    "waits in threads": {
        "FEATURES": [*names["FEATURES"], "started"],
        "pool": ThreadPoolExecutor(600),
    },
    "takes any library": {},
    "none": {},
}
for name, function in CLIENT.get(MISTAKE, {}).items():
    setattr(payorder.Client, name, function)
names.update({} if MISTAKE in CLIENT else DRIVER[MISTAKE])
asyncio.run(driver["main"]())
