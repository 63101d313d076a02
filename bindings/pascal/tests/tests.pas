{ The tests of the unit, against a sandbox. PAYORDER_BASE_URL and the others are set by ../test. }
program tests;

{$MODE DELPHI}{$CODEPAGE UTF8}{$ASSERTIONS ON}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} SysUtils, Classes, payorder, till;

type
  EPlanted = class(Exception);

  TSeen = class
    Count: Integer;
    Events: TStringList;
    Throws: Boolean;
    Thread: TThreadID;
    procedure Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
    procedure Log(const Json: UTF8String);
  end;

  { Cancels when an order has arrived at the service, which the log's events do not say. }
  TCanceller = class(TThread)
    Cancellation: TPayorderCancellation;
    Client: TPayorderClient;
    procedure Execute; override;
  end;

procedure TSeen.Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
begin
  Inc(Count);
  Thread := GetCurrentThreadId;
  if Throws then
    raise EPlanted.Create('planted');
end;

procedure TSeen.Log(const Json: UTF8String);
begin
  Events.Add(PayorderJsonGet(Json, '/event'));
  if Throws then
    raise EPlanted.Create('planted');
end;

procedure TCanceller.Execute;
begin
  Sleep(500);
  if Cancellation <> nil then
    Cancellation.Cancel
  else
    Client.Cancel;
end;

var
  Number: Integer = 0;

procedure Check(Condition: Boolean; const What: string);
begin
  if not Condition then
    raise Exception.Create('FAILED: ' + What);
end;

procedure Same(const Got, Expected: UTF8String; const What: string);
begin
  Check(Got = Expected, What + ': ' + string(Got) + ' instead of ' + string(Expected));
end;

function NewOrder(const Product: UTF8String): TPayorderOrder;
begin
  Inc(Number);
  Result := TwoCoffees(UTF8String('test-' + IntToStr(Number)));
  Result.ProductInfo := Product;
end;

procedure TestOutcomes(Client: TPayorderClient);
var
  Order: TPayorderOrder;
  Failed: Boolean;
  Unreachable: TPayorderClient;
begin
  Order := NewOrder('sandbox:drop-after-commit');
  Failed := False;
  try
    Client.CreateOrder(Order);
  except
    on E: EPayorderUnknown do
    begin
      Failed := True;
      Check(E.Code = PAYORDER_CONNECTION_LOST, 'result');
      Same(E.ResultName, 'PAYORDER_CONNECTION_LOST', 'name');
      Same(E.Outcome, 'unknown', 'outcome');
      Same(E.Action, PAYORDER_ACTION_ASK_STATUS, 'action');
      Same(E.Member['operation'], 'create_order', 'operation');
      Same(Client.GetStatus(E.StatusQuery).OrderId, Order.OrderId, 'statusQuery');
    end;
  end;
  Check(Failed, 'a lost response is EPayorderUnknown');

  Failed := False;
  try
    Client.CreateOrder(NewOrder('sandbox:reject'));
  except
    on E: EPayorderRejected do
      Failed := (E.Code = 100) and (E.Member['responseCode'] = '400');
  end;
  Check(Failed, 'a refusal is EPayorderRejected');

  Failed := False;
  try
    Client.CreateOrder(PayorderEmptyOrder);
  except
    on E: EPayorderInvalidRequest do
      Failed := (Length(E.Violations) = 11) and (E.Violations[0].Field = 'amount');
  end;
  Check(Failed, 'an empty order has 11 violations');

  Unreachable := TPayorderClient.Create(
    '{"baseUrl":"http://127.0.0.1:1","accessToken":"x","createRetries":0,"proxy":"none"}');
  try
    Failed := False;
    try
      Unreachable.CreateOrder(NewOrder('x'));
    except
      on E: EPayorderNotSent do
        Failed := (E is EPayorderConnectFailed) and (E.Cause = PAYORDER_CAUSE_CONNECTION_REFUSED);
    end;
    Check(Failed, 'no connection is EPayorderConnectFailed');
  finally
    Unreachable.Free;
  end;

  Failed := False;
  try
    TPayorderClient.Create('{"baseUrl":7}');
  except
    on E: EPayorderNotSent do
      Failed := E.Code = PAYORDER_INVALID_CONFIG;
  end;
  Check(Failed, 'a wrong configuration');
end;

procedure TestTexts(Client: TPayorderClient);
var
  Order: TPayorderOrder;
  Failed: Boolean;
begin
  Order := NewOrder('x');
  Order.CustomerName := 'आशा "☕😀" \ ';
  Order.OrderId := Order.OrderId + '-आ 😀 ';
  Client.CreateOrder(Order);
  Same(Client.GetStatus(PayorderOrderQuery(Order.OrderId)).CustomerName, Order.CustomerName,
    'UTF-8, with a blank at the end');
  Order := NewOrder('x');
  Order.ProductInfo := 'a'#0'b';
  Failed := False;
  try
    Client.CreateOrder(Order);
  except
    on E: EPayorderNotSent do
      Failed := Pos('NUL', E.Message) > 0;
  end;
  Check(Failed, 'a NUL is refused before the call');
  Same(PayorderJsonGet('{"a":"null","b":null}', '/a'), 'null', 'a text');
  Same(PayorderJsonGet('{"a":"null","b":null}', '/b'), '', 'null');
end;

procedure TestStatuses(Client: TPayorderClient);
var
  Seen: TSeen;
  Order: TPayorderOrder;
  Summary: TPayorderSummary;
  Failed: Boolean;
begin
  Seen := TSeen.Create;
  try
    Order := NewOrder('x');
    Client.CreateOrder(Order);
    Summary := Client.GetStatuses([PayorderOrderQuery(Order.OrderId), PayorderOrderQuery('none')],
      Seen.Each);
    Check((Seen.Count = 2) and (Summary.Ok = 1) and (Summary.Rejected = 1), 'two statuses');
    Check(Seen.Thread = GetCurrentThreadId, 'the callback runs in the calling thread');
    Seen.Throws := True;
    Seen.Count := 0;
    Failed := False;
    try
      Client.GetStatuses([PayorderOrderQuery('a'), PayorderOrderQuery('b'),
        PayorderOrderQuery('c')], Seen.Each, PayorderOptions(['concurrency', 1]));
    except
      on E: EPlanted do
        Failed := Seen.Count = 1;
    end;
    Check(Failed, 'an exception of the callback ends the call and is raised');
  finally
    Seen.Free;
  end;
end;

procedure TestLog(Client: TPayorderClient);
var
  Seen: TSeen;
begin
  Seen := TSeen.Create;
  Seen.Events := TStringList.Create;
  try
    Client.OnLog := Seen.Log;
    Seen.Throws := True;
    Check(Client.CreateOrder(NewOrder('x')).Url <> '', 'a log that fails hides no URL');
    Client.OnLog := nil;
    Check(Seen.Events.IndexOf('call_finished') >= 0, 'log events');
    Seen.Events.Clear;
    Client.CreateOrder(NewOrder('x'));
    Check(Seen.Events.Count = 0, 'the log is switched off');
  finally
    Seen.Events.Free;
    Seen.Free;
  end;
end;

procedure TestCancelling(Client: TPayorderClient);
var
  Canceller: TCanceller;
  Failed: Boolean;
  Order: TPayorderOrder;
  Round_: Integer;
begin
  for Round_ := 1 to 2 do
  begin
    Canceller := TCanceller.Create(True);
    Canceller.Client := Client;
    Canceller.Cancellation := TPayorderCancellation.Create;
    try
      Order := NewOrder('sandbox:stall');
      Failed := False;
      if Round_ = 2 then
        FreeAndNil(Canceller.Cancellation);
      Canceller.Start;
      try
        if Round_ = 1 then
          Client.CreateOrder(Order,
            PayorderOptions(['cancellation', Canceller.Cancellation.Token]))
        else
          Client.CreateOrder(Order);
      except
        on E: EPayorderUnknown do
          Failed := (E.Code = PAYORDER_CANCELLED_IN_FLIGHT) and (E.StatusQuery <> '');
      end;
      Check(Failed, 'cancelled in flight is an unknown outcome');
      Canceller.WaitFor;
      if Round_ = 1 then
      begin
        Failed := False;
        try
          Client.CreateOrder(NewOrder('x'),
            PayorderOptions(['cancellation', Canceller.Cancellation.Token]));
        except
          on E: EPayorderCancelled do
            Failed := E.Outcome = 'not_sent';
        end;
        Check(Failed, 'a cancelled token stays cancelled');
      end;
    finally
      Canceller.Cancellation.Free;
      Canceller.Free;
    end;
  end;
end;

procedure TestJournal(const Path: string);
var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Entries: TPayorderEntries;
  Failed: Boolean;
begin
  Client := TPayorderClient.Create(Settings(UTF8String(Path)));
  try
    Order := NewOrder('x');
    Client.CreateOrder(Order);
    Failed := False;
    try
      Client.CreateOrder(Order);
    except
      on E: EPayorderDuplicate do
        Failed := (E.Previous.OrderId = Order.OrderId) and (E.Previous.Url <> '')
          and (E.Previous.ResultCode = 0);
    end;
    Check(Failed, 'a duplicate has the previous order');
    Check(Client.JournalResolve.Summary.Asked = 1, 'resolve');
    Entries := Client.JournalList;
    Check((Length(Entries) = 1) and (Entries[0].State = 'created'), 'list');
    Same(Client.JournalSettle(Entries[0].Entry, 'paid in cash').State, 'settled', 'settle');
    Check(Client.JournalPrune = 0, 'prune');
  finally
    Client.Free;
  end;
end;

procedure TestOffline;
var
  Transaction: UTF8String;
  Failed: Boolean;
begin
  Same(PayorderJsonGet(PayorderParseReturnUrl('/done?txn=TXN1', Transaction), '/transactionId'),
    'TXN1', 'the query');
  Same(Transaction, 'TXN1', 'the transaction');
  Failed := False;
  try
    PayorderParseReturnUrl('/done', Transaction);
  except
    on E: EPayorderUnusable do
      Failed := E.Code = PAYORDER_INVALID_REQUEST;
  end;
  Check(Failed, 'a return URL without txn');
  Same(PayorderJsonGet(PayorderBuildCreateOrder(NewOrder('x')), '/payMode'), 'all', 'a body');
  Same(PayorderJsonGet(PayorderBuildGetStatus('{"orderId":"O"}'), '/searchType'), '1', 'a query');
end;

procedure TestClosed;
var
  Client: TPayorderClient;
  Failed: Boolean;
begin
  Client := TPayorderClient.Create(Settings);
  Client.Close;
  Failed := False;
  try
    Client.CreateOrder(NewOrder('x'));
  except
    on E: EPayorderNotSent do
      Failed := E.Code = PAYORDER_INVALID_HANDLE;
  end;
  Check(Failed, 'a closed client is EPayorderNotSent');
  Client.Free;
end;

var
  Client: TPayorderClient;
begin
  if ParamStr(1) = '--other-abi' then
  try
    PayorderVersion;
    Halt(1);
  except
    on E: EPayorderNotSent do
    begin
      Check(Pos('version 9', E.Message) > 0, E.Message);
      WriteLn('ok: ', E.Message);
      Halt(0);
    end;
  end;
  Client := TPayorderClient.Create(Settings);
  TestOutcomes(Client);
  TestTexts(Client);
  TestStatuses(Client);
  TestLog(Client);
  TestCancelling(Client);
  Client.Free;
  TestJournal(ParamStr(1));
  TestOffline;
  TestClosed;
  Check(PayorderLiveClients = 0, 'no client is left');
  Check(PayorderLiveStrings = 0, 'no string is left');
  Check(PayorderLiveCalls = 0, 'no call is left');
  WriteLn('ok: all tests passed');
end.
