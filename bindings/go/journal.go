package payorder

// #include "library.h"
import "C"

import (
	"context"
	"encoding/json"
	"time"
)

// JournalEntry is one sending of one order.
type JournalEntry struct {
	Entry             int64 // later entries have higher numbers
	OrderID           string
	MerchantTxnID     string
	Amount            string
	CurrencyCode      string
	State             string // sending, created, rejected, not_sent, unknown or settled
	URL               string // the checkout URL, or "" if it is not known
	Service           string // the base URL of the service that it belongs to
	Result            *Result
	TransactionID     string // from the last status of the order, or ""
	TransactionStatus string
	StartedAt         time.Time // in UTC
	Deadline          time.Time // when the call ends at the latest
	UpdatedAt         time.Time
	Note              string         // why a person closed it
	Events            []JournalEvent // what happened to it, oldest first; only with WithEvents
	JSON              string
}

// JournalEvent is something that happened to an entry. What does not apply is "", 0 or false.
type JournalEvent struct {
	Number            int64 // in the entry, from 1; missing numbers are old statuses that were dropped
	At                time.Time
	Event             string // sending, attempt, status or settled
	BodySHA256        string // sending: of the request's body
	BodyBytes         int64
	Attempt           int64 // attempt: its number in the call, from 1
	Duration          time.Duration
	BytesSent         int64
	HTTPStatus        int64
	ResponseCode      string
	Result            *Result
	Cause             string
	TransactionID     string // status: as the service sent it
	TransactionStatus string
	Amount            string
	RefundStatus      string
	Note              string // settled: why
	Host              string // attempt and status: the service's host and port
	Proxy             bool
	TLS               bool
	CertificateSHA256 string // attempt and status: of the service's certificate
	JSON              string
}

func readJournalEvent(raw json.RawMessage) JournalEvent {
	read := readObject(raw)
	event := JournalEvent{
		Number:            read.number("number"),
		At:                read.time("at"),
		Event:             read.text("event"),
		BodySHA256:        read.text("bodySha256"),
		BodyBytes:         read.number("bodyBytes"),
		Attempt:           read.number("attempt"),
		Duration:          read.milliseconds("durationMs"),
		BytesSent:         read.number("bytesSent"),
		HTTPStatus:        read.number("httpStatus"),
		ResponseCode:      read.text("responseCode"),
		Cause:             read.text("cause"),
		TransactionID:     read.text("transactionId"),
		TransactionStatus: read.text("transactionStatus"),
		Amount:            read.text("amount"),
		RefundStatus:      read.text("refundStatus"),
		Note:              read.text("note"),
		Host:              read.text("host"),
		Proxy:             read.isTrue("proxy"),
		TLS:               read.isTrue("tls"),
		CertificateSHA256: read.text("certificateSha256"),
		JSON:              string(raw),
	}
	if read.has("result") {
		event.Result = Ptr(Result(read.number("result")))
	}
	return event
}

// StatusQuery asks for the entry's order.
func (e *JournalEntry) StatusQuery() Query { return ByOrderID(e.OrderID) }

func readEntry(raw json.RawMessage) JournalEntry {
	read := readObject(raw)
	entry := JournalEntry{
		Entry:             read.number("entry"),
		OrderID:           read.text("orderId"),
		MerchantTxnID:     read.text("merchantTxnId"),
		Amount:            read.text("amount"),
		CurrencyCode:      read.text("currencyCode"),
		State:             read.text("state"),
		URL:               read.text("url"),
		Service:           read.text("service"),
		TransactionID:     read.text("transactionId"),
		TransactionStatus: read.text("transactionStatus"),
		StartedAt:         read.time("startedAt"),
		Deadline:          read.time("deadline"),
		UpdatedAt:         read.time("updatedAt"),
		Note:              read.text("note"),
		JSON:              string(raw),
	}
	if read.has("result") {
		entry.Result = Ptr(Result(read.number("result")))
	}
	for _, raw := range read.array("events") {
		entry.Events = append(entry.Events, readJournalEvent(raw))
	}
	return entry
}

func readEntries(read object) []JournalEntry {
	var entries []JournalEntry
	for _, raw := range read.array("entries") {
		entries = append(entries, readEntry(raw))
	}
	return entries
}

// JournalList returns the journal's entries, oldest first: by default the first 1000 (WithLimit).
// To page on, use WithAfter with the number of the last entry.
func (c *Client) JournalList(ctx context.Context, options ...Option) ([]JournalEntry, error) {
	text, err := c.call(ctx, options, func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
		return C.payorder_go_journal_list(call, c.handle, options, out)
	})
	if err != nil {
		return nil, err
	}
	return readEntries(readObject([]byte(text))), nil
}

// Resolved is the end of JournalResolve.
type Resolved struct {
	Summary *Summary
	Entries []JournalEntry // those that are still unresolved
}

// JournalResolve asks for the status of every open order, and records it. If the context ends, it
// returns what it has and the context's error.
func (c *Client) JournalResolve(ctx context.Context, options ...Option) (*Resolved, error) {
	text, err := c.call(ctx, options, func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
		return C.payorder_go_journal_resolve(call, c.handle, options, out)
	})
	if err != nil {
		return nil, err
	}
	read := readObject([]byte(text))
	resolved := &Resolved{readSummary(string(read["summary"])), readEntries(read)}
	return resolved, resolved.Summary.stopReason(ctx)
}

// JournalSettle closes an open entry by hand. It does not cancel the order at the service. The note
// says why, in at most 200 characters, without personal data; "" for none.
func (c *Client) JournalSettle(ctx context.Context, entry int64, note string,
	options ...Option) (*JournalEntry, error) {
	given := []Option{with("entry", entry)}
	if note != "" {
		given = append(given, with("note", note))
	}
	text, err := c.call(ctx, append(given, options...),
		func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
			return C.payorder_go_journal_settle(call, c.handle, options, out)
		})
	if err != nil {
		return nil, err
	}
	settled := readEntry(json.RawMessage(text))
	return &settled, nil
}

// JournalPrune removes closed entries that were last written more than 90 days ago
// (WithOlderThanDays), and returns how many.
func (c *Client) JournalPrune(ctx context.Context, options ...Option) (int, error) {
	text, err := c.call(ctx, options, func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
		return C.payorder_go_journal_prune(call, c.handle, options, out)
	})
	if err != nil {
		return 0, err
	}
	return int(readObject([]byte(text)).number("removed")), nil
}
