{ The tests of the unit, against a sandbox. PAYORDER_BASE_URL and the others are set by ../test. }
program tests;

{$MODE DELPHI}{$CODEPAGE UTF8}{$ASSERTIONS ON}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} SysUtils, Classes, payorder, till;

type
  EPlanted = class(Exception);

  TSeen = class
    Count: Integer;
    Throws: Boolean;
    procedure Idle(var Cancel: Boolean);
  end;

procedure TSeen.Idle(var Cancel: Boolean);
begin
  Inc(Count);
  Cancel := Count = 3;
  if Throws then
    raise EPlanted.Create('planted');
end;

var
  Number: Integer = 0;

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

procedure TestQueries(const Path: string);
var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Entries: TPayorderEntries;
  Failed: Boolean;
begin
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
      end;
    end;
    Check(Failed, 'a lost response is EPayorderConnectionLost');
    Same(Client.GetStatus(Order.OrderId).OrderId, Order.OrderId, 'an order id is a query');
    Failed := False;
    try
      Client.GetStatus(Order.OrderId, PayorderOptions(['clientKey', 'wrong']));
    except
      on E: EPayorderUnauthorized do
      begin
        Failed := True;
        Same(Client.GetStatus(E).OrderId, Order.OrderId, 'the error of a query asks again');
      end;
    end;
    Check(Failed, 'a wrong key is EPayorderUnauthorized');
    Entries := Client.JournalList;
    Same(Client.GetStatus(Entries[0]).OrderId, Order.OrderId, 'an entry is a query');
    Check(Client.WaitForPayment(Order.OrderId, PayorderOptions(['waitMs', 60000,
      'final', PayorderArray(['Pending'])])).IsFinal, 'an array in options');
    Same(PayorderJsonGet(Client.Recover, '/sales/0/orderId'), Order.OrderId, 'recover');
  finally
    Client.Free;
  end;
end;

procedure TestIdle;
var
  Client: TPayorderClient;
  Seen: TSeen;

  procedure Cancelled(After: Integer);
  var
    Failed: Boolean;
  begin
    Failed := False;
    Seen.Count := 0;
    try
      Client.CreateOrder(NewOrder('sandbox:stall'));
    except
      on E: EPayorderUnknown do
        Failed := E.Code = PAYORDER_CANCELLED_IN_FLIGHT;
    end;
    Check(Failed and (Seen.Count = After), 'an idle method cancels a call');
  end;

begin
  Client := TPayorderClient.CreateFromEnv;
  Seen := TSeen.Create;
  try
    PayorderSetIdle(Seen.Idle);
    Cancelled(3);
    Seen.Throws := True;
    Cancelled(1);
  finally
    PayorderSetIdle(nil);
    Seen.Free;
    Client.Free;
  end;
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

var
  Json: UTF8String;
begin
  Same(PayorderAmount(100.5), '100.50', 'an amount');
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
  TestQueries(ParamStr(1));
  TestIdle;
  TestAmounts;
  Check(PayorderLiveClients = 0, 'no client is left');
  Check(PayorderLiveStrings = 0, 'no string is left');
  Check(PayorderLiveCalls = 0, 'no call is left');
  WriteLn('ok: all tests passed');
end.
