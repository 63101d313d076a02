"""The scenarios of an exam: what happens in each, and which verdicts are right.

They are in scenarios.json, one to a line. Its keys are the attributes of `Scenario`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

from .customer import BEHAVIOURS, Behaviour, pays


@dataclass(frozen=True)
class Scenario:
    """One scenario."""

    name: str
    #: One line for people.
    title: str
    #: The verdicts of the first run that are right.
    allowed: Tuple[str, ...]
    #: Fault rules of the sandbox, until the first run has ended. `Stage` fills in what is between
    #: braces.
    faults: Tuple[str, ...] = ()
    #: One of `BEHAVIOURS`.
    customer: Behaviour = pays
    #: Whether the till runs again after the verdict `open`.
    later: bool = False
    #: Whether the amount is one that a floating-point number cannot hold.
    huge: bool = False
    #: The certificate in front of the service; None for plain HTTP.
    certificate: Optional[str] = None
    #: The certificate after the response to Create Order, if it is another one.
    certificate_of_status: Optional[str] = None
    #: Verdicts of the first run that are careful and no mistake: they pass with a remark.
    careful: Tuple[str, ...] = ()
    #: The credential that is wrong in the first run.
    wrong: Optional[str] = None
    #: Whether the customer pays on the first checkout page if a later run prints no URL.
    old_page: bool = False
    #: How it runs: a function of kinds.py.
    kind: str = "one_sale"


def _scenario(given: Dict[str, Any]) -> Scenario:
    given = dict(given)
    if "customer" in given:
        given["customer"] = BEHAVIOURS[given["customer"]]
    for key in ("allowed", "faults", "careful"):
        given[key] = tuple(given.get(key, ()))
    # Every second request.
    given["faults"] = tuple(
        rule.replace("ODD", str(number))
        for rule in given["faults"]
        for number in (range(1, 60, 2) if "ODD" in rule else (0,))
    )
    return Scenario(**given)


#: All scenarios by name, in the order of a report.
SCENARIOS: Dict[str, Scenario] = {
    one["name"]: _scenario(one)
    for one in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
}

#: What is wrong with a certificate, as the judge says it.
CERTIFICATES = {
    "EXPIRED": "has expired",
    "NOT_YET_VALID": "is not valid yet",
    "OTHER_HOST": "is for another host",
    "UNTRUSTED": "is signed by nobody whom the till trusts",
}
