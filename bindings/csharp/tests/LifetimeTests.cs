using System;
using System.Linq;
using System.Runtime.CompilerServices;

namespace Payorder.Tests
{
    internal sealed class LifetimeTests
    {
        public void AStoppedClientEndsItsCallsAndSendsNothingMore()
        {
            using (var client = PayorderClient.FromEnv(Sandbox.Config()))
            {
                client.SetCredentials(accessToken: "wrong");
                Check.Throws<UnauthorizedException>(() => client.CreateOrder(Sandbox.Order()));
                client.SetCredentials(accessToken: Sandbox.Config().AccessToken);
                var order = Sandbox.Order("sandbox:stall");
                var call = client.CreateOrderAsync(order);
                Sandbox.WaitUntilKnown(client, order);
                client.Stop();
                Check.Throws<CancelledInFlightException>(() => CancellationTests.Await(call));
                Check.Equal(Causes.ClientStopped, Check.Throws<CancelledException>(
                    () => client.CreateOrder(Sandbox.Order())).Cause);
                Check.Equal(Causes.ClientStopped, Check.Throws<CancelledException>(
                    () => CancellationTests.Await(client.CreateOrderAsync(Sandbox.Order()))).Cause);
            }
        }

        public void AClientThatCannotBeCreatedLeavesNothing()
        {
            long clients = PayorderLibrary.LiveClients;
            Check.Throws<InvalidConfigException>(() => new PayorderClient(new ClientConfig()));
            Check.Equal(clients, PayorderLibrary.LiveClients);
        }
    }

    /// <summary>Runs after all others.</summary>
    internal sealed class LeakTests
    {
        public void NothingIsLeft()
        {
            Forget();
            Check.Until(() =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return PayorderLibrary.LiveClients == 0;
            });
            Check.Equal(0L, PayorderLibrary.LiveStrings);
            Check.Equal(0L, PayorderLibrary.LiveCalls);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void Forget()
        {
            // Mono finds objects on the stack by their looks, so one of them may stay for a while.
            foreach (int _ in Enumerable.Range(0, 3))
            {
                Sandbox.Client();
            }
            Check.True(PayorderLibrary.LiveClients >= 3);
        }
    }
}
