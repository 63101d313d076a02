using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading;

namespace Payorder.Tests
{
    /// <summary>Runs every public method of the classes whose names end in Tests.</summary>
    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            if (arguments.Contains("sandbox"))
            {
                // Until it is killed.
                Console.WriteLine(new Testing.Sandbox().BaseUrl);
                Thread.Sleep(Timeout.Infinite);
            }
            int failed = 0, run = 0;
            foreach (var test in All())
            {
                run++;
                try
                {
                    test.Invoke(Activator.CreateInstance(test.DeclaringType), null);
                }
                catch (TargetInvocationException error)
                {
                    failed++;
                    Console.Error.WriteLine("FAILED " + test.Name + ": " + error.InnerException);
                }
            }
            Console.WriteLine(run + " tests, " + failed + " failed");
            return failed == 0 ? 0 : 1;
        }

        private static IEnumerable<MethodInfo> All() =>
            typeof(Program).Assembly.GetTypes()
                .Where(type => type.Name.EndsWith("Tests"))
                .SelectMany(type => type.GetMethods(
                    BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly));
    }

    /// <summary>The sandbox, and what every test needs.</summary>
    internal static class Sandbox
    {
        private static readonly string Run = Guid.NewGuid().ToString("N").Substring(0, 8);

        private static int _orders;

        internal static PayorderClient Client() => PayorderClient.FromEnv();

        /// <summary>A new order; the marker makes the sandbox fail in a certain way.</summary>
        internal static Order Order(string marker = "")
        {
            int number = Interlocked.Increment(ref _orders);
            var order = Till.Order("O-" + Run + "-" + number);
            order.ProductInfo = "Tea " + marker;
            return order;
        }

        /// <summary>Waits until the service has an order, which it does not answer.</summary>
        internal static void WaitUntilKnown(PayorderClient client, Order order)
        {
            Check.Until(() =>
            {
                try
                {
                    return client.GetStatus(StatusQuery.ByOrder(order.OrderId)) != null;
                }
                catch (RejectedException)
                {
                    return false;
                }
            });
        }
    }

    /// <summary>Assertions.</summary>
    internal static class Check
    {
        internal static void Equal<T>(T expected, T actual)
        {
            if (!Equals(expected, actual))
            {
                throw new Exception("expected " + expected + ", got " + actual);
            }
        }

        internal static void True(bool condition, string what = "condition")
        {
            if (!condition)
            {
                throw new Exception("not true: " + what);
            }
        }

        internal static T Throws<T>(Action action)
            where T : Exception
        {
            try
            {
                action();
            }
            catch (Exception error)
            {
                if (error.GetType() == typeof(T))
                {
                    return (T)error;
                }
                throw new Exception("expected " + typeof(T).Name + ", got " + error);
            }
            throw new Exception("expected " + typeof(T).Name + ", got no exception");
        }

        internal static void Until(Func<bool> condition)
        {
            for (int tries = 0; !condition(); tries++)
            {
                True(tries < 3000, "the condition within 30 seconds");
                Thread.Sleep(10);
            }
        }
    }
}
