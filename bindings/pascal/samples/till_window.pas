{ The window of a till, which stays alive during a sale: for Lazarus, made in code. }
unit till_window;

{$MODE DELPHI}{$CODEPAGE UTF8}

interface

uses
  Classes, SysUtils, Forms, StdCtrls, ExtCtrls, payorder, payorder_calls, till;

type
  TTillWindow = class(TForm)
  private
    Calls: TPayorderCalls;
    Cancellation: TPayorderCancellation;
    { The sale that runs, and the numbers of its calls; 0 if there is none. }
    Order: TPayorderOrder;
    Sale, Question, Wait: Integer;
    Number: Integer;
    function Options: UTF8String;
    function Button(const Text: string; Place: Integer; Clicked: TNotifyEvent): TButton;
    procedure AskForPayment;
    procedure Ended(Sender: TObject; const Done: TPayorderDone);
    procedure Failed(Call: Integer; Error: EPayorder);
    procedure Ask(Error: EPayorder);
    procedure Next(const Done: TPayorderDone);
    procedure Tick(Sender: TObject);
    procedure AskToClose(Sender: TObject; var CanClose: Boolean);
    procedure Show_(const Text: UTF8String);
  public
    Clock, Shown: TLabel;
    SellButton, CancelButton: TButton;
    constructor Create(AOwner: TComponent); override;
    destructor Destroy; override;
    procedure Sell(Sender: TObject);
    procedure Cancel(Sender: TObject);
  end;

implementation

constructor TTillWindow.Create(AOwner: TComponent);
begin
  inherited CreateNew(AOwner);
  Caption := 'Till';
  Clock := TLabel.Create(Self);
  Clock.Parent := Self;
  Shown := TLabel.Create(Self);
  Shown.Parent := Self;
  Shown.Top := 80;
  SellButton := Button('Sell', 0, Sell);
  CancelButton := Button('Cancel', 100, Cancel);
  with TTimer.Create(Self) do
  begin
    Interval := 100;
    OnTimer := Tick;
  end;
  Calls := TPayorderCalls.Create(Self);
  Calls.OnDone := Ended;
  Calls.Open;
  OnCloseQuery := AskToClose;
end;

destructor TTillWindow.Destroy;
begin
  Cancellation.Free;
  inherited Destroy;
end;

function TTillWindow.Button(const Text: string; Place: Integer; Clicked: TNotifyEvent): TButton;
begin
  Result := TButton.Create(Self);
  Result.Parent := Self;
  Result.Caption := Text;
  Result.SetBounds(Place, 40, 90, 30);
  Result.OnClick := Clicked;
end;

procedure TTillWindow.Show_(const Text: UTF8String);
begin
  Shown.Caption := Text;
  WriteLn(Text);
end;

procedure TTillWindow.Tick(Sender: TObject);
begin
  Clock.Caption := FormatDateTime('hh:nn:ss.zzz', Now);
end;

function TTillWindow.Options: UTF8String;
begin
  Result := PayorderOptions(['cancellation', Cancellation.Token]);
end;

procedure TTillWindow.Sell(Sender: TObject);
begin
  { A second click: a sale runs. }
  if Cancellation <> nil then
    Exit;
  Cancellation := TPayorderCancellation.Create;
  SellButton.Enabled := False;
  Inc(Number);
  Order := TwoCoffees(UTF8String('window-' + IntToStr(Number)));
  try
    Sale := Calls.Client.StartCreateOrder(Order, Options);
    Show_('sending');
  except
    FreeAndNil(Cancellation);
    SellButton.Enabled := True;
    raise;
  end;
end;

{ The order may be out all the same: what its call ends with says that. }
procedure TTillWindow.Cancel(Sender: TObject);
begin
  if Cancellation <> nil then
    Cancellation.Cancel;
end;

{ If it fails, the order exists all the same. }
procedure TTillWindow.AskForPayment;
begin
  try
    Wait := Calls.Client.StartWaitForPayment(PayorderOrderQuery(Order.OrderId),
      PayorderJsonSet(Options, '/intervalMs', '1000'));
  except
    on Error: EPayorder do
      Show_('open, the customer can still pay: ' + Error.Description);
  end;
end;

procedure TTillWindow.Ended(Sender: TObject; const Done: TPayorderDone);
begin
  try
    Next(Done);
  except
    on Error: EPayorder do
      Failed(Done.Call, Error);
  end;
  if (Sale = 0) and (Question = 0) and (Wait = 0) then
  begin
    FreeAndNil(Cancellation);
    SellButton.Enabled := True;
  end;
end;

procedure TTillWindow.Failed(Call: Integer; Error: EPayorder);
begin
  if Call = Wait then
    Show_('open, the customer can still pay: ' + Error.Description)
  else if Call = Question then
    Show_('still not known, ask again later: ' + Error.Description)
  else if not (Error is EPayorderUnknown) then
    Show_('no order was created: ' + Error.Description)
  else
  begin
    Show_('the order may exist: ' + Error.Action + ', ' + Error.Description);
    Ask(Error);
  end;
  if Call = Sale then
    Sale := 0
  else
  begin
    Question := 0;
    Wait := 0;
  end;
end;

{ Without the cancellation, which may be what ended the call. A window that closes asks no more. }
procedure TTillWindow.Ask(Error: EPayorder);
begin
  try
    Question := Calls.Client.StartGetStatus(Error);
  except
    on EPayorder do
      Question := 0;
  end;
end;

{ What follows a call that has ended. }
procedure TTillWindow.Next(const Done: TPayorderDone);
var
  Waited: TPayorderWaited;
begin
  if Done.Call = Sale then
  begin
    Show_('pay at ' + PayorderCheckoutOf(Done).Url);
    Sale := 0;
    AskForPayment;
  end
  else if Done.Call = Question then
  begin
    Show_('the order exists: ' + PayorderStatusOf(Done).TransactionStatus);
    Question := 0;
  end
  else
  begin
    Waited := PayorderWaitedOf(Done);
    if Waited.HasStatus and IsPaid(Order, Waited.Status) then
      Show_('paid')
    else
      Show_('not known to be paid: ask again');
    Wait := 0;
  end;
end;

{ Nobody may close the till without knowing what happened to its order. }
procedure TTillWindow.AskToClose(Sender: TObject; var CanClose: Boolean);
begin
  Calls.Finish;
  CanClose := True;
end;

end.
