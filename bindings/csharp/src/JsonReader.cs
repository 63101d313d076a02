using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>
    /// Reads JSON, because .NET Framework and .NET Standard bring no reader. At any depth, as the
    /// library does: an answer may have the only copy of a checkout URL.
    /// </summary>
    internal sealed class JsonReader
    {
        /// <summary>A value that is neither a text nor has values in it.</summary>
        private static readonly Regex Word = new Regex(
            @"\G(?:null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)");

        private readonly string _json;
        private int _at;

        internal JsonReader(string json)
        {
            _json = json;
        }

        /// <summary>An object, if it has a list for its keys, or an array, whose end comes later.
        /// </summary>
        private sealed class Open
        {
            internal int Start;
            internal List<string>? Keys;
            internal readonly List<JsonValue> Values = new List<JsonValue>();
        }

        internal JsonValue Read()
        {
            var outer = new Stack<Open>();
            while (true)
            {
                char first = Next();
                JsonValue? value = null;
                if (first == '{' || first == '[')
                {
                    outer.Push(new Open
                    {
                        Start = _at++,
                        Keys = first == '{' ? new List<string>() : null,
                    });
                }
                else
                {
                    value = Scalar(first);
                }
                // Until the first character of a value.
                while (true)
                {
                    if (outer.Count == 0)
                    {
                        Next();
                        return _at == _json.Length ? value! : throw Wrong();
                    }
                    var open = outer.Peek();
                    if (value != null)
                    {
                        open.Values.Add(value);
                    }
                    if (Next() == (open.Keys == null ? ']' : '}'))
                    {
                        _at++;
                        value = End(outer.Pop());
                        continue;
                    }
                    if (value != null)
                    {
                        Take(',');
                        Next();
                    }
                    if (open.Keys != null)
                    {
                        open.Keys.Add(String());
                        Next();
                        Take(':');
                    }
                    break;
                }
            }
        }

        private JsonValue End(Open open) =>
            new JsonValue(open.Keys == null ? JsonKind.Array : JsonKind.Object, _json, open.Start,
                _at, null, open.Keys, open.Values);

        /// <summary>The next character that is not blank; NUL at the end, which is never right.
        /// </summary>
        private char Next()
        {
            while (_at < _json.Length && " \t\r\n".IndexOf(_json[_at]) >= 0)
            {
                _at++;
            }
            return Here;
        }

        private char Here => _at < _json.Length ? _json[_at] : '\0';

        private JsonValue Scalar(char first)
        {
            int start = _at;
            if (first == '"')
            {
                var text = String();
                return new JsonValue(JsonKind.String, _json, start, _at, text, null, null);
            }
            _at += Word.Match(_json, _at).Length;
            var kind = _at == start ? throw Wrong() : first == 'n' ? JsonKind.Null
                : first == 't' || first == 'f' ? JsonKind.Boolean : JsonKind.Number;
            return new JsonValue(kind, _json, start, _at, null, null, null);
        }

        private void Take(char expected)
        {
            _at += Here == expected ? 1 : throw Wrong();
        }

        private string String()
        {
            Take('"');
            int start = _at;
            StringBuilder? before = null;
            for (; Here != '"'; _at++)
            {
                if (Here == '\\')
                {
                    before = (before ?? new StringBuilder()).Append(_json, start, _at++ - start)
                        .Append(Escaped());
                    start = _at + 1;
                }
                else if (Here < ' ')
                {
                    throw Wrong();
                }
            }
            var text = _json.Substring(start, _at++ - start);
            return before == null ? text : before.Append(text).ToString();
        }

        /// <summary>What stands after a backslash, of which the last character is then the next.
        /// </summary>
        private char Escaped()
        {
            int found = "\"\\/bfnrt".IndexOf(Here);
            if (found >= 0)
            {
                return "\"\\/\b\f\n\r\t"[found];
            }
            Take('u');
            var digits = _json.Substring(_at, Math.Min(4, _json.Length - _at));
            _at += digits.Length == 4 && digits.All(Uri.IsHexDigit) ? 3 : throw Wrong();
            return (char)ushort.Parse(
                digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        }

        private FormatException Wrong() => new FormatException("not JSON at character " + _at);
    }
}
