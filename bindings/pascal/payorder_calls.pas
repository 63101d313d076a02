{ A component for a form that must stay alive: it gives the answers of started calls to the form, on
  the main thread. For Lazarus and Delphi. Not needed by programs without a form. }
unit payorder_calls;

{$IFDEF FPC}{$MODE DELPHI}{$LONGSTRINGS ON}{$CODEPAGE UTF8}{$ENDIF}

interface

uses
  Classes, ExtCtrls, payorder;

type
  TPayorderDoneEvent = procedure(Sender: TObject; const Done: TPayorderDone) of object;

  TPayorderCalls = class(TComponent)
  private
    FTimer: TTimer;
    FClient: TPayorderClient;
    FOnDone: TPayorderDoneEvent;
    procedure Give(WaitMs: Cardinal);
    procedure Tick(Sender: TObject);
  public
    constructor Create(AOwner: TComponent); override;
    { Calls that run continue, and nobody learns their results: call Finish before. }
    destructor Destroy; override;
    { Opens Client, with settings as for TPayorderClient.CreateFromEnv. Start calls with it. The
      client of an earlier Open is finished and freed. }
    procedure Open(const Config: UTF8String = '');
    { Ends all calls, and gives their answers to OnDone. An exception in OnDone is raised when all were
      given; of several, the first. }
    procedure Finish;
    property Client: TPayorderClient read FClient;
  published
    { Do not free the form in it: call its Release, or Close. }
    property OnDone: TPayorderDoneEvent read FOnDone write FOnDone;
  end;

procedure Register;

implementation

constructor TPayorderCalls.Create(AOwner: TComponent);
begin
  inherited Create(AOwner);
  FTimer := TTimer.Create(Self);
  FTimer.Enabled := False;
  FTimer.Interval := 50;
  FTimer.OnTimer := Tick;
end;

destructor TPayorderCalls.Destroy;
begin
  FTimer.Enabled := False;
  FClient.Free;
  inherited Destroy;
end;

procedure TPayorderCalls.Open(const Config: UTF8String);
var
  Opened: TPayorderClient;
begin
  Opened := TPayorderClient.CreateFromEnv(Config);
  try
    Finish;
  except
    Opened.Free;
    raise;
  end;
  FClient.Free;
  FClient := Opened;
  FTimer.Enabled := True;
end;

procedure TPayorderCalls.Give(WaitMs: Cardinal);
var
  Done: TPayorderDone;
  Client: TPayorderClient;
  Raised: TObject;
begin
  Client := FClient;
  Raised := nil;
  { OnDone may open another client. }
  while (FClient = Client) and Client.Take(Done, WaitMs) do
  try
    if Assigned(FOnDone) then
      FOnDone(Self, Done);
  except
    { The other answers may be about money too. }
    if Raised = nil then
      Raised := TObject(AcquireExceptionObject);
  end;
  if Raised <> nil then
    raise Raised;
end;

procedure TPayorderCalls.Tick(Sender: TObject);
begin
  Give(0);
end;

procedure TPayorderCalls.Finish;
begin
  if FClient = nil then
    Exit;
  try
    FClient.Stop;
  except
    on Error: EPayorder do
      { It was closed, and all answers were given. }
      if Error.Code <> PAYORDER_INVALID_HANDLE then
        raise;
  end;
  { Then it waits only while an answer can still come. }
  Give(60000);
end;

procedure Register;
begin
  RegisterComponents('Payment', [TPayorderCalls]);
end;

end.
