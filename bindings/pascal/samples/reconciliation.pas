{ At night: compare all orders of the day with the service. The arguments are the file of orders,
  one "orderId,amount" on each line, and nothing else. The exit status is 0 if all orders are paid as
  expected, 2 if there are no orders to ask for, and 6 otherwise. }
program reconciliation;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, Classes, payorder, till;

type
  TReport = class
    Ids: TStringList;
    Amounts: array of TPayorderAmount;
    Paid: Integer;
    procedure Arrived(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
  end;

procedure TReport.Arrived(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
var
  Verdict: TPayorderVerdict;
  I: Integer;
begin
  Write(Ids[Index], ' ');
  if Code <> PAYORDER_OK then
  begin
    WriteLn(PayorderResultName(Code));
    Exit;
  end;
  Verdict := PayorderVerifyPayment(UTF8String(Ids[Index]), Amounts[Index], Json);
  if Verdict.Paid then
  begin
    WriteLn('paid');
    Inc(Paid);
    Exit;
  end;
  Write('not as expected:');
  for I := 0 to High(Verdict.Failed) do
    Write(' ', Verdict.Failed[I]);
  WriteLn;
end;

procedure NoOrders(const Why: string);
begin
  WriteLn(ErrOutput, Why);
  Halt(2);
end;

{ A byte-order mark is not part of the first id. Delphi has removed it. }
function WithoutMark(const Line: string): string;
begin
  Result := Line;
  if (Length(Line) >= 3) and (Ord(Line[1]) = $EF) and (Ord(Line[2]) = $BB) and (Ord(Line[3]) = $BF)
  then
    Delete(Result, 1, 3);
end;

function Orders(const Name: string): TStringList;
begin
  Result := TStringList.Create;
  try
    Result.LoadFromFile(Name);
  except
    on E: Exception do
      NoOrders('cannot read the orders: ' + E.Message);
  end;
  if Result.Count > 0 then
    Result[0] := WithoutMark(Result[0]);
end;

var
  Client: TPayorderClient;
  Report: TReport;
  Lines: TStringList;
  Queries: array of UTF8String;
  Summary: TPayorderSummary;
  Amount: TPayorderAmount;
  I, Comma, Count, Odd: Integer;
begin
  Lines := Orders(ParamStr(1));
  Report := TReport.Create;
  Report.Ids := TStringList.Create;
  Client := nil;
  try
    Count := 0;
    Odd := 0;
    SetLength(Queries, Lines.Count);
    SetLength(Report.Amounts, Lines.Count);
    for I := 0 to Lines.Count - 1 do
    begin
      if Lines[I] = '' then
        Continue;
      Comma := LastDelimiter(',', Lines[I]);
      if Comma = 0 then
        NoOrders('line ' + IntToStr(I + 1) + ' is not an order');
      try
        Amount := PayorderAmount(UTF8String(Copy(Lines[I], Comma + 1, MaxInt)));
      except
        on E: EPayorder do
        begin
          WriteLn(Copy(Lines[I], 1, Comma - 1), ' cannot be checked: ', E.Message);
          Inc(Odd);
          Continue;
        end;
      end;
      Report.Ids.Add(Copy(Lines[I], 1, Comma - 1));
      Report.Amounts[Count] := Amount;
      Queries[Count] := PayorderOrderQuery(UTF8String(Report.Ids[Count]));
      Inc(Count);
    end;
    if Count + Odd = 0 then
      NoOrders('no orders in ' + ParamStr(1));
    SetLength(Queries, Count);
    Client := TPayorderClient.CreateFromEnv;
    Summary := Client.GetStatuses(Queries, Report.Arrived, PayorderOptions(['concurrency', 4]));
    WriteLn('asked ', Summary.Asked, ', answered ', Summary.Ok);
    if (Report.Paid < Count) or (Odd > 0) then
      ExitCode := 6;
  finally
    Client.Free;
    Lines.Free;
    Report.Ids.Free;
    Report.Free;
  end;
end.
