using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Payorder
{
    /// <summary>
    /// Converts texts. The library reads and writes UTF-8, which .NET Framework cannot marshal.
    /// </summary>
    internal static class Utf8
    {
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        /// <summary>The text as UTF-8 that ends in a NUL, or null for null.</summary>
        /// <exception cref="ArgumentException">It has a NUL, or no UTF-8 form.</exception>
        internal static byte[]? Bytes(string? text, string name)
        {
            if (text == null)
            {
                return null;
            }
            if (text.IndexOf('\0') >= 0)
            {
                throw new ArgumentException(name + " contains a NUL character", name);
            }
            var bytes = new byte[Check(text, name) + 1];
            Strict.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        /// <summary>The same of a text that must be there.</summary>
        internal static byte[]? Required(string? text, string name) =>
            Bytes(text ?? throw new ArgumentNullException(name), name);

        /// <summary>How many bytes it has. Throws if the text has no UTF-8 form.</summary>
        internal static int Check(string text, string name)
        {
            try
            {
                return Strict.GetByteCount(text);
            }
            catch (EncoderFallbackException)
            {
                throw new ArgumentException(
                    name + " contains half of a surrogate pair, which has no UTF-8 form", name);
            }
        }

        /// <summary>A copy of the library's text, or null for NULL.</summary>
        internal static string? Text(IntPtr text)
        {
            if (text == IntPtr.Zero)
            {
                return null;
            }
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }
    }
}
