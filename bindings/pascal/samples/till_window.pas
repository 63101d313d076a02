{ The window of a till, which stays alive during a sale: for Lazarus, made in code. }
unit till_window;

{$MODE DELPHI}{$CODEPAGE UTF8}

interface

uses
  Classes, SysUtils, Forms, StdCtrls, ExtCtrls, payorder, payorder_calls, till;

type
  { The call that runs. }
  TRuns = (runsNothing, runsSale, runsQuestion, runsWait);

  TTillWindow = class(TForm)
  private
    Calls: TPayorderCalls;
    Runs: TRuns;
    Order: TPayorderOrder;
    Number: Integer;
    { Where the customer can pay, if the answer to the question says that the order is not paid. }
    Url: UTF8String;
    function Button(const Text: string; Place: Integer; Clicked: TNotifyEvent): TButton;
    procedure Ended(Sender: TObject; const Done: TPayorderDone);
    procedure Pay(const Page: UTF8String);
    procedure Failed(Ran: TRuns; Error: EPayorder);
    procedure Tick(Sender: TObject);
    procedure AskToClose(Sender: TObject; var CanClose: Boolean);
    procedure Say(const Text: UTF8String);
  public
    Clock, Shown: TLabel;
    SellButton, CancelButton: TButton;
    constructor Create(AOwner: TComponent); override;
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

function TTillWindow.Button(const Text: string; Place: Integer; Clicked: TNotifyEvent): TButton;
begin
  Result := TButton.Create(Self);
  Result.Parent := Self;
  Result.Caption := Text;
  Result.SetBounds(Place, 40, 90, 30);
  Result.OnClick := Clicked;
end;

procedure TTillWindow.Say(const Text: UTF8String);
begin
  Shown.Caption := Text;
end;

procedure TTillWindow.Tick(Sender: TObject);
begin
  Clock.Caption := FormatDateTime('hh:nn:ss.zzz', Now);
end;

procedure TTillWindow.Sell(Sender: TObject);
begin
  { A second click: a sale runs. }
  if Runs <> runsNothing then
    Exit;
  Inc(Number);
  Order := TwoCoffees(UTF8String('window-' + IntToStr(Number)));
  Calls.Client.StartCreateOrder(Order);
  Runs := runsSale;
  SellButton.Enabled := False;
  Say('sending');
end;

{ The order may be out all the same: what its call ends with says that. }
procedure TTillWindow.Cancel(Sender: TObject);
begin
  Calls.Client.Cancel;
end;

procedure TTillWindow.Pay(const Page: UTF8String);
begin
  Say('pay at ' + Page);
  Calls.Client.StartWaitForPayment(Order.OrderId, PayorderOptions(['intervalMs', 1000]));
  Runs := runsWait;
end;

procedure TTillWindow.Ended(Sender: TObject; const Done: TPayorderDone);
var
  Ran: TRuns;
  Page: UTF8String;
  Status: TPayorderStatus;
  Waited: TPayorderWaited;
begin
  Ran := Runs;
  Runs := runsNothing;
  try
    case Ran of
      runsSale:
        begin
          Page := PayorderCheckoutOf(Done).Url;
          { An error from here on does not mean that there is no order. }
          Ran := runsWait;
          Pay(Page);
        end;
      runsQuestion:
        begin
          Status := PayorderStatusOf(Done);
          Say('the order exists: ' + Status.TransactionStatus);
          Ran := runsWait;
          if (Url <> '') and IsOpen(Order, Status) then
            Pay(Url);
        end;
      runsWait:
        begin
          Waited := PayorderWaitedOf(Done);
          if Waited.HasStatus and IsPaid(Order, Waited.Status) then
            Say('paid')
          else
            Say('not known to be paid: ask again');
        end;
    end;
  except
    on Error: EPayorder do
      Failed(Ran, Error);
  end;
  SellButton.Enabled := Runs = runsNothing;
end;

procedure TTillWindow.Failed(Ran: TRuns; Error: EPayorder);
begin
  if Ran = runsWait then
    Say('open, the customer can still pay: ' + Error.Description)
  else if Ran = runsQuestion then
    Say('still not known, ask again later: ' + Error.Description)
  else if not (Error is EPayorderUnknown) then
    Say('this call created no order: ' + Error.Description)
  else
  begin
    Say('the order may exist: ' + Error.Action + ', ' + Error.Description);
    Url := '';
    if Error.Action = 'ask_status' then
      Url := Error.Member['checkoutUrl'];
    try
      if Error.Previous.Url <> '' then
        Pay(Error.Previous.Url)
      else
      begin
        Calls.Client.StartGetStatus(PayorderQueryOf(Error));
        Runs := runsQuestion;
      end;
    except
      { It was not asked: what is shown stays. }
      on EPayorder do ;
    end;
  end;
end;

{ The window stays until a person can read what happened. A question ends at once. An order gets its
  time, because a cancel could lose its page. }
procedure TTillWindow.AskToClose(Sender: TObject; var CanClose: Boolean);
begin
  CanClose := Runs = runsNothing;
  if CanClose then
    Exit;
  if Runs <> runsSale then
    Calls.Client.Cancel;
  Say('close the till again when this call has ended');
end;

end.
