using System;
using System.Runtime.InteropServices;

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

        private static void Accept(uint version)
        {
            if (version != Abi.Version)
            {
                throw new DllNotFoundException("has version " + version
                    + " of the ABI, and this package needs version " + Abi.Version);
            }
        }
    }
}
