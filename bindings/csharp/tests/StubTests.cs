using System;

namespace Payorder.Tests
{
    /// <summary>Each runs in its own process, with a library made from stub.c.</summary>
    internal static class StubTests
    {
        internal static int Run(string name)
        {
            switch (name)
            {
                case "missing":
                    var missing = Check.Throws<InvalidConfigException>(
                        () => new PayorderClient("{}"));
                    Check.Equal(Causes.UnreadableFile, missing.Cause);
                    // The loader's own words.
                    Check.True(missing.Message.Contains("file too short"), missing.Message);
                    break;
                case "unreadable-answer":
                    AnAnswerThatCannotBeReadIsAnUnknownOutcome();
                    break;
                default:
                    throw new ArgumentException(name);
            }
            Console.WriteLine(name + ": passed");
            return 0;
        }

        private static void AnAnswerThatCannotBeReadIsAnUnknownOutcome()
        {
            using (var client = new PayorderClient("{}"))
            {
                var error = Check.Throws<InternalInFlightException>(
                    () => client.CreateOrder("{\"orderId\":\"O-1\"}"));
                Check.Equal(PayorderOutcome.Unknown, error.Outcome);
                Check.Equal(Actions.AskStatus, error.Action);
                Check.Equal("{\"searchType\":\"1\",\"orderId\":\"O-1\"}", error.StatusQuery.Json);
                Check.True(error.Message.Contains("https://pay.example/only-copy"), error.Message);
                // Nor can the order: there is no query.
                Check.Throws<InternalInFlightException>(() => client.CreateOrder("no JSON"));
                // An error object that cannot be read: the number decides.
                Check.Throws<ConnectionLostException>(
                    () => client.GetStatus(StatusQuery.ByOrder("O-1")));
                TheRangeOfAnUnknownNumberDecides(client.Journal);
                Check.Equal(0L, PayorderLibrary.LiveStrings);
            }
        }

        private static void TheRangeOfAnUnknownNumberDecides(Journal journal)
        {
            Check.Equal(PayorderOutcome.NotSent,
                Check.Throws<InternalException>(() => journal.List()).Outcome);
            Check.Equal(PayorderOutcome.NotSent,
                Check.Throws<NotSentException>(() => journal.Prune()).Outcome);
            Check.Equal(PayorderOutcome.Rejected,
                Check.Throws<RejectedException>(() => journal.Settle(1)).Outcome);
            Check.Equal(PayorderOutcome.Unknown,
                Check.Throws<OutcomeUnknownException>(() => journal.Resolve()).Outcome);
        }
    }
}
