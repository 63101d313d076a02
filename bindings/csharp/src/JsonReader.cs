using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>Reads JSON, because .NET Framework and .NET Standard bring no reader.</summary>
    internal sealed class JsonReader
    {
        // The library accepts 127.
        private const int MaxDepth = 512;

        private const string Escape = @"\\(?:u([0-9a-fA-F]{4})|[""\\/bfnrt])";

        /// <summary>What JSON is made of, with the blanks around it.</summary>
        private static readonly Regex Token = new Regex(@"\G[ \t\r\n]*(?<token>[{}\[\],:]|null|true|false"
            + @"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
            + @"|""(?>(?:[^""\\\x00-\x1f]+|" + Escape + @")*)"")[ \t\r\n]*");

        private readonly string _json;
        private Group _token = null!;
        private int _at;

        internal JsonReader(string json)
        {
            _json = json;
            Next();
        }

        internal JsonValue Read()
        {
            var value = Value(0);
            return _at == _json.Length ? value : throw Wrong();
        }

        private char First => _json[_token.Index];

        private void Next()
        {
            var found = Token.Match(_json, _at);
            _token = found.Success ? found.Groups["token"] : throw Wrong();
            _at += found.Length;
        }

        /// <summary>Reads the value that begins with the token, to its last token.</summary>
        private JsonValue Value(int depth)
        {
            switch (First)
            {
                case '{':
                    return Container(depth, '}', new List<string>());
                case '[':
                    return Container(depth, ']', null);
                case '"':
                    return Scalar(JsonKind.String, String());
                case 'n':
                    return Scalar(JsonKind.Null, null);
                case 't':
                case 'f':
                    return Scalar(JsonKind.Boolean, null);
                case '}':
                case ']':
                case ',':
                case ':':
                    throw Wrong();
                default:
                    return Scalar(JsonKind.Number, null);
            }
        }

        private JsonValue Scalar(JsonKind kind, string? text) => new JsonValue(
            kind, _json, _token.Index, _token.Index + _token.Length, text, null, null);

        /// <summary>An object, if there is a list for its keys, or an array.</summary>
        private JsonValue Container(int depth, char close, List<string>? keys)
        {
            int start = depth < MaxDepth ? _token.Index : throw Wrong();
            var values = new List<JsonValue>();
            Next();
            while (First != close)
            {
                if (values.Count > 0)
                {
                    Take(',');
                }
                if (keys != null)
                {
                    keys.Add(String());
                    Next();
                    Take(':');
                }
                values.Add(Value(depth + 1));
                Next();
            }
            var kind = keys == null ? JsonKind.Array : JsonKind.Object;
            return new JsonValue(kind, _json, start, _token.Index + 1, null, keys, values);
        }

        private void Take(char expected)
        {
            if (First != expected)
            {
                throw Wrong();
            }
            Next();
        }

        private string String() => First != '"'
            ? throw Wrong()
            : Regex.Replace(_token.Value.Substring(1, _token.Length - 2), Escape, one =>
                one.Length > 2
                    ? ((char)ushort.Parse(one.Groups[1].Value, NumberStyles.AllowHexSpecifier,
                        CultureInfo.InvariantCulture)).ToString()
                    : "\"\\/\b\f\n\r\t"["\"\\/bfnrt".IndexOf(one.Value[1])].ToString());

        private FormatException Wrong() => new FormatException("not JSON at character " + _at);
    }
}
