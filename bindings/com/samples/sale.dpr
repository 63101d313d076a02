// Delphi, with late binding. The exit status is 0 if the order is paid. It was not run: there is no
// Delphi here.
program sale;

{$APPTYPE CONSOLE}

uses
  ActiveX, ComObj, SysUtils;

procedure Sell;
var
  Client, Order, Status, Verified: OleVariant;
  Began: TDateTime;
begin
  Client := CreateOleObject('Payorder.Client');
  Order := CreateOleObject('Payorder.Order');
  Began := Now;
  Order.Amount := '249.50';
  Order.MerchantTxnId := 'TXN-1';
  Order.OrderId := 'ORDER-1';
  Order.PayMode := 'all';
  Order.MerchantId := 'M-7';
  Order.ProductInfo := 'Two coffees';
  Order.CustomerName := 'Asha Verma';
  Order.CustomerMobile := '9876543210';
  Order.CustomerEmail := 'asha@example.com';
  Order.RedirectionUrl := 'https://shop.example.com/done';
  Order.CurrencyCode := 'INR';
  Status := Client.CreateOrder(Order);
  if Status.Ok then
  begin
    WriteLn('Let the customer open ', string(Status.Url));
    Status := Client.WaitForPayment(Order.OrderId, 300);
    Verified := Client.VerifyPayment(Order.OrderId, Order.Amount, Status, Began);
    if Verified.Paid then
    begin
      WriteLn('paid');
      ExitCode := 0;
    end
    else if Status.TransactionStatus = '' then
      WriteLn('It is not known whether it is paid: ask again. ', string(Status.Message))
    else if (Verified.Reasons.Count = 1)
      and (Verified.Get('/reasons/0/check') = 'transactionStatus') then
      WriteLn('Not paid yet: ', string(Status.TransactionStatus))
    else
      WriteLn('A person must look at it: ', string(Verified.Json));
  end
  else if Status.PreviousUrl <> '' then
    WriteLn('Made before. Let the customer open ', string(Status.PreviousUrl))
  else if Status.Outcome = 'unknown' then
  begin
    WriteLn('The order may exist: ', string(Status.Action), '. ', string(Status.Message));
    if (Status.Action = 'ask_status') and (Status.CheckoutUrl <> '') then
      WriteLn('If it is not paid, its page is ', string(Status.CheckoutUrl));
  end
  else
    WriteLn('This call created no order: ', string(Status.Message));
end;

begin
  CoInitialize(nil);
  ExitCode := 1;
  Sell;
end.
