# With requests, and what its documentation leaves to the program: after anything but a connection that
# was not made, and a clear refusal, the order may exist, and the program asks for it.
import sys
import time

import requests

URL = sys.argv[1] + "/api/v1/Gateway/"
STATUS = {"ClientKey": "key", "ClientId": "id", "SecretKey": "secret"}
session = requests.Session()


def sell(sale):
    order = {
        "amount": "249.50", "merchantTxnId": sale, "orderId": sale, "payMode": "all",
        "merchantId": "M-1", "productInfo": "Tea", "customerName": "Asha",
        "customerMobile": "9000000001", "customerEmail": "asha@example.com",
        "redirectionURL": "https://shop.example/return", "currencyCode": "INR",
    }  # fmt: skip
    try:
        response = session.post(
            URL + "CreateOrder", json=order, headers={"ACCESS-TOKEN": "token"}, timeout=1
        )
        if 400 <= response.status_code < 500 or response.json()["responseCode"].startswith("4"):
            return "failed"
    except requests.exceptions.ConnectTimeout:
        return "failed"
    except (requests.exceptions.RequestException, KeyError):
        pass  # It may exist: ask.
    for _ in range(20):
        query = {"searchType": "1", "orderId": sale}
        try:
            response = session.post(URL + "GetStatus", json=query, headers=STATUS, timeout=1)
            answer = response.json()
        except requests.exceptions.RequestException:
            answer = {}
        if answer.get("responseCode") == "404":
            return "failed"
        if answer.get("data", {}).get("transactionStatus") == "Completed":
            return "paid"
        time.sleep(0.1)
    return "unknown"


for sale in sys.argv[2:]:
    print(sale, sell(sale), flush=True)
