{ The unit's driver of the conformance suite: see bindings/conformance/README.md. }
program conformance;

{$MODE DELPHI}{$CODEPAGE UTF8}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} SysUtils, Classes, SyncObjs, payorder;

type
  { The exception of the step `throw`. }
  EPlanted = class(Exception);

  { What the driver does in callbacks. }
  TDriver = class
    Step, Items, LogAt, LogThen: UTF8String;
    Seen: Integer;
    procedure Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
    procedure Log(const Json: UTF8String);
  end;

  { A step in a thread. }
  TRunning = class(TThread)
    Step, Report: UTF8String;
    procedure Execute; override;
  end;

var
  Clients, Cancellations, Threads: TStringList;
  Driver: TDriver;
  Events: UTF8String;
  { Guards Events. }
  Guard: TCriticalSection;

threadvar
  { The items of the current step, and how many steps this thread is in. }
  Items: UTF8String;
  Depth: Integer;

function Perform(const Step: UTF8String): UTF8String; forward;

function Get(const Json, Pointer: UTF8String): UTF8String;
begin
  Result := PayorderJsonGet(Json, Pointer);
end;

{ Any text, which a program cannot give. }
function Amount(const Json, Pointer: UTF8String): TPayorderAmount;
begin
  PUTF8String(@Result)^ := Get(Json, Pointer);
end;

function Q(const Text: UTF8String): UTF8String;
begin
  Result := PayorderJsonQuote(Text);
end;

{ null for an empty text. }
function OrNull(const Text: UTF8String): UTF8String;
begin
  if Text = '' then Result := 'null' else Result := Q(Text);
end;

function Raw(const Json: UTF8String): UTF8String;
begin
  if Json = '' then Result := 'null' else Result := Json;
end;

function Bool(Value: Boolean): UTF8String;
begin
  if Value then Result := 'true' else Result := 'false';
end;

{ null for -1. }
function Number(Value: Int64): UTF8String;
begin
  if Value < 0 then Result := 'null' else Result := UTF8String(IntToStr(Value));
end;

{ An array of JSON values. }
procedure Append(var Items: UTF8String; const Json: UTF8String);
begin
  if Items <> '' then
    Items := Items + ',';
  Items := Items + Json;
end;

{ ---- Reports --------------------------------------------------------------------------------- }

{$I tests/reports.inc}

function PreviousReport(const E: TPayorderEntry): UTF8String;
begin
  if E.Entry = 0 then Result := 'null' else Result := EntryReport(E);
end;

function CountsReport(const S: TPayorderSummary): UTF8String;
begin
  Result := PayorderJsonSet(SummaryReport(S), '/transactionStatus',
    Get(S.Json, '/transactionStatus'));
end;

function ErrorReport(E: EPayorder): UTF8String;
const
  TEXTS: array[0..2] of UTF8String = ('operation', 'responseCode', 'responseMessage');
  NUMBERS: array[0..3] of UTF8String = ('attempts', 'elapsedMs', 'httpStatus', 'retryAfterMs');
var
  Status: TPayorderStatus;
  Caught: UTF8String;
  I: Integer;
begin
  if E is EPayorderNotSent then
    Caught := 'not_sent'
  else if E is EPayorderRejected then
    Caught := 'rejected'
  else if E is EPayorderUnknown then
    Caught := 'unknown'
  else
    Caught := 'unusable';
  Result := '"result":' + Number(E.Code) + ',"name":' + Q(E.ResultName) +
    ',"outcome":' + Q(E.Outcome) + ',"cause":' + Q(E.Cause) + ',"action":' + Q(E.Action) +
    ',"message":' + Q(E.Description) + ',"statusQuery":' + Raw(E.StatusQuery) +
    ',"previous":' + PreviousReport(E.Previous) + ',"caught":' + Q(Caught) +
    ',"class":' + Q(UTF8String(E.ClassName));
  for I := 0 to High(TEXTS) do
    Append(Result, Q(TEXTS[I]) + ':' + OrNull(E.Member[TEXTS[I]]));
  for I := 0 to High(NUMBERS) do
    Append(Result, Q(NUMBERS[I]) + ':' + Raw(E.Member[NUMBERS[I]]));
  Status := E.LastStatus;
  if Status.Json <> '' then
    Append(Result, '"status":' + StatusReport(Status));
  Result := '{' + Result + ',"violations":' + ViolationsReport(E.Violations) + '}';
