using System;
using System.Linq;

namespace Payorder
{
    /// <summary>Chooses the class of an exception.</summary>
    internal static class ExceptionOf
    {
        /// <summary>The exception of a result. The range decides for an unknown number.</summary>
        internal static PayorderException Result(int result, string? raw, Exception? inner = null) =>
            Exceptions.Make(new ErrorFields(result, raw, inner));

        /// <summary>An exception in the form of the library's.</summary>
        internal static PayorderException Own(PayorderResult result, string cause, string action,
            string message, StatusQuery? query = null, Exception? inner = null) =>
            Made(JsonValue.Parse(new JsonWriter()
                .Add("result", (int)result)
                .Add("cause", cause)
                .Add("action", action)
                .Add("message", message)
                .Add("statusQuery", query)
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
            int number = (int)(error.NumberOf("result")
                ?? throw new FormatException("the error has no result"));
            var previous = error.Present("previous");
            var kind = previous?.TextOf("url") == null ? previous?.TextOf("state") : "url";
            Exceptions.Usual(number, kind, out string cause, out string action);
            var usual = JsonValue.Parse(new JsonWriter()
                .Add("result", number)
                .Add("name", ErrorFields.NameOf(number))
                .Add("outcome", OutcomeOf(number))
                .Add("cause", cause)
                .Add("action", action)
                .Add("statusQuery", previous == null
                    ? null : StatusQuery.ByOrder(previous.TextOf("orderId") ?? ""))
                .ToString());
            var whole = new JsonWriter();
            foreach (var key in usual.Keys.Union(error.Keys))
            {
                whole.Add(key, error[key] ?? usual[key]);
            }
            return Result(number, new JsonWriter().Add("error", whole).ToString(), inner);
        }

        private static string OutcomeOf(int number) =>
            number <= 99 ? "not_sent" : number <= 199 ? "rejected" : "unknown";

        /// <summary>The exception of a client that is disposed.</summary>
        internal static PayorderException Freed(int result) =>
            Own((PayorderResult)result, Causes.ClientFreed, Actions.FixRequest,
                "the client is disposed; create another one");

        /// <summary>
        /// The exception of a call that ended, and whose answer cannot be read. The answer is in
        /// the message, because it may have the only copy of a checkout URL.
        /// </summary>
        internal static PayorderException Unreadable(
            int result, string? answer, StatusQuery? query, Exception? reason) =>
            Own(result == 0 ? PayorderResult.InternalInFlight : (PayorderResult)result,
                Causes.Bug, query == null ? Actions.ReportBug : Actions.AskStatus,
                "the call ended, but its answer cannot be read: " + answer, query, reason);
    }
}
