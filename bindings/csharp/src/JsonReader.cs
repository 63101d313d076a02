using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Payorder
{
    /// <summary>Reads JSON, because .NET Framework and .NET Standard bring no reader.</summary>
    internal sealed class JsonReader
    {
        // The library accepts 127.
        private const int MaxDepth = 512;

        private readonly string _json;
        private int _at;

        internal JsonReader(string json)
        {
            _json = json;
        }

        internal JsonValue Read()
        {
            var value = Value(0);
            Blanks();
            return _at == _json.Length ? value : throw Wrong();
        }

        private JsonValue Value(int depth)
        {
            Blanks();
            int start = _at;
            switch (Peek())
            {
                case '{':
                    return Container(start, depth, '}', new List<string>());
                case '[':
                    return Container(start, depth, ']', null);
                case '"':
                    var text = String();
                    return Made(JsonKind.String, start, text);
                default:
                    return Word(start);
            }
        }

        /// <summary>An object, if there is a list for its keys, or an array.</summary>
        private JsonValue Container(int start, int depth, char close, List<string>? keys)
        {
            if (depth >= MaxDepth)
            {
                throw Wrong();
            }
            _at++;
            var values = new List<JsonValue>();
            while (!Closes(close, values.Count))
            {
                if (keys != null)
                {
                    Blanks();
                    keys.Add(String());
                    Blanks();
                    Take(':');
                }
                values.Add(Value(depth + 1));
            }
            var kind = keys == null ? JsonKind.Array : JsonKind.Object;
            return new JsonValue(kind, _json, start, _at, null, keys, values);
        }

        /// <summary>Whether the bracket follows; otherwise takes the comma between items.</summary>
        private bool Closes(char bracket, int items)
        {
            Blanks();
            if (Peek() == bracket)
            {
                _at++;
                return true;
            }
            if (items > 0)
            {
                Take(',');
            }
            return false;
        }

        private string String()
        {
            Take('"');
            var text = new StringBuilder();
            for (; ; )
            {
                char one = Peek();
                _at++;
                if (one == '"')
                {
                    return text.ToString();
                }
                text.Append(one == '\\' ? Escaped() : one);
            }
        }

        private char Escaped()
        {
            char one = Peek();
            _at++;
            if (one == 'u' && _at + 4 <= _json.Length
                && ushort.TryParse(_json.Substring(_at, 4), NumberStyles.AllowHexSpecifier,
                    CultureInfo.InvariantCulture, out ushort code))
            {
                _at += 4;
                return (char)code;
            }
            int known = "\"\\/bfnrt".IndexOf(one);
            return known >= 0 ? "\"\\/\b\f\n\r\t"[known] : throw Wrong();
        }

        /// <summary>A number, true, false or null.</summary>
        private JsonValue Word(int start)
        {
            while (_at < _json.Length && ",:]} \t\r\n".IndexOf(_json[_at]) < 0)
            {
                _at++;
            }
            var word = _json.Substring(start, _at - start);
            var kind = word == "null" ? JsonKind.Null
                : word == "true" || word == "false" ? JsonKind.Boolean
                : word.Trim("+-.0123456789eE".ToCharArray()) == "" && word != "" ? JsonKind.Number
                : throw Wrong();
            return Made(kind, start, null);
        }

        private JsonValue Made(JsonKind kind, int start, string? text) =>
            new JsonValue(kind, _json, start, _at, text, null, null);

        private void Blanks()
        {
            while (_at < _json.Length && " \t\r\n".IndexOf(_json[_at]) >= 0)
            {
                _at++;
            }
        }

        private char Peek() => _at < _json.Length ? _json[_at] : throw Wrong();

        private void Take(char wanted)
        {
            if (Peek() != wanted)
            {
                throw Wrong();
            }
            _at++;
        }

        private FormatException Wrong() => new FormatException("not JSON at character " + _at);
    }
}
