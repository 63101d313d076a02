using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>
    /// The functions of the library. They are delegates and not DllImports, because the path of the
    /// library is known only when the program runs. Texts for the library are byte arrays, which are
    /// pinned during the call. Texts of the library are pointers, because they must be freed there.
    /// </summary>
    internal sealed partial class Native
    {
        private static readonly Lazy<Native> TheLibrary = new Lazy<Native>(LibraryFinder.Load);

        /// <summary>The loaded library.</summary>
        /// <exception cref="InvalidConfigException">There is none that can be used.</exception>
        internal static Native Library => TheLibrary.Value;

        /// <param name="address">Gives the address of a function by its name.</param>
        internal Native(Func<string, IntPtr> address)
        {
            AbiVersion = (AbiVersionFn)Load(address, nameof(AbiVersion), typeof(AbiVersionFn));
            uint version = AbiVersion();
            if (version != Abi.Version)
            {
                throw new DllNotFoundException("has version " + version
                    + " of the ABI, and this package needs version " + Abi.Version);
            }
            foreach (var field in typeof(Native).GetFields(
                BindingFlags.Instance | BindingFlags.NonPublic))
            {
                field.SetValue(this, Load(address, field.Name, field.FieldType));
            }
        }

        /// <summary>The function with the name of a field: LiveClients is payorder_live_clients.</summary>
        private static Delegate Load(Func<string, IntPtr> address, string name, Type type)
        {
            var function = "payorder" + Regex.Replace(name, "[A-Z]", "_$0").ToLowerInvariant();
            return Marshal.GetDelegateForFunctionPointer(address(function), type);
        }
    }
}
