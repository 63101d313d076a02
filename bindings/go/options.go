package payorder

import "time"

// Each call takes its own options. The compiler refuses those that it does not have.
type (
	// OrderOption is an option of CreateOrder.
	OrderOption interface{ forOrder(members) }
	// BuildOption is an option of BuildCreateOrder.
	BuildOption interface{ forBuild(members) }
	// StatusOption is an option of GetStatus.
	StatusOption interface{ forStatus(members) }
	// WaitOption is an option of WaitForPayment.
	WaitOption interface{ forWait(members) }
	// BatchOption is an option of GetStatuses and JournalResolve.
	BatchOption interface{ forBatch(members) }
	// RecoverOption is an option of Recover.
	RecoverOption interface{ forRecover(members) }
	// ListOption is an option of JournalList.
	ListOption interface{ forList(members) }
	// PruneOption is an option of JournalPrune.
	PruneOption interface{ forPrune(members) }
	// CredentialOption is what SetCredentials takes.
	CredentialOption interface{ forCredentials(members) }

	// QueryOption is an option of every call that asks for statuses.
	QueryOption interface {
		StatusOption
		WaitOption
		BatchOption
		RecoverOption
	}
	// CallOption is an option of every call to the service.
	CallOption interface {
		OrderOption
		QueryOption
	}
	// OrderCredential is an option of CreateOrder and SetCredentials.
	OrderCredential interface {
		OrderOption
		CredentialOption
	}
	// StatusCredential is an option of SetCredentials and of every call that asks for statuses.
	StatusCredential interface {
		QueryOption
		CredentialOption
	}
	// FieldsOption is an option of CreateOrder and BuildCreateOrder.
	FieldsOption interface {
		OrderOption
		BuildOption
	}
	// WaitingOption is an option of WaitForPayment and Recover.
	WaitingOption interface {
		WaitOption
		RecoverOption
	}
	// ManyOption is an option of the calls that ask for many statuses.
	ManyOption interface {
		BatchOption
		RecoverOption
	}
)

// with has every kind. The type that a function returns says which of them an option is.
type with struct {
	key   string
	value interface{}
}

func (w with) forOrder(m members)       { m[w.key] = w.value }
func (w with) forBuild(m members)       { m[w.key] = w.value }
func (w with) forStatus(m members)      { m[w.key] = w.value }
func (w with) forWait(m members)        { m[w.key] = w.value }
func (w with) forBatch(m members)       { m[w.key] = w.value }
func (w with) forRecover(m members)     { m[w.key] = w.value }
func (w with) forList(m members)        { m[w.key] = w.value }
func (w with) forPrune(m members)       { m[w.key] = w.value }
func (w with) forCredentials(m members) { m[w.key] = w.value }

// collect writes options, with the method of their kind: collect(given, OrderOption.forOrder).
func collect[T any](given []T, add func(T, members)) members {
	options := members{}
	for _, option := range given {
		add(option, options)
	}
	return options
}

// WithTimeout limits the call, with all its attempts; in calls that ask several times, each query.
func WithTimeout(timeout time.Duration) CallOption { return with{"timeoutMs", milliseconds(timeout)} }

// WithAccessToken replaces the configuration's credential of CreateOrder.
func WithAccessToken(token string) OrderCredential { return with{"accessToken", token} }

// WithClientKey replaces the configuration's credential of GetStatus.
func WithClientKey(key string) StatusCredential { return with{"clientKey", key} }

// WithClientID replaces the configuration's credential of GetStatus.
func WithClientID(id string) StatusCredential { return with{"clientId", id} }

// WithSecretKey replaces the configuration's credential of GetStatus.
func WithSecretKey(key string) StatusCredential { return with{"secretKey", key} }

// WithExtraFields sends further fields after the eleven of the order.
func WithExtraFields(fields map[string]string) FieldsOption {
	further := members{}
	for key, text := range fields {
		further[key] = text
	}
	return with{"extraFields", further}
}

// WithResend sends an order again that the journal has as unknown, if it is the same order, byte
// for byte. The customer may then have two orders.
func WithResend() OrderOption { return with{"resend", true} }

// WithReturnURLField is Config.ReturnURLField for BuildCreateOrder.
func WithReturnURLField(name string) BuildOption { return with{"returnUrlField", name} }

// WithWait says how long WaitForPayment waits: 1 ms to 24 hours, default 5 minutes. In Recover, it
// says how long to wait for orders that another process is sending: at most 10 minutes, default 0.
func WithWait(wait time.Duration) WaitingOption { return with{"waitMs", milliseconds(wait)} }

// WithInterval is the pause between the first two queries of WaitForPayment. It grows by half each
// time. 10 ms to 10 minutes, default 3 seconds.
func WithInterval(pause time.Duration) WaitOption { return with{"intervalMs", milliseconds(pause)} }

// WithMaxInterval is the longest pause between two queries of WaitForPayment: 10 ms to 10 minutes,
// default 15 seconds.
func WithMaxInterval(pause time.Duration) WaitOption {
	return with{"maxIntervalMs", milliseconds(pause)}
}

// WithFinal names texts of Status.TransactionStatus that end WaitForPayment, in addition to
// "Completed". The customer may still be able to pay: this stops the wait, and not the order.
func WithFinal(texts ...string) WaitOption { return with{"final", texts} }

// WithConcurrency says how many queries run at the same time: 1 to 64, default 8.
func WithConcurrency(queries int) ManyOption { return with{"concurrency", queries} }

// WithRate says how many queries are sent per second, evenly spaced; default: no limit.
func WithRate(perSecond float64) ManyOption { return with{"ratePerSecond", perSecond} }

// WithState lists only the entries of one state; "unresolved" is "sending" and "unknown", and
// "open" also every created one that is not completed.
func WithState(state string) ListOption { return with{"state", state} }

// WithOrderID lists only the entries of one order.
func WithOrderID(orderID string) ListOption { return with{"orderId", orderID} }

// WithEvents also returns what happened to each entry: JournalEntry.Events.
func WithEvents() ListOption { return with{"events", true} }

// WithLimit lists at most so many entries: 1 to 10000, default 1000.
func WithLimit(entries int) ListOption { return with{"limit", entries} }

// WithAfter lists the entries after the one with this number, to page on.
func WithAfter(entry int64) ListOption { return with{"after", entry} }

// WithOlderThanDays keeps the entries of so many days: 1 to 3650, default 90.
func WithOlderThanDays(days int) PruneOption { return with{"olderThanDays", days} }
