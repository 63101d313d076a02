{ At night: compare all orders of the day with the service. The arguments are the file of orders,
  one "orderId,amount" on each line, and nothing else. }
program reconciliation;

{$IFDEF FPC}{$MODE DELPHI}{$CODEPAGE UTF8}{$ENDIF}

uses
  SysUtils, Classes, payorder, till;

type
  TReport = class
    Ids: TStringList;
    Amounts: array of TPayorderAmount;
    procedure Arrived(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
  end;

procedure TReport.Arrived(Index, Code: Integer; const Json: UTF8String; var Continue: Boolean);
var
  Verdict: UTF8String;
begin
  if Code <> PAYORDER_OK then
    Verdict := PayorderResultName(Code)
  else if PayorderVerifyPayment(UTF8String(Ids[Index]), Amounts[Index], Json).Paid then
    Verdict := 'paid'
  else
    Verdict := 'not as expected: ' + PayorderStatusOf(Json).TransactionStatus;
  WriteLn(Ids[Index], ' ', Verdict);
end;

var
  Client: TPayorderClient;
  Report: TReport;
  Lines: TStringList;
  Queries: array of UTF8String;
  Summary: TPayorderSummary;
  I, Comma: Integer;
begin
  Report := TReport.Create;
  Report.Ids := TStringList.Create;
  Lines := TStringList.Create;
  Client := TPayorderClient.CreateFromEnv;
  try
    Lines.LoadFromFile(ParamStr(1));
    for I := Lines.Count - 1 downto 0 do
      if Lines[I] = '' then
        Lines.Delete(I);
    if Lines.Count = 0 then
      raise Exception.Create('no orders in ' + ParamStr(1));
    SetLength(Queries, Lines.Count);
    SetLength(Report.Amounts, Lines.Count);
    for I := 0 to Lines.Count - 1 do
    begin
      Comma := Pos(',', Lines[I]);
      if Comma = 0 then
        raise Exception.Create('not an order: ' + Lines[I]);
      Report.Ids.Add(Copy(Lines[I], 1, Comma - 1));
      Report.Amounts[I] := PayorderAmount(UTF8String(Copy(Lines[I], Comma + 1, MaxInt)));
      Queries[I] := PayorderOrderQuery(UTF8String(Report.Ids[I]));
    end;
    Summary := Client.GetStatuses(Queries, Report.Arrived, PayorderOptions(['concurrency', 4]));
    WriteLn('asked ', Summary.Asked, ', answered ', Summary.Ok);
  finally
    Client.Free;
    Lines.Free;
    Report.Ids.Free;
    Report.Free;
  end;
end.
