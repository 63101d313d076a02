package payorder_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"payorder.example/payorder"
)

var (
	ctx    = context.Background()
	order  payorder.Order
	client *payorder.Client
)

func ExampleNewClient() {
	client, err := payorder.NewClient(payorder.Config{
		BaseURL:     "https://pay.example.com",
		AccessToken: "ACCESS-TOKEN",
		Timeout:     15 * time.Second,
		Log:         func(event payorder.LogEvent) { log.Print(event.Event, " ", event.OrderID) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
}

func ExampleClient_CreateOrder() {
	checkout, err := client.CreateOrder(ctx, order, payorder.WithTimeout(15*time.Second))
	var failed *payorder.Error
	switch {
	case err == nil:
		fmt.Println("send the customer to", checkout.URL)
	case errors.Is(err, payorder.ErrOutcomeUnknown) && errors.As(err, &failed):
		status, err := client.GetStatus(ctx, *failed.StatusQuery)
		fmt.Println("the order may exist:", status, err)
	default: // ErrNotSent or ErrRejected
		fmt.Println("this call created no order:", err)
	}
}

func ExampleClient_WaitForPayment() {
	waited, err := client.WaitForPayment(ctx, payorder.ByOrderID("ORD-1"),
		payorder.WithWait(5*time.Minute))
	if err == nil && waited.Status != nil {
		expected := payorder.Expected{OrderID: "ORD-1", Amount: "100.00"}
		payment, err := payorder.VerifyPayment(expected, waited.Status)
		fmt.Println("paid:", err == nil && payment.Paid)
	}
}

// The tests of a program need no service, and ParseStatus makes what GetStatus would have returned.
func ExampleParseStatus() {
	status, err := payorder.ParseStatus(`{"responseCode":"200","data":{"orderId":"ORD-1",
		"amount":"100.00","transactionStatus":"Completed","customerName":"Asha Rao"}}`)
	fmt.Println(status, err)
	payment, err := payorder.VerifyPayment(
		payorder.Expected{OrderID: "ORD-1", Amount: "99.00"}, status)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(payment.Paid, payment.Reasons)
	// Output:
	// payorder.Status{OrderID: "ORD-1", TransactionID: "", Amount: "100.00", TransactionStatus: "Completed", RefundStatus: ""} <nil>
	// false [{amount 99.00 100.00}]
}

func ExampleParseReturnURL() {
	returned, err := payorder.ParseReturnURL("https://shop.example.com/return?txn=TXN-1")
	fmt.Println(returned.TransactionID, returned.StatusQuery == payorder.ByTransactionID("TXN-1"), err)
	// Output: TXN-1 true <nil>
}

// statuses is the part of the client that a program uses. Its tests give it another one.
type statuses interface {
	GetStatus(context.Context, payorder.Query, ...payorder.StatusOption) (*payorder.Status, error)
}

type lost struct{}

func (lost) GetStatus(_ context.Context, query payorder.Query,
	_ ...payorder.StatusOption) (*payorder.Status, error) {
	return nil, payorder.NewError(payorder.ResultTimeout, "no response", query)
}

func ExampleNewError() {
	for _, client := range []statuses{lost{}} {
		_, err := client.GetStatus(ctx, payorder.ByOrderID("ORD-1"))
		fmt.Println(err, errors.Is(err, payorder.ErrOutcomeUnknown))
	}
	// Output: payorder: no response (PAYORDER_TIMEOUT) true
}
