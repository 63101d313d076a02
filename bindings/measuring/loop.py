import os
import sys

import payorder

count, prefix = int(sys.argv[1]), sys.argv[2]
names = ("base_url", "access_token", "client_key", "client_id", "secret_key")
settings = {name: os.environ[f"PAYORDER_{name.upper()}"] for name in names}
with payorder.Client(**settings) as client:
    for number in range(count):
        checkout = client.create_order(
            amount="249.50",
            merchant_txn_id=f"T-{prefix}-{number}",
            order_id=f"{prefix}-{number}",
            pay_mode="all",
            merchant_id="M-1",
            product_info="Two coffees",
            customer_name="Asha Rao",
            customer_mobile="9000000001",
            customer_email="asha@example.com",
            redirection_url="https://shop.example.com/return",
            currency_code="INR",
        )
        assert checkout.url
