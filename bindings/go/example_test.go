package payorder_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"payorder.example/payorder"
)

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
		_, err := client.GetStatus(context.Background(), payorder.ByOrderID("ORD-1"))
		fmt.Println(err, errors.Is(err, payorder.ErrOutcomeUnknown))
	}
	// Output: payorder: no response (PAYORDER_TIMEOUT) true
}
