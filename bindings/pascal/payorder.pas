{ payorder: a client of a payment service, for Free Pascal 3.2 and Delphi 7 and later.

  One unit that needs no other: its parts are in payorder_*.inc. It loads the library when it is
  first used. See README.md.

  Texts are UTF-8 (UTF8String). A failure is an exception whose class is the outcome: what happened
  to the order. After EPayorderUnknown the order may exist: ask for its status before anything else.

  It uses payorder.dll or libpayorder.so.1. }
unit payorder;

{$IFDEF FPC}
  {$MODE DELPHI}{$LONGSTRINGS ON}{$CODEPAGE UTF8}
{$ENDIF}

interface

uses
  SysUtils, Classes;

type
  TPayorderTexts = array of UTF8String;

  { A price for the service: see PayorderAmount. The compiler converts nothing to it. }
  TPayorderAmount = record
  {$IF DEFINED(FPC) OR DEFINED(UNICODE)}
  private
    FText: UTF8String;
  public
    property Text: UTF8String read FText;
  {$ELSE}
    FText: UTF8String;
  {$IFEND}
  end;

{ Results, causes, actions and records. }
{$I payorder_constants.inc}

type
  {$IFDEF FPC}
  TPayorderSize = SizeUInt;
  {$ELSE}
  {$IFDEF WIN64}
  TPayorderSize = NativeUInt;
  {$ELSE}
  TPayorderSize = Cardinal;
  {$ENDIF}
  {$ENDIF}

  { A call failed. }
  EPayorder = class(Exception)
  private
    FCode: Integer;
    FJson: UTF8String;
    FAsked: UTF8String;
    FDescription: UTF8String;
    FIdleRaised: TObject;
    function Text(const Key: UTF8String): UTF8String;
    function Indexed(Index: Integer): UTF8String;
  public
    constructor CreateFrom(ACode: Integer; const AJson: UTF8String; const AMessage: string);
    destructor Destroy; override;
    { The result, such as PAYORDER_TIMEOUT. }
    property Code: Integer read FCode;
    { The error object of the library, complete. }
    property Json: UTF8String read FJson;
    { A member of the error, such as 'httpStatus', or ''. }
    property Member[const Key: UTF8String]: UTF8String read Text;
    function ResultName: UTF8String;
    function Outcome: UTF8String;
    property Cause: UTF8String index 0 read Indexed;
    property Action: UTF8String index 1 read Indexed;
    { The message in UTF-8. }
    property Description: UTF8String read FDescription;
    { The exception with which the idle method cancelled the call, or nil. It belongs to this one. }
    property IdleRaised: TObject read FIdleRaised;
    { For TPayorderClient.GetStatus, or ''. }
    property StatusQuery: UTF8String index 2 read Indexed;
    { With PAYORDER_DUPLICATE, what the journal knows; otherwise its Entry is 0. }
    function Previous: TPayorderEntry;
    function Violations: TPayorderViolations;
    { What WaitForPayment saw last before it was cancelled or failed; its Json is '' without one. }
    function LastStatus: TPayorderStatus;
  end;

  EPayorderClass = class of EPayorder;

  { Nothing was sent. }
  EPayorderNotSent = class(EPayorder);
  { No library can be loaded, or it is the wrong one. }
  EPayorderLibrary = class(EPayorderNotSent);
  { The order, the query, an option or a text is wrong. The message names it. }
  EPayorderInvalidRequest = class(EPayorderNotSent);
  EPayorderCancelled = class(EPayorderNotSent);
  EPayorderConnectFailed = class(EPayorderNotSent);
  EPayorderJournalFailed = class(EPayorderNotSent);
  { The service refused the request. After CreateOrder, that call created no order. }
  EPayorderRejected = class(EPayorder);
  EPayorderUnauthorized = class(EPayorderRejected);
  EPayorderRateLimited = class(EPayorderRejected);
  { The order may exist: give StatusQuery to GetStatus before anything else. }
  EPayorderUnknown = class(EPayorder);
  EPayorderTimeout = class(EPayorderUnknown);
  EPayorderConnectionLost = class(EPayorderUnknown);
  EPayorderDuplicate = class(EPayorderUnknown);
  { A function without the network cannot use its arguments. It says nothing about an order. }
  EPayorderUnusable = class(EPayorder);

  TPayorderWaited = record
    IsFinal, TimedOut, HasStatus: Boolean;
    Polls: Integer;
    Status: TPayorderStatus;
    { The error of the last query, if that failed, for PayorderErrorOf; or ''. }
    ErrorJson, Json: UTF8String;
  end;

  TPayorderResolved = record
    Summary: TPayorderSummary;
    { How many entries of other services are unresolved. They were not asked about. }
    OtherServices: Integer;
    { The service's words, if it refused every query of two or more. }
    Refusal: UTF8String;
    { What is still unresolved. }
    Entries: TPayorderEntries;
    Json: UTF8String;
  end;

  TPayorderRecovered = record
    Summary: TPayorderSummary;
    OtherServices: Integer;
    { The service's words, if it refused every query of two or more. }
    Refusal: UTF8String;
    { Those that were given, in their order, and then those of the journal. }
    Sales: TPayorderSales;
    Json: UTF8String;
  end;

  TPayorderChecked = record
    { No step failed. }
    Ok: Boolean;
    { After one that failed, those that need it are left out. }
    Steps: TPayorderCheckSteps;
    Json: UTF8String;
  end;

  { The answer of a call that was started. Give it to PayorderCheckoutOf and so on. }
  TPayorderDone = record
    { What the Start method returned. }
    Call: Integer;
    Code: Integer;
    { The result, or the error object. }
    Json: UTF8String;
    Asked: UTF8String;
  end;

  TPayorderVerdict = record
    { Only this says that the order is paid. }
    Paid: Boolean;
    { The names of the checks that failed. }
    Failed: TPayorderTexts;
    Json: UTF8String;
  end;

  { Called for each status, in the thread that called GetStatuses. With Code = PAYORDER_OK, Json
    is a status (PayorderStatusOf), otherwise an error object. }
  TPayorderStatusEvent = procedure(Index: Integer; Code: Integer; const Json: UTF8String;
    var Continue: Boolean) of object;
  { Called in the thread whose call waits. }
  TPayorderIdleEvent = procedure(var Cancel: Boolean) of object;
  { Called in the thread that makes a call, perhaps in several threads at the same time. For a call
    that was started, that is a thread of the library. }
  TPayorderLogEvent = procedure(const Json: UTF8String) of object;

  { Cancels the calls that have Token as the option `cancellation`. }
  TPayorderCancellation = class
  private
    FToken: UTF8String;
  public
    constructor Create;
    destructor Destroy; override;
    { From any thread. It stays cancelled. }
    procedure Cancel;
    { Calls that have it continue. Later calls with it raise EPayorderNotSent. }
    procedure Close;
    property Token: UTF8String read FToken;
  end;

  { What a till calls. Write it against this interface, and give it an object of your own in tests.
    It does not own a TPayorderClient: free that one after the last use. }
  IPayorderClient = interface
    ['{B2E9EA38-FE68-41F8-BF92-D81679FB6CB1}']
    function CreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): TPayorderCheckout;
    function GetStatus(Query: UTF8String; Options: UTF8String = ''): TPayorderStatus; overload;
    function GetStatus(Error: EPayorder; Options: UTF8String = ''): TPayorderStatus; overload;
    function WaitForPayment(Query: UTF8String; Options: UTF8String = ''): TPayorderWaited; overload;
    function WaitForPayment(Error: EPayorder; Options: UTF8String = ''): TPayorderWaited; overload;
    function Recover(const Sales: array of UTF8String;
      Options: UTF8String = ''): TPayorderRecovered;
    function StartCreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): Integer;
    function StartGetStatus(Query: UTF8String; Options: UTF8String = ''): Integer;
    function StartWaitForPayment(Query: UTF8String; Options: UTF8String = ''): Integer;
    function StartRecover(const Sales: array of UTF8String; Options: UTF8String = ''): Integer;
    function Take(out Done: TPayorderDone; WaitMs: Cardinal = 0): Boolean;
  end;

  { The log method of a client. Running calls keep it, also when the client was freed. }
  TPayorderLog = class(TInterfacedObject)
  private
    FEvent: TPayorderLogEvent;
  end;

  { A client for all threads of a program. Options are JSON: see PayorderOptions. }
  TPayorderClient = class(TInterfacedPersistent, IPayorderClient)
  private
    { The library's client, and the same for new calls: nil once Close was called. }
    FClient, FHandle: Pointer;
    FLog: TPayorderLog;
    { What counts the uses of FLog. }
    FKept: IInterface;
    { How many calls were started, and those whose answer was not taken. }
    FStarted: Integer;
    FOutstanding: array of TPayorderDone;
    FStopped: Boolean;
    function Start(const Operation: UTF8String; Request, Options: UTF8String;
      const Asked: UTF8String = ''): Integer;
    function Ended(Call: Integer): UTF8String;
    procedure FreeIfUnused;
    function GetLog: TPayorderLogEvent;
    procedure SetLog(const Value: TPayorderLogEvent);
  public
    class function NewInstance: TObject; override;
    { Config is JSON: see CONFIGURATION in payorder.h. }
    constructor Create(const Config: UTF8String);
    { The settings of the environment, such as PAYORDER_BASE_URL. Those in Config win. }
    constructor CreateFromEnv(const Config: UTF8String = '');
    { Calls that run continue, without OnLog. Started calls that wait in the queue are not sent, and
      answers that were not taken are lost: call Stop, and Take until it returns False. Do not free
      an object while another thread uses it: call Close, and free the object when the threads have
      ended. }
    destructor Destroy; override;
    { Later calls raise EPayorderNotSent. Started calls go on, and Take gives their answers. }
    procedure Close;
    { Ends all calls in flight, from any thread. }
    procedure Cancel;
    { The same, and later calls raise EPayorderCancelled. }
    procedure Stop;
    { JSON with accessToken, clientKey, clientId and secretKey, or some of them. }
    procedure SetCredentials(const Credentials: UTF8String);
    function CreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): TPayorderCheckout;
    { Query is an order id, or JSON: PayorderTransactionQuery, or an error's StatusQuery. }
    function GetStatus(Query: UTF8String; Options: UTF8String = ''): TPayorderStatus; overload;
    { Asks about the order of an error that has a StatusQuery, or asks a failed query again. }
    function GetStatus(Error: EPayorder; Options: UTF8String = ''): TPayorderStatus; overload;
    { Asks about the order of an entry of the journal. }
    function GetStatus(const Entry: TPayorderEntry;
      Options: UTF8String = ''): TPayorderStatus; overload;
    function WaitForPayment(Query: UTF8String; Options: UTF8String = ''): TPayorderWaited; overload;
    function WaitForPayment(Error: EPayorder; Options: UTF8String = ''): TPayorderWaited; overload;
    function WaitForPayment(const Entry: TPayorderEntry;
      Options: UTF8String = ''): TPayorderWaited; overload;
    { After a start: one verdict for each open sale, of the journal and of Sales, those that the
      program itself believes open: Recover([PayorderSale(OrderId, Amount)]), or Recover([]). }
    function Recover(const Sales: array of UTF8String;
      Options: UTF8String = ''): TPayorderRecovered;
    { An exception in Each or in the idle method ends the call, and is raised from it. }
    function GetStatuses(const Queries: array of UTF8String; Each: TPayorderStatusEvent;
      Options: UTF8String = ''): TPayorderSummary;
    { Says step by step what works. It asks for one status, and creates no order. }
    function Check(Options: UTF8String = ''): TPayorderChecked;
    function JournalList(Options: UTF8String = ''): TPayorderEntries;
    function JournalResolve(Options: UTF8String = ''): TPayorderResolved;
    function JournalSettle(Entry: Int64; const Note: UTF8String = '';
      const Options: UTF8String = ''): TPayorderEntry;
    { The Start methods put a call into the client's queue and return its number at once. The
      options are those of the blocking method, and so is an exception if nothing was started. For
      the query of an error or an entry there is PayorderQueryOf. }
    function StartCreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): Integer;
    function StartGetStatus(Query: UTF8String; Options: UTF8String = ''): Integer;
    function StartWaitForPayment(Query: UTF8String; Options: UTF8String = ''): Integer;
    function StartRecover(const Sales: array of UTF8String; Options: UTF8String = ''): Integer;
    function StartJournalResolve(Options: UTF8String = ''): Integer;
    function StartCheck(Options: UTF8String = ''): Integer;
    { Takes the answer of the next call that has ended: for example in a timer. False if there is
      none within WaitMs, or if the idle method cancels: it ends only this wait, and its exception
      is raised here. After Stop it waits only while an answer can still come, and the idle method
      cannot end that. }
    function Take(out Done: TPayorderDone; WaitMs: Cardinal = 0): Boolean;
    { What an event loop can wait for while there is no answer: on Unix a descriptor that becomes
      readable, on Windows an event. It belongs to the client. }
    function DoneHandle: TPayorderSize;
    { Returns how many entries were removed. }
    function JournalPrune(OlderThanDays: Integer = 90; const Options: UTF8String = ''): Integer;
    { An exception in it is ignored: it must not hide what happened to an order. Keep the object of
      the method until PayorderLiveCalls is 0 after the client was freed or the log was changed. }
    property OnLog: TPayorderLogEvent read GetLog write SetLog;
  end;

