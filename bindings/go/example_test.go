package payorder_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"payorder.example/payorder"
)

var sale = payorder.Order{Amount: "249.50", MerchantTxnID: "TXN-7", OrderID: "ORD-7",
	PayMode: "all", MerchantID: "M-1", ProductInfo: "Tea", CustomerName: "Asha Rao",
	CustomerMobile: "9000000001", CustomerEmail: "asha@example.com",
	RedirectionURL: "https://shop.example.com/return", CurrencyCode: "INR"}

// From the till to the verified payment. The customer of this example has not paid yet.
func Example() {
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, began := context.Background(), time.Now()
	if _, err := client.CreateOrder(ctx, sale); err != nil {
		log.Fatal(err) // see the example of CreateOrder
	}
	status, err := client.GetStatus(ctx, payorder.ByOrderID(sale.OrderID))
	if err != nil {
		log.Fatal(err)
	}
	expected := payorder.Expected{OrderID: sale.OrderID, Amount: sale.Amount, NotBefore: began}
	payment, err := payorder.VerifyPayment(expected, status)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("paid:", payment.Paid)
	// Output: paid: false
}

func ExampleClient_CreateOrder() {
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	order := sale
	order.CustomerMobile = ""
	checkout, err := client.CreateOrder(context.Background(), order)
	switch {
	case err == nil:
		fmt.Println("send the customer to", checkout.URL)
	case errors.Is(err, payorder.ErrNotSent):
		fmt.Println("nothing was sent:", err)
	case errors.Is(err, payorder.ErrRejected):
		fmt.Println("refused:", err)
	default: // payorder.ErrOutcomeUnknown
		fmt.Println("the order may exist: ask with StatusQuery before anything else")
	}
	// Output: nothing was sent: payorder: the order breaks the interface's rules: customerMobile is missing (PAYORDER_INVALID_REQUEST)
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
		_, err := client.GetStatus(context.Background(), payorder.ByOrderID("ORD-1"))
		fmt.Println(err, errors.Is(err, payorder.ErrOutcomeUnknown))
	}
	// Output: payorder: no response (PAYORDER_TIMEOUT) true
}
