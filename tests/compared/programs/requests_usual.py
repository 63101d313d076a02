# With requests, as its documentation catches errors: "all exceptions that Requests explicitly raises
# inherit from requests.exceptions.RequestException".
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
        response.raise_for_status()
        answer = response.json()
    except requests.exceptions.RequestException:
        return "failed"
    if answer["responseCode"] != "200" or not answer["data"]["url"]:
        return "failed"
    for _ in range(20):
        query = {"searchType": "1", "orderId": sale}
        response = session.post(URL + "GetStatus", json=query, headers=STATUS, timeout=1)
        if response.json()["data"]["transactionStatus"] == "Completed":
            return "paid"
        time.sleep(0.1)
    return "unknown"


for sale in sys.argv[2:]:
    print(sale, sell(sale), flush=True)
