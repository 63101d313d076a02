{ A till with one thread that stays alive while it waits: its clock goes on during a sale. }
program alive;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Done: TPayorderDone;
  { The numbers of the calls that run. }
  Sale, Wait: Integer;
  Open: Boolean = True;

{ A call has ended. As in the sample `sale`, each failure says what happened to the order. }
procedure Ended;
var
  Waited: TPayorderWaited;
begin
  Open := False;
  try
    if Done.Call = Wait then
    begin
      Waited := PayorderWaitedOf(Done);
      if Waited.HasStatus and IsPaid(Order, Waited.Status) then
        WriteLn('paid')
      else
        WriteLn('not known to be paid: ask again');
      Exit;
    end;
    if Done.Call = Sale then
      WriteLn('pay at ', PayorderCheckoutOf(Done).Url)
    else
      WriteLn('the order exists: ', PayorderStatusOf(Done).TransactionStatus);
  except
    on Error: EPayorder do
    begin
      if Done.Call = Wait then
        WriteLn('open, the customer can still pay: ', Error.Description)
      else if Done.Call <> Sale then
        WriteLn('still not known, ask again later: ', Error.Description)
      else if not (Error is EPayorderUnknown) then
        WriteLn('no order was created: ', Error.Description)
      else
      begin
        WriteLn('the order may exist: ', Error.Action, ', ', Error.Description);
        Client.StartGetStatus(Error);
        Open := True;
      end;
      Exit;
    end;
  end;
  { Not above: an error of this does not mean that there is no order. }
  Wait := Client.StartWaitForPayment(PayorderOrderQuery(Order.OrderId),
    PayorderOptions(['waitMs', 20000, 'intervalMs', 100]));
  Open := True;
end;

begin
  Order := TwoCoffees(UTF8String(ParamStr(1)));
  Client := TPayorderClient.Create(Settings);
  try
    Sale := Client.StartCreateOrder(Order);
    while Open do
    begin
      { Here a till also looks at its keys and its scanner. }
      WriteLn('clock ', FormatDateTime('hh:nn:ss.zzz', Now));
      if Client.Take(Done, 100) then
        Ended;
      Flush(Output);
    end;
  finally
    Client.Free;
  end;
end.
