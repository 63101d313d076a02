/* The work of all contenders: an order to create, its status query, and the service's responses. */
#ifndef WORK_H
#define WORK_H

#define ORDER_ID "O-20261121-000001"

#define ORDER \
    "{\"amount\":\"1499.00\",\"merchantTxnId\":\"T-20261121-000001\"," \
    "\"orderId\":\"" ORDER_ID "\",\"payMode\":\"upi\",\"merchantId\":\"M-1001\"," \
    "\"productInfo\":\"Two tickets, row 7\",\"customerName\":\"Asha Rao\"," \
    "\"customerMobile\":\"9000000000\",\"customerEmail\":\"asha@example.com\"," \
    "\"redirectionURL\":\"https://shop.example.com/return\",\"currencyCode\":\"INR\"}"

#define QUERY "{\"searchType\":\"1\",\"orderId\":\"" ORDER_ID "\"}"

#define EXPECTED "{\"orderId\":\"" ORDER_ID "\",\"amount\":\"1499.00\"}"

#define STATUS \
    "{\"responseCode\":\"200\",\"responseMessage\":\"Success\",\"data\":{" \
    "\"merchantRefId\":\"T-20261121-000001\",\"orderId\":\"" ORDER_ID "\"," \
    "\"transactionId\":\"TX-7f3c1e5a9b2d4860\",\"amount\":\"1499.00\"," \
    "\"customerName\":\"Asha Rao\",\"customerMobile\":\"9000000000\"," \
    "\"customerEmail\":\"asha@example.com\",\"transactionStatus\":\"Completed\"," \
    "\"transactionDate\":\"11/21/2026 02:05:06 PM\",\"refundStatus\":\"\"," \
    "\"refundType\":\"\",\"merchantName\":\"Example Shop\",\"settlementStatus\":\"\"," \
    "\"settlementDate\":\"\",\"payMode\":\"upi\"}}"

#define CREATE_PATH "/api/v1/Gateway/CreateOrder"
#define STATUS_PATH "/api/v1/Gateway/GetStatus"

#define ACCESS_TOKEN "bench-access-token-0123456789abcdef"
#define CLIENT_KEY "bench-client-key"
#define CLIENT_ID "bench-client-id"
#define SECRET_KEY "bench-secret-key-0123456789abcdef"

#endif
