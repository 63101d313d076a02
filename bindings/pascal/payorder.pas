{ payorder: a client of a payment service, for Free Pascal 3.2 and Delphi 7 and later.

  One unit that needs no other. It loads the library when it is first used. See README.md.

  Texts are UTF-8 (UTF8String). A failure is an exception whose class is the outcome: what happened
  to the order. After EPayorderUnknown the order may exist: ask for its status before anything else.

  Define PAYORDER_STDCALL to use payorder-stdcall.dll, as for VB6; without it the unit uses
  payorder.dll or libpayorder.so.1. }
unit payorder;

{$IFDEF FPC}
  {$MODE DELPHI}{$LONGSTRINGS ON}{$CODEPAGE UTF8}
{$ENDIF}

interface

uses
  SysUtils, Classes;

type
  TPayorderTexts = array of UTF8String;

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
    { The error object of the last query, if that failed, or ''. }
    ErrorJson, Json: UTF8String;
  end;

  TPayorderResolved = record
    Summary: TPayorderSummary;
    { How many entries of other services are unresolved. They were not asked about. }
    OtherServices: Integer;
    { What is still unresolved. }
    Entries: TPayorderEntries;
  end;

  TPayorderRecovered = record
    Summary: TPayorderSummary;
    OtherServices: Integer;
    { Those that were given, in their order, and then those of the journal. }
    Sales: TPayorderSales;
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
  { Called in the thread that makes a call, perhaps in several threads at the same time. }
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
  end;

  { The log method of a client. Running calls keep it, also when the client was freed. }
  TPayorderLog = class(TInterfacedObject)
  private
    FEvent: TPayorderLogEvent;
  end;

  { A client for all threads of a program. Options are JSON: see PayorderOptions. }
  TPayorderClient = class(TInterfacedPersistent, IPayorderClient)
  private
    FHandle: Pointer;
    FLog: TPayorderLog;
    { What counts the uses of FLog. }
    FKept: IInterface;
    function GetLog: TPayorderLogEvent;
    procedure SetLog(const Value: TPayorderLogEvent);
  public
    { Config is JSON: see docs/configuration.md. }
    constructor Create(const Config: UTF8String);
    { The settings of the environment, such as PAYORDER_BASE_URL. Those in Config win. }
    constructor CreateFromEnv(const Config: UTF8String = '');
    { Calls that run continue, without OnLog. Do not free an object while another thread uses it:
      call Close, and free the object when the threads have ended. }
    destructor Destroy; override;
    { Later calls raise EPayorderNotSent. }
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
      program itself believes open: Recover([PayorderSale('O-1', '100.00')]), or Recover([]). }
    function Recover(const Sales: array of UTF8String;
      Options: UTF8String = ''): TPayorderRecovered;
    { An exception in Each or in the idle method ends the call, and is raised from it. }
    function GetStatuses(const Queries: array of UTF8String; Each: TPayorderStatusEvent;
      Options: UTF8String = ''): TPayorderSummary;
    function JournalList(Options: UTF8String = ''): TPayorderEntries;
    function JournalResolve(Options: UTF8String = ''): TPayorderResolved;
    function JournalSettle(Entry: Int64; const Note: UTF8String = '';
      const Options: UTF8String = ''): TPayorderEntry;
    { Returns how many entries were removed. }
    function JournalPrune(OlderThanDays: Integer = 90; const Options: UTF8String = ''): Integer;
    { An exception in it is ignored: it must not hide what happened to an order. Keep the object of
      the method until the client is freed, or PayorderLiveCalls is 0 after the log was changed. }
    property OnLog: TPayorderLogEvent read GetLog write SetLog;
  end;

{ An order without values. }
function PayorderEmptyOrder: TPayorderOrder;
{ JSON from pairs of keys and values: PayorderOptions(['timeoutMs', 5000, 'ratePerSecond', 2.5]).
  The values of final, checkoutHosts, extraFields and tls are JSON, for example of PayorderArray or
  of PayorderOptions. }
function PayorderOptions(const Pairs: array of const): UTF8String;
{ A JSON array of texts. }
function PayorderArray(const Texts: array of UTF8String): UTF8String;
{ An amount as the service takes it: 100.5 is '100.50'. EPayorderInvalidRequest if it is negative or
  has more decimals. }
function PayorderAmount(Value: Currency; Decimals: Integer = 2): UTF8String; overload;
{ EPayorderInvalidRequest: the compiler would take a price in paise for rupees. }
function PayorderAmount(Value: Int64; Decimals: Integer = 2): UTF8String; overload;
{ From a whole number of paise: 10050 is '100.50'. }
function PayorderAmountOfPaise(Paise: Int64): UTF8String;
{ The same back: EConvertError if the text is no amount, or has more than four decimals. }
function PayorderCurrency(const Amount: UTF8String): Currency;
function PayorderOrderQuery(const OrderId: UTF8String): UTF8String;
function PayorderTransactionQuery(const TransactionId: UTF8String): UTF8String;
{ A sale for Recover. }
function PayorderSale(const OrderId, Amount: UTF8String): UTF8String;

{ Without the network. }
function PayorderBuildCreateOrder(const Order: TPayorderOrder;
  const Options: UTF8String = ''): UTF8String;
function PayorderBuildGetStatus(const Query: UTF8String): UTF8String;
{ Returns the query for GetStatus. }
function PayorderParseReturnUrl(const Url: UTF8String;
  out TransactionId: UTF8String): UTF8String;
{ NotBefore is when the sale began, such as '2026-11-21T14:05:06Z'. }
function PayorderVerifyPayment(const OrderId, Amount, StatusJson: UTF8String;
  const TransactionId: UTF8String = ''; const NotBefore: UTF8String = ''): TPayorderVerdict;
  overload;
