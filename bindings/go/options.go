package payorder

import "time"

// Option changes a single call. A call refuses an option that it does not have: the error is then
// ResultInvalidArgument, and nothing was sent.
type Option func(*members)

func collect(given []Option) members {
	var options members
	for _, option := range given {
		option(&options)
	}
	return options
}

func with(key string, value interface{}) Option {
	return func(options *members) { options.add(key, value) }
}

// WithTimeout limits the call, with all its attempts; in calls that ask several times, each query.
func WithTimeout(timeout time.Duration) Option { return with("timeoutMs", milliseconds(timeout)) }

// WithAccessToken replaces the configuration's credential of CreateOrder.
func WithAccessToken(token string) Option { return with("accessToken", token) }

// WithClientKey replaces the configuration's credential of GetStatus.
func WithClientKey(key string) Option { return with("clientKey", key) }

// WithClientID replaces the configuration's credential of GetStatus.
func WithClientID(id string) Option { return with("clientId", id) }

// WithSecretKey replaces the configuration's credential of GetStatus.
func WithSecretKey(key string) Option { return with("secretKey", key) }

// WithExtraFields sends further fields after the eleven of the order. For CreateOrder and
// BuildCreateOrder.
func WithExtraFields(fields map[string]string) Option {
	return with("extraFields", sortedMembers(fields))
}

// WithResend sends an order again that the journal has as unknown, if it is the same order, byte
// for byte. The customer may then have two orders. For CreateOrder.
func WithResend() Option { return with("resend", true) }

// WithReturnURLField is Config.ReturnURLField for BuildCreateOrder.
func WithReturnURLField(name string) Option { return with("returnUrlField", name) }

// WithWait says how long WaitForPayment waits: 1 ms to 24 hours, default 5 minutes.
func WithWait(wait time.Duration) Option { return with("waitMs", milliseconds(wait)) }

// WithInterval is the pause between the first two queries of WaitForPayment. It grows by half each
// time. 10 ms to 10 minutes, default 3 seconds.
func WithInterval(pause time.Duration) Option { return with("intervalMs", milliseconds(pause)) }

// WithMaxInterval is the longest pause between two queries of WaitForPayment: 10 ms to 10 minutes,
// default 15 seconds.
func WithMaxInterval(pause time.Duration) Option {
	return with("maxIntervalMs", milliseconds(pause))
}

// WithFinal names texts of Status.TransactionStatus that end WaitForPayment, in addition to
// "Completed".
func WithFinal(texts ...string) Option { return with("final", texts) }

// WithConcurrency says how many queries run at the same time: 1 to 64, default 8. For GetStatuses
// and JournalResolve.
func WithConcurrency(queries int) Option { return with("concurrency", int64(queries)) }

// WithRate says how many queries are sent per second, evenly spaced; default: no limit. For
// GetStatuses and JournalResolve.
func WithRate(perSecond float64) Option { return with("ratePerSecond", perSecond) }

// WithState lists only the entries of one state; "unresolved" is "sending" and "unknown". For
// JournalList.
func WithState(state string) Option { return with("state", state) }

// WithOrderID lists only the entries of one order. For JournalList.
func WithOrderID(orderID string) Option { return with("orderId", orderID) }

// WithEvents also returns what happened to each entry: JournalEntry.Events. For JournalList.
func WithEvents() Option { return with("events", true) }

// WithLimit lists at most so many entries: 1 to 10000, default 1000. For JournalList.
func WithLimit(entries int) Option { return with("limit", int64(entries)) }

// WithAfter lists the entries after the one with this number, to page on. For JournalList.
func WithAfter(entry int64) Option { return with("after", entry) }

// WithOlderThanDays keeps the entries of so many days: 1 to 3650, default 90. For JournalPrune.
func WithOlderThanDays(days int) Option { return with("olderThanDays", int64(days)) }
