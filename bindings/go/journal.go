package payorder

// #include "library.h"
import "C"

import (
	"context"
	"time"
)

// JournalEntry is one sending of one order.
type JournalEntry struct {
	Entry             int64          `json:"entry"` // later entries have higher numbers
	OrderID           string         `json:"orderId,omitempty"`
	MerchantTxnID     string         `json:"merchantTxnId,omitempty"`
	Amount            string         `json:"amount,omitempty"`
	CurrencyCode      string         `json:"currencyCode,omitempty"`
	State             string         `json:"state,omitempty"`   // sending, created, rejected, not_sent, unknown or settled
	URL               string         `json:"url,omitempty"`     // the checkout URL, or "" if it is not known
	Service           string         `json:"service,omitempty"` // the base URL of the service that it belongs to
	Result            *Result        `json:"result,omitempty"`
	TransactionID     string         `json:"transactionId,omitempty"` // from the last status of the order, or ""
	TransactionStatus string         `json:"transactionStatus,omitempty"`
	StartedAt         time.Time      `json:"startedAt"` // in UTC
	Deadline          time.Time      `json:"deadline"`  // when the call ends at the latest
	UpdatedAt         time.Time      `json:"updatedAt"`
	Note              string         `json:"note,omitempty"`   // why a person closed it
	Events            []JournalEvent `json:"events,omitempty"` // what happened to it, oldest first; only with WithEvents
	JSON              string         `json:"-"`
}

// JournalEvent is something that happened to an entry. What does not apply is "", 0 or false.
type JournalEvent struct {
	Number            int64         `json:"number"` // in the entry, from 1; missing numbers are old statuses that were dropped
	At                time.Time     `json:"at"`
	Event             string        `json:"event,omitempty"`      // sending, attempt, status or settled
	BodySHA256        string        `json:"bodySha256,omitempty"` // sending: of the request's body
	BodyBytes         int64         `json:"bodyBytes"`
	Attempt           int64         `json:"attempt"` // attempt: its number in the call, from 1
	Duration          time.Duration `json:"duration,omitempty"`
	BytesSent         int64         `json:"bytesSent"`
	HTTPStatus        int64         `json:"httpStatus"`
	ResponseCode      string        `json:"responseCode,omitempty"`
	Result            *Result       `json:"result,omitempty"`
	Cause             string        `json:"cause,omitempty"`
	TransactionID     string        `json:"transactionId,omitempty"` // status: as the service sent it
	TransactionStatus string        `json:"transactionStatus,omitempty"`
	Amount            string        `json:"amount,omitempty"`
	RefundStatus      string        `json:"refundStatus,omitempty"`
	Note              string        `json:"note,omitempty"` // settled: why
	Host              string        `json:"host,omitempty"` // attempt and status: the service's host and port
	Proxy             bool          `json:"proxy"`
	TLS               bool          `json:"tls"`
	CertificateSHA256 string        `json:"certificateSha256,omitempty"` // attempt and status: of the service's certificate
	JSON              string        `json:"-"`
}

// StatusQuery asks for the entry's order.
func (e *JournalEntry) StatusQuery() Query { return ByOrderID(e.OrderID) }

// JournalList returns the journal's entries, oldest first: by default the first 1000 (WithLimit).
// To page on, use WithAfter with the number of the last entry.
func (c *Client) JournalList(ctx context.Context, options ...ListOption) ([]JournalEntry, error) {
	given := collect(options, ListOption.forList)
	text, err := c.call(ctx, C.PAYORDER_GO_JOURNAL_LIST, "", given)
	if err != nil {
		return nil, err
	}
	listed := &Resolved{}
	fill([]byte(text), listed)
	return listed.Entries, nil
}

// Resolved is the end of JournalResolve.
type Resolved struct {
	Summary *Summary       `json:"summary"`
	Entries []JournalEntry `json:"entries"` // those that are still unresolved
}

// JournalResolve asks for the status of every open order, and records it. If the context ends, it
// returns what it has and the context's error.
func (c *Client) JournalResolve(ctx context.Context, options ...BatchOption) (*Resolved, error) {
	given := collect(options, BatchOption.forBatch)
	text, err := c.call(ctx, C.PAYORDER_GO_JOURNAL_RESOLVE, "", given)
	if err != nil {
		return nil, err
	}
	resolved := &Resolved{Summary: &Summary{}}
	fill([]byte(text), resolved)
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
	text, err := c.call(ctx, C.PAYORDER_GO_JOURNAL_SETTLE, "", given)
	if err != nil {
		return nil, err
	}
	settled := &JournalEntry{}
	fill([]byte(text), settled)
	return settled, nil
}

// JournalPrune removes closed entries that were last written more than 90 days ago
// (WithOlderThanDays), and returns how many.
func (c *Client) JournalPrune(ctx context.Context, options ...PruneOption) (int, error) {
	given := collect(options, PruneOption.forPrune)
	text, err := c.call(ctx, C.PAYORDER_GO_JOURNAL_PRUNE, "", given)
	if err != nil {
		return 0, err
	}
	var pruned struct {
		Removed int `json:"removed"`
	}
	fill([]byte(text), &pruned)
	return pruned.Removed, nil
}