end;

{ An error that is not raised: of an item, or of a wait. }
function ErrorOfJson(const Json: UTF8String): UTF8String;
var
  E: EPayorder;
begin
  E := PayorderErrorOf(Json);
  try
    Result := ErrorReport(E);
  finally
    E.Free;
  end;
end;

function ThisThread: UTF8String;
begin
  if Depth > 0 then Result := '"caller"' else Result := '"other"';
end;

{ ---- Callbacks ------------------------------------------------------------------------------- }

procedure TDriver.Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
var
  Item, Next: UTF8String;
begin
  if Code = PAYORDER_OK then
    Item := '{"ok":true,"value":' + StatusReport(PayorderStatusOf(Json))
  else
    Item := '{"ok":false,"error":' + ErrorOfJson(Json);
  Append(Items, Item + ',"index":' + Number(Index) + ',"thread":' + ThisThread + '}');
  Inc(Seen);
  Next := Get(Step, '/then');
  if (Next <> '') and (Get(Step, '/at') = Number(Seen - 1)) then
  begin
    if Get(Next, '/op') = 'stop' then
      Continue := False
    else
      Perform(Next);
  end;
end;

procedure TDriver.Log(const Json: UTF8String);
begin
  Guard.Acquire;
  Append(Events, PayorderJsonSet(Json, '/thread', ThisThread));
  Guard.Release;
  if (LogThen <> '') and (Get(Json, '/event') = LogAt) then
    Perform(LogThen);
end;

{ ---- Steps ----------------------------------------------------------------------------------- }

{ A list that frees what is removed from it. }
function Owner: TStringList;
begin
  Result := TStringList.Create;
  Result.OwnsObjects := True;
end;

function Named(List: TStringList; const Name: UTF8String): TObject;
begin
  Result := List.Objects[List.IndexOf(string(Name))];
end;

procedure Keep(List: TStringList; const Name: UTF8String; Value: TObject);
begin
  if List.IndexOf(string(Name)) >= 0 then
    List.Delete(List.IndexOf(string(Name)));
  List.AddObject(string(Name), Value);
end;

function Client(const Step: UTF8String): TPayorderClient;
begin
  Result := TPayorderClient(Named(Clients, Get(Step, '/client')));
end;

function Cancellation(const Step: UTF8String): TPayorderCancellation;
begin
  Result := TPayorderCancellation(Named(Cancellations, Get(Step, '/cancellation')));
end;

function Options(const Step: UTF8String): UTF8String;
begin
  Result := Get(Step, '/options');
  if Get(Step, '/cancellation') <> '' then
    Result := PayorderJsonSet(Result, '/cancellation', Q(Cancellation(Step).Token));
end;

{ A status with its text, for `verify`. }
function WithText(const Status: TPayorderStatus): UTF8String;
begin
  Result := PayorderJsonSet(StatusReport(Status), '/raw', Q(Status.Json));
end;

function Waited(const W: TPayorderWaited): UTF8String;
begin
  Result := '{"final":' + Bool(W.IsFinal) + ',"timedOut":' + Bool(W.TimedOut) +
    ',"polls":' + Number(W.Polls);
  if W.HasStatus then
    Result := Result + ',"status":' + WithText(W.Status);
  if W.ErrorJson <> '' then
    Result := Result + ',"error":' + ErrorOfJson(W.ErrorJson);
  Result := Result + '}';
end;

