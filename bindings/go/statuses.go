package payorder

// #include "library.h"
import "C"

import "context"

// Query says which order GetStatus asks about. Only one of the two identifiers is needed.
type Query struct {
	SearchType    string // "1" by order, "2" by transaction; needed only if both are given
	OrderID       string
	TransactionID string
}

// ByOrderID asks by the identifier of the order.
func ByOrderID(id string) Query { return Query{SearchType: "1", OrderID: id} }

// ByTransactionID asks by the service's identifier of the transaction.
func ByTransactionID(id string) Query { return Query{SearchType: "2", TransactionID: id} }

func (q *Query) members() members {
	m := members{}
	m.addText("searchType", q.SearchType)
	m.addText("orderId", q.OrderID)
	m.addText("transactionId", q.TransactionID)
	return m
}

func readQuery(read object) Query {
	return Query{read.text("searchType"), read.text("orderId"), read.text("transactionId")}
}

// Status is what the service says about an order. It does not prove a payment: give it to
// VerifyPayment.
type Status struct {
	ResponseCode    string
	ResponseMessage string

	MerchantRefID     string // the service's reference of the merchant's order
	OrderID           string
	TransactionID     string
	Amount            string
	CustomerName      string
	CustomerMobile    string
	CustomerEmail     string
	TransactionStatus string // "Completed" for a finished payment; others are the service's own
	TransactionDate   string // MM/DD/YYYY hh:mm:ss AM or PM, without a time zone
	RefundStatus      string // not empty after a refund
	RefundType        string
	MerchantName      string
	SettlementStatus  string // whether the merchant got the money
	SettlementDate    string
	PayMode           string // how the customer paid

	Completed bool   // whether TransactionStatus is "Completed"; not whether the order is paid
	Date      string // TransactionDate as 2026-11-21T14:05:06, or "" if it is not a date

	JSON string // the complete status, with fields that this version does not know
}

func readStatus(text string) *Status {
	read := readObject([]byte(text))
	data, derived := read.object("data"), read.object("derived")
	return &Status{
		ResponseCode:      read.text("responseCode"),
		ResponseMessage:   read.text("responseMessage"),
		MerchantRefID:     data.text("merchantRefId"),
		OrderID:           data.text("orderId"),
		TransactionID:     data.text("transactionId"),
		Amount:            data.text("amount"),
		CustomerName:      data.text("customerName"),
		CustomerMobile:    data.text("customerMobile"),
		CustomerEmail:     data.text("customerEmail"),
		TransactionStatus: data.text("transactionStatus"),
		TransactionDate:   data.text("transactionDate"),
		RefundStatus:      data.text("refundStatus"),
		RefundType:        data.text("refundType"),
		MerchantName:      data.text("merchantName"),
		SettlementStatus:  data.text("settlementStatus"),
		SettlementDate:    data.text("settlementDate"),
		PayMode:           data.text("payMode"),
		Completed:         derived.isTrue("completed"),
		Date:              derived.text("transactionDate"),
		JSON:              text,
	}
}

// GetStatus asks for the status of an order. A query changes nothing, so it may be repeated after
// any failure.
func (c *Client) GetStatus(ctx context.Context, query Query, options ...Option) (*Status, error) {
	text, err := c.query(ctx, query, options,
		func(call C.uintptr_t, query, options *C.char, out **C.char) C.int32_t {
			return C.payorder_go_get_status(call, c.handle, query, options, out)
		})
	if err != nil {
		return nil, err
	}
	return readStatus(text), nil
}

// Waited is the end of WaitForPayment.
type Waited struct {
	Final    bool    // the status is final; this does not mean that the order is paid
	TimedOut bool    // the time ran out
	Polls    int     // how many queries were made
	Status   *Status // the last status seen, or nil if none was
	Err      error   // of the last query, if the time ran out and it failed
	JSON     string
}

// WaitForPayment asks for the status until the payment is final or the time is up (WithWait). It
// repeats queries that fail. The error of a failed wait has StatusQuery, and the last Status.
func (c *Client) WaitForPayment(ctx context.Context, query Query,
	options ...Option) (*Waited, error) {
	text, err := c.query(ctx, query, options,
		func(call C.uintptr_t, query, options *C.char, out **C.char) C.int32_t {
			return C.payorder_go_wait_for_payment(call, c.handle, query, options, out)
		})
	if err != nil {
		return nil, err
	}
	read := readObject([]byte(text))
	waited := &Waited{
		Final:    read.isTrue("final"),
		TimedOut: read.isTrue("timedOut"),
		Polls:    int(read.number("polls")),
		JSON:     text,
	}
	if read.has("status") {
		waited.Status = readStatus(string(read["status"]))
	}
	if read.has("error") {
		details := read.object("error")
		failed := readErrorDetails(Result(details.number("result")), details)
		failed.JSON = `{"error":` + string(read["error"]) + "}"
		waited.Err = failed
	}
	return waited, nil
}

func (c *Client) query(ctx context.Context, query Query, options []Option,
	run func(call C.uintptr_t, query, options *C.char, out **C.char) C.int32_t) (string, error) {
	request, err := query.members().json()
	if err != nil {
		return "", err
	}
	given := C.CString(request)
	defer freeC(given)
	return c.call(ctx, options, func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
		return run(call, given, options, out)
	})
}
