{ What the samples share: an order, and whether it is paid. }
unit till;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

interface

uses
  DateUtils, SysUtils, payorder;

function TwoCoffees(const Number: UTF8String): TPayorderOrder;
{ Whether the order is paid, according to a status. }
function IsPaid(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;

implementation

var
  { When this program started, in UTC: an older payment is another sale's. }
  Began: UTF8String;

function TwoCoffees(const Number: UTF8String): TPayorderOrder;
begin
  Result.Amount := PayorderAmount(100.00);
  Result.MerchantTxnId := 'T-' + Number;
  Result.OrderId := 'O-' + Number;
  Result.PayMode := 'all';
  Result.MerchantId := 'M-1';
  Result.ProductInfo := 'Two coffees';
  Result.CustomerName := 'Asha Rao';
  Result.CustomerMobile := '9000000000';
  Result.CustomerEmail := 'asha@example.com';
  Result.RedirectionUrl := 'https://shop.example/return';
  Result.CurrencyCode := 'INR';
end;

function IsPaid(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;
begin
  Result := PayorderVerifyPayment(Order.OrderId, Order.Amount, Status.Json, '', Began).Paid;
end;

initialization
  Began := UTF8String(FormatDateTime('yyyy-mm-dd"T"hh":"nn":"ss"Z"', LocalTimeToUniversal(Now)));
end.