function Statuses(const Step: UTF8String): UTF8String;
var
  Collector: TDriver;
begin
  Collector := TDriver.Create;
  try
    Collector.Step := Step;
    Result := CountsReport(Client(Step).GetStatuses(PayorderJsonItems(Step, '/queries'),
      Collector.Each, Options(Step)));
  finally
    Items := Collector.Items;
    Collector.Free;
  end;
end;

function Journal(const Step: UTF8String): UTF8String;
var
  Verb: UTF8String;
  Resolved: TPayorderResolved;
begin
  Verb := Get(Step, '/do');
  if Verb = 'list' then
    Result := EntriesReport(Client(Step).JournalList(Options(Step)))
  else if Verb = 'resolve' then
  begin
    Resolved := Client(Step).JournalResolve(Options(Step));
    Result := '{"summary":' + CountsReport(Resolved.Summary) + ',"otherServices":' +
      Number(Resolved.OtherServices) + ',"refusal":' + Q(Resolved.Refusal) +
      ',"entries":' + EntriesReport(Resolved.Entries) + '}';
  end
  else if Verb = 'settle' then
    Result := EntryReport(Client(Step).JournalSettle(
      StrToInt64(string(Get(Step, '/options/entry'))), '', Options(Step)))
  else
    Result := Number(Client(Step).JournalPrune(
      StrToIntDef(string(Get(Step, '/options/olderThanDays')), 90), Options(Step)));
end;

function Recover(const Step: UTF8String): UTF8String;
var
  Recovered: TPayorderRecovered;
begin
  Recovered := Client(Step).Recover(PayorderJsonItems(Step, '/sales'), Options(Step));
  Result := '{"summary":' + CountsReport(Recovered.Summary) + ',"otherServices":' +
    Number(Recovered.OtherServices) + ',"refusal":' + Q(Recovered.Refusal) +
    ',"sales":' + SalesReport(Recovered.Sales) + '}';
end;

function Check(const Step: UTF8String): UTF8String;
var
  Found: TPayorderChecked;
  I: Integer;
begin
  Found := Client(Step).Check(Options(Step));
  Result := '';
  for I := 0 to High(Found.Steps) do
    Append(Result, PayorderJsonSet(CheckStepReport(Found.Steps[I]), '/details',
      Get(Found.Steps[I].Json, '/details')));
  Result := '{"ok":' + Bool(Found.Ok) + ',"steps":[' + Result + ']}';
end;

function Verify(const Step: UTF8String): UTF8String;
var
  OrderId, TransactionId, NotBefore: UTF8String;
  Verdict: TPayorderVerdict;
begin
  OrderId := Get(Step, '/expected/orderId');
  TransactionId := Get(Step, '/expected/transactionId');
  NotBefore := Get(Step, '/expected/notBefore');
  if NotBefore = '' then
    Verdict := PayorderVerifyPayment(OrderId, Amount(Step, '/expected/amount'),
      Get(Step, '/status'), TransactionId)
  else
    Verdict := PayorderVerifyPayment(OrderId, Amount(Step, '/expected/amount'),
      Get(Step, '/status'), TransactionId, NotBefore);
  Result := '{"paid":' + Bool(Verdict.Paid) + ',"reasons":' + Get(Verdict.Json, '/reasons') +
    ',"unverifiable":' + Get(Verdict.Json, '/unverifiable') + '}';
end;

procedure SwitchLog(const Step: UTF8String);
begin
  Driver.LogAt := Get(Step, '/at');
  Driver.LogThen := Get(Step, '/then');
  if Get(Step, '/on') = 'false' then
    Client(Step).OnLog := nil
  else
    Client(Step).OnLog := Driver.Log;
end;

{ Runs a step, and returns its value. }
function Perform(const Step: UTF8String): UTF8String;
var
  Op, Text: UTF8String;
