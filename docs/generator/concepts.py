"""The page about what all functions have in common."""

from typing import List

from .description import ABI, manual, sentence
from .model import Block, Heading, Page, Paragraph, Terms

_BEGINNING = (
    "libpayorder is a client of a payment service: it creates an order, which gives the URL of "
    "a checkout page, and reads its status. After a failure it says whether the order was not "
    "sent, was rejected, or may exist. Each function has its own page in section 3."
)


def page() -> Page:
    blocks: List[Block] = [Heading("Description"), Paragraph(_BEGINNING)]
    for heading, body in manual().items():
        blocks += [Heading(heading), *body]
        if heading == "RESULTS":
            blocks += [Paragraph("The results:"), _results()]
    groups: List[str] = []
    for function in ABI["functions"]:
        if function["group"] not in groups:
            groups.append(function["group"])
    blocks.append(Heading("FUNCTIONS"))
    rows = []
    for group in groups:
        names = [one["name"] for one in ABI["functions"] if one["group"] == group]
        rows.append((group, ", ".join(names)))
    blocks.append(Terms(rows))
    blocks += [Heading("See also"), Paragraph("payorder(1)")]
    return Page("payorder", "a payment client that says what happened", blocks)


def _results() -> Terms:
    return Terms(
        [
            (f"`{one['name']}` ({one['number']})", sentence(one["meaning"]))
            for one in ABI["results"]
        ]
    )
