"""The page of the results, and those of the causes."""

import json
from typing import Any, Dict, List

from .description import ABI, sentence
from .model import Code, Heading, Page, Paragraph, Points, Table, Terms

OUTCOMES = {one["name"]: one for one in ABI["outcomes"]}
ACTIONS: Dict[str, str] = {one["name"]: one["meaning"] for one in ABI["actions"]}
_WHAT_TO_DO = {
    "done": "Continue. An order is created, and not paid yet: only payorder_verify_payment says "
    "whether it is paid.",
    "not_sent": "Follow the error's `action`: fix the problem that the message names, and call "
    "again, unless you cancelled the call.",
    "rejected": "Follow the error's `action`. Do not repeat an order unchanged. A refused "
    "Get Status does not prove that there is no order.",
    "unknown": "After payorder_create_order: do not send the order again. Give the error's "
    "`statusQuery` to payorder_get_status before anything else. A call that only asks for a "
    "status may be repeated.",
}


def cause_pages() -> List[Page]:
    return [_cause_page(cause) for cause in ABI["causes"]]


def results_page() -> Page:
    """All results by number, for somebody who has only the number."""
    rows = []
    for one in ABI["results"]:
        number, name, meaning = (
            one["number"],
            f"`{one['name']}`",
            sentence(one["meaning"]),
        )
        causes = [f"`{cause['name']}`" for cause in ABI["causes"] if number in cause["results"]]
        rows.append([str(number), name, one["outcome"], meaning, ", ".join(causes)])
    steps = [(f"`{name}`", words) for name, words in _WHAT_TO_DO.items()]
    return Page(
        "Results",
        "how a call ended, as a number",
        [
            Table(["number", "result", "outcome", "meaning", "causes"], rows),
            Heading("What to do"),
            Terms(steps),
            Paragraph("More: `docs/guides/outcomes.md`, `docs/guides/troubleshooting.md`."),
        ],
    )


def _cause_page(cause: Dict[str, Any]) -> Page:
    actions = [
        (f"`{chosen['action']}`", _when(chosen) + sentence(ACTIONS[chosen["action"]]))
        for chosen in [*cause["exceptions"], cause]
    ]
    results = []
    for result in ABI["results"]:
        if result["number"] in cause["results"]:
            outcome = OUTCOMES[result["outcome"]]
            words = sentence(f"{outcome['name']}: {outcome['meaning']}")
            results.append((f"`{result['name']}` ({result['number']})", words))
    keys = [key["key"] for key in ABI["objects"]["errorDetails"]["keys"]]
    error = cause["example"]["error"]
    example = {"error": {key: error[key] for key in keys if key in error}}
    return Page(
        cause["name"],
        cause["meaning"],
        [
            Heading("Likely reasons"),
            Points(cause["reasons"]),
            Heading("What to do"),
            Points(cause["steps"]),
            Heading("What a program should do"),
            Paragraph("The key `action` of the error says it:"),
            Terms(actions),
            Heading("Results with this cause"),
            Terms(results),
            Heading("An example"),
            Code(json.dumps(example, indent=2, ensure_ascii=False), "json"),
        ],
    )


def _when(chosen: Dict[str, Any]) -> str:
    if "when" in chosen:
        return sentence(chosen["when"])[:-1] + ": "
    return "Otherwise: " if chosen["exceptions"] else ""
