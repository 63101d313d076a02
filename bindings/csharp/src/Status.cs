namespace Payorder
{
    /// <summary>The result of one of many queries: a status, or an error.</summary>
    public sealed class StatusResult
    {
        internal StatusResult(int index, StatusQuery query, int result, string raw)
            : this(index, query, result == 0 ? Status.FromJson(raw) : null,
                result == 0 ? null : ErrorFields.Of(result, raw))
        {
        }

        /// <summary>For tests without a service: a status or an error.</summary>
        public StatusResult(
            int index, StatusQuery query, Status? status, PayorderException? error = null)
        {
            Index = index;
            Query = query;
            Status = status;
            Error = error;
        }

        /// <summary>The status or the error, without the customer's data.</summary>
        public override string ToString()
        {
            return "StatusResult { Index = " + Index + ", Status = " + Status
                + ", Error = " + Error?.Message + " }";
        }

        /// <summary>The query's place, from 0.</summary>
        public int Index { get; }

        /// <summary>The query itself.</summary>
        public StatusQuery Query { get; }

        /// <summary>The status, or null if there is an error.</summary>
        public Status? Status { get; }

        /// <summary>What GetStatus would have thrown, or null.</summary>
        public PayorderException? Error { get; }
    }
}
