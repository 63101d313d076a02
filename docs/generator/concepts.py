"""The page about what all functions have in common."""

from typing import List

from .description import ABI, groups_of_functions, manual, sentence
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
            rows = []
            for one in ABI["results"]:
                name = f"`{one['name']}` ({one['number']})"
                rows.append((name, sentence(one["meaning"])))
            blocks += [Paragraph("The results:"), Terms(rows)]
    groups = [(group, ", ".join(names)) for group, names in groups_of_functions()]
    blocks += [Heading("FUNCTIONS"), Terms(groups)]
    blocks += [Heading("See also"), Paragraph("payorder(1)")]
    return Page("payorder", "a payment client that says what happened", blocks)
