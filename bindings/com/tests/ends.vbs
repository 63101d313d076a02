' Ends while an order is on its way: ends.vbs ORDER [REACHED]. With REACHED, the service has it by then.
Dim client, order, started, field
Set client = CreateObject("Payorder.Client")
Set order = CreateObject("Payorder.Order")
order.Amount = "1.00"
order.MerchantTxnId = WScript.Arguments(0)
order.OrderId = WScript.Arguments(0)
order.PayMode = "all"
order.MerchantId = "M-7"
order.ProductInfo = "Tea"
order.CustomerName = "Asha"
order.CustomerMobile = "9876543210"
order.CustomerEmail = "asha@example.com"
order.RedirectionUrl = "https://shop.example.com"
order.CurrencyCode = "INR"
Set started = client.StartCreateOrder(order, "{""timeoutMs"":5000}")
If WScript.Arguments.Count > 1 Then
    Do Until client.GetStatus(order.OrderId).Ok
    Loop
End If
WScript.Echo "end"
