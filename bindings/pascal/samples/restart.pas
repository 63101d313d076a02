{ A till with a journal. If it crashed while it sent an order, the next start finds the order.
  The arguments are the order's number and the journal's file. }
program restart;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, payorder, till;

var
  Client: TPayorderClient;
  Order: TPayorderOrder;
  Recovered: TPayorderRecovered;
  I: Integer;
  Found, Url: UTF8String;
begin
  Order := TwoCoffees(UTF8String(ParamStr(1)));
  Client := TPayorderClient.CreateFromEnv(PayorderOptions(['journal', ParamStr(2)]));
  try
    { What happened to the sales of the last run? A till names all that it believes open: one that
      was paid while the till was off may be closed in the journal. }
    Recovered := Client.Recover([PayorderSale(Order.OrderId, Order.Amount)]);
    for I := 0 to High(Recovered.Sales) do
      with Recovered.Sales[I] do
      begin
        WriteLn(OrderId, ': ', Verdict, ' ', TransactionStatus, ' ', Url);
        { It is not known, or a person must look at it. }
        if (Verdict = 'unknown') or (Verdict = 'sending') or (Verdict = 'check')
          or (Verdict = 'url_lost') then
          ExitCode := 1;
      end;
    { Such as with wrong credentials: then nothing is known. }
    if Recovered.Refusal <> '' then
      WriteLn('the service refuses every query: ', Recovered.Refusal);
    Flush(Output);
    { This sale is the first. After any other verdict, the order may exist. After not_in_journal it
      may, too, if this journal was restored, replaced or pruned. }
    Found := Recovered.Sales[0].Verdict;
    if (Found = 'not_in_journal') or (Found = 'not_sent') or (Found = 'refused') then
    try
      Url := Client.CreateOrder(Order).Url;
      WriteLn('pay at ', Url);
    except
      on Error: EPayorder do
      begin
        if Error is EPayorderUnknown then
        begin
          WriteLn('the order may exist: ', Error.Action, ', ', Error.Description);
          Url := Error.Previous.Url;
          if Url = '' then
            Url := Error.Member['checkoutUrl'];
          { What a person must look at may be the page of another sale. }
          if (Url <> '') and (Error.Action <> 'ask_person') then
            WriteLn('if it is not paid, the page is ', Url);
        end
        else
          WriteLn('this call created no order: ', Error.Description);
        ExitCode := 1;
      end;
    end
    else if Found = 'sending' then
    try
      { By the run that crashed, whose time is not over yet. }
      WriteLn('sent, ' + Client.GetStatus(Order.OrderId).TransactionStatus);
    except
      on Error: EPayorder do
        WriteLn('not known, ask again later: ', Error.Description);
    end;
  finally
    Client.Free;
  end;
end.