{ An order without values. }
function PayorderEmptyOrder: TPayorderOrder;
{ JSON from pairs of keys and values: PayorderOptions(['timeoutMs', 5000, 'ratePerSecond', 2.5]).
  The values of final, checkoutHosts, extraFields, headers and tls are JSON, for example of PayorderArray or
  of PayorderOptions. }
function PayorderOptions(const Pairs: array of const): UTF8String;
{ A JSON array of texts. }
function PayorderArray(const Texts: array of UTF8String): UTF8String;
{ An amount as the service takes it: 100.5 is '100.50'. EPayorderInvalidRequest if it is negative or
  has more decimals. }
function PayorderAmount(Value: Currency; Decimals: Integer = 2): TPayorderAmount; overload;
{ Of a text with a point and all decimals: '100.50'. EPayorderInvalidRequest for any other, such as
  '10050', which may be paise. }
function PayorderAmount(const Value: UTF8String; Decimals: Integer = 2): TPayorderAmount; overload;
{ EPayorderInvalidRequest: the compiler would take a price in paise for rupees. }
function PayorderAmount(Value: Int64; Decimals: Integer = 2): TPayorderAmount; overload;
{ Of a Variant with a Currency. EPayorderInvalidRequest for any other, whose conversion would depend
  on the computer's settings, or take paise for rupees: use AsCurrency of the database's field. }