function PayorderVerifyPayment(const OrderId: UTF8String; Amount: Currency;
  const StatusJson: UTF8String; const TransactionId: UTF8String = '';
  const NotBefore: UTF8String = ''): TPayorderVerdict; overload;
function PayorderStatusOf(const Json: UTF8String): TPayorderStatus;
{ The error of an item of GetStatuses, which is not raised. Free it. }
function PayorderErrorOf(const Json: UTF8String): EPayorder;

{ JSON. }
{ The value at a JSON pointer such as '/data/url', or ''. }
function PayorderJsonGet(const Json, Pointer: UTF8String): UTF8String;
{ A copy with a JSON value at a JSON pointer. }
function PayorderJsonSet(const Json, Pointer, ValueJson: UTF8String): UTF8String;
{ A text as a JSON string. }
function PayorderJsonQuote(const Text: UTF8String): UTF8String;
{ The elements of the array at a JSON pointer. }
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

type
  PText = PAnsiChar;
  { Functions of payorder.h, by their arguments. A client, a text and a callback are pointers. }
  TNone = function: TPayorderSize; {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TAbiVersion = function: Cardinal; {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TVersion = function: PText; {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TResultName = function(Code: Integer): PText;
    {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TStringFree = procedure(Text: PText); {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TOne = function(First: Pointer): Integer; {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TTwo = function(First, Second: Pointer): Integer;
    {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TThree = function(First, Second, Third: Pointer): Integer;
    {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TFour = function(First, Second, Third, Fourth: Pointer): Integer;
    {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
  TSix = function(First, Second, Third, Fourth, Fifth, Sixth: Pointer): Integer;
    {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};

  { In the order of FunctionNames. }
  TLibrary = record
    case Boolean of
      False: (All: array[0..34] of Pointer);
      True: (
        AbiVersion: TAbiVersion;
        Version: TVersion;
        ResultName: TResultName;
        LiveClients, LiveStrings, LiveCalls: TNone;
        CancellationNew, CancellationCancel, CancellationFree: TOne;
        ClientNew, ClientFromEnv: TThree;
        ClientFree, ClientCancel, ClientStop: TOne;
        ClientSetCredentials, ClientSetLog: TThree;
        SetIdle: TTwo;
        CreateOrder, GetStatus, WaitForPayment, Recover: TFour;
        GetStatuses: TSix;
        JournalList, JournalResolve, JournalSettle, JournalPrune: TThree;
        BuildCreateOrder, VerifyPayment, JsonGet: TThree;
        BuildGetStatus, ParseReturnUrl, JsonQuote: TTwo;
        JsonSet, JsonEach: TFour;
        StringFree: TStringFree);
  end;

const
  FunctionNames: array[0..34] of string = ('abi_version', 'version', 'result_name', 'live_clients',
    'live_strings', 'live_calls', 'cancellation_new', 'cancellation_cancel', 'cancellation_free',
    'client_new', 'client_from_env', 'client_free', 'client_cancel', 'client_stop',
    'client_set_credentials', 'client_set_log', 'set_idle', 'create_order', 'get_status',
    'wait_for_payment', 'recover', 'get_statuses', 'journal_list', 'journal_resolve',
    'journal_settle', 'journal_prune', 'build_create_order', 'verify_payment', 'json_get',
    'build_get_status', 'parse_return_url', 'json_quote', 'json_set', 'json_each', 'string_free');

type
  PStatusEvent = ^TPayorderStatusEvent;

  TItems = record
    Texts: TPayorderTexts;
    Count: Integer;
  end;
  PItems = ^TItems;

var
  Lib: TLibrary;
  Loaded: Boolean = False;
  LoadedFrom: string;
  {$IFNDEF MSWINDOWS}
  PlugInInfo: dl_info;
  {$ENDIF}
  { Where this code is, if that is a plug-in. }
  PlugIn: string;
  Loading: TCriticalSection;

{ ---- Loading the library --------------------------------------------------------------------- }

{$IFNDEF FPC}
{ As in Free Pascal. }
type
  TLibHandle = THandle;

function LoadLibrary(const Path: string): TLibHandle;
begin
  Result := Windows.LoadLibrary(PChar(Path));
end;

function GetProcedureAddress(Handle: TLibHandle; const Name: string): Pointer;
begin
  Result := GetProcAddress(Handle, PAnsiChar(AnsiString(Name)));
end;

function GetLoadErrorStr: string;
begin
  Result := SysErrorMessage(GetLastError);
end;
{$ENDIF}

procedure NotLoaded(const Reason: string);
begin
  raise EPayorderLibrary.CreateFrom(PAYORDER_INVALID_CONFIG,
    '{"error":{"result":3,"name":"PAYORDER_INVALID_CONFIG","outcome":"not_sent",' +
    '"cause":"unreadable_file","action":"fix_configuration"}}', Reason + '; nothing was sent');
end;

procedure Load(Chosen: string);
const
  { The name in the system, and the one without a version. }
  {$IFDEF MSWINDOWS}
  {$IFDEF PAYORDER_STDCALL}
  SystemName = 'payorder-stdcall.dll';
  {$ELSE}
  SystemName = 'payorder.dll';
  {$ENDIF}
  ShortName = SystemName;
  {$ELSE}
  {$IFDEF DARWIN}
  SystemName = 'libpayorder.1.dylib';
  ShortName = 'libpayorder.dylib';
  {$ELSE}
  SystemName = 'libpayorder.so.1';
  ShortName = 'libpayorder.so';
  {$ENDIF}
  {$ENDIF}
var
  Handle: TLibHandle;
  Path, Tried: string;
  {$IFDEF FPC}
  Wide: UnicodeString;
  {$ENDIF}
  I: Integer;

  procedure Open(const Place: string);
  begin
    if Handle <> 0 then
      Exit;
    Path := Place;
    Handle := LoadLibrary(Place);
    if Handle = 0 then
      Tried := Tried + ' ' + Place + ' (' + GetLoadErrorStr + ')';
  end;

begin
  {$IFDEF FPC}
  Wide := WideChar($0905);
  if UTF8Encode(Wide) <> UTF8String(Wide) then
    NotLoaded('this program cannot convert texts to UTF-8: use the unit cwstring');
  {$ENDIF}
  Tried := '';
  Path := '';
  Handle := 0;
  if Chosen = '' then
    Chosen := GetEnvironmentVariable('PAYORDER_LIBRARY');
  if Chosen <> '' then
    Open(Chosen)
  else
  begin
    if PlugIn <> '' then
    begin
      Open(PlugIn + ShortName);
      Open(PlugIn + SystemName);
    end;
    Open(ExtractFilePath(ParamStr(0)) + ShortName);
    Open(ExtractFilePath(ParamStr(0)) + SystemName);
    Open(SystemName);
  end;
  if Handle = 0 then
    NotLoaded('no library can be loaded. Set PAYORDER_LIBRARY to its path. Tried:' + Tried);
  for I := 0 to High(FunctionNames) do
  begin
    Lib.All[I] := GetProcedureAddress(Handle, 'payorder_' + FunctionNames[I]);
    if Lib.All[I] = nil then
      NotLoaded(Path + ' has no payorder_' + FunctionNames[I]);
    { The version first: a library with another one may lack functions. }
    if (I = 0) and (Lib.AbiVersion() <> PAYORDER_ABI_VERSION) then
      NotLoaded(Format('%s has version %d of the interface, and this program needs version %d',
        [Path, Lib.AbiVersion(), PAYORDER_ABI_VERSION]));
  end;
  LoadedFrom := Path;
  Loaded := True;
end;

procedure PayorderLoad(const Path: string);
begin
  Loading.Acquire;
  try
    if not Loaded then
      Load(Path)
    else if (Path <> '') and (Path <> LoadedFrom) then
      NotLoaded('the library was loaded before, from ' + LoadedFrom);
  finally
    Loading.Release;
  end;
end;

{ Every function calls it before it uses Lib. }
procedure NeedLibrary;
begin
  PayorderLoad('');
end;

{ ---- Texts ----------------------------------------------------------------------------------- }

{ A copy of a text of the library. }
function Copied(Text: PText): UTF8String;
var
  Length_: Integer;
begin
  Result := '';
  if Text = nil then
    Exit;
  Length_ := StrLen(Text);
  if Length_ = 0 then
    Exit;
  SetLength(Result, Length_);
  Move(Text^, Result[1], Length_);
end;

{ A copy, and the text is freed. }
function Taken(Text: PText): UTF8String;
begin
  try
    Result := Copied(Text);
  finally
    Lib.StringFree(Text);
  end;
end;

{ An argument or text of the program cannot be used. }
procedure Refuse(const Reason: UTF8String);
begin
  raise EPayorderInvalidRequest.CreateFrom(PAYORDER_INVALID_ARGUMENT,
    '{"error":{"result":1,"name":"PAYORDER_INVALID_ARGUMENT","outcome":"not_sent",' +
    '"cause":"invalid_value","action":"fix_request"}}', string(Reason) + '; nothing was sent');
end;

{ An argument. The library would see only the part before a NUL. }
function Given(const Text: UTF8String; const Name: UTF8String = 'a text'): PText;
begin
  if Pos(AnsiChar(#0), Text) > 0 then
    Refuse(Name + ' contains the character NUL');
  Result := PText(Text);
end;

{ NULL if there are none. }
function GivenOptions(const Options: UTF8String): PText;
begin
  if Options = '' then
    Result := nil
  else
    Result := Given(Options, 'an argument in JSON');
end;

function ClassOf(Code: Integer): EPayorderClass;
begin
  case Code of
    PAYORDER_INVALID_ARGUMENT, PAYORDER_INVALID_REQUEST: Result := EPayorderInvalidRequest;
    PAYORDER_CANCELLED: Result := EPayorderCancelled;
    PAYORDER_CONNECT_FAILED: Result := EPayorderConnectFailed;
    PAYORDER_JOURNAL_FAILED: Result := EPayorderJournalFailed;
    PAYORDER_UNAUTHORIZED: Result := EPayorderUnauthorized;
    PAYORDER_RATE_LIMITED: Result := EPayorderRateLimited;
    PAYORDER_TIMEOUT: Result := EPayorderTimeout;
    PAYORDER_CONNECTION_LOST: Result := EPayorderConnectionLost;
    PAYORDER_DUPLICATE: Result := EPayorderDuplicate;
    2, 3, 5, 7, 9, 11..99: Result := EPayorderNotSent;
    100, 103..199: Result := EPayorderRejected;
  else
    Result := EPayorderUnknown;
  end;
end;

threadvar
  { What a callback raised during this call. It must not pass through the library. }
  Raised: TObject;

{ The JSON of a call that succeeded; otherwise its exception. The call may be in the arguments: Text
  is a reference. }
function Checked(Code: Integer; var Text: PText): UTF8String;
var
  Error: EPayorder;
begin
  Result := Taken(Text);
  if Code <> PAYORDER_OK then
  begin
    Error := ClassOf(Code).CreateFrom(Code, Result, '');
    Error.FIdleRaised := Raised;
    if Raised is Exception then
      Error.Message := Format('%s; the idle method raised %s: %s', [Error.Message, Raised.ClassName,
        Exception(Raised).Message]);
    Raised := nil;
    raise Error;
  end;
  { The call was faster than its cancellation. What it did counts. }
  FreeAndNil(Raised);
end;

procedure RaiseCaught;
var
  Caught: TObject;
begin
  Caught := Raised;
  Raised := nil;
  if Caught <> nil then
    raise Caught;
end;

{ The same for a function without the network. }
function CheckedOffline(Code: Integer; var Text: PText): UTF8String;
begin
  Result := Taken(Text);
  if Code <> PAYORDER_OK then
    raise EPayorderUnusable.CreateFrom(Code, Result, '');
end;

{ The same for a part of a request. }
function CheckedPart(Code: Integer; var Text: PText; const Name: UTF8String): UTF8String;
begin
  Result := Taken(Text);
  if Code <> PAYORDER_OK then
    raise EPayorderInvalidRequest.CreateFrom(Code, Result, string(Name + ': ' +
      PayorderJsonGet(Result, '/error/message') + '; nothing was sent'));
end;

{ ---- JSON ------------------------------------------------------------------------------------ }

{ A function with one or two texts and a place for its result. }
function Offline(Func: TThree; const First, Second: UTF8String): UTF8String;
var
  Text: PText;
begin
  Result := CheckedOffline(Func(Given(First), GivenOptions(Second), @Text), Text);
end;

function OfText(Func: TTwo; const Text: UTF8String): UTF8String;
var
  Made: PText;
begin
  Result := CheckedOffline(Func(Given(Text), @Made), Made);
end;

function PayorderJsonGet(const Json, Pointer: UTF8String): UTF8String;
var
  Text: PText;
begin
  Result := '';
  { The library is not needed for the values of the error that there is none. }
  if Json = '' then
    Exit;
  NeedLibrary;
  if Lib.JsonGet(Given(Json), Given(Pointer), @Text) = PAYORDER_OK then
    Result := Taken(Text)
  else
    Lib.StringFree(Text);
end;

function PayorderJsonSet(const Json, Pointer, ValueJson: UTF8String): UTF8String;
var
  Text: PText;
begin
  NeedLibrary;
  Result := CheckedPart(Lib.JsonSet(GivenOptions(Json), Given(Pointer),
    Given(ValueJson, Pointer), @Text), Text, Pointer);
end;

function Quoted(const Text, Name: UTF8String): UTF8String;
var
  Made: PText;
begin
  NeedLibrary;
  Result := CheckedPart(Lib.JsonQuote(Given(Text, Name), @Made), Made, Name);
end;

function PayorderJsonQuote(const Text: UTF8String): UTF8String;
begin
  Result := Quoted(Text, 'the text');
end;

function AddItem(Index: TPayorderSize; Key, Value: PText; UserData: Pointer): Integer;
  {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
var
  Items: PItems;
begin
  Items := PItems(UserData);
  Result := 1;
  try
    if Items^.Count = Length(Items^.Texts) then
      SetLength(Items^.Texts, 2 * Items^.Count + 16);
    Items^.Texts[Items^.Count] := Copied(Value);
    Inc(Items^.Count);
  except
    Raised := TObject(AcquireExceptionObject);
    Result := 0;
  end;
end;

function PayorderJsonItems(const Json, Pointer: UTF8String): TPayorderTexts;
var
  Items: TItems;
begin
  Result := nil;
  if Json = '' then
    Exit;
  NeedLibrary;
  Items.Texts := nil;
  Items.Count := 0;
  Lib.JsonEach(Given(Json), Given(Pointer), @AddItem, @Items);
  RaiseCaught;
  SetLength(Items.Texts, Items.Count);
  Result := Items.Texts;
end;

function NumberAt(const Json, Pointer: UTF8String; Missing: Int64): Int64;
begin
  Result := StrToInt64Def(string(PayorderJsonGet(Json, Pointer)), Missing);
end;

function IsTrue(const Json, Pointer: UTF8String): Boolean;
begin
  Result := PayorderJsonGet(Json, Pointer) = 'true';
end;

procedure SetText(var Json: UTF8String; const Key, Text: UTF8String);
begin
  Json := PayorderJsonSet(Json, '/' + Key, Quoted(Text, Key));
end;

{ An empty field is left out, so that the library reports it as missing. }
procedure SetGiven(var Json: UTF8String; const Key, Text: UTF8String);
begin
  if Text <> '' then
    SetText(Json, Key, Text);
end;

function PayorderOptions(const Pairs: array of const): UTF8String;
var
  I: Integer;
  Key, Value: UTF8String;

  { A number, a boolean, or a text. }
  function Written(const Item: TVarRec; out IsText: Boolean): UTF8String;
  var
    Digits: ShortString;
  begin
    Result := '';
    IsText := False;
    case Item.VType of
      vtInteger: Result := UTF8String(IntToStr(Item.VInteger));
      vtInt64: Result := UTF8String(IntToStr(Item.VInt64^));
      vtBoolean: if Item.VBoolean then Result := 'true' else Result := 'false';
      vtExtended:
        begin
          Str(Item.VExtended^:0:6, Digits);
          Result := UTF8String(Digits);
        end;
      vtCurrency: Result := PayorderAmount(Item.VCurrency^);
    else
      IsText := True;
      case Item.VType of
        vtChar: Result := UTF8String(AnsiString(Item.VChar));
        vtString: Result := UTF8String(Item.VString^);
        vtAnsiString: Result := UTF8String(AnsiString(Item.VAnsiString));
        vtWideChar: Result := UTF8Encode(WideString(Item.VWideChar));
        vtWideString: Result := UTF8Encode(WideString(Item.VWideString));
        {$IF DEFINED(FPC) OR DEFINED(UNICODE)}
        vtUnicodeString: Result := UTF8Encode(UnicodeString(Item.VUnicodeString));
        {$IFEND}
      else
        Refuse('PayorderOptions takes numbers, booleans and texts');
      end;
    end;
  end;

var
  IsText: Boolean;
begin
  if Odd(Length(Pairs)) then
    Refuse('PayorderOptions takes pairs of keys and values');
  Result := '{}';
  I := 0;
  while I < High(Pairs) do
  begin
    Key := Written(Pairs[I], IsText);
    Value := Written(Pairs[I + 1], IsText);
    if IsText and (Pos(' ' + Key + ' ', ' final checkoutHosts extraFields tls ') = 0) then
      Value := Quoted(Value, Key);
    Result := PayorderJsonSet(Result, '/' + Key, Value);
    Inc(I, 2);
  end;
end;

{ A JSON array of JSON values. }
function Joined(const Items: array of UTF8String): UTF8String;
var
  I: Integer;
begin
  Result := '';
  for I := 0 to High(Items) do
  begin
    if I > 0 then
      Result := Result + ',';
    Result := Result + Items[I];
  end;
  Result := '[' + Result + ']';
end;

function PayorderArray(const Texts: array of UTF8String): UTF8String;
var
  Items: TPayorderTexts;
  I: Integer;
begin
  SetLength(Items, Length(Texts));
  for I := 0 to High(Texts) do
    Items[I] := PayorderJsonQuote(Texts[I]);
  Result := Joined(Items);
end;

function PayorderAmount(Value: Currency; Decimals: Integer): UTF8String;
var
  Scaled: Int64;
begin
  { A Currency is a whole number of ten-thousandths. }
  Scaled := PInt64(@Value)^;
  Result := UTF8String(Format('%d.%.4d', [Scaled div 10000, Abs(Scaled mod 10000)]));
  while (Decimals < 4) and (Result[Length(Result)] = '0') do
  begin
    SetLength(Result, Length(Result) - 1);
    Inc(Decimals);
  end;
  if (Scaled < 0) or (Decimals <> 4) then
    Refuse('amount ' + Result + ' is negative or has too many decimals');
  if Result[Length(Result)] = '.' then
    SetLength(Result, Length(Result) - 1);
end;

function PayorderAmount(Value: Int64; Decimals: Integer): UTF8String;
begin
  Result := '';
  Refuse('amount is an integer: use a Currency, or PayorderAmountOfPaise');
end;

function PayorderAmountOfPaise(Paise: Int64): UTF8String;
begin
  if Paise < 0 then
    Refuse('amount is negative');
  Result := UTF8String(Format('%d.%.2d', [Paise div 100, Paise mod 100]));
end;

function PayorderCurrency(const Amount: UTF8String): Currency;
var
  Digits, Decimals: string;
  I, Point: Integer;
  Scaled: Int64;
  Known: Boolean;
begin
  Point := Pos('.', string(Amount + '.'));
  Digits := string(Copy(Amount, 1, Point - 1));
  Decimals := string(Copy(Amount, Point + 1, MaxInt));
  Known := (Digits <> '') and ((Decimals <> '') or (Point > Length(Amount)));
  while (Length(Decimals) > 4) and (Decimals[Length(Decimals)] = '0') do
    SetLength(Decimals, Length(Decimals) - 1);
  for I := 1 to Length(Amount) do
    Known := Known and ((I = Point) or (Amount[I] in ['0'..'9']));
  Digits := Digits + Copy(Decimals + '0000', 1, 4);
  if not Known or (Length(Decimals) > 4) or not TryStrToInt64(Digits, Scaled) then
    raise EConvertError.Create('not an amount with at most four decimals: ' + string(Amount));
  PInt64(@Result)^ := Scaled;
end;

{ ---- Errors ---------------------------------------------------------------------------------- }

constructor EPayorder.CreateFrom(ACode: Integer; const AJson: UTF8String; const AMessage: string);
begin
  FCode := ACode;
  FJson := AJson;
  FDescription := UTF8String(AMessage);
  if AMessage = '' then
    FDescription := Text('message');
  inherited Create(string(ResultName + ': ' + FDescription));
end;

destructor EPayorder.Destroy;
begin
  FIdleRaised.Free;
  inherited Destroy;
end;

function EPayorder.Text(const Key: UTF8String): UTF8String;
begin
  if Loaded then
    Result := PayorderJsonGet(FJson, '/error/' + Key)
  else if Key = 'cause' then
    Result := PAYORDER_CAUSE_UNREADABLE_FILE
  else if Key = 'action' then
    Result := PAYORDER_ACTION_FIX_CONFIGURATION
  else
    Result := '';
end;

function EPayorder.Indexed(Index: Integer): UTF8String;
const
  KEYS: array[0..2] of UTF8String = ('cause', 'action', 'statusQuery');
begin
  Result := Text(KEYS[Index]);
end;

function EPayorder.ResultName: UTF8String;
begin
  if Loaded then
    Result := PayorderResultName(FCode)
  else
    Result := 'PAYORDER_INVALID_CONFIG';
end;

function EPayorder.Outcome: UTF8String;
begin
  case FCode of
    0: Result := 'done';
    1..99: Result := 'not_sent';
    100..199: Result := 'rejected';
  else
    Result := 'unknown';
  end;
end;

{ The checks that a list of reasons names. }
function ChecksOf(const Json, Pointer: UTF8String): TPayorderTexts;
var
  I: Integer;
begin
  Result := PayorderJsonItems(Json, Pointer);
  for I := 0 to High(Result) do
    Result[I] := PayorderJsonGet(Result[I], '/check');
end;

{$DEFINE PAYORDER_READERS}
{$I payorder_constants.inc}

function EPayorder.Previous: TPayorderEntry;
begin
  Result := EntryOf(Text('previous'));
end;

function EPayorder.Violations: TPayorderViolations;
begin
  Result := ViolationsOf(Text('violations'), '');
end;

{ ---- Orders and statuses --------------------------------------------------------------------- }

function PayorderEmptyOrder: TPayorderOrder;
begin
  Finalize(Result);
  FillChar(Result, SizeOf(Result), 0);
end;

function PayorderOrderQuery(const OrderId: UTF8String): UTF8String;
begin
  Result := '{}';
  SetText(Result, 'orderId', OrderId);
end;

function PayorderTransactionQuery(const TransactionId: UTF8String): UTF8String;
begin
  Result := '{}';
  SetText(Result, 'transactionId', TransactionId);
end;

function PayorderSale(const OrderId, Amount: UTF8String): UTF8String;
begin
  Result := PayorderOrderQuery(OrderId);
  SetText(Result, 'amount', Amount);
end;

{ A query as JSON: an order id has no brace at its start. }
function QueryOf(const Query: UTF8String): UTF8String; overload;
begin
  if Copy(Query, 1, 1) = '{' then
    Result := Query
  else
    Result := PayorderOrderQuery(Query);
end;

function QueryOf(Error: EPayorder): UTF8String; overload;
begin
  Result := Error.StatusQuery;
  if Result = '' then
    Result := Error.FAsked;
end;

function PayorderStatusOf(const Json: UTF8String): TPayorderStatus;
begin
  Result := StatusOf(Json);
end;

function PayorderErrorOf(const Json: UTF8String): EPayorder;
var
  Code: Integer;
begin
  Code := NumberAt(Json, '/error/result', PAYORDER_INTERNAL_IN_FLIGHT);
  Result := ClassOf(Code).CreateFrom(Code, Json, '');
end;

{ ---- Cancelling ------------------------------------------------------------------------------ }

constructor TPayorderCancellation.Create;
var
  Text, Error: PText;
begin
  inherited Create;
  NeedLibrary;
  Error := nil;
  Checked(Lib.CancellationNew(@Text), Error);
  FToken := Copied(Text);
end;

destructor TPayorderCancellation.Destroy;
begin
  Close;
  inherited Destroy;
end;

procedure TPayorderCancellation.Close;
begin
  { The second time, the library knows no such token. }
  if FToken <> '' then
    Lib.CancellationFree(PText(FToken));
end;

procedure TPayorderCancellation.Cancel;
begin
  Lib.CancellationCancel(PText(FToken));
end;

{ ---- A client -------------------------------------------------------------------------------- }

{ Makes a call with a request and options. No text is `const`: an idle or log method could change or
  free the caller's variable. }
function Made(Func: TFour; Client: TPayorderClient; Request, Options: UTF8String): UTF8String;
var
  Text: PText;
  Log: IInterface;
begin
  Log := Client.FKept;
  Result := Checked(Func(Client.FHandle, GivenOptions(Request), GivenOptions(Options), @Text),
    Text);
end;

{ The same with options, or with credentials. }
function MadeWith(Func: TThree; Client: TPayorderClient; Options: UTF8String): UTF8String;
var
  Text: PText;
  Log: IInterface;
begin
  Log := Client.FKept;
  Result := Checked(Func(Client.FHandle, GivenOptions(Options), @Text), Text);
end;

procedure Open(Client: TPayorderClient; Func: TThree; Config: Pointer);
var
  Text: PText;
begin
  Client.FLog := TPayorderLog.Create;
  Client.FKept := Client.FLog;
  Checked(Func(Config, @Client.FHandle, @Text), Text);
end;

procedure EndCalls(Func: TOne; Client: TPayorderClient);
var
  Code: Integer;
begin
  Code := Func(Client.FHandle);
  if Code <> PAYORDER_OK then
    raise ClassOf(Code).CreateFrom(Code, '', 'the client is closed');
end;

constructor TPayorderClient.Create(const Config: UTF8String);
begin
  inherited Create;
  NeedLibrary;
  Open(Self, Lib.ClientNew, Given(Config));
end;

constructor TPayorderClient.CreateFromEnv(const Config: UTF8String);
begin
  inherited Create;
  NeedLibrary;
  Open(Self, Lib.ClientFromEnv, GivenOptions(Config));
end;

destructor TPayorderClient.Destroy;
begin
  Close;
  if FLog <> nil then
    SetLog(nil);
  inherited Destroy;
end;

procedure TPayorderClient.Close;
var
  Handle: Pointer;
begin
  Handle := FHandle;
  FHandle := nil;
  if Handle <> nil then
    Lib.ClientFree(Handle);
end;

procedure TPayorderClient.Cancel;
begin
  EndCalls(Lib.ClientCancel, Self);
end;

procedure TPayorderClient.Stop;
begin
  EndCalls(Lib.ClientStop, Self);
end;

procedure TPayorderClient.SetCredentials(const Credentials: UTF8String);
begin
  MadeWith(Lib.ClientSetCredentials, Self, Credentials);
end;

type
  { The idle method of a thread. }
  TIdle = class(TComponent)
  private
    Event: TPayorderIdleEvent;
  protected
    procedure Notification(AComponent: TComponent; Operation: TOperation); override;
  end;

procedure TIdle.Notification(AComponent: TComponent; Operation: TOperation);
begin
  inherited Notification(AComponent, Operation);
  { Its owner is destroyed. }
  if Operation = opRemove then
    Event := nil;
end;

threadvar
  CurrentIdle: TIdle;

function RunIdle(UserData: Pointer): Integer;
  {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
var
  Cancel: Boolean;
begin
  Result := 0;
  { The method may have ended or replaced itself during this call. }
  if (CurrentIdle = nil) or not Assigned(CurrentIdle.Event) or (Raised <> nil) then
    Exit;
  Cancel := False;
  try
    CurrentIdle.Event(Cancel);
  except
    Cancel := True;
    Raised := TObject(AcquireExceptionObject);
  end;
  Result := Ord(Cancel);
end;

procedure PayorderSetIdle(const Idle: TPayorderIdleEvent; Owner: TComponent);
begin
  NeedLibrary;
  Lib.SetIdle(nil, nil);
  FreeAndNil(CurrentIdle);
  if not Assigned(Idle) then
    Exit;
  CurrentIdle := TIdle.Create(nil);
  CurrentIdle.Event := Idle;
  if Owner <> nil then
    Owner.FreeNotification(CurrentIdle);
  Lib.SetIdle(@RunIdle, nil);
end;

procedure LogEvent(Event: PText; UserData: Pointer);
  {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
var
  Log: TPayorderLogEvent;
begin
  try
    Loading.Acquire;
    Log := TPayorderLog(UserData).FEvent;
    Loading.Release;
    if Assigned(Log) then
      Log(Copied(Event));
  except
    { It must neither pass through the library nor hide what happened to an order. }
  end;
end;

function TPayorderClient.GetLog: TPayorderLogEvent;
begin
  Result := FLog.FEvent;
end;

procedure TPayorderClient.SetLog(const Value: TPayorderLogEvent);
begin
  Loading.Acquire;
  FLog.FEvent := Value;
  Loading.Release;
  if Assigned(Value) then
    Lib.ClientSetLog(FHandle, @LogEvent, FLog)
  else
    Lib.ClientSetLog(FHandle, nil, nil);
end;

function TPayorderClient.CreateOrder(const Order: TPayorderOrder;
  Options: UTF8String): TPayorderCheckout;
begin
  Result := CheckoutOf(Made(Lib.CreateOrder, Self, OrderJson(Order), Options));
end;

function TPayorderClient.GetStatus(Query, Options: UTF8String): TPayorderStatus;
begin
  try
    Result := PayorderStatusOf(Made(Lib.GetStatus, Self, QueryOf(Query), Options));
  except
    on Error: EPayorder do
    begin
      Error.FAsked := Query;
      raise;
    end;
  end;
end;

function TPayorderClient.GetStatus(Error: EPayorder; Options: UTF8String): TPayorderStatus;
begin
  Result := GetStatus(QueryOf(Error), Options);
end;

function TPayorderClient.GetStatus(const Entry: TPayorderEntry;
  Options: UTF8String): TPayorderStatus;
begin
  Result := GetStatus(PayorderOrderQuery(Entry.OrderId), Options);
end;

function TPayorderClient.Recover(const Sales: array of UTF8String;
  Options: UTF8String): TPayorderRecovered;
var
  Json: UTF8String;
begin
  Json := '';
  if Length(Sales) > 0 then
    Json := Joined(Sales);
  Json := Made(Lib.Recover, Self, Json, Options);
  Result.Summary := SummaryOf(PayorderJsonGet(Json, '/summary'));
  Result.OtherServices := NumberAt(Json, '/otherServices', 0);
  Result.Sales := SalesOf(Json, '/sales');
end;

function TPayorderClient.WaitForPayment(Query, Options: UTF8String): TPayorderWaited;
var
  Status: UTF8String;
begin
  Result.Json := Made(Lib.WaitForPayment, Self, QueryOf(Query), Options);
  Result.IsFinal := IsTrue(Result.Json, '/final');
  Result.TimedOut := IsTrue(Result.Json, '/timedOut');
  Result.Polls := NumberAt(Result.Json, '/polls', 0);
  Status := PayorderJsonGet(Result.Json, '/status');
  Result.HasStatus := Status <> '';
  Result.Status := PayorderStatusOf(Status);
  Result.ErrorJson := PayorderJsonGet(Result.Json, '/error');
end;

function TPayorderClient.WaitForPayment(Error: EPayorder; Options: UTF8String): TPayorderWaited;
begin
  Result := WaitForPayment(QueryOf(Error), Options);
end;

function TPayorderClient.WaitForPayment(const Entry: TPayorderEntry;
  Options: UTF8String): TPayorderWaited;
begin
  Result := WaitForPayment(PayorderOrderQuery(Entry.OrderId), Options);
end;

function StatusArrived(Index: TPayorderSize; Code: Integer; Json: PText;
  UserData: Pointer): Integer; {$IFDEF PAYORDER_STDCALL}stdcall{$ELSE}cdecl{$ENDIF};
var
  Each: TPayorderStatusEvent;
  Continue_: Boolean;
begin
  Result := 0;
  { After an exception the library still gives the results of the queries in flight. }
  if Raised <> nil then
    Exit;
  try
    Continue_ := True;
    Each := PStatusEvent(UserData)^;
    if Assigned(Each) then
      Each(Index, Code, Copied(Json), Continue_);
    Result := Ord(Continue_);
  except
    Raised := TObject(AcquireExceptionObject);
  end;
end;

function TPayorderClient.GetStatuses(const Queries: array of UTF8String;
  Each: TPayorderStatusEvent; Options: UTF8String): TPayorderSummary;
var
  Items: TPayorderTexts;
  Text: PText;
  I, Code: Integer;
  Log: IInterface;
begin
  Log := FKept;
  SetLength(Items, Length(Queries));
  for I := 0 to High(Queries) do
    Items[I] := QueryOf(Queries[I]);
  Code := Lib.GetStatuses(FHandle, Given(Joined(Items)), GivenOptions(Options), @StatusArrived,
    @@Each, @Text);
  if Raised <> nil then
  begin
    Lib.StringFree(Text);
    RaiseCaught;
  end;
  Result := SummaryOf(Checked(Code, Text));
end;

function TPayorderClient.JournalList(Options: UTF8String): TPayorderEntries;
begin
  Result := EntriesOf(MadeWith(Lib.JournalList, Self, Options), '/entries');
end;

function TPayorderClient.JournalResolve(Options: UTF8String): TPayorderResolved;
var
  Json: UTF8String;
begin
  Json := MadeWith(Lib.JournalResolve, Self, Options);
  Result.Summary := SummaryOf(PayorderJsonGet(Json, '/summary'));
  Result.OtherServices := NumberAt(Json, '/otherServices', 0);
  Result.Entries := EntriesOf(Json, '/entries');
end;

function TPayorderClient.JournalSettle(Entry: Int64; const Note,
  Options: UTF8String): TPayorderEntry;
var
  All: UTF8String;
begin
  All := PayorderJsonSet(Options, '/entry', UTF8String(IntToStr(Entry)));
  if Note <> '' then
    SetText(All, 'note', Note);
  Result := EntryOf(MadeWith(Lib.JournalSettle, Self, All));
end;

function TPayorderClient.JournalPrune(OlderThanDays: Integer;
  const Options: UTF8String): Integer;
var
  All: UTF8String;
begin
  All := PayorderJsonSet(Options, '/olderThanDays', UTF8String(IntToStr(OlderThanDays)));
  Result := NumberAt(MadeWith(Lib.JournalPrune, Self, All), '/removed', 0);
end;

{ ---- Without the network --------------------------------------------------------------------- }

function PayorderBuildCreateOrder(const Order: TPayorderOrder;
  const Options: UTF8String): UTF8String;
begin
  NeedLibrary;
  Result := Offline(Lib.BuildCreateOrder, OrderJson(Order), Options);
end;

function PayorderBuildGetStatus(const Query: UTF8String): UTF8String;
begin
  NeedLibrary;
  Result := OfText(Lib.BuildGetStatus, QueryOf(Query));
end;

function PayorderParseReturnUrl(const Url: UTF8String; out TransactionId: UTF8String): UTF8String;
var
  Json: UTF8String;
begin
  NeedLibrary;
  Json := OfText(Lib.ParseReturnUrl, Url);
  TransactionId := PayorderJsonGet(Json, '/transactionId');
  Result := PayorderJsonGet(Json, '/statusQuery');
end;

function PayorderVerifyPayment(const OrderId, Amount, StatusJson, TransactionId,
  NotBefore: UTF8String): TPayorderVerdict;
var
  Expected: UTF8String;
begin
  try
    Expected := PayorderSale(OrderId, Amount);
    SetGiven(Expected, 'transactionId', TransactionId);
    SetGiven(Expected, 'notBefore', NotBefore);
    Result.Json := Offline(Lib.VerifyPayment, Expected, StatusJson);
  except
    on Error: EPayorderInvalidRequest do
      raise EPayorderUnusable.CreateFrom(Error.Code, Error.Json, string(Error.Description));
  end;
  Result.Paid := IsTrue(Result.Json, '/paid');
  Result.Failed := ChecksOf(Result.Json, '/reasons');
end;

function PayorderVerifyPayment(const OrderId: UTF8String; Amount: Currency;
  const StatusJson, TransactionId, NotBefore: UTF8String): TPayorderVerdict;
begin
  Result := PayorderVerifyPayment(OrderId, PayorderAmount(Amount), StatusJson, TransactionId,
    NotBefore);
end;

{ ---- About the library ----------------------------------------------------------------------- }

function PayorderVersion: UTF8String;
begin
  NeedLibrary;
  Result := Copied(Lib.Version());
end;

function PayorderResultName(Code: Integer): UTF8String;
begin
  NeedLibrary;
  Result := Copied(Lib.ResultName(Code));
end;

function PayorderLiveClients: TPayorderSize;
begin
  NeedLibrary;
  Result := Lib.LiveClients();
end;

function PayorderLiveStrings: TPayorderSize;
begin
  NeedLibrary;
  Result := Lib.LiveStrings();
end;

function PayorderLiveCalls: TPayorderSize;
begin
  NeedLibrary;
  Result := Lib.LiveCalls();
end;

initialization
  Loading := TCriticalSection.Create;
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
    SetMultiByteConversionCodePage(CP_UTF8);
  {$ENDIF}{$ENDIF}

finalization
  Loading.Free;

end.
