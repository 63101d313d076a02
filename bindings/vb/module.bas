Attribute VB_Name = "Payorder"
' payorder for VB6 and VBA, 32 and 64 bit.
'
' Each function of payorder.h has one here: PayorderCreateOrder calls payorder_create_order. They
' take and return String, and convert to and from UTF-8. payorder.h documents what each function
' does, and which result it returns.
'
' 32-bit programs need payorder-stdcall.dll, 64-bit programs the payorder.dll for 64 bit, in the
' program's folder or in a folder of PATH. README.md has an example and what to know about
' callbacks.
'
' Three are not here. PayorderJsonGet returns a String of any length, and PayorderGetStatuses takes
' any number of queries. payorder_start would call back on another thread, where no VB code may run.
Option Explicit

' (constants)

#If VBA7 = 0 Then
' VB6 does not know this type.
Public Enum LongPtr
    [_]
End Enum
#End If

Private Const CP_UTF8 As Long = 65001
Private Const WC_ERR_INVALID_CHARS As Long = &H80
Private Const INVALID_PROCEDURE_CALL As Long = 5
Private Const TYPE_MISMATCH As Long = 13
Private Const NO_CALL As String = "; no call was made"

' (declarations)

' (functions)

' pairs: keys and values in turn, each a String, as in
'     PayorderJsonObject(json, "orderId", "1", "amount", "9.90")
Public Function PayorderJsonObject(ByRef json As String, ParamArray pairs() As Variant) As Long
    Dim texts As String, text As String, bytes() As Byte, places() As LongPtr, made As LongPtr
    Dim index As Long, position As Long, start As Long
    ReDim places(UBound(pairs) + 1)
    For index = 0 To UBound(pairs)
        ' A number would be written as the computer's region writes it.
        If VarType(pairs(index)) <> vbString Then
            Err.Raise TYPE_MISMATCH, "payorder", "each key and value must be a String"
        End If
        text = pairs(index)
        CheckText text
        texts = texts & text & vbNullChar
    Next
    bytes = EncodeAll(texts)
    index = 0
    For position = 0 To UBound(bytes) - 1
        If bytes(position) = 0 Then
            places(index) = VarPtr(bytes(start))
            start = position + 1
            index = index + 1
        End If
    Next
    PayorderJsonObject = payorder_json_object(VarPtr(places(0)), made)
    Wipe bytes
    json = Take(made)
End Function

' ---- Texts

' An amount as the service takes it, whatever the computer's region is: 249.5 is "249.50".
Public Function PayorderAmount(ByVal amount As Currency) As String
    Dim text As String, point As Long
    If amount < 0 Then Err.Raise INVALID_PROCEDURE_CALL, "payorder", "an amount is negative"
    text = Trim$(Str$(amount))
    If Left$(text, 1) = "." Then text = "0" & text
    point = InStr(1, text, ".")
    If point = 0 Then
        text = text & ".00"
    ElseIf Len(text) - point = 1 Then
        text = text & "0"
    End If
    PayorderAmount = text
End Function

' The text that a callback was given, or "" for NULL. It is valid until the callback returns.
Public Function PayorderText(ByVal text As LongPtr) As String
    Dim length As Long, wide As Long, converted As String
    If text = 0 Then Exit Function
    length = lstrlenA(text)
    If length = 0 Then Exit Function
    wide = MultiByteToWideChar(CP_UTF8, 0, text, length, 0, 0)
    converted = String$(wide, vbNullChar)
    MultiByteToWideChar CP_UTF8, 0, text, length, StrPtr(converted), wide
    PayorderText = converted
End Function

' Takes a text from the library and frees it. It raises no error: the call was made, and its result
' must reach the caller.
Private Function Take(ByVal made As LongPtr) As String
    On Error Resume Next
    Take = PayorderText(made)
    If made <> 0 Then payorder_string_free made
End Function

' A text with a character 0 would be cut off there.
Private Sub CheckText(ByRef text As String)
    If InStr(1, text, vbNullChar, vbBinaryCompare) > 0 Then
        Err.Raise INVALID_PROCEDURE_CALL, "payorder.not_sent", _
            "a text has a character 0" & NO_CALL
    End If
End Sub

' The text in UTF-8, with a zero at its end.
Private Function Encode(ByRef text As String) As Byte()
    CheckText text
    Encode = EncodeAll(text)
End Function

Private Function EncodeAll(ByRef text As String) As Byte()
    Dim bytes() As Byte, size As Long
    If Len(text) > 0 Then
        size = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, StrPtr(text), Len(text), _
            0, 0, 0, 0)
        If size = 0 Then
            Err.Raise INVALID_PROCEDURE_CALL, "payorder.not_sent", _
                "a text is not valid UTF-16" & NO_CALL
        End If
    End If
    ReDim bytes(size)
    If size > 0 Then
        WideCharToMultiByte CP_UTF8, 0, StrPtr(text), Len(text), VarPtr(bytes(0)), size, 0, 0
    End If
    EncodeAll = bytes
End Function

' Where the bytes are, or NULL for vbNullString.
Private Function Place(ByRef text As String, ByRef bytes() As Byte) As LongPtr
    If StrPtr(text) <> 0 Then Place = VarPtr(bytes(0))
End Function

' The same for a text that may be left out: "" is NULL too.
Private Function PlaceOrNull(ByRef text As String, ByRef bytes() As Byte) As LongPtr
    If Len(text) > 0 Then PlaceOrNull = VarPtr(bytes(0))
End Function

' A configuration contains secrets. VB's own copies of a String stay in memory.
Private Sub Wipe(ByRef bytes() As Byte)
    RtlZeroMemory VarPtr(bytes(0)), UBound(bytes) + 1
End Sub