function PayorderAmount(const Value: Variant; Decimals: Integer = 2): TPayorderAmount; overload;
{$IFDEF FPC}
function PayorderAmount(Value: Double; Decimals: Integer = 2): TPayorderAmount; overload;
{ EPayorderInvalidRequest unless it is exact, as 100.00, which is a Single for Free Pascal. }
function PayorderAmount(Value: Single; Decimals: Integer = 2): TPayorderAmount; overload;
{$ENDIF}
{ From a whole number of paise: 10050 is '100.50'. }
function PayorderAmountOfPaise(Paise: Int64): TPayorderAmount; overload;
{ A Variant with 100.10 would be 100 paise. With two functions, Free Pascal refuses it, and in Delphi
  it is an EPayorderInvalidRequest: use AsLargeInt of its field. }
{$IFDEF FPC}
function PayorderAmountOfPaise(Paise: QWord): TPayorderAmount; overload;
{$ELSE}
function PayorderAmountOfPaise(const Paise: Variant): TPayorderAmount; overload;
{$ENDIF}
{ The text of an amount back: EConvertError if the text is no amount, or has more than four decimals. }
function PayorderCurrency(const Amount: UTF8String): Currency;
function PayorderOrderQuery(const OrderId: UTF8String): UTF8String;
function PayorderTransactionQuery(const TransactionId: UTF8String): UTF8String;
{ What asks about the order of an error or an entry; the error of a query asks the same again. }
function PayorderQueryOf(Error: EPayorder): UTF8String; overload;
function PayorderQueryOf(const Entry: TPayorderEntry): UTF8String; overload;
{ A sale for Recover. }
function PayorderSale(const OrderId: UTF8String; const Amount: TPayorderAmount): UTF8String;

