//go:build cgo

package payorder

import "fmt"

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
	// CheckOption is an option of Check.
	CheckOption interface{ forCheck(members) }
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
		CheckOption
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
	// OrderIDOption is an option of JournalList and Check.
	OrderIDOption interface {
		ListOption
		CheckOption
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
func (w with) forCheck(m members)       { m[w.key] = w.value }
func (w with) forList(m members)        { m[w.key] = w.value }
func (w with) forPrune(m members)       { m[w.key] = w.value }
func (w with) forCredentials(m members) { m[w.key] = w.value }

// Format prints which option it is, whatever the verb: its value may be a credential.
func (w with) Format(out fmt.State, _ rune) { fmt.Fprintf(out, "payorder.Option{%q}", w.key) }

// collect writes options, with the method of their kind: collect(given, OrderOption.forOrder).
func collect[T any](given []T, add func(T, members)) members {
	options := members{}
	for _, option := range given {
		add(option, options)
	}
	return options
}

// membersOfMap is the value of WithExtraFields.
func membersOfMap(fields map[string]string) members {
	further := members{}
	for key, text := range fields {
		further[key] = text
	}
	return further
}
