using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>
    /// Reads JSON, because .NET Framework and .NET Standard bring no reader. At any depth, as the
    /// library does: an answer may have the only copy of a checkout URL.
    /// </summary>
    internal sealed class JsonReader
    {
        /// <summary>What JSON is made of, and the blanks before it.</summary>
        private static readonly Regex Tokens = new Regex(
            "\\G(?>[ \t\r\n]*)(?>(?<token>[{}\\[\\],:]|null|true|false"
            + "|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
            + "|\"(?>[^\"\\\\\0-\x1f]+|\\\\(?:[\"\\\\/bfnrt]|u[0-9A-Fa-f]{4}))*\"|\\z))",
            RegexOptions.CultureInvariant);

        private static readonly Regex Escapes = new Regex(@"\\(?:u(.{4})|.)");

        private readonly string _json;

        /// <summary>Where the token is, and where what follows it begins.</summary>
        private int _start, _end;

        internal JsonReader(string json)
        {
            _json = json;
            Next();
        }

        internal JsonValue Read()
        {
            // The objects and arrays whose ends come later.
            var outer = new Stack<JsonValue>();
            while (true)
            {
                var value = new JsonValue(Kind(), _json, _start, _end);
                bool ended = value.Kind != JsonKind.Object && value.Kind != JsonKind.Array;
                if (value.Kind == JsonKind.String)
                {
                    value.Content = String();
                }
                else if (!ended)
                {
                    outer.Push(value);
                }
                Next();
                // Until the first token of a value.
                while (true)
                {
                    if (outer.Count == 0)
                    {
                        return First == '\0' ? value : throw Wrong();
                    }
                    var open = outer.Peek();
                    if (ended)
                    {
                        open.Values.Add(value);
                    }
                    if (First == (open.Kind == JsonKind.Array ? ']' : '}'))
                    {
                        value = outer.Pop();
                        value.End = _end;
                        ended = true;
                        Next();
                        continue;
                    }
                    if (ended)
                    {
                        Take(',');
                    }
                    if (open.Kind == JsonKind.Object)
                    {
                        open.Names.Add(String());
                        Next();
                        Take(':');
                    }
                    break;
                }
            }
        }

        /// <summary>The first character of the token; NUL at the end of the text.</summary>
        private char First => _start < _end ? _json[_start] : '\0';

        private void Next()
        {
            var found = Tokens.Match(_json, _end).Groups["token"];
            _start = found.Success ? found.Index : throw Wrong();
            _end = _start + found.Length;
        }

        private void Take(char expected)
        {
            if (First != expected)
            {
                throw Wrong();
            }
            Next();
        }

        private JsonKind Kind()
        {
            switch (First)
            {
                case '{': return JsonKind.Object;
                case '[': return JsonKind.Array;
                case '"': return JsonKind.String;
                case 'n': return JsonKind.Null;
                case 't':
                case 'f': return JsonKind.Boolean;
                default:
                    return "}],:\0".IndexOf(First) < 0 ? JsonKind.Number : throw Wrong();
            }
        }

        private string String() => First != '"' ? throw Wrong() : Escapes.Replace(
            _json.Substring(_start + 1, _end - _start - 2), one => one.Groups[1].Success
                ? ((char)ushort.Parse(one.Groups[1].Value, NumberStyles.AllowHexSpecifier,
                    CultureInfo.InvariantCulture)).ToString()
                : "\"\\/\b\f\n\r\t"["\"\\/bfnrt".IndexOf(one.Value[1])].ToString());

        private FormatException Wrong() => new FormatException("not JSON at character " + _end);
    }
}
