{ The tests of the unit, against a sandbox. PAYORDER_BASE_URL and the others are set by ../test. }
program tests;

{$MODE DELPHI}{$CODEPAGE UTF8}{$ASSERTIONS ON}

uses
  {$IFDEF UNIX}cthreads, BaseUnix,{$ENDIF} foreign, SysUtils, Classes, payorder, till;

type
  EPlanted = class(Exception);

  { What the idle method does. }
  TDoes = (doesCancel, doesCancelAnswered, doesThrow, doesEnd, doesFree);

  TSeen = class
    Does: TDoes;
    Count, Logged: Integer;
    Answered, Slow: Boolean;
    procedure Idle(var Cancel: Boolean);
    procedure Log(const Json: UTF8String);
    procedure Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
  end;

  { What a program gives itself in its tests. }
  TFake = class(TPayorderClient, IPayorderClient)
    constructor Create;
    function CreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): TPayorderCheckout;
  end;

var
  Number: Integer = 0;
  Client: TPayorderClient;
  Seen: TSeen;
  { As a form, which owns the idle method. }
  Form: TComponent;
  { The query of a call, which the log method changes. }
  Asked: UTF8String;

procedure TSeen.Idle(var Cancel: Boolean);
begin
  Inc(Count);
  Cancel := Count = 3;
  case Does of
    doesCancelAnswered: Cancel := Answered;
    doesThrow: raise EPlanted.Create('planted');
    doesEnd: PayorderSetIdle(nil);
    doesFree:
      begin
        FreeAndNil(Form);
        Client.Free;
        { It lies where the other one was, and gets what is sent to that. }
        Client := TPayorderClient.CreateFromEnv;
        Client.OnLog := Log;
        Logged := 0;
      end;
  end;
end;

procedure TSeen.Log(const Json: UTF8String);
begin
  Inc(Logged);
  if Slow then
    Sleep(300);
  Answered := Answered or (Pos('attempt_finished', Json) > 0);
  Asked := 'O-another-' + UTF8String(IntToStr(Logged));
end;

