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
    }
}
