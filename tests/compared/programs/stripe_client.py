# With stripe-python, as its README and Stripe's guide for errors write it: a connection error or an
# error of the API leaves the result open, and the other errors are refusals. RETRIES are 2 in the
# README's example, which retries with the same key, and 0 without them.
import os
import sys
import time

import stripe

client = stripe.StripeClient(
    "sk_test_1",
    base_addresses={"api": sys.argv[1]},
    http_client=stripe.RequestsClient(timeout=1),
    max_network_retries=int(os.environ["RETRIES"]),
)


def sell(sale):
    try:
        session = client.v1.checkout.sessions.create(
            {
                "mode": "payment",
                "client_reference_id": sale,
                "customer_email": "asha@example.com",
                "success_url": "https://shop.example/return",
                "line_items": [
                    {
                        "quantity": 1,
                        "price_data": {
                            "currency": "inr",
                            "unit_amount": 24950,
                            "product_data": {"name": "Tea"},
                        },
                    }
                ],
            }
        )
        for _ in range(20):
            if client.v1.checkout.sessions.retrieve(session.id).payment_status == "paid":
                return "paid"
            time.sleep(0.1)
        return "unknown"
    except (stripe.APIConnectionError, stripe.APIError):
        return "unknown"
    except stripe.StripeError:
        return "failed"


for sale in sys.argv[2:]:
    print(sale, sell(sale), flush=True)
