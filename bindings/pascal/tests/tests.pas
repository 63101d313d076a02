{ The tests of the unit, against a sandbox. PAYORDER_BASE_URL and the others are set by ../test. }
program tests;

{$MODE DELPHI}{$CODEPAGE UTF8}{$ASSERTIONS ON}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} SysUtils, Classes, payorder, till;

type
  EPlanted = class(Exception);

  { What the idle method does. }
  TDoes = (doesCount, doesThrow, doesEnd, doesFree);

  TSeen = class
    Client: TPayorderClient;
    Form: TComponent;
    Does: TDoes;
    Count, Logged: Integer;
    procedure Idle(var Cancel: Boolean);
    procedure Log(const Json: UTF8String);
  end;

  { What a program gives itself in its tests. }
  TFake = class(TPayorderClient, IPayorderClient)
  public
    constructor Create;
    function CreateOrder(const Order: TPayorderOrder; Options: UTF8String = ''): TPayorderCheckout;
  end;

var
  Number: Integer = 0;
  { The query of a call, which a log method changes. }
  Asked: UTF8String;

procedure TSeen.Idle(var Cancel: Boolean);
begin
  Inc(Count);
  Cancel := Count = 3;
  case Does of
    doesThrow: raise EPlanted.Create('planted');
    doesEnd: PayorderSetIdle(nil);
    doesFree:
      begin
        Form.Free;
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
  Asked := 'O-another-' + UTF8String(IntToStr(Logged));
end;

constructor TFake.Create;
begin
  { No library, and no service. }
end;

function TFake.CreateOrder(const Order: TPayorderOrder; Options: UTF8String): TPayorderCheckout;
begin
  Result.Url := 'fake:' + Order.Amount;
end;

procedure Check(Condition: Boolean; const What: string);
begin
  if not Condition then
    raise Exception.Create('FAILED: ' + What);
end;

function NewOrder(const Product: UTF8String): TPayorderOrder;
begin
  Inc(Number);
  Result := TwoCoffees(UTF8String('test-' + IntToStr(Number)));
  Result.ProductInfo := Product;
end;

procedure Same(const Got, Expected: UTF8String; const What: string);
begin
  Check(Got = Expected, What + ': ' + string(Got) + ' instead of ' + string(Expected));
end;

{ A conversion as it is without cwstring. }
procedure Damage(Source: PUnicodeChar; var Dest: RawByteString; Page: TSystemCodePage; Len: SizeInt);
begin
  Dest := StringOfChar('?', Len);
end;

{ The first test: nothing has loaded the library yet. }
procedure TestLoading;
var
  Manager, Damaged: TUnicodeStringManager;

  procedure Refused(const Path, Reason: string);
  begin
    try
      PayorderLoad(Path);
    except
      on E: EPayorderLibrary do
      begin
        Check(Pos(Reason, E.Message) > 0, E.Message);
        Check((E.Violations = nil) and (E.Previous.Entry = 0), 'nothing raises in a handler');
        Exit;
      end;
    end;
    Check(False, Path + ' is no library');
  end;

begin
  Refused('/nowhere/libpayorder.so', '/nowhere/libpayorder.so');
  GetUnicodeStringManager(Manager);
  Damaged := Manager;
  Damaged.Unicode2AnsiMoveProc := Damage;
  SetUnicodeStringManager(Damaged);
  Refused(GetEnvironmentVariable('PAYORDER_LIBRARY'), 'cannot convert texts');
  SetUnicodeStringManager(Manager);
  PayorderLoad(GetEnvironmentVariable('PAYORDER_LIBRARY'));
  Refused('another.so', 'was loaded before');
end;

procedure TestTexts;
var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Name: UnicodeString;

  procedure Refused(const Name, Options: UTF8String; const Field: string);
  begin
    Order.CustomerName := Name;
    try
      PayorderOptions(['extraFields', Options]);
      Client.CreateOrder(Order);
    except
      on E: EPayorderInvalidRequest do
      begin
        Check(Pos(Field, E.Message) > 0, E.Message);
        Check(Pos('nothing was sent', string(E.Description)) > 0, 'it says that nothing was sent');
        Exit;
      end;
    end;
    Check(False, Field + ' is refused');
  end;

