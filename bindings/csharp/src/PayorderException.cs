using System;
using System.Collections.Generic;

namespace Payorder
{
    /// <summary>
    /// The base class of all errors. Catch <see cref="NotSentException"/>,
    /// <see cref="RejectedException"/> and <see cref="OutcomeUnknownException"/>.
    /// A property that does not apply to an error is null, or empty for Violations. If a
    /// CancellationToken ended CreateOrder, InnerException is an OperationCanceledException.
    /// </summary>
    public partial class PayorderException : Exception
    {
        private readonly JsonValue? _fields;

        internal PayorderException(ErrorFields error)
            : base(error.Message, error.Inner)
        {
            Result = (PayorderResult)error.Result;
            Name = error.Name;
            Outcome = error.Outcome;
            Raw = error.Raw;
            var json = error.Json;
            _fields = json;
            Cause = json?.TextOf("cause") ?? "";
            Action = json?.TextOf("action") ?? "";
            Violations = json?.ListIfAny("violations", one => new Violation(one))
                ?? new Violation[0];
            StatusQuery = json?.PartOf("statusQuery", one => StatusQuery.FromJson(one.Raw));
            Previous = json?.PartOf("previous", one => new JournalEntry(one));
            Status = json?.PartOf("status", one => new Status(one));
        }

        /// <summary>
        /// For tests without a service: an exception as a call throws it. Its cause and its action
        /// are usual ones of the result.
        /// </summary>
        /// <param name="query">
        /// What to ask next: every unknown outcome of CreateOrder has one.
        /// </param>
        /// <param name="previous">The journal's entry, for PayorderResult.Duplicate.</param>
        /// <exception cref="FormatException">Ok is not an error.</exception>
        public static PayorderException Create(PayorderResult result, string message,
            StatusQuery? query = null, JournalEntry? previous = null,
            Exception? innerException = null) =>
            ErrorFields.Own(result, null, null, message, query, innerException, previous);

        /// <summary>
        /// For tests without a service: from an object like <see cref="Raw"/>. Its "error" has at
        /// least "result". What it leaves out has a usual value for the result.
        /// </summary>
        /// <exception cref="FormatException">It cannot be read.</exception>
        public static PayorderException FromJson(string json) =>
            ErrorFields.Made(JsonValue.Parse(json)["error"]);

        /// <summary>The result. A later library may have more than the enumeration.</summary>
        public PayorderResult Result { get; }

        /// <summary>The result's name, such as PAYORDER_TIMEOUT.</summary>
        public string Name { get; }

        /// <summary>What happened to the request.</summary>
        public PayorderOutcome Outcome { get; }

        /// <summary>What exactly happened: one of <see cref="Causes"/>.</summary>
        public string Cause { get; }

        /// <summary>What to do next: one of <see cref="Actions"/>.</summary>
        public string Action { get; }

        /// <summary>
        /// Whether the same call may be repeated as it is, and can do no harm: never after an order
        /// that may exist.
        /// </summary>
        public bool IsTransient => Result == PayorderResult.ConnectFailed
            || Action == Actions.Retry || Action == Actions.RetryLater;

        /// <summary>The fields that break a rule.</summary>
        public IReadOnlyList<Violation> Violations { get; }

        /// <summary>
        /// What to ask next: in every unknown outcome of CreateOrder, and of every failed wait.
        /// </summary>
        public StatusQuery? StatusQuery { get; }

        /// <summary>The journal's entry, in a <see cref="DuplicateException"/>.</summary>
        public JournalEntry? Previous { get; }

        /// <summary>The last status that a failed wait saw.</summary>
        public Status? Status { get; }

        /// <summary>The complete error object as JSON text.</summary>
        public string? Raw { get; }
    }
}
