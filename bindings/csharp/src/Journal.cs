using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>The record of each order that a client sends.</summary>
    public interface IJournal
    {
        /// <summary>The entries, oldest first. Later pages are read while you iterate.</summary>
        /// <param name="state">One of <see cref="States"/>; null for all.</param>
        /// <param name="after">Only entries after the one with this number.</param>
        /// <param name="limit">The most entries; null for all.</param>
        /// <param name="orderId">Only entries of this order; null for all.</param>
        /// <param name="events">Whether Raw also has what happened to each, in "events".</param>
        IEnumerable<JournalEntry> List(string? state = null, long after = 0, int? limit = null,
            string? orderId = null, bool events = false,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>
        /// Asks for the status of every order that is unresolved, or created and not Completed,
        /// and records the statuses. An order that the service does not know stays as it is.
        /// </summary>
        Resolved Resolve(BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>The same, on a thread of the library.</summary>
        Task<Resolved> ResolveAsync(BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Closes an entry because a person decided so.</summary>
        /// <param name="note">Why; at most 200 characters, no personal data.</param>
        JournalEntry Settle(long entry, string? note = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Removes closed entries that are older than 90 days. Returns how many.</summary>
        /// <param name="olderThanDays">Another age: 1 to 3650.</param>
        int Prune(int? olderThanDays = null,
            CancellationToken cancellationToken = default(CancellationToken));
    }

    internal sealed class Journal : IJournal
    {
        private const int Page = 1000;

        private readonly ClientHandle _handle;

        internal Journal(ClientHandle handle)
        {
            _handle = handle;
        }

        public IEnumerable<JournalEntry> List(string? state = null, long after = 0,
            int? limit = null, string? orderId = null, bool events = false,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            Func<long, int?, IReadOnlyList<JournalEntry>> read = (from, left) => ReadPage(
                new JsonWriter()
                    .Add("state", state)
                    .Add("orderId", orderId)
                    .Add("events", events ? true : (bool?)null)
                    .Add("after", from),
                left, cancellationToken);
            return Pages(read(after, limit), read, limit);
        }

        public Resolved Resolve(BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            ResolveCall(options, cancellationToken).Make();

        public Task<Resolved> ResolveAsync(BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            ResolveCall(options, cancellationToken).Start();

        public JournalEntry Settle(long entry, string? note = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            Make(Native.Library.JournalSettle,
                new JsonWriter().Add("entry", entry).Add("note", note), cancellationToken,
                JournalEntry.FromJson);

        public int Prune(int? olderThanDays = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            Make(Native.Library.JournalPrune,
                new JsonWriter().Add("olderThanDays", olderThanDays), cancellationToken,
                text => (int)(JsonValue.Parse(text).NumberOf("removed") ?? 0));

        private static IEnumerable<JournalEntry> Pages(IReadOnlyList<JournalEntry> page,
            Func<long, int?, IReadOnlyList<JournalEntry>> read, int? left)
        {
            while (page.Count > 0)
            {
                foreach (var entry in page)
                {
                    yield return entry;
                }
                left -= page.Count;
                if (left <= 0)
                {
                    yield break;
                }
                page = read(page[page.Count - 1].Entry, left);
            }
        }

        private IReadOnlyList<JournalEntry> ReadPage(
            JsonWriter settings, int? left, CancellationToken cancellationToken)
        {
            settings.Add("limit", left == null ? Page : Math.Min(left.Value, Page));
            return Make(Native.Library.JournalList, settings, cancellationToken,
                text => JsonValue.Parse(text).ListOf("entries", one => new JournalEntry(one)));
        }

        private Call<Resolved> ResolveCall(
            BatchOptions? options, CancellationToken cancellationToken) =>
            new Call<Resolved>(_handle, "journal_resolve", Native.Library.JournalResolve,
                options?.Write(), cancellationToken, Resolved.FromJson);

        private T Make<T>(Native.JournalCall function, JsonWriter settings,
            CancellationToken cancellationToken, Func<string, T> read) =>
            new Call<T>(_handle, null, function, settings, cancellationToken, read).Make();
    }
}
