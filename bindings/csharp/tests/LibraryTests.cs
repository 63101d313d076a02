using System;
using System.Diagnostics;
using System.IO;
using System.Reflection;
using System.Runtime.Versioning;
#if NETCOREAPP
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
#endif

namespace Payorder.Tests
{
    /// <summary>Where the library is found, and what the assembly says of itself.</summary>
    internal sealed class LibraryTests
    {
        private const string Unpacked = "NATIVE_DLL_SEARCH_DIRECTORIES";

        private static readonly Assembly Package = typeof(PayorderClient).Assembly;

        private readonly string _library = Environment.GetEnvironmentVariable("PAYORDER_LIBRARY");

        public void ItIsFoundWhereASingleFileUnpacksIt()
        {
            var before = AppDomain.CurrentDomain.GetData(Unpacked);
            AppDomain.CurrentDomain.SetData(
                Unpacked, "/nowhere" + Path.PathSeparator + Path.GetDirectoryName(_library));
            try
            {
                Find(Package);
            }
            finally
            {
                AppDomain.CurrentDomain.SetData(Unpacked, before);
            }
        }

#if !NETCOREAPP
        public void ItIsFoundWhereAShadowCopyHasItsOriginal()
        {
            var site = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
            var bin = Directory.CreateDirectory(Path.Combine(site, "the bin#")).FullName;
            foreach (var file in new[] { "Payorder.dll", "Payorder.Testing.dll", "tests.exe" })
            {
                File.Copy(Path.Combine(AppContext.BaseDirectory, file), Path.Combine(bin, file));
            }
            File.Copy(_library, Path.Combine(bin, "libpayorder.so"));
            AppDomain.CreateDomain("site", null, new AppDomainSetup
            {
                ApplicationBase = site,
                ApplicationName = "site",
                PrivateBinPath = "the bin#",
                ShadowCopyFiles = "true",
                CachePath = Path.Combine(site, "cache"),
            }).DoCallBack(FindInASite);
        }

        private static void FindInASite()
        {
            Check.True(Package.Location.Contains("cache"), Package.Location);
            new LibraryTests().Find(Package);
        }
#endif

        public void TheAssemblyHasTheLibrarysVersion()
        {
            var about = Package.GetCustomAttribute<AssemblyInformationalVersionAttribute>();
            Check.Equal(PayorderLibrary.Version, about.InformationalVersion);
            Check.Equal(about.InformationalVersion, Package.GetName().Version.ToString(3));
            Check.True(Package.GetCustomAttribute<TargetFrameworkAttribute>() != null);
        }

        public void WhatALogHandlerThrowsIsTraced()
        {
            var traced = new StringWriter();
            Trace.Listeners.Add(new TextWriterTraceListener(traced));
            Trace.Listeners.Add(new FullDisk());
            using var client = Sandbox.Client();
            client.SetLog(one => throw new FormatException("planted"));
            Check.True(client.CreateOrder(Sandbox.Order()).Url != "");
            client.SetLog(null);
            Trace.Listeners.RemoveAt(Trace.Listeners.Count - 1);
            Trace.Listeners.RemoveAt(Trace.Listeners.Count - 1);
            Check.True(traced.ToString().Contains("planted"), traced.ToString());
        }

        private sealed class FullDisk : TraceListener
        {
            public override void Write(string message) => throw new IOException("full");

            public override void WriteLine(string message) => throw new IOException("full");
        }

#if NETCOREAPP
        public void DotNetFrameworkHasWhatTheAssemblyRefersTo()
        {
            // From the same sources: one compiled with all that Mono has, the other with the API of
            // .NET Standard 2.0.
            foreach (var name in new[] { "Payorder.dll", "Payorder.Testing.dll" })
            {
                Check.Equal("", string.Join("\n", References(Path.Combine("netstandard2.0", name))
                    .Except(References(Path.Combine("standard", name)))));
            }
        }

        private static string[] References(string assembly)
        {
            using var file = new PEReader(File.OpenRead(
                Path.Combine(AppContext.BaseDirectory, "..", assembly)));
            var reader = file.GetMetadataReader();
            return reader.TypeReferences.Select(reader.GetTypeReference)
                .Select(one => reader.GetString(one.Namespace) + "." + reader.GetString(one.Name))
                // With the numbers of the types.
                .Concat(reader.MemberReferences.Select(reader.GetMemberReference)
                    .Select(one => reader.GetString(one.Name) + " "
                        + BitConverter.ToString(reader.GetBlobBytes(one.Signature))))
                .ToArray();
        }

