"""The package stripe: one client for all threads.

Creating and retrieving a checkout session is closest to the two calls.
"""

from contender import ORDER, ORDER_ID, Target, Works, both, serve

_SESSION = {
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

_clients = []


def load() -> None:
    global stripe
    import stripe


def open_worker(target: Target) -> Works:
    if not _clients:
        if target.ca:
            stripe.ca_bundle_path = target.ca
        # stripe's own choice if requests is installed. It keeps a session for each thread.
        http_client = stripe.RequestsClient(timeout=30)
        client = stripe.StripeClient(
            "sk_test_bench", base_addresses={"api": target.url}, http_client=http_client
        )
        _clients.append(client)
    sessions = _clients[0].v1.checkout.sessions
    return both(
        lambda: sessions.create(_SESSION).url,
        lambda: sessions.retrieve("cs_test_7f3c1e5a9b2d4860").payment_status,
    )


serve(load, open_worker)
