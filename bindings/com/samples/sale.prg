* Visual FoxPro. It was not run: there is no FoxPro here.
LOCAL client, order, result, verified, began
client = CREATEOBJECT("Payorder.Client")
order = CREATEOBJECT("Payorder.Order")
began = DATETIME()
order.Amount = "249.50"
order.MerchantTxnId = "TXN-1"
order.OrderId = "ORDER-1"
order.PayMode = "all"
order.MerchantId = "M-7"
order.ProductInfo = "Two coffees"
order.CustomerName = "Asha Verma"
order.CustomerMobile = "9876543210"
order.CustomerEmail = "asha@example.com"
order.RedirectionUrl = "https://shop.example.com/done"
order.CurrencyCode = "INR"
result = client.CreateOrder(order)
DO CASE
CASE result.Ok
    ? "Let the customer open " + result.Url
    result = client.WaitForPayment(order.OrderId, 300)
    verified = client.VerifyPayment(order.OrderId, order.Amount, result, began)
    DO CASE
    CASE verified.Paid
        ? "paid"
    CASE EMPTY(result.TransactionStatus)
        ? "It is not known whether it is paid: ask again. " + result.Message
    CASE verified.Reasons.Count = 1 AND verified.Get("/reasons/0/check") == "transactionStatus"
        ? "Not paid yet: " + result.TransactionStatus
    OTHERWISE
        ? "A person must look at it: " + verified.Json
    ENDCASE
CASE NOT EMPTY(result.PreviousUrl)
    ? "Made before. Let the customer open " + result.PreviousUrl
CASE result.Outcome = "unknown"
    ? "The order may exist: " + result.Action + ". " + result.Message
    IF result.Action == "ask_status" AND NOT EMPTY(result.CheckoutUrl)
        ? "If it is not paid, its page is " + result.CheckoutUrl
    ENDIF
OTHERWISE
    ? "This call created no order: " + result.Message
ENDCASE