begin
  Order := NewOrder('tea');
  Name := WideChar($0905);
  Name := Name + WideChar($E9);
  Order.CustomerName := UTF8String(Name);
  Same(PayorderJsonGet(PayorderBuildCreateOrder(Order), '/customerName'), #$E0#$A4#$85#$C3#$A9,
    'a UnicodeString is sent');
  Client := TPayorderClient.CreateFromEnv;
  Refused(#$E9, '{}', 'customerName');
  Refused('a'#0, '{}', 'customerName');
  Refused('a', '{', 'extraFields');
  Client.Free;
  try
    PayorderVerifyPayment(#$E9, '1.00', '{}');
    Check(False, 'no verdict about an id that is not UTF-8');
  except
    on EPayorderUnusable do;
  end;
end;

procedure TestQueries(const Path: string);
var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Entries: TPayorderEntries;
  Recovered: TPayorderRecovered;
  Seen: TSeen;
  Failed: Boolean;
begin
  Seen := TSeen.Create;
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', Path]));
  try
    Order := NewOrder('sandbox:drop-after-commit');
    Failed := False;
    try
      Client.CreateOrder(Order);
    except
      on E: EPayorderConnectionLost do
      begin
        Failed := True;
        Same(Client.GetStatus(E).OrderId, Order.OrderId, 'an error is a query');
        Same(Client.WaitForPayment(E, PayorderOptions(['waitMs', 1])).Status.OrderId,
          Order.OrderId, 'an error is a query of a wait');
      end;
    end;
    Check(Failed, 'a lost response is EPayorderConnectionLost');
    Same(Client.GetStatus(Order.OrderId).OrderId, Order.OrderId, 'an order id is a query');
    Failed := False;
    Client.OnLog := Seen.Log;
    Asked := Copy(Order.OrderId, 1, MaxInt);
    try
      Client.GetStatus(Asked, PayorderOptions(['clientKey', 'wrong']));
    except
      on E: EPayorderUnauthorized do
      begin
        Failed := Seen.Logged > 0;
        Same(Client.GetStatus(E).OrderId, Order.OrderId, 'the error of a query asks again');
      end;
    end;
    Check(Failed, 'a wrong key is EPayorderUnauthorized');
    Entries := Client.JournalList;
    Same(Client.GetStatus(Entries[0]).OrderId, Order.OrderId, 'an entry is a query');
    Check(Client.WaitForPayment(Entries[0], PayorderOptions(['waitMs', 60000,
      'final', PayorderArray(['Pending'])])).IsFinal, 'an array in options');
    Recovered := Client.Recover([PayorderSale('O-none', '1.00')]);
    Same(Recovered.Sales[0].Verdict, 'not_in_journal', 'a sale of the program');
    Same(Recovered.Sales[1].OrderId + Recovered.Sales[1].Verdict, Order.OrderId + 'url_lost',
      'a sale of the journal');
    Order := NewOrder('sandbox:stall');
    Failed := False;
    try
      Client.CreateOrder(Order, PayorderOptions(['timeoutMs', 100]));
    except
      on EPayorderTimeout do
        Failed := True;
    end;
    Check(Failed, 'no answer is EPayorderTimeout');
    Client.Free;
    Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', Path,
      'baseUrl', GetEnvironmentVariable('PAYORDER_BASE_URL') + '/other']));
    Check(Client.JournalResolve.OtherServices = 1, 'orders of another service are counted');
  finally
    Client.Free;
    Seen.Free;
  end;
end;

