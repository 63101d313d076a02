' What a script sees that goes on after every error.
Option Explicit
On Error Resume Next
Dim client, order, result, one, fields, tried, failed
Sub Same(what, found, expected)
    tried = tried + 1
    If found <> expected Then
        failed = True
        WScript.Echo what & ": " & found & ", not " & expected
    End If
    Err.Clear
End Sub
Set client = CreateObject("Payorder.Client")
Set order = CreateObject("Payorder.Order")
order.Amount = "1.00"
order.Amount = 250
Same "an Integer", Err.Source & order.Amount, "Payorder.Order"
order.Amount = 249.5
Same "a Double", Err.Source & ": " & Left(Err.Description, 6), "Payorder.Order: Amount"
order.Amout = "1.00"
Same "no such property", Err.Number <> 0, True
Set result = client.CreateOrder(order)
Same "an empty order", Err.Number & result.Ok & result.Outcome & result.Url, "0Falsenot_sent"
For Each one In result.Violations
    fields = fields & one.Field & " "
    If one.Message = "" Or one.Rule = "" Then failed = True
Next
Same "For Each", Left(fields, 21), "amount merchantTxnId "
Same "Item", result.Violations(1).Field & result.Violations.Item(2).Field, "amountmerchantTxnId"
Same "paid", client.VerifyPayment("1", "1.00", result).Paid, False
Same "a Date that was never set", client.VerifyPayment("1", "1.00", result, CDate(0)).Violations(1).Field, "notBefore"
fields = result.Violations.Item(12).Field
Same "no such item", Err.Source, "Payorder.List"
client.GetStatus Null
Same "no query", Err.Source, "Payorder.Client"
If tried = 10 And Not failed Then WScript.Echo "end"
