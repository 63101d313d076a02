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
' Two are not here: PayorderJsonGet returns a String of any length, and PayorderGetStatuses takes any
' number of queries. PayorderStart has no callback, which would run on another thread, where no VB
' code may run: PayorderTakeDone gives the answer. So set no log callback for a client that starts
' calls.
Option Explicit

Public Const PAYORDER_HEADER_ABI_VERSION As Long = 1

' The results.
Public Const PAYORDER_OK As Long = 0
Public Const PAYORDER_INVALID_ARGUMENT As Long = 1
Public Const PAYORDER_INVALID_HANDLE As Long = 2
Public Const PAYORDER_INVALID_CONFIG As Long = 3
Public Const PAYORDER_INVALID_REQUEST As Long = 4
Public Const PAYORDER_MISSING_CREDENTIALS As Long = 5
Public Const PAYORDER_CONNECT_FAILED As Long = 6
Public Const PAYORDER_TLS_FAILED As Long = 7
Public Const PAYORDER_CANCELLED As Long = 8
Public Const PAYORDER_JOURNAL_FAILED As Long = 10
Public Const PAYORDER_INTERNAL As Long = 11
Public Const PAYORDER_REJECTED As Long = 100
Public Const PAYORDER_UNAUTHORIZED As Long = 101
Public Const PAYORDER_RATE_LIMITED As Long = 102
Public Const PAYORDER_TIMEOUT As Long = 200
Public Const PAYORDER_CONNECTION_LOST As Long = 201
Public Const PAYORDER_BAD_RESPONSE As Long = 202
Public Const PAYORDER_SERVICE_FAILED As Long = 203
Public Const PAYORDER_CANCELLED_IN_FLIGHT As Long = 204
Public Const PAYORDER_INTERNAL_IN_FLIGHT As Long = 205
Public Const PAYORDER_DUPLICATE As Long = 206

' The outcomes. If it is unknown, the order may exist: ask for its status before trying again.
Public Const PAYORDER_OUTCOME_DONE As Long = 0
Public Const PAYORDER_OUTCOME_NOT_SENT As Long = 1
Public Const PAYORDER_OUTCOME_REJECTED As Long = 2
Public Const PAYORDER_OUTCOME_UNKNOWN As Long = 3

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

#If Win64 Then
Private Declare PtrSafe Function payorder_version Lib "payorder.dll" () As LongPtr
Private Declare PtrSafe Function payorder_abi_version Lib "payorder.dll" () As Long
Private Declare PtrSafe Function payorder_result_name Lib "payorder.dll" (ByVal result As Long) _
    As LongPtr
Private Declare PtrSafe Function payorder_result_outcome Lib "payorder.dll" (ByVal result As _
    Long) As Long
