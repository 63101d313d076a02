package payorder

// #include "library.h"
import "C"

import (
	"context"
	"sort"
)

// Order is the order for CreateOrder. The service requires all eleven fields, and gets them
// unchanged.
type Order struct {
	Amount         string // decimal text such as "100.00", at least 1
	MerchantTxnID  string // your unique identifier of the transaction
	OrderID        string // your unique identifier of the order
	PayMode        string // all, cc, dc, upi or nb
	MerchantID     string // your identifier at the service
	ProductInfo    string // what is paid for
	CustomerName   string
	CustomerMobile string
	CustomerEmail  string
	RedirectionURL string // the return URL: where the customer goes after the payment
	CurrencyCode   string // such as INR
}

func (o *Order) members() members {
	// An empty field is left out: the library reports it as one that is required.
	m := members{}
	m.addText("amount", o.Amount)
	m.addText("merchantTxnId", o.MerchantTxnID)
	m.addText("orderId", o.OrderID)
	m.addText("payMode", o.PayMode)
	m.addText("merchantId", o.MerchantID)
	m.addText("productInfo", o.ProductInfo)
	m.addText("customerName", o.CustomerName)
	m.addText("customerMobile", o.CustomerMobile)
	m.addText("customerEmail", o.CustomerEmail)
	m.addText("redirectionURL", o.RedirectionURL)
	m.addText("currencyCode", o.CurrencyCode)
	return m
}

// Checkout is an order that was created.
type Checkout struct {
	URL             string // send the customer there
	ResponseCode    string
	ResponseMessage string
	JSON            string // the complete result, with fields that this version does not know
}

// CreateOrder creates an order at the service. It sends the order once: never again after a byte
// has left this machine.
//
// After ErrOutcomeUnknown the order may exist: give Error.StatusQuery to GetStatus before anything
// else. If the context ends during the call, the error says whether the order may exist.
func (c *Client) CreateOrder(ctx context.Context, order Order,
	options ...Option) (*Checkout, error) {
	request, err := order.members().json()
	if err != nil {
		return nil, err
	}
	given := C.CString(request)
	defer freeC(given)
	text, err := c.call(ctx, options, func(call C.uintptr_t, options *C.char, out **C.char) C.int32_t {
		return C.payorder_go_create_order(call, c.handle, given, options, out)
	})
	if err != nil {
		return nil, err
	}
	read := readObject([]byte(text))
	checkout := &Checkout{
		URL:             read.object("data").text("url"),
		ResponseCode:    read.text("responseCode"),
		ResponseMessage: read.text("responseMessage"),
		JSON:            text,
	}
	if checkout.URL == "" {
		return nil, lostCheckout(order, text)
	}
	return checkout, nil
}

// lostCheckout is the error of a created order whose URL this package could not read. It must not
// look like an order that was not sent.
func lostCheckout(order Order, text string) *Error {
	lost := ownError(ResultInternalInFlight, CauseBug, ActionReportBug,
		"the order was created, but its checkout URL cannot be read: see JSON")
	lost.Operation = "create_order"
	query := ByOrderID(order.OrderID)
	lost.StatusQuery = &query
	lost.JSON = text
	return lost
}

func sortedMembers(texts map[string]string) members {
	sorted := members{}
	for key, text := range texts {
		sorted = append(sorted, member{key, text})
	}
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].key < sorted[j].key })
	return sorted
}