begin
  Op := Get(Step, '/op');
  Result := 'null';
  if Op = 'open' then
    Keep(Clients, Get(Step, '/client'), TPayorderClient.Create(Get(Step, '/config')))
  else if Op = 'create' then
    Result := CheckoutReport(Client(Step).CreateOrder(Order(Step), Options(Step)))
  else if Op = 'status' then
    Result := WithText(Client(Step).GetStatus(Get(Step, '/query'), Options(Step)))
  else if Op = 'wait' then
    Result := Waited(Client(Step).WaitForPayment(Get(Step, '/query'), Options(Step)))
  else if Op = 'statuses' then
    Result := Statuses(Step)
  else if Op = 'journal' then
    Result := Journal(Step)
  else if Op = 'check' then
    Result := Check(Step)
  else if Op = 'recover' then
    Result := Recover(Step)
  else if Op = 'credentials' then
    Client(Step).SetCredentials(Get(Step, '/credentials'))
  else if Op = 'shutdown' then
    Client(Step).Stop
  else if (Op = 'build') and (Get(Step, '/query') <> '') then
    Result := Q(PayorderBuildGetStatus(Get(Step, '/query')))
  else if Op = 'build' then
    Result := Q(PayorderBuildCreateOrder(Order(Step), Options(Step)))
  else if Op = 'parse' then
  begin
    Result := PayorderParseReturnUrl(Get(Step, '/url'), Text);
    Result := '{"transactionId":' + Q(Text) + ',"statusQuery":' + Result + '}';
  end
  else if Op = 'verify' then
    Result := Verify(Step)
  else if Op = 'cancellation' then
    Keep(Cancellations, Get(Step, '/cancellation'), TPayorderCancellation.Create)
  else if (Op = 'cancel') and (Get(Step, '/cancellation') <> '') then
    Cancellation(Step).Cancel
  else if (Op = 'close') and (Get(Step, '/cancellation') <> '') then
    Cancellation(Step).Close
  else if Op = 'cancel' then
    Client(Step).Cancel
  else if Op = 'close' then
    Client(Step).Close
  else if Op = 'log' then
    SwitchLog(Step)
  else if Op = 'events' then
  begin
    Result := '[' + Events + ']';
    Events := '';
  end
  else if Op = 'counters' then
    Result := '{"clients":' + Number(PayorderLiveClients) + ',"strings":' +
      Number(PayorderLiveStrings) + ',"calls":' + Number(PayorderLiveCalls) + '}'
  else if Op = 'throw' then
    raise EPlanted.Create('planted')
  else if Op <> 'collect' then
    raise Exception.Create('unknown step ' + string(Op));
end;

function Run(const Step: UTF8String): UTF8String;
begin
  Items := '';
  Inc(Depth);
  try
    Result := '{"ok":true,"value":' + Perform(Step);
  except
    on E: EPayorder do
      Result := '{"ok":false,"error":' + ErrorReport(E);
    on E: EPlanted do
      Result := '{"ok":false,"thrown":"planted"';
  end;
  if Get(Step, '/op') = 'statuses' then
    Result := Result + ',"items":[' + Items + ']';
  Result := Result + '}';
  Dec(Depth);
end;

procedure TRunning.Execute;
begin
  Report := Run(Step);
end;

{ Reports the start of a call, with its number. }
function Started(const Step, Op: UTF8String): UTF8String;
var
  Call: Integer;
begin
  try
    if Op = 'create' then
      Call := Client(Step).StartCreateOrder(Order(Step), Options(Step))
    else if Op = 'status' then
      Call := Client(Step).StartGetStatus(Get(Step, '/query'), Options(Step))
    else
      Call := Client(Step).StartWaitForPayment(Get(Step, '/query'), Options(Step));
    Result := '{"ok":true,"call":' + Number(Call) + '}';
  except
    on E: EPayorder do
      Result := '{"ok":false,"error":' + ErrorReport(E) + '}';
  end;
end;