procedure TestIdle;

  { A call that only its time or the idle method ends. }
  procedure Ends(Does: TDoes; Count, Code: Integer; const Raised: string);
  var
    Form: TComponent;
    Seen: TSeen;
    Ended: Integer;
  begin
    { As a form, which owns the object with the method. }
    Form := TComponent.Create(nil);
    Seen := TSeen.Create;
    Seen.Form := Form;
    Seen.Does := Does;
    Seen.Client := TPayorderClient.CreateFromEnv;
    Seen.Client.OnLog := Seen.Log;
    PayorderSetIdle(Seen.Idle, Form);
    Ended := PAYORDER_OK;
    try
      Seen.Client.CreateOrder(NewOrder('sandbox:stall'), PayorderOptions(['timeoutMs', 400]));
    except
      on E: EPayorderUnknown do
      begin
        Ended := E.Code;
        Check((E.IdleRaised <> nil) = (Raised <> ''), 'the exception of the idle method');
        Check((Raised = '') or (Pos(Raised, E.Message) > 0), E.Message);
      end;
    end;
    Check((Ended = Code) and (Seen.Count = Count), Format('the call ended with %d after %d times',
      [Ended, Seen.Count]));
    PayorderSetIdle(nil);
    Seen.Client.Free;
    if Does = doesFree then
      Check(Seen.Logged = 0, 'no log of a client that was freed')
    else
      Form.Free;
    Seen.Free;
  end;

begin
  Ends(doesCount, 3, PAYORDER_CANCELLED_IN_FLIGHT, '');
  Ends(doesThrow, 1, PAYORDER_CANCELLED_IN_FLIGHT, 'EPlanted: planted');
  Ends(doesEnd, 1, PAYORDER_TIMEOUT, '');
  Ends(doesFree, 1, PAYORDER_TIMEOUT, '');
end;

procedure TestAmounts;

  procedure Refused(const Amount: UTF8String);
  begin
    try
      PayorderCurrency(Amount);
    except
      on EConvertError do
        Exit;
    end;
    Check(False, string(Amount) + ' is no Currency');
  end;

  procedure NoAmount(Value: Currency; Decimals: Integer);
  begin
    try
      PayorderAmount(Value, Decimals);
    except
      on EPayorderInvalidRequest do
        Exit;
    end;
    Check(False, CurrToStr(Value) + ' is no amount');
  end;

var
  Fake: TFake;
  Till: IPayorderClient;
  Json: UTF8String;
begin
  Same(PayorderAmount(100.5), '100.50', 'an amount');
  Same(PayorderAmount(100.5, 1) + PayorderAmount(7, 0) + PayorderAmount(7, 4), '100.577.0000',
    'an amount with decimals');
  Same(PayorderAmountOfPaise(10005) + PayorderAmountOfPaise(7), '100.050.07', 'paise');
  NoAmount(0.001, 2);
  NoAmount(-1, 2);
  Fake := TFake.Create;
  Till := Fake;
  Same(Till.CreateOrder(NewOrder('tea')).Url, 'fake:100.00', 'a program with a client of its own');
  Till := nil;
  Fake.Free;
  Same(PayorderAmount(0.0125), '0.0125', 'four decimals');
  Same(PayorderAmount(922337203685477.5807), '922337203685477.5807', 'the largest Currency');
  Check(PayorderCurrency('249.5000') = 249.5, 'an amount with zeros');
  Check(PayorderCurrency('7') = 7, 'an amount without decimals');
  Refused('');
  Refused('1.');
  Refused('-1');
  Refused('1,00');
  Refused('0.00001');
  Same(PayorderOptions(['ratePerSecond', 2.5, 'extraFields', PayorderOptions(['udf', 'x'])]),
    '{"ratePerSecond":2.500000,"extraFields":{"udf":"x"}}', 'numbers and objects');
  Json := '{"responseCode":"200","data":{"orderId":"O","transactionId":"T","amount":"249.50",' +
    '"transactionStatus":"Completed"}}';
  Check(PayorderVerifyPayment('O', 249.5, Json).Paid, 'a status without a service');
end;

begin
  TestLoading;
  TestTexts;
  TestQueries(ParamStr(1));
  TestIdle;
  TestAmounts;
  Check(PayorderLiveClients = 0, 'no client is left');
  Check(PayorderLiveStrings = 0, 'no string is left');
  Check(PayorderLiveCalls = 0, 'no call is left');
  WriteLn('ok: all tests passed');
end.
