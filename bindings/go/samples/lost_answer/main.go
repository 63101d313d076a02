// A lost answer: the connection breaks after the order was sent, and the program asks for its
// status. With the sandbox, sandbox:drop-after-commit in PRODUCT loses the answer.
//
//	lost_answer ORDER_ID AMOUNT PRODUCT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"payorder.example/payorder"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: lost_answer ORDER_ID AMOUNT PRODUCT")
		os.Exit(1)
	}
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	ctx := context.Background()

	checkout, err := client.CreateOrder(ctx, payorder.Order{
		Amount:         os.Args[2],
		MerchantTxnID:  "T-" + os.Args[1],
		OrderID:        os.Args[1],
		PayMode:        "all",
		MerchantID:     "M-1",
		ProductInfo:    os.Args[3],
		CustomerName:   "Asha Rao",
		CustomerMobile: "9000000001",
		CustomerEmail:  "asha@example.com",
		RedirectionURL: "https://shop.example.com/return",
		CurrencyCode:   "INR",
	})
	var failed *payorder.Error
	switch {
	case err == nil:
		fmt.Println("send the customer to", checkout.URL)
	case errors.Is(err, payorder.ErrOutcomeUnknown) && errors.As(err, &failed):
		fmt.Println("the order may exist:", failed.Name, failed.Action)
		ask(ctx, client, *failed.StatusQuery)
	default:
		fmt.Println("no order was created:", err)
	}
}

// ask asks for the status: a query changes nothing. It does not send the order again, because the
// customer could then pay twice.
func ask(ctx context.Context, client *payorder.Client, query payorder.Query) {
	status, err := client.GetStatus(ctx, query)
	switch {
	case err == nil:
		fmt.Printf("the service has order %s: %s\n", status.OrderID, status.TransactionStatus)
		fmt.Println("its checkout URL is lost: if it is not paid, a person decides what to do")
	default:
		// Even "no such order" proves nothing: the service may not know it yet.
		fmt.Println("still not known; ask again later:", err)
	}
}
