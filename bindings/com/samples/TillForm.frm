VERSION 5.00
Begin VB.Form TillForm
   Caption         =   "Till"
   ClientHeight    =   3600
   ClientWidth     =   6000
   Begin VB.Timer Timer1
      Interval        =   100
   End
   Begin VB.Label ClockLabel
      Height          =   300
      Left            =   200
      Top             =   200
      Width           =   5600
   End
   Begin VB.TextBox OrderText
      Height          =   300
      Left            =   200
      Text            =   "ORDER-1"
      Top             =   600
      Width           =   2700
   End
   Begin VB.TextBox AmountText
      Height          =   300
      Left            =   3100
      Text            =   "249.50"
      Top             =   600
      Width           =   2700
   End
   Begin VB.CommandButton SellButton
      Caption         =   "Sell"
      Height          =   500
      Left            =   200
      Top             =   1100
      Width           =   1700
   End
   Begin VB.CommandButton CancelButton
      Caption         =   "Cancel"
      Height          =   500
      Left            =   2150
      Top             =   1100
      Width           =   1700
   End
   Begin VB.CommandButton AskButton
      Caption         =   "Ask again"
      Height          =   500
      Left            =   4100
      Top             =   1100
      Width           =   1700
   End
   Begin VB.TextBox ShownText
      Height          =   1600
      Left            =   200
      Locked          =   -1  'True
      MultiLine       =   -1  'True
      ScrollBars      =   2  'Vertical
      Top             =   1800
      Width           =   5600
   End
End
Attribute VB_Name = "TillForm"
Attribute VB_GlobalNameSpace = False
Attribute VB_Creatable = False
Attribute VB_PredeclaredId = True
Attribute VB_Exposed = False
' VB6, with late binding: a till whose window stays alive during a sale. A timer shows the clock and
' looks whether the call has ended. The form was not run: there is no VB6 here. Its code was run in
' Wine, as VBScript without the types, with objects as controls and a timer of Windows.
Option Explicit

Private client As Object, order As Object, began As Date
' The call that runs, or Nothing, and what it does.
Private started As Object, operation As String
' Whether the order is this sale's, as far as the till knows; whether it was made before; its page.
Private isOurs As Boolean, wasMadeBefore As Boolean, page As String

Private Sub Form_Load()
    Set client = CreateObject("Payorder.Client")
    Set started = Nothing
    EnableButtons
End Sub

Private Sub SellButton_Click()
    isOurs = False
    wasMadeBefore = False
    page = ""
    began = Now
    ' Each sale has an order of its own. Its number and amount come from your records.
    Set order = CreateObject("Payorder.Order")
    order.Amount = AmountText.Text
    order.MerchantTxnId = "TXN-" & OrderText.Text
    order.OrderId = OrderText.Text
    order.PayMode = "all"
    order.MerchantId = "M-7"
    order.ProductInfo = "Two coffees"
    order.CustomerName = "Asha Verma"
    order.CustomerMobile = "9876543210"
    order.CustomerEmail = "asha@example.com"
    order.RedirectionUrl = "https://shop.example.com/done"
    order.CurrencyCode = "INR"
    operation = "create_order"
    Set started = client.StartCreateOrder(order)
    ShownText.Text = "sending"
    EnableButtons
End Sub

' The customer may still pay, and an order that was being sent may exist.
Private Sub CancelButton_Click()
    started.Cancel
End Sub

Private Sub AskButton_Click()
    AskForStatus
    EnableButtons
End Sub

Private Sub Timer1_Timer()
    Dim result As Object
    ClockLabel.Caption = Time
    If started Is Nothing Then Exit Sub
    If Not started.Done Then Exit Sub
    Set result = started.Result
    Set started = Nothing
    If operation = "create_order" Then
        TakeOrder result
    Else
        TakeStatus result
    End If
    EnableButtons
End Sub

' Create Order has ended: only the outcome says whether the order exists.
Private Sub TakeOrder(result As Object)
    If result.Ok Then
        page = result.Url
        ShownText.Text = "pay at " & page
        WaitForPayment
    ElseIf result.Outcome <> "unknown" Then
        ShownText.Text = "this call created no order: " & result.Message
    Else
        ShownText.Text = "the order may exist: " & result.Action & ": " & result.Message
        wasMadeBefore = result.Get("/error/name") = "PAYORDER_DUPLICATE"
        If result.PreviousUrl <> "" Then
            page = result.PreviousUrl
            AddLine "pay at " & page
            WaitForPayment
        ElseIf result.Action = "ask_status" Then
            page = result.CheckoutUrl
            AskForStatus
        Else
            ' It may be another sale's order: no status of it says that this sale is paid.
            AddLine "call a person, hand nothing over"
        End If
    End If
End Sub

Private Sub AskForStatus()
    isOurs = True
    operation = "get_status"
    Set started = client.StartGetStatus(order.OrderId)
End Sub

Private Sub WaitForPayment()
    isOurs = True
    operation = "wait_for_payment"
    Set started = client.StartWaitForPayment(order.OrderId, 300)
End Sub

' Get Status or the wait has ended: only the verification says whether the order is paid.
Private Sub TakeStatus(result As Object)
    Dim verified As Object, isOpen As Boolean
    Set verified = client.VerifyPayment(order.OrderId, order.Amount, result, began)
    isOpen = verified.Reasons.Count = 1 And verified.Get("/reasons/0/check") = "transactionStatus"
    If result.SettlementStatus & result.SettlementDate <> "" Then isOpen = False
    If InStr(1, result.TransactionStatus, "completed", vbTextCompare) > 0 Then isOpen = False
    If verified.Paid Then
        ShownText.Text = "paid"
        If wasMadeBefore Then AddLine "the order was made before: hand over only if not done yet"
        ' The next sale needs a number of its own.
        OrderText.Text = ""
    ElseIf result.TransactionStatus = "" Then
        ShownText.Text = "it is not known whether it is paid: hand nothing over, and ask again"
        AddLine "the last question: " & result.Message
        AddPage
    ElseIf Not isOpen Then
        ShownText.Text = "a person must look at it, hand nothing over: " & verified.Json
    ElseIf operation = "get_status" Then
        ShownText.Text = "the order exists: " & result.TransactionStatus
        AddPage
        WaitForPayment
    Else
        ShownText.Text = "not paid yet: " & result.TransactionStatus
        AddLine "hand nothing over, and ask again"
        AddPage
    End If
End Sub

Private Sub AddPage()
    If page <> "" Then AddLine "if it is not paid, its page is " & page
End Sub

Private Sub AddLine(text As String)
    ShownText.Text = ShownText.Text & vbCrLf & text
End Sub

Private Sub EnableButtons()
    SellButton.Enabled = started Is Nothing
    CancelButton.Enabled = Not started Is Nothing
    AskButton.Enabled = isOurs And started Is Nothing
End Sub

' The window stays until a person can read what happened. A question ends at once. An order gets its
' time, because a cancel could lose its page.
Private Sub Form_Unload(Cancel As Integer)
    If started Is Nothing Then Exit Sub
    Cancel = True
    If operation <> "create_order" Then started.Cancel
    AddLine "close the till again when this call has ended"
End Sub
