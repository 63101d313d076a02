program loop;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

var
  Client: TPayorderClient;
  Number: Integer;
begin
  Client := TPayorderClient.Create(Settings);
  for Number := 1 to StrToInt(ParamStr(1)) do
    if Client.CreateOrder(TwoCoffees(UTF8String(ParamStr(2) + '-' + IntToStr(Number)))).Url = ''
    then
      Halt(1);
  Client.Free;
end.