{ Reports the next answer of a client. }
function Taken(const Step: UTF8String): UTF8String;
var
  Done: TPayorderDone;
begin
  if not Client(Step).Take(Done, 60000) then
    raise Exception.Create('a started call never ended');
  try
    if Get(Done.Json, '/polls') <> '' then
      Result := Waited(PayorderWaitedOf(Done))
    else if Get(Done.Json, '/data/url') <> '' then
      Result := CheckoutReport(PayorderCheckoutOf(Done))
    else
      Result := WithText(PayorderStatusOf(Done));
    Result := '"ok":true,"value":' + Result;
  except
    on E: EPayorder do
      Result := '"ok":false,"error":' + ErrorReport(E);
  end;
  Result := '{"call":' + Number(Done.Call) + ',' + Result + '}';
end;

function Joined(const Name: UTF8String): UTF8String;
var
  Running: TRunning;
begin
  Running := TRunning(Named(Threads, Name));
  Running.WaitFor;
  Result := Running.Report;
  Threads.Delete(Threads.IndexOf(string(Name)));
end;

{ Runs a step here or in the background, or waits for one. }
function Answer(const Step: UTF8String): UTF8String;
var
  Running: TRunning;
  Name, Op: UTF8String;
begin
  Name := Get(Step, '/thread');
  Op := Get(Step, '/op');
  if Op = 'take' then
    Result := Taken(Step)
  else if Name = '' then
    Result := Run(Step)
  else if Op = 'join' then
    Result := Joined(Name)
  else if (Op = 'create') or (Op = 'status') or (Op = 'wait') then
    Result := Started(Step, Op)
  else
  begin
    Running := TRunning.Create(True);
    Running.Step := Step;
    Keep(Threads, Name, Running);
    Running.Start;
    Result := '{"ok":true}';
  end;
end;

const
  CLASSES = '{"not_sent":"EPayorderNotSent","rejected":"EPayorderRejected",' +
    '"unknown":"EPayorderUnknown","unusable":"EPayorderUnusable",' +
    '"PAYORDER_INVALID_ARGUMENT":"EPayorderInvalidRequest",' +
    '"PAYORDER_INVALID_REQUEST":"EPayorderInvalidRequest",' +
    '"PAYORDER_CANCELLED":"EPayorderCancelled",' +
    '"PAYORDER_CONNECT_FAILED":"EPayorderConnectFailed",' +
    '"PAYORDER_JOURNAL_FAILED":"EPayorderJournalFailed",' +
    '"PAYORDER_UNAUTHORIZED":"EPayorderUnauthorized",' +
    '"PAYORDER_RATE_LIMITED":"EPayorderRateLimited","PAYORDER_TIMEOUT":"EPayorderTimeout",' +
    '"PAYORDER_CONNECTION_LOST":"EPayorderConnectionLost",' +
    '"PAYORDER_DUPLICATE":"EPayorderDuplicate"}';
var
  Line, Version: UTF8String;
begin
  Guard := TCriticalSection.Create;
  Threads := Owner;
  Clients := Owner;
  Cancellations := Owner;
  Driver := TDriver.Create;
  try
    Version := PayorderVersion;
    WriteLn('{"driver":"pascal","language":"Free Pascal ', {$I %FPCVERSION%}, '","library":',
      Q(Version), ',"abi":', PAYORDER_HEADER_ABI_VERSION, ',"classes":', CLASSES,
      ',"features":["exceptions","threads","started","log-in-call","closing",' +
      '"load","opens","query-text","check"]}');
  except
    on E: EPayorderNotSent do
      { The library that quotes texts was refused. The message has no quotes. }
      if E.Action = PAYORDER_ACTION_FIX_CONFIGURATION then
        WriteLn('{"refused":"', E.Description, '"}');
  end;
  Flush(Output);
  while not Eof do
  begin
    ReadLn(Line);
    WriteLn(Answer(Line));
    Flush(Output);
  end;
end.
