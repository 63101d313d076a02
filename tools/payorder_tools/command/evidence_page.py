"""The page about an order: its record in plain words, for a person in finance."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any, Dict, List, Sequence

from .evidence_record import Changed, Line, verified
from .output import wrapped

#: The heading of the lines for computers, at the end of the page.
_RECORD = "THE RECORD, FOR COMPUTERS"

_STATES = {
    "sending": "A call was sending the order when this page was made.",
    "created": "The service has the order.",
    "rejected": "The service refused the order.",
    "not_sent": "The order was not sent.",
    "unknown": "It is not known whether the service has the order.",
    "settled": "A person closed this entry.",
}

_NOTES = (
    "The till's program wrote each line into its journal when it happened, with the time of this "
    "machine's clock. It wrote that an order was about to be sent before the first byte left.",
    "Each line ends with the beginning of its hash. A hash covers its line and all lines before "
    "it in the record below. An event has the same hash in every page that is made later. So if "
    "you noted a hash earlier, on paper or in an e-mail, you can show that nothing was changed, "
    "removed or added before it: `payorder verify-evidence FILE --hash HASH`.",
    "This is not a signature. Whoever can write the journal or this file can also make a new page "
    "with new hashes. Only a hash that another person received earlier shows that.",
    "The SHA-256 of a certificate identifies the server that answered. Its operator can confirm "
    "it.",
    "This page does not prove that money arrived: compare it with the bank's statement and with "
    "the service's own records.",
    "It has no credentials, no data of the customer, and no checkout URL. The SHA-256 of the "
    "request's body can be compared with a copy of that body.",
)


def page(record: Sequence[Line]) -> str:
    """The page, with the record at its end."""
    end = record[-1].content
    shown = [
        f"EVIDENCE ABOUT ORDER {_shown(record[0].content, 'orderId')}",
        "",
        *wrapped(
            f"Made at {_time(end, 'madeAt')} by {_shown(end, 'madeBy')}, from the journal "
            f"{_shown(end, 'journal')}. All times are UTC; the time zone of the machine is "
            f"{_shown(end, 'timeZone')}."
        ),
    ]
    # The first line of an entry, what happened to it, and its state.
    entries: Dict[str, List[Line]] = {}
    for line in record[1:-1]:
        entries.setdefault(_shown(line.content, "entry"), []).append(line)
    if len(entries) > 1:
        shown += wrapped(
            f"The journal has {len(entries)} entries of this order, one for each time that it was "
            "sent or to be sent."
        )
    for of_entry in entries.values():
        shown += ["", *_entry(of_entry)]
    shown += ["", "WHAT THIS PROVES, AND WHAT NOT", ""]
    for note in _NOTES:
        shown += wrapped(note, "- ", "  ")
    shown += ["", "FINAL HASH", "", record[-1].sha256, "", _RECORD]
    shown += [line.text for line in record]
    return "".join(f"{line}\n" for line in shown)


def verified_page(text: str) -> List[Line]:
    """Reads a page, or its record alone. Raises `Changed` for the first line that was changed.

    The words of a page are always compared with its record. Another version may have used other
    words, but a line that says which version it was can be changed too.
    """
    given = [line.rstrip("\r") for line in text.split("\n")]
    if given[-1] == "":
        del given[-1]
    start = given.index(_RECORD) + 1 if _RECORD in given else 0
    try:
        record = verified(given[start:])
    except Changed as changed:
        raise Changed(changed.line + start, changed.problem) from None
    if start > 0:
        expected = page(record).split("\n")[: -1 - len(record)]
        for number, (old, new) in enumerate(zip_longest(expected, given[:start]), start=1):
            if old != new:
                raise Changed(
                    number,
                    "is not what the record says in the words of this version; the record is "
                    f"said to be made by {_shown(record[-1].content, 'madeBy')}",
                )
    return record


def _entry(lines: Sequence[Line]) -> List[str]:
    entry, last = lines[0].content, lines[-1].content
    events = [line for line in lines if line.content["kind"] not in ("entry", "state")]
    state = _shown(last, "state")
    state = _STATES.get(state, f"Its state is {state}.")
    if last.get("transactionStatus"):
        payment = _shown(last, "transactionStatus")
        state += f" The last known status of the payment is {payment}."
    shown = [
        f"ENTRY {_shown(entry, 'entry')}",
        "",
        f"  amount                {_shown(entry, 'amount')} {_shown(entry, 'currencyCode')}",
        f"  merchant transaction  {_shown(entry, 'merchantTxnId')} {_mark(lines[0])}",
        f"  service transaction   {_shown(last, 'transactionId')}",
        *wrapped(f"{state} {_mark(lines[-1])}", "  state                 ", " " * 24),
        "",
    ]
    before = 0
    for event in events:
        number = event.content.get("number")
        if isinstance(number, int):
            if number > before + 1:
                shown.append(f"  ({number - before - 1} older statuses were dropped.)")
            before = number
        words = f"{_time(event.content, 'at')}  {_event(event.content)} {_mark(event)}"
        shown += wrapped(words, "  ", "    ")
        if event.content["kind"] == "settled" and event.content.get("note"):
            # Each line begins with a sign, so that none of them can look like an event.
            # In quotes, as JSON: no character in them can end the quote.
            note = printable(json.dumps(str(event.content["note"])))
            shown += wrapped(note, "    > ", "    > ")
    kinds = {event.content["kind"] for event in events}
    missing = ""
    if "attempt" not in kinds:
        missing = (
            "The journal does not say how the sending ended: the program was stopped, or the call "
            f"is still running, until {_time(entry, 'deadline')} at the latest."
        )
    return shown + wrapped(missing, "  ", "  ")


def _event(told: Dict[str, Any]) -> str:
    """What happened, in a sentence."""
    kind = told["kind"]
    if kind == "sending":
        return (
            "The order was about to be sent. The body of the request has "
            f"{_shown(told, 'bodyBytes')} bytes; its SHA-256 is {_shown(told, 'bodySha256')}."
        )
    if kind == "attempt":
        return f"{_attempt(told)} {_service(told)}"
    if kind == "status":
        words = (
            f"The service reported the status {_shown(told, 'transactionStatus')}, the amount "
            f"{_shown(told, 'amount')} and the transaction {_shown(told, 'transactionId')}"
        )
        if "refundStatus" in told:
            words += f", and the refund {_shown(told, 'refundStatus')}"
        return f"{words}. {_service(told)}"
    if kind == "settled":
        words = "A person closed the entry"
        if not told.get("note"):
            return f"{words}."
        return f"{words}, and wrote the words in quotes below. Nothing has checked them."
    return f"Something of the kind {printable(kind)} happened; this version does not know it."


def _attempt(told: Dict[str, Any]) -> str:
    result = told.get("result")
    number = result if isinstance(result, int) else 999
    if number == 0:
        end = "The service accepted the order"
    elif number < 100:
        end = "Nothing of the order was sent"
    elif number < 200:
        end = "The service refused the order"
    else:
        end = "This attempt alone does not show whether the service has the order"
    reasons = [
        f"{name} {_shown(told, key)}"
        for key, name in (("httpStatus", "HTTP"), ("responseCode", "responseCode"))
        if key in told
    ]
    if "cause" in told:
        reasons.append(_shown(told, "cause").replace("_", " "))
    if reasons:
        end += f" ({', '.join(reasons)})"
    return (
        f"Attempt {_shown(told, 'attempt')} sent {_shown(told, 'bytesSent')} bytes and ended "
        f"after {_shown(told, 'durationMs')} ms. {end}."
    )


def _service(told: Dict[str, Any]) -> str:
    words = f"The service was {_shown(told, 'host')}"
    words += ", with TLS" if told.get("tls") is True else ", without TLS"
    if told.get("proxy") is True:
        words += ", through a proxy"
    if "certificateSha256" in told:
        words += f"; the SHA-256 of its certificate is {_shown(told, 'certificateSha256')}"
    return f"{words}."


def _mark(line: Line) -> str:
    """The beginning of a line's hash."""
    return f"[{line.sha256[:12]}]"


def _time(told: Dict[str, Any], key: str) -> str:
    """A time of the record, as a person reads it."""
    return _shown(told, key).replace("T", " ").replace("Z", "")


def _shown(told: Dict[str, Any], key: str) -> str:
    value = told.get(key)
    return "(not known)" if value in (None, "") else printable(str(value))


def printable(text: str) -> str:
    """All but printable ASCII as escapes, so that a text cannot look like another one."""
    return "".join(
        one if " " <= one <= "~" else one.encode("unicode_escape").decode("ascii") for one in text
    )
