{ A plug-in of a program that is not written in Pascal. }
library plugin;

{$MODE DELPHI}

uses
  payorder;

function Loads: Integer; cdecl;
begin
  Result := PAYORDER_ABI_VERSION - PayorderLiveClients;
end;

exports
  Loads name 'loads';

end.
