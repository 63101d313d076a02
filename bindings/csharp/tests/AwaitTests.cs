using System;
using System.Threading.Tasks;

namespace Payorder.Tests
{
    public class AwaitTests
    {
        // Mono stops every thread for it by a signal, also those that a callback of the library
        // started. Without that signal, this test never ends.
        public void TheCollectorRunsAfterAnAwaitedCall()
        {
            using (var client = new PayorderClient(Sandbox.Config()))
            {
                for (var call = 0; call < 5; call++)
                {
                    AskAndCollect(client).GetAwaiter().GetResult();
                }
            }
        }

        private static async Task AskAndCollect(PayorderClient client)
        {
            try
            {
                await client.GetStatusAsync("no such order");
            }
            catch (RejectedException)
            {
                GC.Collect();
            }
        }
    }
}
