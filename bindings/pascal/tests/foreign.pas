{ The settings of a computer in another country, for the units after it. }
unit foreign;

interface

uses
  SysUtils;

implementation

initialization
  FormatSettings.TimeSeparator := '.';
  FormatSettings.DateSeparator := '.';
  FormatSettings.DecimalSeparator := ',';
  FormatSettings.ThousandSeparator := '.';
end.
