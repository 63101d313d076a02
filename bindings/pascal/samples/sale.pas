{ A sale: create the order, show where to pay, wait, and verify the payment. The exit status is 0 if
  it is paid, 1 if there is nothing to pay at, and 2 if it is not paid yet or a person must look. }
program sale;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

{ Where the customer can pay for an order that may exist, or '': then a person decides whether to
  sell again. }
function UrlOf(Client: TPayorderClient; const Order: TPayorderOrder; Error: EPayorder): UTF8String;
var
  Status: TPayorderStatus;
begin
  { The journal has the order, which was made before. }
  Result := Error.Previous.Url;
  if Result <> '' then
    Exit;
  try
    { A query changes nothing. }
    Status := Client.GetStatus(Error);
    WriteLn('the order exists: ', Status.TransactionStatus);
    { A response that is not usable may have the URL. }
    if (Error.Action = 'ask_status') and IsOpen(Order, Status) then
      Result := Error.Member['checkoutUrl'];
  except
    { Even "no such order" proves nothing: the service may not know it yet. }
    on Problem: EPayorder do
      WriteLn('still not known, ask again later: ', Problem.Description);
  end;
end;

var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Waited: TPayorderWaited;
  Url: UTF8String;
begin
  Order := TwoCoffees(UTF8String(ParamStr(1)));
  Client := TPayorderClient.CreateFromEnv;
  try
    try
      Url := Client.CreateOrder(Order).Url;
    except
      on Error: EPayorderUnknown do
      begin
        WriteLn('the order may exist: ', Error.Action, ', ', Error.Description);
        Url := UrlOf(Client, Order, Error);
        if Url = '' then
          Halt(1);
      end;
      on Error: EPayorder do
      begin
        WriteLn('this call created no order: ', Error.Description);
        Halt(1);
      end;
    end;
    WriteLn('pay at ', Url);
    Flush(Output);
    try
      Waited := Client.WaitForPayment(PayorderOrderQuery(Order.OrderId),
        PayorderOptions(['waitMs', 20000, 'intervalMs', 100]));
    except
      on Error: EPayorder do
      begin
        { The order was created: an error of the wait leaves it open. }
        WriteLn('open, the customer can still pay: ', Error.Description);
        Halt(2);
      end;
    end;
    ExitCode := 2;
    if not Waited.HasStatus then
      WriteLn('it is not known whether the order is paid: ask again')
    else if IsPaid(Order, Waited.Status) then
    begin
      WriteLn('paid');
      ExitCode := 0;
    end
    else if IsOpen(Order, Waited.Status) then
      WriteLn('not paid yet, the customer can still pay')
    else
      WriteLn('a person must look at it');
  finally
    Client.Free;
  end;
end.