Private Declare PtrSafe Function payorder_live_clients Lib "payorder.dll" () As LongPtr
Private Declare PtrSafe Function payorder_live_strings Lib "payorder.dll" () As LongPtr
Private Declare PtrSafe Function payorder_live_calls Lib "payorder.dll" () As LongPtr
Private Declare PtrSafe Function payorder_cancellation_new Lib "payorder.dll" (ByRef outToken As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_cancellation_cancel Lib "payorder.dll" (ByVal token As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_cancellation_free Lib "payorder.dll" (ByVal token As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_set_idle Lib "payorder.dll" (ByVal callback As LongPtr, _
    ByVal userData As LongPtr) As Long
Private Declare PtrSafe Function payorder_client_new Lib "payorder.dll" (ByVal configJson As _
    LongPtr, ByRef outClient As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_client_from_env Lib "payorder.dll" (ByVal configJson As _
    LongPtr, ByRef outClient As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_client_free Lib "payorder.dll" (ByVal client As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_client_cancel Lib "payorder.dll" (ByVal client As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_client_stop Lib "payorder.dll" (ByVal client As _
    LongPtr) As Long
Private Declare PtrSafe Function payorder_client_set_credentials Lib "payorder.dll" (ByVal client _
    As LongPtr, ByVal credentialsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_client_set_log Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal callback As LongPtr, ByVal userData As LongPtr) As Long
Private Declare PtrSafe Function payorder_create_order Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal orderJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) _
    As Long
Private Declare PtrSafe Function payorder_get_status Lib "payorder.dll" (ByVal client As LongPtr, _
    ByVal queryJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_start Lib "payorder.dll" (ByVal client As LongPtr, _
    ByVal operation As LongPtr, ByVal requestJson As LongPtr, ByVal optionsJson As LongPtr, ByVal _
    done As LongPtr, ByVal userData As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_take_done Lib "payorder.dll" (ByVal client As LongPtr, _
    ByVal waitMs As Long, ByRef outTaken As Long, ByRef outResult As Long, ByRef outJson As _
    LongPtr, ByRef outUserData As LongPtr) As Long
Private Declare PtrSafe Function payorder_done_handle Lib "payorder.dll" (ByVal client As _
    LongPtr) As LongPtr
Private Declare PtrSafe Function payorder_wait_for_payment Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal queryJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) _
    As Long
Private Declare PtrSafe Function payorder_get_statuses Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal queriesJson As LongPtr, ByVal optionsJson As LongPtr, ByVal callback As _
    LongPtr, ByVal userData As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_journal_list Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_journal_resolve Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_journal_settle Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_journal_prune Lib "payorder.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_recover Lib "payorder.dll" (ByVal client As LongPtr, _
    ByVal salesJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_check Lib "payorder.dll" (ByVal client As LongPtr, _
    ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_build_create_order Lib "payorder.dll" (ByVal orderJson _
    As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_build_get_status Lib "payorder.dll" (ByVal queryJson As _
    LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_parse_return_url Lib "payorder.dll" (ByVal url As _
    LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_verify_payment Lib "payorder.dll" (ByVal expectedJson _
    As LongPtr, ByVal statusJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_object Lib "payorder.dll" (ByVal pairs As LongPtr, _
    ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_set Lib "payorder.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByVal valueJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_quote Lib "payorder.dll" (ByVal text As LongPtr, _
    ByRef outJson As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_get Lib "payorder.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByRef outValue As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_count Lib "payorder.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByRef outCount As LongPtr) As Long
Private Declare PtrSafe Function payorder_json_each Lib "payorder.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByVal callback As LongPtr, ByVal userData As LongPtr) As Long
Private Declare PtrSafe Sub payorder_string_free Lib "payorder.dll" (ByVal text As LongPtr)
Private Declare PtrSafe Function WideCharToMultiByte Lib "kernel32" (ByVal codePage As Long, _
    ByVal flags As Long, ByVal wide As LongPtr, ByVal wideLength As Long, ByVal bytes As LongPtr, _
    ByVal size As Long, ByVal defaultChar As LongPtr, ByVal usedDefault As LongPtr) As Long
Private Declare PtrSafe Function MultiByteToWideChar Lib "kernel32" (ByVal codePage As Long, _
    ByVal flags As Long, ByVal bytes As LongPtr, ByVal length As Long, ByVal wide As LongPtr, _
    ByVal wideLength As Long) As Long
Private Declare PtrSafe Function lstrlenA Lib "kernel32" (ByVal text As LongPtr) As Long
Private Declare PtrSafe Sub RtlZeroMemory Lib "kernel32" (ByVal memory As LongPtr, ByVal size As _
    LongPtr)
#Else
Private Declare Function payorder_version Lib "payorder-stdcall.dll" () As LongPtr
Private Declare Function payorder_abi_version Lib "payorder-stdcall.dll" () As Long
Private Declare Function payorder_result_name Lib "payorder-stdcall.dll" (ByVal result As Long) _
    As LongPtr
Private Declare Function payorder_result_outcome Lib "payorder-stdcall.dll" (ByVal result As _
    Long) As Long
Private Declare Function payorder_live_clients Lib "payorder-stdcall.dll" () As LongPtr
Private Declare Function payorder_live_strings Lib "payorder-stdcall.dll" () As LongPtr
Private Declare Function payorder_live_calls Lib "payorder-stdcall.dll" () As LongPtr
Private Declare Function payorder_cancellation_new Lib "payorder-stdcall.dll" (ByRef outToken As _
    LongPtr) As Long
Private Declare Function payorder_cancellation_cancel Lib "payorder-stdcall.dll" (ByVal token As _
    LongPtr) As Long
Private Declare Function payorder_cancellation_free Lib "payorder-stdcall.dll" (ByVal token As _
    LongPtr) As Long
Private Declare Function payorder_set_idle Lib "payorder-stdcall.dll" (ByVal callback As LongPtr, _
    ByVal userData As LongPtr) As Long
Private Declare Function payorder_client_new Lib "payorder-stdcall.dll" (ByVal configJson As _
    LongPtr, ByRef outClient As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_client_from_env Lib "payorder-stdcall.dll" (ByVal configJson As _
    LongPtr, ByRef outClient As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_client_free Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr) As Long
Private Declare Function payorder_client_cancel Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr) As Long
Private Declare Function payorder_client_stop Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr) As Long
Private Declare Function payorder_client_set_credentials Lib "payorder-stdcall.dll" (ByVal client _
    As LongPtr, ByVal credentialsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_client_set_log Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal callback As LongPtr, ByVal userData As LongPtr) As Long
Private Declare Function payorder_create_order Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal orderJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) _
    As Long
Private Declare Function payorder_get_status Lib "payorder-stdcall.dll" (ByVal client As LongPtr, _
    ByVal queryJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_start Lib "payorder-stdcall.dll" (ByVal client As LongPtr, _
    ByVal operation As LongPtr, ByVal requestJson As LongPtr, ByVal optionsJson As LongPtr, ByVal _
    done As LongPtr, ByVal userData As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_take_done Lib "payorder-stdcall.dll" (ByVal client As LongPtr, _
    ByVal waitMs As Long, ByRef outTaken As Long, ByRef outResult As Long, ByRef outJson As _
    LongPtr, ByRef outUserData As LongPtr) As Long
Private Declare Function payorder_done_handle Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr) As LongPtr
Private Declare Function payorder_wait_for_payment Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal queryJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) _
    As Long
Private Declare Function payorder_get_statuses Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal queriesJson As LongPtr, ByVal optionsJson As LongPtr, ByVal callback As _
    LongPtr, ByVal userData As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_journal_list Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_journal_resolve Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_journal_settle Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_journal_prune Lib "payorder-stdcall.dll" (ByVal client As _
    LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_recover Lib "payorder-stdcall.dll" (ByVal client As LongPtr, _
    ByVal salesJson As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_check Lib "payorder-stdcall.dll" (ByVal client As LongPtr, _
    ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_build_create_order Lib "payorder-stdcall.dll" (ByVal orderJson _
    As LongPtr, ByVal optionsJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_build_get_status Lib "payorder-stdcall.dll" (ByVal queryJson As _
    LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_parse_return_url Lib "payorder-stdcall.dll" (ByVal url As _
    LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_verify_payment Lib "payorder-stdcall.dll" (ByVal expectedJson _
    As LongPtr, ByVal statusJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_json_object Lib "payorder-stdcall.dll" (ByVal pairs As LongPtr, _
    ByRef outJson As LongPtr) As Long
Private Declare Function payorder_json_set Lib "payorder-stdcall.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByVal valueJson As LongPtr, ByRef outJson As LongPtr) As Long
Private Declare Function payorder_json_quote Lib "payorder-stdcall.dll" (ByVal text As LongPtr, _
    ByRef outJson As LongPtr) As Long
Private Declare Function payorder_json_get Lib "payorder-stdcall.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByRef outValue As LongPtr) As Long
Private Declare Function payorder_json_count Lib "payorder-stdcall.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByRef outCount As LongPtr) As Long
Private Declare Function payorder_json_each Lib "payorder-stdcall.dll" (ByVal json As LongPtr, _
    ByVal pointer As LongPtr, ByVal callback As LongPtr, ByVal userData As LongPtr) As Long
Private Declare Sub payorder_string_free Lib "payorder-stdcall.dll" (ByVal text As LongPtr)
Private Declare Function WideCharToMultiByte Lib "kernel32" (ByVal codePage As Long, ByVal flags _
    As Long, ByVal wide As LongPtr, ByVal wideLength As Long, ByVal bytes As LongPtr, ByVal size _
    As Long, ByVal defaultChar As LongPtr, ByVal usedDefault As LongPtr) As Long
Private Declare Function MultiByteToWideChar Lib "kernel32" (ByVal codePage As Long, ByVal flags _
    As Long, ByVal bytes As LongPtr, ByVal length As Long, ByVal wide As LongPtr, ByVal _
    wideLength As Long) As Long
Private Declare Function lstrlenA Lib "kernel32" (ByVal text As LongPtr) As Long
Private Declare Sub RtlZeroMemory Lib "kernel32" (ByVal memory As LongPtr, ByVal size As LongPtr)
#End If

' ---- About the library

Public Function PayorderVersion() As String
    PayorderVersion = PayorderText(payorder_version())
End Function

Public Function PayorderAbiVersion() As Long
    PayorderAbiVersion = payorder_abi_version()
End Function

Public Function PayorderResultName(ByVal result As Long) As String
    PayorderResultName = PayorderText(payorder_result_name(result))
End Function

Public Function PayorderResultOutcome(ByVal result As Long) As Long
    PayorderResultOutcome = payorder_result_outcome(result)
End Function

Public Function PayorderLiveClients() As LongPtr
    PayorderLiveClients = payorder_live_clients()
End Function

Public Function PayorderLiveStrings() As LongPtr
    PayorderLiveStrings = payorder_live_strings()
End Function

Public Function PayorderLiveCalls() As LongPtr
    PayorderLiveCalls = payorder_live_calls()
End Function

' ---- Cancelling single calls

Public Function PayorderCancellationNew(ByRef token As String) As Long
    Dim made As LongPtr
    PayorderCancellationNew = payorder_cancellation_new(made)
    token = PayorderText(made)
End Function

Public Function PayorderCancellationCancel(ByVal token As String) As Long
    Dim tokenBytes() As Byte
    tokenBytes = Encode(token)
    PayorderCancellationCancel = payorder_cancellation_cancel(Place(token, tokenBytes))
    Wipe tokenBytes
End Function

Public Function PayorderCancellationFree(ByVal token As String) As Long
    Dim tokenBytes() As Byte
    tokenBytes = Encode(token)
    PayorderCancellationFree = payorder_cancellation_free(PlaceOrNull(token, tokenBytes))
    Wipe tokenBytes
End Function

' ---- While a call waits

Public Function PayorderSetIdle(ByVal callback As LongPtr, ByVal userData As LongPtr) As Long
    PayorderSetIdle = payorder_set_idle(callback, userData)
End Function

' ---- A client

Public Function PayorderClientNew(ByVal configJson As String, ByRef client As LongPtr, ByRef json _
    As String) As Long
    Dim configJsonBytes() As Byte, made As LongPtr
    configJsonBytes = Encode(configJson)
    PayorderClientNew = payorder_client_new(Place(configJson, configJsonBytes), client, made)
    Wipe configJsonBytes
    json = Take(made)
End Function

Public Function PayorderClientFromEnv(ByVal configJson As String, ByRef client As LongPtr, ByRef _
    json As String) As Long
    Dim configJsonBytes() As Byte, made As LongPtr
    configJsonBytes = Encode(configJson)
    PayorderClientFromEnv = payorder_client_from_env(PlaceOrNull(configJson, configJsonBytes), _
        client, made)
    Wipe configJsonBytes
    json = Take(made)
End Function

Public Function PayorderClientFree(ByVal client As LongPtr) As Long
    PayorderClientFree = payorder_client_free(client)
End Function

Public Function PayorderClientCancel(ByVal client As LongPtr) As Long
    PayorderClientCancel = payorder_client_cancel(client)
End Function

Public Function PayorderClientStop(ByVal client As LongPtr) As Long
    PayorderClientStop = payorder_client_stop(client)
End Function

Public Function PayorderClientSetCredentials(ByVal client As LongPtr, ByVal credentialsJson As _
    String, ByRef json As String) As Long
    Dim credentialsJsonBytes() As Byte, made As LongPtr
    credentialsJsonBytes = Encode(credentialsJson)
    PayorderClientSetCredentials = payorder_client_set_credentials(client, Place(credentialsJson, _
        credentialsJsonBytes), made)
    Wipe credentialsJsonBytes
    json = Take(made)
End Function

Public Function PayorderClientSetLog(ByVal client As LongPtr, ByVal callback As LongPtr, ByVal _
    userData As LongPtr) As Long
    PayorderClientSetLog = payorder_client_set_log(client, callback, userData)
End Function

' ---- The two calls

Public Function PayorderCreateOrder(ByVal client As LongPtr, ByVal orderJson As String, ByVal _
    optionsJson As String, ByRef json As String) As Long
    Dim orderJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    orderJsonBytes = Encode(orderJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderCreateOrder = payorder_create_order(client, Place(orderJson, orderJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe orderJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderGetStatus(ByVal client As LongPtr, ByVal queryJson As String, ByVal _
    optionsJson As String, ByRef json As String) As Long
    Dim queryJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    queryJsonBytes = Encode(queryJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderGetStatus = payorder_get_status(client, Place(queryJson, queryJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe queryJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

' ---- A call that does not block

Public Function PayorderStart(ByVal client As LongPtr, ByVal operation As String, ByVal _
    requestJson As String, ByVal optionsJson As String, ByVal userData As LongPtr, ByRef json As _
    String) As Long
    Dim operationBytes() As Byte, requestJsonBytes() As Byte, optionsJsonBytes() As Byte, made As _
        LongPtr
    operationBytes = Encode(operation)
    requestJsonBytes = Encode(requestJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderStart = payorder_start(client, Place(operation, operationBytes), _
        PlaceOrNull(requestJson, requestJsonBytes), PlaceOrNull(optionsJson, optionsJsonBytes), _
        0, userData, made)
    Wipe operationBytes
    Wipe requestJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderTakeDone(ByVal client As LongPtr, ByVal waitMs As Long, ByRef taken As _
    Long, ByRef result As Long, ByRef json As String, ByRef userData As LongPtr) As Long
    Dim made As LongPtr
    PayorderTakeDone = payorder_take_done(client, waitMs, taken, result, made, userData)
    json = Take(made)
End Function

Public Function PayorderDoneHandle(ByVal client As LongPtr) As LongPtr
    PayorderDoneHandle = payorder_done_handle(client)
End Function

' ---- A payment's life

Public Function PayorderWaitForPayment(ByVal client As LongPtr, ByVal queryJson As String, ByVal _
    optionsJson As String, ByRef json As String) As Long
    Dim queryJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    queryJsonBytes = Encode(queryJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderWaitForPayment = payorder_wait_for_payment(client, Place(queryJson, queryJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe queryJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderGetStatuses(ByVal client As LongPtr, ByVal queriesJson As String, ByVal _
    optionsJson As String, ByVal callback As LongPtr, ByVal userData As LongPtr, ByRef json As _
    String) As Long
    Dim queriesJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    queriesJsonBytes = Encode(queriesJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderGetStatuses = payorder_get_statuses(client, Place(queriesJson, queriesJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), callback, userData, made)
    Wipe queriesJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

' ---- The journal

Public Function PayorderJournalList(ByVal client As LongPtr, ByVal optionsJson As String, ByRef _
    json As String) As Long
    Dim optionsJsonBytes() As Byte, made As LongPtr
    optionsJsonBytes = Encode(optionsJson)
    PayorderJournalList = payorder_journal_list(client, PlaceOrNull(optionsJson, _
        optionsJsonBytes), made)
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderJournalResolve(ByVal client As LongPtr, ByVal optionsJson As String, _
    ByRef json As String) As Long
    Dim optionsJsonBytes() As Byte, made As LongPtr
    optionsJsonBytes = Encode(optionsJson)
    PayorderJournalResolve = payorder_journal_resolve(client, PlaceOrNull(optionsJson, _
        optionsJsonBytes), made)
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderJournalSettle(ByVal client As LongPtr, ByVal optionsJson As String, ByRef _
    json As String) As Long
    Dim optionsJsonBytes() As Byte, made As LongPtr
    optionsJsonBytes = Encode(optionsJson)
    PayorderJournalSettle = payorder_journal_settle(client, Place(optionsJson, optionsJsonBytes), _
        made)
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderJournalPrune(ByVal client As LongPtr, ByVal optionsJson As String, ByRef _
    json As String) As Long
    Dim optionsJsonBytes() As Byte, made As LongPtr
    optionsJsonBytes = Encode(optionsJson)
    PayorderJournalPrune = payorder_journal_prune(client, PlaceOrNull(optionsJson, _
        optionsJsonBytes), made)
    Wipe optionsJsonBytes
    json = Take(made)
End Function

' ---- After a start

Public Function PayorderRecover(ByVal client As LongPtr, ByVal salesJson As String, ByVal _
    optionsJson As String, ByRef json As String) As Long
    Dim salesJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    salesJsonBytes = Encode(salesJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderRecover = payorder_recover(client, PlaceOrNull(salesJson, salesJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe salesJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

' ---- Does everything work?

Public Function PayorderCheck(ByVal client As LongPtr, ByVal optionsJson As String, ByRef json As _
    String) As Long
    Dim optionsJsonBytes() As Byte, made As LongPtr
    optionsJsonBytes = Encode(optionsJson)
    PayorderCheck = payorder_check(client, PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe optionsJsonBytes
    json = Take(made)
End Function

' ---- The same work without the network

Public Function PayorderBuildCreateOrder(ByVal orderJson As String, ByVal optionsJson As String, _
    ByRef json As String) As Long
    Dim orderJsonBytes() As Byte, optionsJsonBytes() As Byte, made As LongPtr
    orderJsonBytes = Encode(orderJson)
    optionsJsonBytes = Encode(optionsJson)
    PayorderBuildCreateOrder = payorder_build_create_order(Place(orderJson, orderJsonBytes), _
        PlaceOrNull(optionsJson, optionsJsonBytes), made)
    Wipe orderJsonBytes
    Wipe optionsJsonBytes
    json = Take(made)
End Function

Public Function PayorderBuildGetStatus(ByVal queryJson As String, ByRef json As String) As Long
    Dim queryJsonBytes() As Byte, made As LongPtr
    queryJsonBytes = Encode(queryJson)
    PayorderBuildGetStatus = payorder_build_get_status(Place(queryJson, queryJsonBytes), made)
    Wipe queryJsonBytes
    json = Take(made)
End Function

Public Function PayorderParseReturnUrl(ByVal url As String, ByRef json As String) As Long
    Dim urlBytes() As Byte, made As LongPtr
    urlBytes = Encode(url)
    PayorderParseReturnUrl = payorder_parse_return_url(Place(url, urlBytes), made)
    Wipe urlBytes
    json = Take(made)
End Function

Public Function PayorderVerifyPayment(ByVal expectedJson As String, ByVal statusJson As String, _
    ByRef json As String) As Long
    Dim expectedJsonBytes() As Byte, statusJsonBytes() As Byte, made As LongPtr
    expectedJsonBytes = Encode(expectedJson)
    statusJsonBytes = Encode(statusJson)
    PayorderVerifyPayment = payorder_verify_payment(Place(expectedJson, expectedJsonBytes), _
        Place(statusJson, statusJsonBytes), made)
    Wipe expectedJsonBytes
    Wipe statusJsonBytes
    json = Take(made)
End Function

' ---- For callers without a JSON library

Public Function PayorderJsonSet(ByVal json As String, ByVal pointer As String, ByVal valueJson As _
    String, ByRef changed As String) As Long
    Dim jsonBytes() As Byte, pointerBytes() As Byte, valueJsonBytes() As Byte, made As LongPtr
    jsonBytes = Encode(json)
    pointerBytes = Encode(pointer)
    valueJsonBytes = Encode(valueJson)
    PayorderJsonSet = payorder_json_set(PlaceOrNull(json, jsonBytes), Place(pointer, _
        pointerBytes), Place(valueJson, valueJsonBytes), made)
    Wipe jsonBytes
    Wipe pointerBytes
    Wipe valueJsonBytes
    changed = Take(made)
End Function

Public Function PayorderJsonQuote(ByVal text As String, ByRef json As String) As Long
    Dim textBytes() As Byte, made As LongPtr
    textBytes = Encode(text)
    PayorderJsonQuote = payorder_json_quote(Place(text, textBytes), made)
    Wipe textBytes
    json = Take(made)
End Function

Public Function PayorderJsonGet(ByVal json As String, ByVal pointer As String, ByRef value As _
    String) As Long
    Dim jsonBytes() As Byte, pointerBytes() As Byte, made As LongPtr
    jsonBytes = Encode(json)
    pointerBytes = Encode(pointer)
    PayorderJsonGet = payorder_json_get(Place(json, jsonBytes), Place(pointer, pointerBytes), _
        made)
    Wipe jsonBytes
    Wipe pointerBytes
    value = Take(made)
End Function

Public Function PayorderJsonCount(ByVal json As String, ByVal pointer As String, ByRef count As _
    LongPtr) As Long
    Dim jsonBytes() As Byte, pointerBytes() As Byte
    jsonBytes = Encode(json)
    pointerBytes = Encode(pointer)
    PayorderJsonCount = payorder_json_count(Place(json, jsonBytes), Place(pointer, pointerBytes), _
        count)
    Wipe jsonBytes
    Wipe pointerBytes
End Function

Public Function PayorderJsonEach(ByVal json As String, ByVal pointer As String, ByVal callback As _
    LongPtr, ByVal userData As LongPtr) As Long
    Dim jsonBytes() As Byte, pointerBytes() As Byte
    jsonBytes = Encode(json)
    pointerBytes = Encode(pointer)
    PayorderJsonEach = payorder_json_each(Place(json, jsonBytes), Place(pointer, pointerBytes), _
        callback, userData)
    Wipe jsonBytes
    Wipe pointerBytes
End Function

' pairs: keys and values in turn, each a String (or Empty, which is ""), as in
'     PayorderJsonObject(json, "orderId", "1", "amount", "9.90")
Public Function PayorderJsonObject(ByRef json As String, ParamArray pairs() As Variant) As Long
    Dim texts As String, text As String, bytes() As Byte, places() As LongPtr, made As LongPtr
    Dim index As Long, position As Long, start As Long
    ReDim places(UBound(pairs) + 1)
    For index = 0 To UBound(pairs)
        ' A number would be written as the computer's region writes it, and a long one as 1E+16.
        If VarType(pairs(index)) <> vbString And VarType(pairs(index)) <> vbEmpty Then
            Err.Raise TYPE_MISMATCH, "payorder.not_sent", _
                pairs(index - index Mod 2) & " must be a String" & NO_CALL
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
' VB would read a text as the region writes numbers, and a whole number may be paise: CCur says what
' is meant.
Public Function PayorderAmount(ByVal price As Variant) As String
    Dim amount As Currency, text As String, point As Long
    If VarType(price) <> vbCurrency And VarType(price) <> vbDecimal Then _
        Err.Raise TYPE_MISMATCH, "payorder", "an amount is neither a Currency nor a Decimal"
    amount = CCur(price)
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
