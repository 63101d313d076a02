{ A sale: create the order, show where to pay, wait, and verify the payment. }
program sale;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

{ The answer to the order was lost. A query changes nothing. }
procedure Ask(Client: TPayorderClient; Lost: EPayorder);
var
  Status: UTF8String;
begin
  try
    { The order exists, but its checkout URL is lost. A person decides whether to sell again. }
    Status := Client.GetStatus(Lost).TransactionStatus;
    WriteLn('the order exists: ', Status);
  except
    { Even "no such order" proves nothing: the service may not know it yet. }
    on Error: EPayorder do
      WriteLn('still not known, ask again later: ', Error.Description);
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
      WriteLn('pay at ', Url);
      Flush(Output);
    except
      on Error: EPayorderUnknown do
      begin
        WriteLn('the order may exist: ', Error.Action, ', ', Error.Description);
        Ask(Client, Error);
        Halt(1);
      end;
      on Error: EPayorder do
      begin
        WriteLn('no order was created: ', Error.Description);
        Halt(1);
      end;
    end;
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
    if not Waited.HasStatus then
      WriteLn('it is not known whether the order is paid: ask again')
    else if IsPaid(Order, Waited.Status) then
      WriteLn('paid')
    else if Waited.Status.Completed or (Waited.Status.RefundStatus <> '')
      or (Waited.Status.RefundType <> '') then
      WriteLn('a person must look at it: money moved, not as expected')
    else
      WriteLn('not paid yet, the customer can still pay');
  finally
    Client.Free;
  end;
end.
