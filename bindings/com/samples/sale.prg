* Visual FoxPro. It was not run: there is no FoxPro here.
LOCAL client, order, result, began
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
    IF client.VerifyPayment(order.OrderId, order.Amount, result, began).Paid
        ? "paid"
    ELSE
        ? "open: " + result.TransactionStatus + " " + result.Message
    ENDIF
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
