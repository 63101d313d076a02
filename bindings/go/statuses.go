//go:build cgo

package payorder

import (
	"context"
	"encoding/json"
	"fmt"
)

// Query says which order GetStatus asks about. Only one of the two identifiers is needed.
type Query struct {
	SearchType    string `json:"searchType,omitempty"` // "1" by order, "2" by transaction; needed only if both are given
	OrderID       string `json:"orderId,omitempty"`
	TransactionID string `json:"transactionId,omitempty"`
}

// ByOrderID asks by the identifier of the order.
func ByOrderID(id string) Query { return Query{SearchType: "1", OrderID: id} }

// ByTransactionID asks by the service's identifier of the transaction.
func ByTransactionID(id string) Query { return Query{SearchType: "2", TransactionID: id} }

// Format prints a status without the customer's data, whatever the verb.
func (s Status) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.Status{OrderID: %q, TransactionID: %q, Amount: %q, "+
		"TransactionStatus: %q, RefundStatus: %q}",
		s.OrderID, s.TransactionID, s.Amount, s.TransactionStatus, s.RefundStatus)
}

// ParseStatus makes a status from the service's response, for tests of a program. A result of the
// library, Status.JSON, is one too.
func ParseStatus(response string) (*Status, error) {
	if readObject([]byte(response)) == nil {
		return nil, offline(unusableText(CauseNotJSON, "the status is not a JSON object"))
	}
	return readStatus(response), nil
}

func readStatus(text string) *Status { return statusOf(readObject([]byte(text)), text) }

func statusOf(read object, text string) *Status {
	status := &Status{}
	fill(read["data"], status)
	derived := read.object("derived")
	status.ResponseCode, status.ResponseMessage = read.text("responseCode"), read.text("responseMessage")
	status.Completed, status.Date = derived.isTrue("completed"), derived.text("transactionDate")
	if derived == nil {
		status.Completed = status.TransactionStatus == "Completed"
	}
	status.JSON = text
	return status
}

// GetStatus asks for the status of an order. A query changes nothing, so it may be repeated after
// any failure.
func (c *Client) GetStatus(ctx context.Context, query Query, options ...StatusOption) (*Status, error) {
	text, err := c.query(ctx, "get_status", query,
		collect(options, StatusOption.forStatus))
	if err != nil {
		return nil, err
	}
	return answered(text, query)
}

// answered reads the answer to a query.
func answered(text string, query Query) (*Status, error) {
	read := readObject([]byte(text))
	if read == nil {
		return nil, unreadable(text, query)
	}
	return statusOf(read, text), nil
}

// Waited is the end of WaitForPayment.
type Waited struct {
	Final    bool    `json:"final"`    // the status is final; this does not mean that the order is paid
	TimedOut bool    `json:"timedOut"` // the time ran out
	Polls    int     `json:"polls"`    // how many queries were made
	Status   *Status `json:"status"`   // the last status seen, or nil if none was
	Err      error   `json:"err"`      // of the last query, if the time ran out and it failed
	JSON     string  `json:"-"`
}

// NewWaited makes the end of a wait for the tests of a program: the last status, or nil, and the
// error of the last query, or nil. If the status is not "Completed", the time ran out.
func NewWaited(status *Status, err error) *Waited {
	final := status != nil && status.Completed
	return &Waited{Final: final, TimedOut: !final, Polls: 1, Status: status, Err: err}
}

// Format prints the end of a wait without the customer's data, whatever the verb.
func (w Waited) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.Waited{Final: %t, TimedOut: %t, Polls: %d, Status: %v, Err: %v}",
		w.Final, w.TimedOut, w.Polls, w.Status, w.Err)
}

// WaitForPayment asks for the status until it is "Completed" or one of WithFinal, or until the time
// is up (WithWait). It repeats queries that fail. The error of a failed wait leaves the order open,
// and has StatusQuery and the last Status.
func (c *Client) WaitForPayment(ctx context.Context, query Query,
	options ...WaitOption) (*Waited, error) {
	text, err := c.query(ctx, "wait_for_payment", query,
		collect(options, WaitOption.forWait))
	if failed, ok := err.(*Error); ok && failed.StatusQuery == nil {
		failed.StatusQuery = &query // also if this package refused an option
	}
	if err != nil {
		return nil, err
	}
	waited := &Waited{}
	read := fill([]byte(text), waited)
	if read == nil {
		return nil, unreadable(text, query)
	}
	if read.has("error") {
		var result Result
		_ = json.Unmarshal(read.object("error")["result"], &result)
		failed := readErrorDetails(result, read["error"])
		failed.JSON = `{"error":` + string(read["error"]) + "}"
		waited.Err = failed
	}
	return waited, nil
}

// unreadable is the error of an answer that this package cannot read, though the library could:
// encoding/json takes no more than 10,000 arrays and objects in one another.
func unreadable(text string, query Query) error {
	lost := ownError(ResultInternalInFlight, CauseBug, ActionAskStatus,
		"the status was received, but this package cannot read it: see JSON", query)
	lost.JSON = text
	return lost
}

func (c *Client) query(ctx context.Context, operation string, query Query,
	options members) (string, error) {
	request, err := membersOf(query).json()
	if err != nil {
		return "", err
	}
	return c.start(ctx, operation, request, options)
}
