{ A till with a window: see till_window.pas. }
program window;

{$MODE DELPHI}{$CODEPAGE UTF8}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} Interfaces, Forms, till_window;

var
  Till: TTillWindow;
begin
  Application.Initialize;
  Application.CreateForm(TTillWindow, Till);
  Application.Run;
end.
