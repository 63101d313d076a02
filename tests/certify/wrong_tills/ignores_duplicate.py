# mistake: it answers PAYORDER_DUPLICATE with a new order id
# caught by: one-order in restart
# also: asked-first, not-forgotten
import os
import sys

import payorder


def order(order_id):
    sale = os.environ
    return {
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


def sell(client, order_id):
    try:
        checkout = client.create_order(order(order_id), timeout=4)
    except payorder.OutcomeUnknownError as error:
        if error.result == payorder.Result.DUPLICATE:
            return sell(client, order_id + "-2")
        return 3
    except payorder.NotSentError:
        return 1
    except payorder.RejectedError:
        return 2
    print(checkout.url, flush=True)
    waited = client.wait_for_payment(order_id=order_id, wait=4, interval=0.3)
    expected = payorder.ExpectedPayment(order_id, os.environ["SALE_AMOUNT"])
    if (
        waited.status is not None
        and payorder.verify_payment(expected, waited.status).paid
    ):
        return 0
    return 3


settings = payorder.Config()
if "PAYORDER_CA_FILE" in os.environ:
    settings["tls"] = payorder.TlsConfig(ca_file=os.environ["PAYORDER_CA_FILE"])
with payorder.Client.from_env(**settings) as client:
    sys.exit(sell(client, os.environ["SALE_ORDER_ID"]))
