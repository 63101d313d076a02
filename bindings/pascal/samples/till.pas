{ What the samples share: an order, and whether it is paid. }
unit till;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

interface

uses
  {$IFDEF FPC}DateUtils{$ELSE}Windows{$ENDIF}, SysUtils, payorder;

function TwoCoffees(const Number: UTF8String): TPayorderOrder;
{ Whether the order is paid, according to a status. }
function IsPaid(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;
{ Whether it is the right order, and is only not paid. }
function IsOpen(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;

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

function Verdict(const Order: TPayorderOrder; const Status: TPayorderStatus): TPayorderVerdict;
begin
  Result := PayorderVerifyPayment(Order.OrderId, Order.Amount, Status.Json, '', Began);
end;

function IsPaid(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;
begin
  Result := Verdict(Order, Status).Paid;
end;

function IsOpen(const Order: TPayorderOrder; const Status: TPayorderStatus): Boolean;
var
  Failed: TPayorderTexts;
begin
  Failed := Verdict(Order, Status).Failed;
  { What is nearly completed, or settled, may be paid: a person looks at it. }
  Result := (Length(Failed) = 1) and (Failed[0] = 'transactionStatus')
    and (Status.SettlementStatus + Status.SettlementDate = '')
    and not SameText(Trim(string(Status.TransactionStatus)), 'Completed');
end;

function NowInUtc: TDateTime;
{$IFNDEF FPC}
var
  Time: TSystemTime;
{$ENDIF}
begin
  {$IFDEF FPC} Result := LocalTimeToUniversal(Now); {$ELSE}
  GetSystemTime(Time);
  Result := SystemTimeToDateTime(Time);
  {$ENDIF}
end;

initialization
  Began := UTF8String(FormatDateTime('yyyy-mm-dd"T"hh":"nn":"ss"Z"', NowInUtc));
end.
