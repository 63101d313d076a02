' The controls of samples/TillForm.frm, and the person at the till, for form.cpp.
Class Control
    Public Caption
    Public Text
    Public Enabled
End Class
Dim ClockLabel, ShownText, OrderText, AmountText, SellButton, CancelButton, AskButton, shown
Set ClockLabel = New Control
Set ShownText = New Control
Set OrderText = New Control
Set AmountText = New Control
Set SellButton = New Control
Set CancelButton = New Control
Set AskButton = New Control

Sub Sell(number)
    Form_Load
    OrderText.Text = "O-" & number
    AmountText.Text = "100.00"
    SellButton_Click
End Sub

' What a tick of the timer shows.
Function Tick()
    Timer1_Timer
    Tick = "clock " & ClockLabel.Caption
    If ShownText.Text <> shown Then
        shown = ShownText.Text
        Tick = Tick & vbLf & Replace(shown, vbCrLf, vbLf)
    End If
End Function

' Whether the person does this now, with a button that is enabled.
Function Does(what, text)
    Does = Left(shown, Len(text)) = text
    If Not Does Then Exit Function
    If what = "cancel" And CancelButton.Enabled Then
        CancelButton_Click
    ElseIf what = "ask" And AskButton.Enabled Then
        AskButton_Click
    ElseIf what = "stay" Then
        If Closes Then Err.Raise 1, , "the form closes during a call"
    Else
        Does = False
    End If
End Function

Function IsOver()
    IsOver = SellButton.Enabled
End Function

Function Closes()
    Dim refused
    refused = 0
    Form_Unload refused
    Closes = Not CBool(refused)
End Function
