using System;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// The CancellationToken of a call ended it, and the call sent no order: it asked for statuses,
    /// or used the journal. The task of such a call is Canceled.
    /// </summary>
    public sealed class PayorderCanceledException : OperationCanceledException
    {
        /// <summary>Calls throw it, and tests without a service may.</summary>
        public PayorderCanceledException(CancellationToken cancellationToken,
            PayorderException? error = null, Summary? summary = null)
            : base(error?.Message ?? "the call was cancelled", error, cancellationToken)
        {
            Status = error?.Status;
            StatusQuery = error?.StatusQuery;
            Summary = summary;
        }

        /// <summary>The last status that a cancelled wait saw.</summary>
        public Status? Status { get; }

        /// <summary>What to ask next, after a cancelled wait.</summary>
        public StatusQuery? StatusQuery { get; }

        /// <summary>What a call with many queries did until it was cancelled.</summary>
        public Summary? Summary { get; }
    }
}
