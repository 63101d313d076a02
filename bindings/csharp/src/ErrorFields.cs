using System;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>What an exception is made from, and how its class is chosen.</summary>
    internal sealed class ErrorFields
    {
        internal readonly int Result;
        internal readonly string? Raw;
        internal readonly JsonValue? Json;
        internal readonly Exception? Inner;

        internal ErrorFields(int result, string? raw, Exception? inner = null)
        {
            Result = result;
            Raw = raw;
            Inner = inner;
            try
            {
                Json = raw == null ? null : JsonValue.Parse(raw)["error"];
            }
            catch (FormatException)
            {
                // The outcome follows from the number; the text stays in Raw.
            }
        }

        internal string Name => Json?.TextOf("name") ?? NameOf(Result);

        internal string Message =>
            (Json?.TextOf("message") ?? "the library failed") + " (" + Name + ")";

        internal PayorderOutcome Outcome => OutcomeOf(Result);

        private static PayorderOutcome OutcomeOf(int result) =>
            result >= 1 && result <= 99 ? PayorderOutcome.NotSent
            : result >= 100 && result <= 199 ? PayorderOutcome.Rejected
            : PayorderOutcome.Unknown;

        /// <summary>A result's name, also without a library.</summary>
        private static string NameOf(int result)
        {
            var name = Enum.GetName(typeof(PayorderResult), result) ?? "Unrecognised";
            return "PAYORDER_" + Snake(name).ToUpperInvariant();
        }

        private static string Snake(string name) =>
            Regex.Replace(name, "(?<!^)[A-Z]", "_$0").ToLowerInvariant();

        /// <summary>The exception of a result. The range decides for an unknown number.</summary>
        internal static PayorderException Of(int result, string? raw, Exception? inner = null) =>
            Exceptions.Make(new ErrorFields(result, raw, inner));

        /// <summary>The exception of a call: without memory the library has only a number for
        /// it.</summary>
        internal PayorderException ExceptionOf(Func<StatusQuery?>? query, Exception? inner) =>
            Json != null
                ? Of(Result, Raw, inner)
                : Own((PayorderResult)Result, null, null, "the library gave no message",
                    query?.Invoke(), inner);

        /// <summary>An exception in the form of the library's.</summary>
        internal static PayorderException Own(PayorderResult result, string? cause, string? action,
            string message, StatusQuery? query = null, Exception? inner = null,
            JournalEntry? previous = null) =>
            Made(JsonValue.Parse(new JsonWriter()
                .Add("result", (int)result)
                .Add("cause", cause)
                .Add("action", action)
                .Add("message", message)
                .Add("statusQuery", query)
                .AddJson("previous", previous?.Raw)
                .ToString()), inner);

        /// <summary>
        /// An exception from an error object. What it leaves out is usual for its result.
        /// </summary>
        internal static PayorderException Made(JsonValue? error, Exception? inner = null)
        {
            if (error == null)
            {
                throw new FormatException("no key \"error\"");
            }
            int number = (int?)error.NumberOf("result")
                ?? throw new FormatException("the error has no result");
            if (number == 0 || number != error.NumberOf("result"))
            {
                throw new FormatException("not the result of an error: " + error["result"]);
            }
            var previous = error.Present("previous");
            var kind = previous?.TextOf("url") == null ? previous?.TextOf("state") : "url";
            Exceptions.Usual(number, kind, out string cause, out string action);
            var whole = new JsonWriter();
            foreach (var key in error.Keys)
            {
                whole.Add(key, error[key]);
            }
            AddUsual("name", NameOf(number));
            AddUsual("outcome", Snake(OutcomeOf(number).ToString()));
            AddUsual("cause", cause);
            AddUsual("action", action);
            AddUsual("statusQuery", previous == null
                ? null : StatusQuery.ByOrder(previous.TextOf("orderId") ?? ""));
            return Of(number, new JsonWriter().Add("error", whole).ToString(), inner);

            void AddUsual(string key, object? value)
            {
                whole.Add(key, error![key] == null ? value : null);
            }
        }

        /// <summary>The exception of a client that is disposed.</summary>
        internal static PayorderException Freed(int result) =>
            Own((PayorderResult)result, Causes.ClientFreed, Actions.FixRequest,
                "the client is disposed; create another one");

        /// <summary>
        /// The exception of a call that ended, and whose answer cannot be read.
        /// </summary>
        /// <param name="answer">Of an order, for the message: it may have the only copy of a
        /// checkout URL.</param>
        internal static PayorderException Unreadable(
            int result, string? answer, StatusQuery? query, Exception? reason) =>
            Own(result == 0 ? PayorderResult.InternalInFlight : (PayorderResult)result,
                Causes.Bug, query == null ? Actions.ReportBug : Actions.AskStatus,
                "the call ended, but its answer cannot be read"
                    + (answer == null ? "" : ": " + answer), query, reason);
    }
}
