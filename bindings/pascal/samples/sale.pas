{ A sale: create the order, show where to pay, wait, and verify the payment. The arguments are the
  journal's file, the order's id, and its amount.

  If the answer is lost, or the program was killed while it sent the order and runs again, it does
  not send the order a second time: it asks for its status. }
program sale;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder;

{ An order needs identifiers that were never used before. }
function TwoCoffees: TPayorderOrder;
begin
  Result.Amount := UTF8String(ParamStr(3));
  Result.MerchantTxnId := UTF8String('T-' + ParamStr(2));
  Result.OrderId := UTF8String(ParamStr(2));
  Result.PayMode := 'all';
  Result.MerchantId := 'M-1';
  { The tests make the sandbox fail with a marker in this field. }
  Result.ProductInfo := UTF8String('Two coffees ' +
    GetEnvironmentVariable('PAYORDER_SAMPLE_MARKER'));
  Result.CustomerName := 'Asha Rao';
  Result.CustomerMobile := '9000000000';
  Result.CustomerEmail := 'asha@example.com';
  Result.RedirectionUrl := 'https://shop.example/return';
  Result.CurrencyCode := 'INR';
end;

{ Whether the customer can pay for an order that the journal has. }
function IsOpen(const Order: TPayorderOrder; const Previous: TPayorderEntry): Boolean;
begin
  Result := (Previous.OrderId = Order.OrderId) and (Previous.Amount = Order.Amount)
    and (Previous.State = 'created') and (Previous.TransactionStatus <> 'Completed')
    and (Previous.Url <> '');
end;

{ The order may exist: what the journal and the service know of it. }
procedure Ask(Client: TPayorderClient; const Order: TPayorderOrder; Problem: EPayorder);
var
  Status: UTF8String;
begin
  WriteLn('the order may exist: ', Problem.ResultName);
  if IsOpen(Order, Problem.Previous) then
  begin
    WriteLn('pay at ', Problem.Previous.Url);
    Exit;
  end;
  if Problem is EPayorderDuplicate then
    WriteLn('it is in the journal: ', Problem.Previous.State);
  try
    Status := Client.GetStatus(Problem).TransactionStatus;
    { Its checkout URL is lost. If it is not paid, a person decides whether to sell again. }
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
  Resolved: TPayorderResolved;
  Waited: TPayorderWaited;
  Url: UTF8String;
begin
  Order := TwoCoffees;
  Client := TPayorderClient.CreateFromEnv(
    PayorderOptions(['journal', UTF8String(ParamStr(1))]));
  try
    { What happened to the orders of the last run? }
    Resolved := Client.JournalResolve;
    WriteLn('asked about ', Resolved.Summary.Asked, ', known ', Resolved.Summary.Ok,
      ', unresolved ', Length(Resolved.Entries));
    try
      Url := Client.CreateOrder(Order).Url;
      WriteLn('pay at ', Url);
      Flush(Output);
    except
      on Error: EPayorderUnknown do
      begin
        Ask(Client, Order, Error);
        Halt(1);
      end;
      on Error: EPayorder do
      begin
        WriteLn('no order was created: ', Error.Description);
        Halt(1);
      end;
    end;
    try
      Waited := Client.WaitForPayment(Order.OrderId,
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
    else if PayorderVerifyPayment(Order.OrderId, Order.Amount, Waited.Status.Json).Paid then
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
