{ The response to Create Order is lost. Asking for the status tells whether the order exists. }
program lost_answer;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Url, Query, Status: UTF8String;
begin
  Order := TwoCoffees(UTF8String(ParamStr(1)));
  Client := TPayorderClient.Create(Settings);
  try
    try
      Url := Client.CreateOrder(Order).Url;
      WriteLn('pay at ', Url);
      Query := '';
    except
      on Error: EPayorderUnknown do
      begin
        WriteLn(Error.ResultName);
        Query := Error.StatusQuery;
      end;
    end;
    if Query <> '' then
    try
      { The order exists, but its checkout URL is lost. A person decides whether to sell again. }
      Status := Client.GetStatus(Query).TransactionStatus;
      WriteLn('the order exists: ', Status);
    except
      { Even "no such order" proves nothing: the service may not know it yet. }
      on Error: EPayorder do
        WriteLn('still not known, ask again later: ', Error.Description);
    end;
  finally
    Client.Free;
  end;
end.
