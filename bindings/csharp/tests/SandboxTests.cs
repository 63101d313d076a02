using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using TestSandbox = Payorder.Testing.Sandbox;

namespace Payorder.Tests
{
    /// <summary>The sandbox of the package Payorder.Testing.</summary>
    internal sealed class SandboxTests
    {
        public void ItPaysRefundsFailsAndForgets()
        {
            using var sandbox = new TestSandbox();
            using var client = sandbox.Client();
            var order = Sandbox.Order();
            order.OrderId = "O/1 \u00e4";
            client.CreateOrder(order);
            Check.Equal("Completed", sandbox.Pay(order.OrderId)["state"].Text);
            Check.True(client.GetStatus(order.OrderId).Completed);
            Check.Equal("true", sandbox.Refund(order.OrderId)["refunded"].Text);
            sandbox.Fault("create:1:drop-after-commit");
            Check.Throws<ConnectionLostException>(() => client.CreateOrder(Sandbox.Order()));
            Check.Equal(2, sandbox.Orders.Count);
            Check.Equal("create status create",
                string.Join(" ", sandbox.Requests.Select(one => one["step"].Text)));
            var refused = Check.Throws<InvalidOperationException>(() => sandbox.Fail("none"));
            Check.True(refused.Message.Contains("none"), refused.Message);
            sandbox.Reset();
            Check.Equal(0, sandbox.Orders.Count);
            // A test of a service that goes away.
            sandbox.Dispose();
            Check.Throws<ConnectException>(() => client.CreateOrder(order));
        }

        public void ItEndsWithAProgramThatIsKilled()
        {
            var myself = Process.GetCurrentProcess().MainModule.FileName;
            var start = new ProcessStartInfo(myself, typeof(Program).Assembly.Location + " sandbox")
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
            };
            using var program = Process.Start(start);
            var address = new Uri(program.StandardOutput.ReadLine());
            Connect(address);
            program.Kill();
            Check.Until(() =>
            {
                try
                {
                    Connect(address);
                    return false;
                }
                catch (SocketException)
                {
                    return true;
                }
            });
        }

        public void ItSaysHowToGetOne()
        {
            const string variable = "PAYORDER_SANDBOX";
            var named = Environment.GetEnvironmentVariable(variable);
            try
            {
                foreach (var path in new[] { "/nowhere", null })
                {
                    Environment.SetEnvironmentVariable(variable, path);
                    var error = Check.Throws<InvalidOperationException>(() => new TestSandbox());
                    Check.True(error.Message.Contains(path ?? "PATH has none"), error.Message);
                }
            }
            finally
            {
                Environment.SetEnvironmentVariable(variable, named);
            }
        }

        private static void Connect(Uri address)
        {
            new TcpClient(address.Host, address.Port).Dispose();
        }
    }
}