procedure TSeen.Each(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
begin
  if (Code <> PAYORDER_OK) and (Pos('16 MiB', Json) > 0) then
    Inc(Count);
end;

constructor TFake.Create;
begin
  { No library, and no service. }
end;

function TFake.CreateOrder(const Order: TPayorderOrder; Options: UTF8String): TPayorderCheckout;
begin
  Result.Url := 'fake:' + Order.Amount.Text;
end;

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

{ A conversion as it is without cwstring. }
procedure Damage(Source: PUnicodeChar; var Dest: RawByteString; Page: TSystemCodePage;
  Len: SizeInt);
begin
  Dest := StringOfChar('?', Len);
end;

{ The next answer. }
function Taken: TPayorderDone;
begin
  Check(Client.Take(Result, 60000), 'a call ends');
end;

type
  TCall = (callFakeQuery, callFakeCancel, callFakeJournal, callFakeStart, callLoad, callName,
    callCreate, callStatus, callStart, callTaken, callOptions, callVerify, callNotBefore,
    callBuildOrder, callBuildQuery, callItems, callReturn, callRead, callAmount, callText,
    callSingle, callDouble, callWhole, callVariant, callPaise, callCurrency);

{ The exception of a call, whose class and words are checked. Free it. }
function Failure(Call: TCall; const Text: UTF8String; Kind: ExceptClass;
  const Words: string): Exception;
var
  Fake: TFake;
  Order: TPayorderOrder;
  Short: Single;
  Long: Double;
  Id: UTF8String;
begin
  Result := nil;
  Fake := TFake.Create;
  try
    case Call of
      callFakeQuery: Fake.GetStatus(Text);
      callFakeStart: Fake.StartGetStatus(Text);
      callFakeCancel: Fake.Cancel;
      callFakeJournal: Fake.JournalList;
      callLoad: PayorderLoad(string(Text));
      callName:
        begin
          Order := NewOrder('tea');
          Order.CustomerName := Text;
          Client.CreateOrder(Order);
        end;
      callCreate: Client.CreateOrder(NewOrder(Text), PayorderOptions(['timeoutMs', 400]));
      callStatus: Client.GetStatus(Asked, Text);
      callStart: Client.StartGetStatus(Text, '[');
      callTaken: PayorderStatusOf(Taken);
      callOptions: PayorderOptions(['extraFields', Text]);
      callVerify: PayorderVerifyPayment(Text, PayorderAmountOfPaise(100), '{}');
      callNotBefore: PayorderVerifyPayment('O', PayorderAmountOfPaise(100), '{}', '', Text);
      callBuildOrder:
        begin
          Order := NewOrder('tea');
          Order.CustomerName := Text;
          PayorderBuildCreateOrder(Order);
        end;
      callBuildQuery: PayorderBuildGetStatus(Text);
      callItems: PayorderJsonItems(Text, '/entries');
      callReturn: PayorderParseReturnUrl('https://shop.example/return?txn=' + Text, Id);
      callRead: PayorderStatusOf('{}' + Text);
      callAmount: PayorderAmount(StrToCurr(string(Text)));
      callText: PayorderAmount(Text);
      callSingle:
        begin
          Short := StrToFloat(string(Text));
          PayorderAmount(Short);
        end;
      callDouble:
        begin
          Long := StrToFloat(string(Text));
          PayorderAmount(Long);
        end;
      callWhole: PayorderAmount(StrToInt(string(Text)));
      callVariant: PayorderAmount(Variant(StrToInt(string(Text))));
      callPaise: PayorderAmountOfPaise(StrToInt(string(Text)));
      callCurrency: PayorderCurrency(Text);
    end;
  except
    on E: Exception do
    begin
      Check((E is Kind) and ((Words = '') or (Pos(Words, E.Message) > 0)), E.ClassName + ': ' +
        E.Message);
      Result := Exception(AcquireExceptionObject);
    end;
  end;
  Fake.Free;
  Check(Result <> nil, string(Text) + ' is refused');
end;

procedure Refused(Call: TCall; const Text: UTF8String; Kind: ExceptClass; const Words: string);
begin
  Failure(Call, Text, Kind, Words).Free;
end;

{ The methods that a program's own client does not have, with and without a library. }
procedure TestFake(Last: TCall);
var
  Fake: TFake;
  Call: TCall;
begin
  for Call := callFakeQuery to Last do
    Refused(Call, '{"orderId":"O"}', EPayorderNotSent, '');
  Fake := TFake.Create;
  Fake.OnLog := Seen.Log;
  Check(Assigned(Fake.OnLog), 'it keeps its log');
  Fake.OnLog := nil;
  Fake.Free;
end;

{ Nothing has loaded the library yet. }
procedure TestLoading;
var
  Manager, Damaged: TUnicodeStringManager;
  Path: UTF8String;
  Error: EPayorder;
begin
  Path := UTF8String(GetEnvironmentVariable('PAYORDER_LIBRARY'));
  Error := EPayorder(Failure(callPaise, '-1', EPayorderInvalidRequest,
    'PAYORDER_INVALID_ARGUMENT: amount'));
  Same(Error.Cause + ' ' + Error.Action, 'invalid_value fix_request', 'what to do about it');
  Error.Free;
  Error := EPayorder(Failure(callLoad, '/nowhere.so', EPayorderLibrary, '/nowhere.so ('));
  Check((Error.Violations = nil) and (Error.Previous.Entry = 0), 'it can be read');
  Error.Free;
  GetUnicodeStringManager(Manager);
  Damaged := Manager;
  Damaged.Unicode2AnsiMoveProc := Damage;
  SetUnicodeStringManager(Damaged);
  Refused(callLoad, Path, EPayorderLibrary, 'cannot convert texts');
  SetUnicodeStringManager(Manager);
  PayorderLoad(string(Path));
  Refused(callLoad, '/nowhere.so', EPayorderLibrary, 'was loaded before');
end;

procedure TestTexts;
var
  Wide: UnicodeString;
  Call: TCall;
  Error: EPayorder;
begin
  Wide := WideChar($0905);
  Same(UTF8String(Wide), #$E0#$A4#$85, 'a UnicodeString is converted');
  Client := TPayorderClient.CreateFromEnv;
  Refused(callName, #$E9, EPayorderInvalidRequest, 'customerName: text is not UTF-8');
  Refused(callName, #$E9, EPayorderInvalidRequest, 'nothing was sent');
  Refused(callName, 'a'#0, EPayorderInvalidRequest, 'customerName contains the character NUL');
  Refused(callOptions, '{', EPayorderInvalidRequest, 'extraFields: ');
  Refused(callStatus, '[', EPayorderInvalidRequest, 'options');
  Same(PayorderJsonGet(PayorderBuildGetStatus('{7C2B510B-0D3E}'), '/orderId'), '{7C2B510B-0D3E}',
    'an order id in braces');
  Refused(callBuildQuery, '{orderId:1}', EPayorderUnusable, '');
  for Call in [callVerify, callBuildOrder, callBuildQuery, callReturn] do
  begin
    Refused(Call, #$E9, EPayorderUnusable, '');
    Error := EPayorder(Failure(Call, 'a'#0, EPayorderUnusable, 'NUL'));
    Check(Pos('sent', Error.Message) = 0, 'it says nothing about an order');
    Error.Free;
  end;
  Refused(callVerify, #$E9, EPayorderUnusable, 'orderId');
  { Such as a column that was never filled in. Without it, an old payment would be this sale's. }
  Refused(callNotBefore, '', EPayorderUnusable, 'notBefore');
  Refused(callRead, #0, EPayorderUnusable, 'NUL');
  Refused(callItems, '{', EPayorderUnusable, 'JSON');
  Refused(callItems, '{"entries":["' + StringOfChar('a', 16 shl 20) + '"]}', EPayorderUnusable,
    'more than the 16777216 allowed');
  Client.Free;
end;

procedure TestQueries(const Path: string);
var
  Order, Until_: UTF8String;
  Entries: TPayorderEntries;
  Recovered: TPayorderRecovered;
  Error: EPayorder;
begin
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', Path]));
  Error := EPayorder(Failure(callCreate, 'sandbox:drop-after-commit', EPayorderConnectionLost, ''));
  Order := Client.GetStatus(Error).OrderId;
  Until_ := PayorderOptions(['waitMs', 60000, 'final', PayorderArray(['Pending'])]);
  Same(Client.WaitForPayment(Error, Until_).Status.OrderId, Order, 'an error is a query');
  Error.Free;
  Same(Client.GetStatus(Order).OrderId, Order, 'an order id is a query');
  Client.OnLog := Seen.Log;
  Asked := Copy(Order, 1, MaxInt);
  Error := EPayorder(Failure(callStatus, PayorderOptions(['clientKey', 'wrong']),
    EPayorderUnauthorized, ''));
  Check(Asked <> Order, 'the query changed during the call');
  Same(Client.GetStatus(Error).OrderId, Order, 'the error of a query asks the same again');
  Error.Free;
  Entries := Client.JournalList;
  Same(Client.GetStatus(Entries[0]).OrderId, Order, 'an entry is a query');
  Check(Client.WaitForPayment(Entries[0], Until_).IsFinal, 'an entry is a query of a wait');
  Recovered := Client.Recover([PayorderSale('O-none', PayorderAmount('1.00'))]);
  Same(Recovered.Sales[0].Verdict, 'not_in_journal', 'a sale of the program');
  Same(Recovered.Sales[1].OrderId + Recovered.Sales[1].Verdict, Order + 'url_lost', 'and one more');
  Refused(callCreate, 'sandbox:stall', EPayorderTimeout, '');
  Client.Free;
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', Path,
    'baseUrl', GetEnvironmentVariable('PAYORDER_BASE_URL') + '/other']));
  Check(Client.JournalResolve.OtherServices = 1, 'orders of another service are counted');
  Client.Free;
end;

{ An answer that cannot be read is not a good one with empty values. }
procedure TestLargeAnswers;
begin
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['maxResponseBytes', 16777216,
    'baseUrl', GetEnvironmentVariable('SERVICE_URL')]));
  Client.StartCreateOrder(NewOrder('large'));
  Refused(callTaken, 'the order', EPayorderUnknown, '16 MiB');
  Asked := 'large';
  Refused(callStatus, '', EPayorderUnknown, '16 MiB');
  Seen.Count := 0;
  Client.GetStatuses(['large'], Seen.Each);
  Check(Seen.Count = 1, 'a status of several');
  Client.Free;
end;

{ A key that ends a wait: the last status reaches the program. }
procedure TestCancelledWait;
var
  Order: TPayorderOrder;
  Seen_: TPayorderStatus;
begin
  Client := TPayorderClient.CreateFromEnv;
  Order := NewOrder('tea');
  Client.CreateOrder(Order);
  Client.OnLog := Seen.Log;
  PayorderSetIdle(Seen.Idle);
  Seen.Does := doesCancelAnswered;
  Seen.Answered := False;
  Seen_ := PayorderStatusOf('');
  try
    Client.WaitForPayment(Order.OrderId);
  except
    on Error: EPayorderUnknown do
      Seen_ := Error.LastStatus;
  end;
  Same(Seen_.OrderId + ' ' + Seen_.TransactionStatus, Order.OrderId + ' Pending', 'its last status');
  PayorderSetIdle(nil);
  Client.Free;
end;

{ A call that only its time or the idle method ends. }
procedure TestIdle(Does: TDoes; Count: Integer; Kind: ExceptClass; const Words: string);
var
  Error: EPayorder;
begin
  Form := TComponent.Create(nil);
  Client := TPayorderClient.CreateFromEnv;
  Client.OnLog := Seen.Log;
  PayorderSetIdle(Seen.Idle, Form);
  Seen.Does := Does;
  Seen.Count := 0;
  Error := EPayorder(Failure(callCreate, 'sandbox:stall', Kind, Words));
  Check((Error.IdleRaised <> nil) = (Does = doesThrow), 'the exception of the idle method');
  Error.Free;
  Check(Seen.Count = Count, Format('the idle method ran %d times', [Seen.Count]));
  Check((Seen.Logged = 0) = (Does = doesFree), 'a client that was freed has no log');
  PayorderSetIdle(nil);
  Form.Free;
  Client.Free;
end;

{ Calls that do not block. }
procedure TestStarted(const Path: string);
var
  Order: TPayorderOrder;
  First: Integer;
  Done: TPayorderDone;
  Entries: TPayorderEntries;
  Error: EPayorder;
  {$IFDEF UNIX}
  Poll: TPollFd;
  {$ENDIF}
begin
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', Path, 'maxCalls', 1]));
  Check(not Client.Take(Done), 'there is no answer without a call');
  Seen.Logged := 0;
  Client.OnLog := Seen.Log;
  Order := NewOrder('tea');
  First := Client.StartCreateOrder(Order);
  Done := Taken;
  Check((Done.Call = First) and (PayorderCheckoutOf(Done).Url <> ''), 'a started order');
  Check(Seen.Logged > 0, 'the log has events of started calls');
  Client.OnLog := nil;
  {$IFDEF UNIX}
  Client.StartGetStatus(Order.OrderId);
  Poll.fd := Client.DoneHandle;
  Poll.events := POLLIN;
  Check(fpPoll(@Poll, 1, 60000) = 1, 'the handle is ready when there is an answer');
  Check(Client.Take(Done), 'then there is one');
  Check(fpPoll(@Poll, 1, 0) = 0, 'the handle is not ready without an answer');
  {$ENDIF}
  Entries := Client.JournalList;
  Client.StartGetStatus(PayorderQueryOf(Entries[High(Entries)]));
  Same(PayorderStatusOf(Taken).OrderId, Order.OrderId, 'an entry is a started query');
  Client.StartCheck;
  Same(PayorderCheckedOf(Taken).Steps[0].Step, 'name', 'a started check');
  Client.StartRecover([PayorderSale('O-none', PayorderAmount('1.00'))]);
  Same(PayorderRecoveredOf(Taken).Sales[0].Verdict, 'not_in_journal', 'a started recovery');
  Client.StartJournalResolve;
  Check(PayorderResolvedOf(Taken).Summary.Asked >= 1, 'a started resolution');

  { The error of a started query asks the same again, also if nothing was started. }
  Client.StartGetStatus(Order.OrderId, PayorderOptions(['clientKey', 'wrong']));
  Error := EPayorder(Failure(callTaken, Order.OrderId, EPayorderUnauthorized, ''));
  Client.StartGetStatus(PayorderQueryOf(Error));
  Same(PayorderStatusOf(Taken).OrderId, Order.OrderId, 'the error of a started query');
  Error.Free;
  Error := EPayorder(Failure(callStart, Order.OrderId, EPayorderInvalidRequest, 'options'));
  Same(Client.GetStatus(Error).OrderId, Order.OrderId, 'the error of a start');
  Error.Free;

  Client.Close;
  Check(not Client.Take(Done, 60000), 'a closed client has no answer');
  Client.Free;

  { Freed in the middle. }
  Client := TPayorderClient.CreateFromEnv;
  Client.OnLog := Seen.Log;
  Client.StartCreateOrder(NewOrder('sandbox:stall'), PayorderOptions(['timeoutMs', 300]));
  Client.Free;
  { It lies where the other one was, and gets what is sent to that. }
  Client := TPayorderClient.CreateFromEnv;
  Client.OnLog := Seen.Log;
  Seen.Logged := 0;
  while PayorderLiveCalls > 0 do
    Sleep(10);
  Check(Seen.Logged = 0, 'a client that was freed has no log');
  Client.Free;
end;

{ The idle method ends a wait for an answer, and no call. }
procedure TestEndedTake(Does: TDoes);
var
  Done: TPayorderDone;
  IsThrown: Boolean;
begin
  Client := TPayorderClient.CreateFromEnv;
  Client.OnLog := Seen.Log;
  Seen.Does := Does;
  Seen.Count := 0;
  Client.StartCreateOrder(NewOrder('sandbox:stall'), PayorderOptions(['timeoutMs', 1000]));
  PayorderSetIdle(Seen.Idle);
  IsThrown := False;
  try
    Check(not Client.Take(Done, 60000), 'a wait that was ended has no answer');
  except
    on EPlanted do
      IsThrown := True;
  end;
  Check(IsThrown = (Does = doesThrow), 'the exception of the idle method');
  PayorderSetIdle(nil);
  Refused(callTaken, 'the order', EPayorderTimeout, '');

  { After Stop, no call goes on for which another wait could be needed. }
  PayorderSetIdle(Seen.Idle);
  Seen.Count := 0;
  Seen.Slow := True;
  Client.StartCreateOrder(NewOrder('sandbox:stall'));
  Client.Stop;
  Refused(callTaken, 'the order', EPayorder, 'CANCELLED');
  Check(Seen.Count > 0, 'the idle method ran');
  Check(not Client.Take(Done, 60000), 'that was the last answer');
  Seen.Slow := False;
  PayorderSetIdle(nil);
  Client.Free;
end;

procedure TestAmounts;
const
  Largest: Currency = 460718241880001.7407;
var
  Fake: TFake;
  Till: IPayorderClient;
  Json: UTF8String;
begin
  Same(PayorderAmount(100.5).Text + ' ' + PayorderAmount(100.1).Text, '100.50 100.10', 'an amount');
  Same(PayorderAmount(100.5, 1).Text + ' ' + PayorderAmount(70.0, 0).Text, '100.5 70', 'its decimals');
  Same(PayorderAmount(0.0125, 4).Text, '0.0125', 'four decimals');
  Same(PayorderAmount(Largest, 4).Text, '460718241880001.7407', 'a large Currency');
  FormatSettings.DecimalSeparator := '.';
  Refused(callAmount, '460718241880001.75', EPayorderInvalidRequest, 'was cast');
  Same(PayorderAmountOfPaise(10005).Text, '100.05', 'paise');
  Same(PayorderAmount('100.05').Text + PayorderAmount('7.000', 3).Text, '100.057.000', 'texts');
  Refused(callAmount, '0.001', EPayorderInvalidRequest, 'decimals');
  Refused(callAmount, '-1', EPayorderInvalidRequest, 'negative');
  Refused(callText, '10000', EPayorderInvalidRequest, '2 decimals: 10000');
  Refused(callText, '100,00', EPayorderInvalidRequest, 'decimals');
  Refused(callText, '100.0', EPayorderInvalidRequest, 'decimals');
  Refused(callText, '100.000', EPayorderInvalidRequest, 'decimals');
  Refused(callText, '-1.00', EPayorderInvalidRequest, 'decimals');
  Refused(callText, '.00', EPayorderInvalidRequest, 'decimals');
  Refused(callText, '', EPayorderInvalidRequest, 'decimals');
  Refused(callSingle, '100.1', EPayorderInvalidRequest, 'Single');
  Refused(callSingle, '131072.25', EPayorderInvalidRequest, 'Single');
  { Nothing of the good price before them is left. }
  Same(PayorderAmount(4321.5).Text, '4321.50', 'an amount');
  Refused(callDouble, 'NaN', EPayorderInvalidRequest, 'not a number');
  Refused(callDouble, 'Inf', EPayorderInvalidRequest, 'not a number');
  Refused(callDouble, '1e17', EPayorderInvalidRequest, 'too large');
  Refused(callDouble, '-1e300', EPayorderInvalidRequest, 'too large');
  Refused(callSingle, 'NaN', EPayorderInvalidRequest, 'Single');
  Same(PayorderAmount(4321.5).Text, '4321.50', 'an amount');
  Refused(callWhole, '10000', EPayorderInvalidRequest, 'amount is an integer');
  Refused(callVariant, '10000', EPayorderInvalidRequest, 'amount is a Variant');
  Same(PayorderAmount(Variant(StrToCurr('100.5'))).Text, '100.50', 'a Variant with a Currency');
  Refused(callPaise, '-1', EPayorderInvalidRequest, 'negative');
  Check(PayorderCurrency('249.5000') = 249.5, 'an amount with zeros');
  Check(PayorderCurrency('7') = 7, 'an amount without decimals');
  Refused(callCurrency, '', EConvertError, 'amount');
  Refused(callCurrency, '1.', EConvertError, 'amount');
  Refused(callCurrency, '-1', EConvertError, 'amount');
  Refused(callCurrency, '1,00', EConvertError, 'amount');
  Refused(callCurrency, '0.00001', EConvertError, 'amount');
  Same(PayorderOptions(['ratePerSecond', 2.5, 'extraFields', PayorderOptions(['udf', 'x'])]),
    '{"ratePerSecond":2.500000,"extraFields":{"udf":"x"}}', 'numbers and objects');
  Json := '{"responseCode":"200","data":{"orderId":"O","transactionId":"T","amount":"249.50",' +
    '"transactionStatus":"Completed"}}';
  Check(PayorderVerifyPayment('O', PayorderAmount(249.5), Json).Paid, 'a status without a service');
  Check(not IsPaid(NewOrder('tea'), PayorderStatusOf(Json)), 'the status of another order');
  Fake := TFake.Create;
  Till := Fake;
  Same(Till.CreateOrder(NewOrder('tea')).Url, 'fake:100.00', 'a program with a client of its own');
  Till := nil;
  Fake.Free;
end;

begin
  Seen := TSeen.Create;
  TestFake(callFakeJournal);
  TestLoading;
  TestFake(callFakeStart);
  TestTexts;
  TestQueries(ParamStr(1));
  TestLargeAnswers;
  TestStarted(ParamStr(1));
  TestIdle(doesCancel, 3, EPayorderUnknown, 'CANCELLED_IN_FLIGHT');
  TestIdle(doesThrow, 1, EPayorderUnknown, 'EPlanted: planted');
  TestIdle(doesEnd, 1, EPayorderTimeout, '');
  TestIdle(doesFree, 1, EPayorderTimeout, '');
  TestCancelledWait;
  TestEndedTake(doesCancel);
  TestEndedTake(doesThrow);
  TestAmounts;
  Seen.Free;
  Check(PayorderLiveClients = 0, 'no client is left');
  Check(PayorderLiveStrings = 0, 'no string is left');
  Check(PayorderLiveCalls = 0, 'no call is left');
  WriteLn('ok: all tests passed');
end.
