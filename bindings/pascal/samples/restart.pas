{ A till with a journal. If it crashed while it sent an order, the next start finds the order.
  The arguments are the order's number and the journal's file. }
program restart;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Resolved: TPayorderResolved;
  Previous: TPayorderEntry;
  Url: UTF8String;
begin
  Order := TwoCoffees(UTF8String(ParamStr(1)));
  Client := TPayorderClient.Create(Settings(UTF8String(ParamStr(2))));
  try
    { What happened to the orders of the last run? }
    Resolved := Client.JournalResolve;
    WriteLn('asked about ', Resolved.Summary.Asked, ', known ', Resolved.Summary.Ok,
      ', unresolved ', Length(Resolved.Entries));
    Flush(Output);
    try
      Url := Client.CreateOrder(Order).Url;
      WriteLn('pay at ', Url);
    except
      on Error: EPayorderDuplicate do
      begin
        { Sent by the run that crashed. It is not sent again. It may be paid, or a person has closed
          it. }
        Previous := Error.Previous;
        if IsOpen(Order, Previous) then
          WriteLn('pay at ', Previous.Url)
        else
          WriteLn(Previous.State, ', ', Client.GetStatus(Error.StatusQuery).TransactionStatus);
      end;
    end;
  finally
    Client.Free;
  end;
end.
