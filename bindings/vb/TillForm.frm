VERSION 5.00
Begin VB.Form TillForm
   Caption         =   "Till"
   ClientHeight    =   2400
   ClientWidth     =   6000
   Begin VB.Timer Timer1
      Interval        =   100
   End
   Begin VB.CommandButton SellButton
      Caption         =   "Sell"
      Height          =   500
      Left            =   200
      Top             =   1600
      Width           =   1500
   End
   Begin VB.Label ClockLabel
      Height          =   400
      Left            =   200
      Top             =   200
      Width           =   5600
   End
   Begin VB.Label ShownLabel
      Height          =   800
      Left            =   200
      Top             =   700
      Width           =   5600
   End
End
Attribute VB_Name = "TillForm"
Attribute VB_GlobalNameSpace = False
Attribute VB_Creatable = False
Attribute VB_PredeclaredId = True
Attribute VB_Exposed = False
' A till that stays alive during a sale: its timer shows the clock, and takes what calls ended with.
Option Explicit

Private client As New PayorderClient, order As PayorderOrder, began As Date
' The numbers of the calls; 0 if there is none.
Private sale As Long, question As Long, waiting As Long

Private Sub Form_Load()
    client.OpenClient
End Sub

Private Sub SellButton_Click()
    On Error GoTo Failed
    ' A second click: a sale runs.
    If sale + question + waiting > 0 Then Exit Sub
    Set order = New PayorderOrder
    order.Amount = PayorderAmount(249.5)
    order.MerchantTxnId = "TXN-" & Format$(Now, "yyyymmddhhnnss")
    order.OrderId = "ORDER-" & Format$(Now, "yyyymmddhhnnss")
    order.PayMode = "all"
    order.MerchantId = "M-7"
    order.ProductInfo = "Two coffees"
    order.CustomerName = "Asha Verma"
    order.CustomerMobile = "9876543210"
    order.CustomerEmail = "asha@example.com"
    order.RedirectionURL = "https://shop.example.com/done"
    order.CurrencyCode = "INR"
    began = Now
    sale = client.StartCreateOrder(order)
    SellButton.Enabled = False
    ShownLabel.Caption = "Sending"
    Exit Sub
Failed:
    ShownLabel.Caption = "No order was created: " & Err.Description
End Sub

Private Sub Timer1_Timer()
    ClockLabel.Caption = Format$(Now, "hh:nn:ss")
    TakeAnswer 0
End Sub

' Shows what the next call ended with. False if none has ended.
Private Function TakeAnswer(ByVal waitMs As Long) As Boolean
    Dim ended As Long
    On Error GoTo Failed
    ended = client.Take(waitMs)
    If ended = 0 Then Exit Function
    TakeAnswer = True
    If ended = sale Then
        ShownLabel.Caption = "Let the customer open " & client.TakenUrl
        sale = 0
        ' An error from here on does not mean that there is no order.
        waiting = client.StartWaitForPayment(order.OrderId, 300)
    ElseIf ended = question Then
        client.TakenStatus
        ShownLabel.Caption = "The order exists: " & client.StatusTransaction
        question = 0
    Else
        waiting = 0
        client.TakenFinal
        If client.IsPaid(order.OrderId, order.Amount, began) Then
            ShownLabel.Caption = "Paid."
        Else
            ShownLabel.Caption = "Not paid as expected: " & client.StatusTransaction
        End If
    End If
    SellButton.Enabled = sale + question + waiting = 0
    Exit Function

Failed:
    If ended = 0 Then
        ShownLabel.Caption = Err.Description
    ElseIf ended <> sale And ended <> question Then
        ShownLabel.Caption = "Open, the customer can still pay: " & Err.Description
    ElseIf ended = question Then
        ShownLabel.Caption = "Not known, ask again later: " & Err.Description
        question = 0
    ElseIf Err.Source = "payorder.not_sent" Or Err.Source = "payorder.rejected" Then
        ShownLabel.Caption = "No order was created: " & Err.Description
        sale = 0
    Else
        ShownLabel.Caption = "The order may exist: " & client.ErrorAction & ". " & Err.Description
        sale = 0
        Ask
    End If
    SellButton.Enabled = sale + question + waiting = 0
End Function

' A till that closes asks no more.
Private Sub Ask()
    On Error Resume Next
    question = client.StartGetStatus(client.ErrorStatusQuery)
End Sub

' Nobody may close the till without knowing what happened to its order.
Private Sub Form_Unload(Cancel As Integer)
    client.StopCalls
    Do While TakeAnswer(60000)
    Loop
    client.CloseClient
End Sub
