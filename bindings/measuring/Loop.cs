using System;
using Payorder;

internal static class Loop
{
    private static int Main(string[] arguments)
    {
        using (var client = PayorderClient.FromEnv())
        {
            for (int number = 0; number < int.Parse(arguments[0]); number++)
            {
                var order = Till.Order(arguments[1] + "-" + number, "Two coffees");
                if (client.CreateOrder(order).Url.Length == 0)
                {
                    return 1;
                }
            }
        }
        return 0;
    }
}
