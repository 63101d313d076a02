"""A till for the tests of the exam. With the argument `forgets` it keeps no journal."""

from __future__ import annotations

import os
import sys
from typing import Dict

import payorder

PAID, NOT_SENT, REJECTED, OPEN = range(4)


def main() -> int:
    sale = os.environ
    order_id = sale["SALE_ORDER_ID"]
    order: Dict[str, str] = {
        "amount": sale["SALE_AMOUNT"],
        "merchantTxnId": order_id,
        "orderId": order_id,
        "payMode": "all",
        "merchantId": sale["SALE_MERCHANT_ID"],
        "productInfo": sale["SALE_PRODUCT"],
        "customerName": sale["SALE_CUSTOMER_NAME"],
        "customerMobile": sale["SALE_CUSTOMER_MOBILE"],
        "customerEmail": sale["SALE_CUSTOMER_EMAIL"],
        "redirectionURL": sale["SALE_RETURN_URL"],
        "currencyCode": sale["SALE_CURRENCY"],
    }
    if "forgets" in sys.argv:
        del sale["PAYORDER_JOURNAL"]
    with payorder.Client.from_env() as client:
        try:
            url = client.create_order(order, timeout=3).url
        except payorder.NotSentError:
            return NOT_SENT
        except payorder.RejectedError:
            return REJECTED
        except payorder.OutcomeUnknownError as error:
            if error.action == "ask_person":
                return OPEN
            url = error.previous.url if error.previous else error.checkout_url
        if url:
            print(url, flush=True)
            sys.stdin.read()
        try:
            status = client.get_status(order_id=order_id, timeout=3)
        except payorder.PayorderError:
            return OPEN
        expected = payorder.ExpectedPayment(order_id, sale["SALE_AMOUNT"])
        if payorder.verify_payment(expected, status).paid:
            return PAID
        return OPEN


if __name__ == "__main__":
    sys.exit(main())