{ Without the network. }
function PayorderBuildCreateOrder(const Order: TPayorderOrder;
  const Options: UTF8String = ''): UTF8String;
function PayorderBuildGetStatus(const Query: UTF8String): UTF8String;
{ Returns the query for GetStatus. }
function PayorderParseReturnUrl(const Url: UTF8String;
  out TransactionId: UTF8String): UTF8String;
{ NotBefore is when the sale began, such as '2026-11-21T14:05:06Z'. One that is '' is refused; a
  TransactionId that is '' is any. }
function PayorderVerifyPayment(const OrderId: UTF8String; const Amount: TPayorderAmount;
  const StatusJson: UTF8String; const TransactionId: UTF8String = ''): TPayorderVerdict; overload;
function PayorderVerifyPayment(const OrderId: UTF8String; const Amount: TPayorderAmount;
  const StatusJson, TransactionId, NotBefore: UTF8String): TPayorderVerdict; overload;
function PayorderStatusOf(const Json: UTF8String): TPayorderStatus; overload;
{ What the blocking method would have returned for an answer, or raised. }
function PayorderCheckoutOf(const Done: TPayorderDone): TPayorderCheckout;
function PayorderStatusOf(const Done: TPayorderDone): TPayorderStatus; overload;
function PayorderWaitedOf(const Done: TPayorderDone): TPayorderWaited;
function PayorderRecoveredOf(const Done: TPayorderDone): TPayorderRecovered;
function PayorderResolvedOf(const Done: TPayorderDone): TPayorderResolved;
function PayorderCheckedOf(const Done: TPayorderDone): TPayorderChecked;
{ The error of an item of GetStatuses, or of a wait, which is not raised. Free it. }
function PayorderErrorOf(const Json: UTF8String): EPayorder;

