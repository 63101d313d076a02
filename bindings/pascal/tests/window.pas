{ The tests of the sample with a window, against a sandbox. It runs the part that is named: paid,
  found, left, cancelled or closed. }
program window;

{$MODE DELPHI}{$CODEPAGE UTF8}{$ASSERTIONS ON}

uses
  {$IFDEF UNIX}cthreads,{$ENDIF} SysUtils, Interfaces, Forms, payorder, payorder_calls,
  till_window;

type
  { The methods of a window with an idle method that cancels each call. }
  TSeen = class
    Answers: Integer;
    Raises: Boolean;
    procedure Idle(var Cancel: Boolean);
    procedure Log(const Json: UTF8String);
    procedure Done(Sender: TObject; const Done: TPayorderDone);
  end;

var
  Till: TTillWindow;
  Clock: string;
  Ticks: Integer;

procedure TSeen.Idle(var Cancel: Boolean);
begin
  Cancel := True;
end;

procedure TSeen.Log(const Json: UTF8String);
begin
  Sleep(100);
end;

procedure TSeen.Done(Sender: TObject; const Done: TPayorderDone);
begin
  Inc(Answers);
  if Raises then
    raise Exception.Create(IntToStr(Answers));
end;

procedure Check(Condition: Boolean; const What: string);
begin
  if not Condition then
    raise Exception.Create('FAILED: ' + What + ': ' + Till.Shown.Caption);
end;

{ Lets the window work until it shows a text, and counts how often its clock changes. }
procedure Await(const Text: string);
var
  I: Integer;
begin
  Ticks := 0;
  for I := 1 to 3000 do
  begin
    if Pos(Text, Till.Shown.Caption) = 1 then
    begin
      WriteLn(StdErr, Till.Shown.Caption);
      Flush(StdErr);
      Exit;
    end;
    Application.ProcessMessages;
    Sleep(10);
    if Till.Clock.Caption <> Clock then
      Inc(Ticks);
    Clock := Till.Clock.Caption;
  end;
  Check(False, 'it never showed ' + Text);
end;

{ What happened to the order must be readable first. }
procedure CloseTooEarly;
begin
  Till.Close;
  Check(Till.Visible, 'the window stays while a call runs');
  Check(Pos('close the till again', Till.Shown.Caption) = 1, 'it says when it can be closed');
end;

procedure Run;
var
  Calls: TPayorderCalls;
  Seen: TSeen;
begin
  Application.Initialize;
  Calls := TPayorderCalls.Create(nil);
  Calls.Open;
  Calls.Open;
  Seen := TSeen.Create;
  Calls.OnDone := Seen.Done;
  Calls.Client.OnLog := Seen.Log;
  Calls.Client.StartGetStatus('O-1');
  Calls.Client.StartGetStatus('O-2');
  PayorderSetIdle(Seen.Idle);
  Calls.Finish;
  PayorderSetIdle(nil);
  if Seen.Answers <> 2 then
    raise Exception.Create('FAILED: Finish gives the answers of all calls');
  Calls.Open;
  Seen.Answers := 0;
  Seen.Raises := True;
  Calls.Client.StartGetStatus('O-1');
  Calls.Client.StartGetStatus('O-2');
  try
    Calls.Finish;
  except
    on E: Exception do
      Seen.Raises := E.Message <> '1';
  end;
  if Seen.Raises or (Seen.Answers <> 2) then
    raise Exception.Create('FAILED: also if OnDone raises exceptions, of which it raises the first');
  Calls.Client.Close;
  Calls.Finish;
  Calls.Open;
  Calls.Free;
  Seen.Free;
  Till := TTillWindow.Create(Application);
  Till.Show;
  Till.SellButton.Click;
  Check(not Till.SellButton.Enabled, 'nobody can sell during a sale');
  { A second click that was on its way. }
  Till.Sell(nil);
  if ParamStr(1) = 'closed' then
  begin
    { The order is on its way. }
    Application.ProcessMessages;
    Sleep(100);
    CloseTooEarly;
    Await('the order exists: Pending');
  end
  else if ParamStr(1) = 'cancelled' then
  begin
    Sleep(300);
    Till.CancelButton.Click;
    Await('the order exists: Pending');
  end
  else
  begin
    Await('pay at ');
    Check(Ticks >= 3, 'the clock goes on while the order is sent');
    if ParamStr(1) <> 'left' then
    begin
      Await('paid');
      Check(Ticks >= 2, 'the clock goes on while the customer pays');
    end
    else
    begin
      CloseTooEarly;
      Await('open, the customer can still pay');
    end;
  end;
  Check(Till.SellButton.Enabled, 'then the next sale can begin');
  Till.Close;
  Check(not Till.Visible, 'a window without a call can be closed');
  Till.Free;
  Check(PayorderLiveClients + PayorderLiveStrings + PayorderLiveCalls = 0, 'nothing is left');
end;

begin
  { As on Windows, where a program with a window has no output. }
  Close(Output);
  { What fails is printed, and not shown in a window. }
  Application.Flags := Application.Flags + [AppNoExceptionMessages];
  try
    Run;
  except
    on E: Exception do
    begin
      WriteLn(StdErr, E.Message);
      Halt(1);
    end;
  end;
end.
