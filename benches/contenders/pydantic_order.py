"""Reads, checks and writes an order with pydantic, as a Python program would without payorder."""

from contender import ORDER_TEXT, Target, Works, serve


def load() -> None:
    global order_type
    from typing import Annotated, Literal

    from pydantic import AnyUrl, BaseModel, ConfigDict, StringConstraints

    text = Annotated[str, StringConstraints(pattern=r"\S")]

    class Order(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

        # At least 1, as decimal text.
        amount: Annotated[str, StringConstraints(pattern=r"^0*[1-9][0-9]*(\.[0-9]+)?$")]
        merchantTxnId: text
        orderId: text
        payMode: Literal["all", "cc", "dc", "upi", "nb"]
        merchantId: text
        productInfo: text
        customerName: text
        customerMobile: text
        customerEmail: text
        redirectionURL: AnyUrl
        currencyCode: text

    order_type = Order


def open_worker(target: Target) -> Works:
    return {
        "build-order": lambda: order_type.model_validate_json(
            ORDER_TEXT
        ).model_dump_json()
    }


serve(load, open_worker)
