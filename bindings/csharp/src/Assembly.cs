using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;

// No strong name: since .NET Core nothing checks it, and a signed assembly binds .NET Framework to
// one exact version.
[assembly: AssemblyTitle("Payorder")]
[assembly: AssemblyVersion("0.1.0.0")]
[assembly: AssemblyFileVersion("0.1.0.0")]
[assembly: AssemblyInformationalVersion("0.1.0")]
[assembly: InternalsVisibleTo("Payorder.Testing")]
#if NETCOREAPP
[assembly: AssemblyMetadata("IsTrimmable", "True")]
[assembly: AssemblyMetadata("IsAotCompatible", "True")]
[assembly: TargetFramework(".NETCoreApp,Version=v3.1")]
#else
[assembly: TargetFramework(".NETStandard,Version=v2.0")]
#endif