        public void AHostsOwnResolverIsAskedLast()
        {
            // .NET Core 3.1 asks only for a DllImport.
            if (Environment.Version.Major == 3)
            {
                return;
            }
            var plugin = new Plugin(_library);
            Find(plugin.Load("Payorder.dll"));
            Check.True(plugin.WasAsked);
        }

        public void APluginThatIsUnloadedDuringACallEndsLater()
        {
            var plugin = StartAndUnload();
            Check.Until(() =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return !plugin.IsAlive;
            });
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private WeakReference StartAndUnload()
        {
            var plugin = new Plugin(_library);
            plugin.Load("Payorder.dll");
            plugin.Load("tests.exe").GetType(typeof(LibraryTests).FullName)
                .GetMethod(nameof(StartInAPlugin), BindingFlags.Static | BindingFlags.NonPublic)
                .Invoke(null, null);
            plugin.Unload();
            return new WeakReference(plugin);
        }

        private static void StartInAPlugin()
        {
            var client = Sandbox.Client();
            client.SetLog(one => GC.Collect());
            // The last event comes when the time is up.
            client.CreateOrderAsync(Sandbox.Order("sandbox:stall"),
                new OrderOptions { Timeout = TimeSpan.FromSeconds(2.5) });
        }

        /// <summary>A plugin as a host loads it: from streams, and to be unloaded.</summary>
        private sealed class Plugin : AssemblyLoadContext
        {
            private readonly string _library;

            internal Plugin(string library)
                : base(true)
            {
                _library = library;
            }

            internal bool WasAsked { get; private set; }

            internal Assembly Load(string file) => LoadFromStream(new MemoryStream(
                File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, file))));

            protected override Assembly Load(AssemblyName name) =>
                name.Name == "Payorder" ? Assemblies.First(one => one.GetName().Name == "Payorder")
                    : null;

            protected override IntPtr LoadUnmanagedDll(string name)
            {
                WasAsked = WasAsked || name == "payorder";
                return name == "payorder" ? LoadUnmanagedDllFromPath(_library) : IntPtr.Zero;
            }
        }
#endif

#if NETCOREAPP
        public void NoSettingIsAnotherOneThanTheProgramSees()
        {
            var config = new ClientConfig { BaseUrl = "https://pay.example.com" };
            With("PAYORDER_SECRET_KEY", "of-the-program", () =>
            {
                Refused("PAYORDER_SECRET_KEY", () => PayorderClient.FromEnv());
                new PayorderClient(config).Dispose();
                config.SecretKey = "of-the-configuration";
                PayorderClient.FromEnv(config).Dispose();
            });
            With("PAYORDER_JOURNAL", "", () => PayorderClient.FromEnv().Dispose());
            With("https_proxy", "http://of-the-program.example", () =>
            {
                Refused("https_proxy", () => PayorderClient.FromEnv());
                Refused("https_proxy", () => new PayorderClient(config));
                Refused("https_proxy", () => new PayorderClient(config.ToJson()));
                config.UserAgent = "proxy";
                Refused("https_proxy", () => new PayorderClient(config));
                config.Proxy = "none";
                PayorderClient.FromEnv(config).Dispose();
                new PayorderClient(config).Dispose();
            });
        }

        private static void Refused(string variable, Func<PayorderClient> make)
        {
            var refused = Check.Throws<InvalidConfigException>(() => make());
            Check.True(refused.Message.StartsWith(variable + " is not the same in .NET and in the process"),
                refused.Message);
            Check.True(!refused.Message.Contains("of-the-program"), refused.Message);
        }

        private static void With(string variable, string value, Action action)
        {
            var before = Environment.GetEnvironmentVariable(variable);
            Environment.SetEnvironmentVariable(variable, value);
            try
            {
                action();
            }
            finally
            {
                Environment.SetEnvironmentVariable(variable, before);
            }
        }
#endif

        /// <summary>Loads it once more, without the environment variable.</summary>
        private void Find(Assembly package)
        {
            Environment.SetEnvironmentVariable("PAYORDER_LIBRARY", null);
            try
            {
                package.GetType("Payorder.LibraryFinder")
                    .GetMethod("Load", BindingFlags.Static | BindingFlags.NonPublic)
                    .Invoke(null, null);
            }
            finally
            {
                Environment.SetEnvironmentVariable("PAYORDER_LIBRARY", _library);
            }
        }
    }
}
