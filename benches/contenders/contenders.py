"""The contenders in Python: `contenders.py LIBRARY URL CA CALLS`.

Makes the two calls 20 times and then CALLS times, and prints how many nanoseconds each of these took.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

ORDER_ID = "O-20261121-000001"
ORDER = {
    "amount": "1499.00",
    "merchantTxnId": "T-20261121-000001",
    "orderId": ORDER_ID,
    "payMode": "upi",
    "merchantId": "M-1001",
    "productInfo": "Two tickets, row 7",
    "customerName": "Asha Rao",
    "customerMobile": "9000000000",
    "customerEmail": "asha@example.com",
    "redirectionURL": "https://shop.example.com/return",
    "currencyCode": "INR",
}
QUERY = {"searchType": "1", "orderId": ORDER_ID}

ACCESS_TOKEN = "bench-access-token-0123456789abcdef"
CLIENT_KEY = "bench-client-key"
CLIENT_ID = "bench-client-id"
SECRET_KEY = "bench-secret-key-0123456789abcdef"

WARM = 20
Work = Callable[[], Any]


def payorder(url: str, ca: str) -> Work:
    import payorder

    client = payorder.Client(
        url,
        access_token=ACCESS_TOKEN,
        client_key=CLIENT_KEY,
        client_id=CLIENT_ID,
        secret_key=SECRET_KEY,
        tls=payorder.TlsConfig(ca_file=ca) if ca else None,
    )
    return lambda: (
        client.create_order(ORDER).url,
        client.get_status(QUERY).transaction_status,
    )


def requests(url: str, ca: str) -> Work:
    """A Session, as its authors recommend."""
    import requests

    session = requests.Session()
    create_headers = {"ACCESS-TOKEN": ACCESS_TOKEN}
    status_headers = {
        "X-CLIENT-KEY": CLIENT_KEY,
        "X-CLIENT-ID": CLIENT_ID,
        "X-SECRET-KEY": SECRET_KEY,
    }

    def post(call: str, headers: dict[str, str], body: dict[str, str]) -> Any:
        # `verify` in each call, because REQUESTS_CA_BUNDLE overrides the session's setting.
        response = session.post(
            f"{url}/api/v1/Gateway/{call}",
            json=body,
            headers=headers,
            timeout=30,
            verify=ca or None,
        )
        response.raise_for_status()
        read = response.json()
        if read["responseCode"] != "200":
            raise SystemExit(f"an unexpected response: {read}")
        return read["data"]

    return lambda: (
        post("CreateOrder", create_headers, ORDER)["url"],
        post("GetStatus", status_headers, QUERY)["transactionStatus"],
    )


def stripe(url: str, ca: str) -> Work:
    """Creating and retrieving a checkout session is closest to the two calls."""
    import stripe

    session: Any = {
        "mode": "payment",
        "client_reference_id": ORDER_ID,
        "customer_email": ORDER["customerEmail"],
        "success_url": ORDER["redirectionURL"],
        "payment_method_types": ["card"],
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": "inr",
                    "unit_amount": 149900,
                    "product_data": {"name": ORDER["productInfo"]},
                },
            }
        ],
        "metadata": {
            "merchantTxnId": ORDER["merchantTxnId"],
            "customerName": ORDER["customerName"],
        },
    }
    if ca:
        stripe.ca_bundle_path = ca
    # stripe's own choice if requests is installed.
    http_client = stripe.RequestsClient(timeout=30)
    client = stripe.StripeClient(
        "sk_test_bench", base_addresses={"api": url}, http_client=http_client
    )
    sessions = client.v1.checkout.sessions
    return lambda: (
        sessions.create(session).url,
        sessions.retrieve("cs_test_7f3c1e5a9b2d4860").payment_status,
    )


def main() -> None:
    library, url, ca, calls = sys.argv[1:]
    contenders = {"payorder": payorder, "requests": requests, "stripe": stripe}
    work = contenders[library](url, ca)
    for _ in range(WARM):
        work()
    began = time.perf_counter_ns()
    for _ in range(int(calls)):
        work()
    print((time.perf_counter_ns() - began) // int(calls))


main()
