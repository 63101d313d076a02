package payorder

// #include "library.h"
import "C"

import (
	"context"
	"fmt"
)

// Format prints an order without the customer's data, whatever the verb.
func (o Order) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.Order{OrderID: %q, MerchantTxnID: %q, Amount: %q}",
		o.OrderID, o.MerchantTxnID, o.Amount)
}

// Checkout is an order that was created.
type Checkout struct {
	URL             string `json:"url,omitempty"` // send the customer there
	ResponseCode    string `json:"responseCode,omitempty"`
	ResponseMessage string `json:"responseMessage,omitempty"`
	JSON            string `json:"-"` // the complete result, with fields that this version does not know
}

// Format prints a checkout without the payment page, whatever the verb: JSON may have the customer's
// data too.
func (c Checkout) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.Checkout{ResponseCode: %q, ResponseMessage: %q}",
		c.ResponseCode, c.ResponseMessage)
}

// CreateOrder creates an order at the service. It sends the order once: never again after a byte
// has left this machine.
//
// After ErrOutcomeUnknown the order may exist: give Error.StatusQuery to GetStatus before anything
// else. If the context ends during the call, the error says whether the order may exist.
func (c *Client) CreateOrder(ctx context.Context, order Order,
	options ...OrderOption) (*Checkout, error) {
	// An empty field is left out: the library reports it as one that is required.
	request, err := membersOf(order).json()
	if err != nil {
		return nil, err
	}
	text, err := c.start(ctx, "create_order", request,
		collect(options, OrderOption.forOrder))
	if err != nil {
		return nil, withQuery(err, order)
	}
	checkout := &Checkout{}
	fill([]byte(text), checkout)
	// The library reads any JSON that it gives; encoding/json takes no more than 10,000 levels.
	checkout.URL, err = build(C.PAYORDER_GO_JSON_GET, text, "/data/url")
	if err != nil || checkout.URL == "" {
		return nil, lostCheckout(order, text)
	}
	return checkout, nil
}

// lostCheckout is the error of a created order whose URL this package could not read. It must not
// look like an order that was not sent.
func lostCheckout(order Order, text string) error {
	lost := ownError(ResultInternalInFlight, CauseBug, ActionReportBug,
		"the order was created, but its checkout URL cannot be read: see JSON", Query{})
	lost.Operation = "create_order"
	lost.JSON = text
	return withQuery(lost, order)
}

// withQuery lets a program ask for the order that may exist, also if the library could not say how.
func withQuery(err error, order Order) error {
	failed, ok := err.(*Error)
	if ok && failed.StatusQuery == nil && failed.Is(ErrOutcomeUnknown) {
		query := ByOrderID(order.OrderID)
		failed.StatusQuery = &query
	}
	return err
}
