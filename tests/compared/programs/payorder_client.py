# With this library, as its Python package's README writes it.
import sys

import payorder

client = payorder.Client(
    sys.argv[1],
    access_token="token",
    client_key="key",
    client_id="id",
    secret_key="secret",
    timeout=1,
)


def sell(sale):
    try:
        client.create_order(
            amount="249.50", merchant_txn_id=sale, order_id=sale, pay_mode="all",
            merchant_id="M-1", product_info="Tea", customer_name="Asha",
            customer_mobile="9000000001", customer_email="asha@example.com",
            redirection_url="https://shop.example/return", currency_code="INR",
        )  # fmt: skip
    except payorder.OutcomeUnknownError:
        pass  # It may exist: ask.
    except payorder.PayorderError:
        return "failed"
    waited = client.wait_for_payment(sale, wait=2, interval=0.1)
    if waited.status is None:
        missing = isinstance(waited.error, payorder.RejectedError)
        return "failed" if missing else "unknown"
    return "paid" if waited.status.completed else "unknown"


for sale in sys.argv[2:]:
    print(sale, sell(sale), flush=True)
