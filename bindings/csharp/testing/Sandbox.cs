using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Payorder.Testing
{
    /// <summary>
    /// A simulation of the payment service on this machine. No real money moves. It is a process
    /// of its own on a free port, and ends with the program that started it, also if that one is
    /// killed. What it refuses is an <see cref="InvalidOperationException"/> with its own words.
    /// </summary>
    public sealed class Sandbox : IDisposable
    {
        private readonly Process _process;
        private bool _ended;
        private readonly string _control;
        private readonly string _secret;

        /// <summary>Starts one: that of PAYORDER_SANDBOX, of the package, or of PATH.</summary>
        /// <exception cref="InvalidOperationException">There is none, or it does not start.
        /// </exception>
        public Sandbox()
        {
            var program = Find();
            var start = new ProcessStartInfo(program, "--private")
            {
                UseShellExecute = false,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            };
            try
            {
                _process = Process.Start(start)!;
            }
            catch (Win32Exception error)
            {
                throw new InvalidOperationException(program + ": " + error.Message, error);
            }
            var output = _process.StandardOutput;
            var line = Regex.Match(
                output.ReadLine() ?? "", @" (http\S+) with Authorization: Bearer (\S+)");
            if (!line.Success || output.ReadLine() == null)
            {
                throw new InvalidOperationException(program + " did not start");
            }
            // Nobody reads its log.
            output.Close();
            _control = line.Groups[1].Value;
            _secret = line.Groups[2].Value;
            var described = Ask("GET", "");
            var credentials = described["credentials"]!;
            Config = new ClientConfig
            {
                BaseUrl = described["baseUrl"]!.Text,
                Proxy = "none",
                AccessToken = credentials["accessToken"]!.Text,
                ClientKey = credentials["clientKey"]!.Text,
                ClientId = credentials["clientId"]!.Text,
                SecretKey = credentials["secretKey"]!.Text,
            };
        }

        /// <summary>What a client needs: the address and the credentials.</summary>
        public ClientConfig Config { get; }

        /// <summary>The URL of the service.</summary>
        public string BaseUrl => Config.BaseUrl!;

        /// <summary>The orders that the service has.</summary>
        public IReadOnlyList<JsonValue> Orders => Ask("GET", "/orders")["orders"]!.Items;

        /// <summary>The requests that the service got, with its responses.</summary>
        public IReadOnlyList<JsonValue> Requests =>
            Ask("GET", "/requests?after=0")["requests"]!.Items;

        /// <summary>A new client of the sandbox.</summary>
        public PayorderClient Client() => new PayorderClient(Config);

        /// <summary>The customer pays. Returns the order as it is then, as the next three do.
        /// </summary>
        public JsonValue Pay(string orderId) => Press(orderId, "pay");

        /// <summary>The payment fails. The customer can try again.</summary>
        public JsonValue Fail(string orderId) => Press(orderId, "fail");

        /// <summary>The customer cancels.</summary>
        public JsonValue Cancel(string orderId) => Press(orderId, "cancel");

        /// <summary>The shop refunds the whole payment.</summary>
        public JsonValue Refund(string orderId) => Press(orderId, "refund");

        /// <summary>Lets requests go wrong.</summary>
        /// <param name="rule">Such as "create:1:drop-after-commit".</param>
        public void Fault(string rule)
        {
            Ask("POST", "/faults", new JsonWriter().Add("rule", rule).ToString());
        }

        /// <summary>Forgets all orders, requests and faults.</summary>
        public void Reset()
        {
            Ask("POST", "/reset");
        }

        /// <summary>Ends it: nothing listens there any more. A second call does nothing.</summary>
        public void Dispose()
        {
            if (_ended)
            {
                return;
            }
            _ended = true;
            _process.StandardInput.Close();
            _process.WaitForExit();
            _process.Dispose();
        }

        private static string Find()
        {
            var named = Environment.GetEnvironmentVariable("PAYORDER_SANDBOX");
            if (!string.IsNullOrEmpty(named))
            {
                return File.Exists(named) ? named
                    : throw Missing("PAYORDER_SANDBOX names " + named);
            }
            var name = "payorder-sandbox" + (LibraryFinder.IsWindows ? ".exe" : "");
            var folder = Path.GetDirectoryName(typeof(Sandbox).Assembly.Location);
            var packed = LibraryFinder.InPackage(name, folder ?? "").FirstOrDefault(File.Exists);
            if (packed != null && !LibraryFinder.IsWindows)
            {
                // A package of NuGet has no rights of files.
                Chmod(packed, Convert.ToInt32("755", 8));
            }
            return packed
                ?? (Environment.GetEnvironmentVariable("PATH") ?? "").Split(new[] { Path.PathSeparator })
                    .Where(one => one.Length > 0).Select(one => Path.Combine(one, name))
                    .FirstOrDefault(File.Exists)
                ?? throw Missing("The package has none for this system, and PATH has none");
        }

        private static Exception Missing(string what) => new InvalidOperationException(what
            + ": there is no sandbox. Unpack payorder-sandbox from an archive of a release, and put"
            + " it into PATH or name it in PAYORDER_SANDBOX.");

        [DllImport("libc", EntryPoint = "chmod")]
        private static extern int Chmod(string path, int mode);

        private JsonValue Press(string orderId, string button) =>
            Ask("POST", "/orders",
                new JsonWriter().Add("orderId", orderId).Add("action", button).ToString());

        private JsonValue Ask(string method, string path, string body = "")
        {
            var request = WebRequest.CreateHttp(_control + "/sandbox" + path);
            request.Method = method;
            request.Proxy = null;
            request.Headers["Authorization"] = "Bearer " + _secret;
            request.ServicePoint.Expect100Continue = false;
            try
            {
                if (method == "POST")
                {
                    request.ContentType = "application/json";
                    using (var writer = new StreamWriter(request.GetRequestStream()))
                    {
                        writer.Write(body);
                    }
                }
                return Read(request.GetResponse());
            }
            catch (WebException error)
            {
                throw new InvalidOperationException(error.Response == null
                    ? "the sandbox does not answer: " + error.Message
                    : Read(error.Response)["error"]!.Text, error);
            }
        }

        private static JsonValue Read(WebResponse response)
        {
            using (var reader = new StreamReader(response.GetResponseStream()))
            {
                return JsonValue.Parse(reader.ReadToEnd());
            }
        }
    }
}
