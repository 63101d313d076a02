# With razorpay-python, as its README writes it, which enables its retries. Its README catches nothing:
# here, a refusal is "failed", and after every other exception the program looks for the receipt.
import sys
import time

import razorpay
import requests

client = razorpay.Client(auth=("key", "secret"), base_url=sys.argv[1])
client.enable_retry(True)


def sell(sale):
    order = {"amount": 24950, "currency": "INR", "receipt": sale}
    try:
        number = client.order.create(order, timeout=1)["id"]
    except razorpay.errors.BadRequestError:
        return "failed"
    except (
        razorpay.errors.GatewayError,
        razorpay.errors.ServerError,
        requests.RequestException,
        KeyError,
    ):
        try:
            found = client.order.all({"receipt": sale}, timeout=1)["items"]
        except requests.RequestException:
            return "unknown"
        if not found:
            return "failed"
        number = found[0]["id"]
    for _ in range(20):
        if client.order.fetch(number, timeout=1)["status"] == "paid":
            return "paid"
        time.sleep(0.1)
    return "unknown"


for sale in sys.argv[2:]:
    print(sale, sell(sale), flush=True)
