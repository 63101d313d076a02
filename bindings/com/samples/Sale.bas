Attribute VB_Name = "Sale"
' VB6 and VBA, with late binding. It was not run: there is no VB6 or Office here.
Option Explicit

Public Sub Sell()
    Dim client As Object, order As Object, result As Object, verified As Object, began As Date
    Set client = CreateObject("Payorder.Client")
    Set order = CreateObject("Payorder.Order")
    began = Now
    order.Amount = CCur(249.5)
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
    Set result = client.CreateOrder(order)
    If Not result.Ok Then
        If result.PreviousUrl <> "" Then
            MsgBox "Made before. Let the customer open " & result.PreviousUrl
        ElseIf result.Outcome = "unknown" Then
            MsgBox "The order may exist: " & result.Action & ". " & result.Message
            If result.Action = "ask_status" And result.CheckoutUrl <> "" Then
                MsgBox "If it is not paid, its page is " & result.CheckoutUrl
            End If
        Else
            MsgBox "This call created no order: " & result.Message
        End If
        Exit Sub
    End If
    MsgBox "Let the customer open " & result.Url
    Set result = client.WaitForPayment(order.OrderId, 300)
    Set verified = client.VerifyPayment(order.OrderId, order.Amount, result, began)
    If verified.Paid Then
        MsgBox "Paid."
    ElseIf result.TransactionStatus = "" Then
        MsgBox "It is not known whether it is paid: ask again. " & result.Message
    ElseIf verified.Reasons.Count = 1 And verified.Get("/reasons/0/check") = "transactionStatus" Then
        MsgBox "Not paid yet: " & result.TransactionStatus
    Else
        MsgBox "A person must look at it: " & verified.Json
    End If
End Sub
