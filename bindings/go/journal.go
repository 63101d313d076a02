package payorder

// #include "library.h"
import "C"

import (
	"context"
	"fmt"
)

// Format prints an entry without the payment page, whatever the verb.
func (e JournalEntry) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.JournalEntry{Entry: %d, OrderID: %q, Amount: %q, State: %q, "+
		"TransactionStatus: %q, Note: %q}",
		e.Entry, e.OrderID, e.Amount, e.State, e.TransactionStatus, e.Note)
}

// StatusQuery asks for the entry's order.
func (e *JournalEntry) StatusQuery() Query { return ByOrderID(e.OrderID) }

// JournalList returns the journal's entries, oldest first: by default the first 1000 (WithLimit).
// To page on, use WithAfter with the number of the last entry.
func (c *Client) JournalList(ctx context.Context, options ...ListOption) ([]JournalEntry, error) {
	given := collect(options, ListOption.forList)
	listed, err := read[Resolved](c.block(&call{ctx: ctx}, C.PAYORDER_GO_JOURNAL_LIST, "", given))
	if err != nil {
		return nil, err
	}
	return listed.Entries, nil
}

// Resolved is the end of JournalResolve.
type Resolved struct {
	Summary       *Summary       `json:"summary"`
	OtherServices int            `json:"otherServices"` // how many open entries the journal has of other services
	Refusal       string         `json:"refusal"`       // the service's words, if it refused every query of two or more
	Entries       []JournalEntry `json:"entries"`       // those that are still unresolved
}

// JournalResolve asks for the status of every open order, and records it. If the context ends, it
// returns what it has and the context's error.
func (c *Client) JournalResolve(ctx context.Context, options ...BatchOption) (*Resolved, error) {
	given := collect(options, BatchOption.forBatch)
	resolved, err := read[Resolved](c.start(ctx, "journal_resolve", "", given))
	if err != nil {
		return nil, err
	}
	return resolved, resolved.Summary.stopReason(ctx)
}

// JournalSettle closes an open entry by hand. It does not cancel the order at the service. The note
// says why, in at most 200 characters, without personal data; "" for none.
func (c *Client) JournalSettle(ctx context.Context, entry int64,
	note string) (*JournalEntry, error) {
	given := members{"entry": entry}
	if note != "" {
		given["note"] = note
	}
	return read[JournalEntry](c.block(&call{ctx: ctx}, C.PAYORDER_GO_JOURNAL_SETTLE, "", given))
}

// JournalPrune removes closed entries that were last written more than 90 days ago
// (WithOlderThanDays), and returns how many.
func (c *Client) JournalPrune(ctx context.Context, options ...PruneOption) (int, error) {
	given := collect(options, PruneOption.forPrune)
	pruned, err := read[struct {
		Removed int `json:"removed"`
	}](c.block(&call{ctx: ctx}, C.PAYORDER_GO_JOURNAL_PRUNE, "", given))
	if err != nil {
		return 0, err
	}
	return pruned.Removed, nil
}
