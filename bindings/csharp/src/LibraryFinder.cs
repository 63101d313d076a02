using System;
using System.Collections.Generic;
using System.ComponentModel;
#if NETCOREAPP
using System.Diagnostics.CodeAnalysis;
#endif
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Payorder
{
    /// <summary>Finds the library and loads it.</summary>
    internal static class LibraryFinder
    {
        internal static readonly bool IsWindows =
            RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

        private static readonly bool IsMac = RuntimeInformation.IsOSPlatform(OSPlatform.OSX);

        private static readonly string FileName =
            IsWindows ? "payorder.dll" : IsMac ? "libpayorder.dylib" : "libpayorder.so";

        private static readonly string SystemName =
            IsWindows ? "payorder.dll" : IsMac ? "libpayorder.1.dylib" : "libpayorder.so.1";

        /// <summary>What a host with a resolver of its own is asked for.</summary>
        private const string HostsOwn = "payorder";

        /// <summary>Tries the places that the README lists, in that order.</summary>
        internal static Native Load()
        {
            var tried = new List<string>();
            foreach (var path in Candidates(tried))
            {
                if (Path.IsPathRooted(path) && !File.Exists(path))
                {
                    tried.Add(path + ": no such file");
                    continue;
                }
                try
                {
                    return Open(path);
                }
                catch (Exception error) when (error is DllNotFoundException
                    || error is EntryPointNotFoundException)
                {
                    tried.Add(path + ": " + error.Message);
                }
            }
            throw ErrorFields.Own(PayorderResult.InvalidConfig, Causes.UnreadableFile,
                Actions.FixConfiguration,
                "payorder found no library that it can use. It tried\n  "
                + string.Join("\n  ", tried)
                + "\nSet PAYORDER_LIBRARY to the path of the library. Nothing was sent.");
        }

        private static IEnumerable<string> Candidates(List<string> tried)
        {
            var chosen = Environment.GetEnvironmentVariable("PAYORDER_LIBRARY");
            if (!string.IsNullOrEmpty(chosen))
            {
                yield return Path.GetFullPath(chosen);
                yield break;
            }
            tried.Add("the environment variable PAYORDER_LIBRARY: not set");
            // The libraries that are in a program of a single file lie where they were unpacked.
            var unpacked = AppDomain.CurrentDomain.GetData("NATIVE_DLL_SEARCH_DIRECTORIES");
            foreach (var path in InPackage(FileName, unpacked as string ?? "", SystemName))
            {
                yield return path;
            }
            foreach (var built in Folders("").SelectMany(InCheckout).Distinct())
            {
                yield return built;
            }
            yield return SystemName;
#if NETCOREAPP
            yield return HostsOwn;
#endif
        }

        /// <summary>Where a native file of the package can be: with the program, or as the package
        /// has it.</summary>
        internal static IEnumerable<string> InPackage(
            string name, string folders, string? otherName = null) =>
            Folders(folders).SelectMany(folder => new[]
            {
                Path.Combine(folder, name),
                Path.Combine(folder, otherName ?? name),
                Path.Combine(folder, "runtimes", Runtime(), "native", name),
                // In ~/.nuget/packages, the assembly is in lib/netstandard2.0.
                Path.Combine(folder, "..", "..", "runtimes", Runtime(), "native", name),
            });

        /// <summary>The program's folders, and others.</summary>
#if NETCOREAPP
#pragma warning disable 436 // .NET 5 and later have the attribute, .NET Core 3.1 has not.
        [UnconditionalSuppressMessage("SingleFile", "IL3000",
            Justification = "A program of a single file has other folders.")]
#endif
        private static IEnumerable<string> Folders(string others)
        {
            var assembly = typeof(LibraryFinder).Assembly;
            // In a program of a single file, the assembly has no path.
            var folders = new[] { Path.GetDirectoryName(assembly.Location) };
#if !NETCOREAPP
            // ASP.NET runs a copy of the assembly. The original is in a folder of the site.
            Uri.TryCreate(assembly.EscapedCodeBase, UriKind.Absolute, out Uri? original);
            folders = new[]
            {
                folders[0], Path.GetDirectoryName(original?.LocalPath),
                AppDomain.CurrentDomain.RelativeSearchPath,
            };
#endif
            return folders.Append(AppContext.BaseDirectory)
                .Concat(others.Split(new[] { Path.PathSeparator }))
                .Where(folder => !string.IsNullOrEmpty(folder))
                .Select(folder => Path.GetDirectoryName(
                    Path.Combine(AppContext.BaseDirectory, folder!, "program"))!)
                .Distinct();
        }

        /// <summary>The builds in a checkout of the repository, the newest first.</summary>
        private static IEnumerable<string> InCheckout(string? folder)
        {
            while (folder != null && !Directory.Exists(Path.Combine(folder, "bindings", "csharp")))
            {
                folder = Path.GetDirectoryName(folder);
            }
            return folder == null
                ? Enumerable.Empty<string>()
                : new[] { "release", "debug" }
                    .Select(build => Path.Combine(folder, "target", build, FileName))
                    .Where(File.Exists)
                    .OrderByDescending(File.GetLastWriteTimeUtc);
        }

        /// <summary>The name of this system and processor in NuGet packages.</summary>
        private static string Runtime()
        {
            var processor = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
            return (IsWindows ? "win-" : IsMac ? "osx-" : UsesMusl() ? "linux-musl-" : "linux-")
                + processor;
        }

        /// <summary>Whether this process uses musl, as on Alpine, and not glibc.</summary>
        private static bool UsesMusl()
        {
            const string maps = "/proc/self/maps";
            return File.Exists(maps) && File.ReadAllText(maps).Contains("/ld-musl-");
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate IntPtr GetEnv(byte[] name);

        /// <summary>The first of these variables that is not the same in .NET and in the process: .NET
        /// has a copy of the environment on Unix, and Mono none. An empty one counts as absent, and one
        /// that is not UTF-8 as the same.</summary>
        internal static string? DifferentVariable(IEnumerable<string> names)
        {
            if (IsWindows || Type.GetType("Mono.Runtime") != null)
            {
                return null;
            }
            var get = Marshal.GetDelegateForFunctionPointer<GetEnv>(
                Unix.Symbol(Unix.Open(null), "getenv"));
            return names.FirstOrDefault(name =>
            {
                var own = Environment.GetEnvironmentVariable(name) ?? "";
                return !own.Contains("\uFFFD")
                    && own != (Utf8.Text(get(Utf8.Bytes(name, nameof(names))!)) ?? "");
            });
        }

        private static Native Open(string path)
        {
#if NETCOREAPP
            if (path == HostsOwn)
            {
                NativeLibrary.TryLoad(path, typeof(LibraryFinder).Assembly, null, out var own);
                return With(own != IntPtr.Zero ? own
                    : throw new DllNotFoundException("the host does not give one either"));
            }
#endif
            var handle = IsWindows
                ? Windows.LoadLibraryEx(path, IntPtr.Zero, Windows.SafeFolders)
                : Unix.Open(path);
            if (handle == IntPtr.Zero)
            {
                throw new DllNotFoundException(IsWindows
                    ? new Win32Exception(Marshal.GetLastWin32Error()).Message
                    : Unix.LastError());
            }
            return With(handle);
        }

        private static Native With(IntPtr handle) => new Native(name =>
        {
            var address = IsWindows
                ? Windows.GetProcAddress(handle, name)
                : Unix.Symbol(handle, name);
            return address != IntPtr.Zero
                ? address
                : throw new EntryPointNotFoundException("has no " + name
                    + ": it is not a payorder library, or older than this package");
        });

        private static class Windows
        {
            /// <summary>The program's folder and the system's, and not the working folder, where a file
            /// may be anybody's.</summary>
            internal const uint SafeFolders = 0x1000;

            [DllImport("kernel32", EntryPoint = "LoadLibraryExW", CharSet = CharSet.Unicode,
                ExactSpelling = true, SetLastError = true)]
            internal static extern IntPtr LoadLibraryEx(string path, IntPtr zero, uint flags);

            [DllImport("kernel32", CharSet = CharSet.Ansi, ExactSpelling = true)]
            internal static extern IntPtr GetProcAddress(IntPtr library, string name);
        }

        /// <summary>dlopen is in libdl of glibc before 2.34, and in libc elsewhere.</summary>
        private static class Unix
        {
            private const int Now = 2;

            private static bool _inLibdl = !IsMac;

            /// <summary>The library of a path; the program itself without one.</summary>
            internal static IntPtr Open(string? path)
            {
                if (_inLibdl)
                {
                    try
                    {
                        // Finding dlerror itself would lose the message.
                        Libdl.dlerror();
                        return Libdl.dlopen(path, Now);
                    }
                    catch (DllNotFoundException)
                    {
                        _inLibdl = false;
                    }
                }
                Libc.dlerror();
                return Libc.dlopen(path, Now);
            }

            internal static IntPtr Symbol(IntPtr library, string name) =>
                _inLibdl ? Libdl.dlsym(library, name) : Libc.dlsym(library, name);

            internal static string LastError() =>
                Utf8.Text(_inLibdl ? Libdl.dlerror() : Libc.dlerror()) ?? "dlopen failed";

            private static class Libdl
            {
                [DllImport("libdl.so.2")]
                internal static extern IntPtr dlopen(string? path, int flags);

                [DllImport("libdl.so.2")]
                internal static extern IntPtr dlsym(IntPtr library, string name);

                [DllImport("libdl.so.2")]
                internal static extern IntPtr dlerror();
            }

            private static class Libc
            {
                [DllImport("libc")]
                internal static extern IntPtr dlopen(string? path, int flags);

                [DllImport("libc")]
                internal static extern IntPtr dlsym(IntPtr library, string name);

                [DllImport("libc")]
                internal static extern IntPtr dlerror();
            }
        }
    }
}

#if NETCOREAPP
namespace System.Diagnostics.CodeAnalysis
{
    /// <summary>The compilers of single files look for its name.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class UnconditionalSuppressMessageAttribute : Attribute
    {
        public UnconditionalSuppressMessageAttribute(string category, string checkId) { }

        public string? Justification { get; set; }
    }
}
#endif