{ JSON. }
{ The value at a JSON pointer such as '/data/url', or ''. }
function PayorderJsonGet(const Json, Pointer: UTF8String): UTF8String;
{ A copy with a JSON value at a JSON pointer. }
function PayorderJsonSet(const Json, Pointer, ValueJson: UTF8String): UTF8String;
{ A text as a JSON string. }
function PayorderJsonQuote(const Text: UTF8String): UTF8String;
{ The elements of the array at a JSON pointer. Raises EPayorderUnusable for a text that is not JSON, or
  is over 16 MiB. }
function PayorderJsonItems(const Json, Pointer: UTF8String): TPayorderTexts;

{ Calls a method about every 50 ms while a call of this thread waits; nil ends that, and so does the
  end of its Owner, such as a form. If it sets Cancel or raises an exception, the call is cancelled.
  Do not call Application.ProcessMessages in it: see README.md. }
procedure PayorderSetIdle(const Idle: TPayorderIdleEvent; Owner: TComponent = nil);

{ About the library. }
{ Loads the library from a file, before any other function is used. Otherwise it is looked for. }
procedure PayorderLoad(const Path: string);
function PayorderVersion: UTF8String;
function PayorderResultName(Code: Integer): UTF8String;
function PayorderLiveClients: TPayorderSize;
function PayorderLiveStrings: TPayorderSize;
function PayorderLiveCalls: TPayorderSize;

implementation

uses
  { Without cwstring, each character of a UnicodeString that is not in ASCII becomes '?'. }
  {$IFNDEF MSWINDOWS}cwstring, dl,{$ENDIF} {$IFDEF FPC}dynlibs{$ELSE}Windows{$ENDIF}, SyncObjs;

{$I payorder_library.inc}
{$I payorder_texts.inc}
{$I payorder_json.inc}
{$I payorder_amounts.inc}
{$I payorder_errors.inc}
{$I payorder_queries.inc}
{$I payorder_cancellation.inc}
{$I payorder_client.inc}
{$I payorder_started.inc}
{$I payorder_offline.inc}
{$I payorder_about.inc}

initialization
  Loading := TCriticalSection.Create;
  InitLibrary;
  {$IFDEF MSWINDOWS}
  if IsLibrary then
    PlugIn := ExtractFilePath(GetModuleName(HInstance));
  {$ELSE}
  if IsLibrary and (dladdr(@PayorderLoad, @PlugInInfo) <> 0) then
    PlugIn := ExtractFilePath(ExpandFileName(string(PlugInInfo.dli_fname)));
  {$ENDIF}
  {$IFDEF FPC}{$IFDEF UNIX}
  { With LANG=C, cwstring takes every text of the program for ASCII, and would write '?'. }
  if DefaultSystemCodePage = 20127 then
  begin
    SetMultiByteConversionCodePage(CP_UTF8);
    { These were opened before. }
    SetTextCodePage(Input, CP_UTF8);
    SetTextCodePage(Output, CP_UTF8);
    SetTextCodePage(ErrOutput, CP_UTF8);
    SetTextCodePage(StdOut, CP_UTF8);
    SetTextCodePage(StdErr, CP_UTF8);
  end;
  {$ENDIF}{$ENDIF}

{ Loading is never freed: another unit's finalization may free a client later, and a started call that
  still runs may write to a log. }

end.
