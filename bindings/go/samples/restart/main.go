// A restart after a crash: with a journal, the next run knows which orders may exist, and asks
// for their status before it sells again.
//
//	restart JOURNAL ORDER_ID AMOUNT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"payorder.example/payorder"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: restart JOURNAL ORDER_ID AMOUNT")
		os.Exit(1)
	}
	client, err := payorder.NewClientFromEnv(payorder.Config{Journal: os.Args[1]})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	ctx := context.Background()
	verdict, err := recoverSales(ctx, client, os.Args[2], os.Args[3])
	switch verdict {
	// After any other verdict, the order may exist. After not_in_journal it may, too, if this journal
	// was restored, replaced or pruned.
	case "not_in_journal", "not_sent", "refused":
		err = sell(ctx, client, os.Args[2], os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// recoverSales gives one verdict for every order that is open, and for each sale that the till's own
// records do not call finished. It returns that of this sale.
func recoverSales(ctx context.Context, client *payorder.Client, orderID, amount string) (string,
	error) {
	sales := []payorder.Expected{{OrderID: orderID, Amount: amount}}
	// The time limit of an order that a killed program was sending must pass first.
	recovered, err := client.Recover(ctx, sales, payorder.WithWait(10*time.Second))
	if err != nil {
		return "", err
	}
	for _, sale := range recovered.Sales {
		fmt.Println(sale.OrderID, sale.Amount, sale.Verdict, sale.TransactionStatus, sale.URL)
	}
	return recovered.Sales[0].Verdict, nil
}

// sell creates an order. The journal has it before it is sent, and still after a power cut.
func sell(ctx context.Context, client *payorder.Client, orderID, amount string) error {
	checkout, err := client.CreateOrder(ctx, payorder.Order{
		Amount:         amount,
		MerchantTxnID:  "T-" + orderID,
		OrderID:        orderID,
		PayMode:        "all",
		MerchantID:     "M-1",
		ProductInfo:    "Two coffees",
		CustomerName:   "Asha Rao",
		CustomerMobile: "9000000001",
		CustomerEmail:  "asha@example.com",
		RedirectionURL: "https://shop.example.com/return",
		CurrencyCode:   "INR",
	}, payorder.WithTimeout(5*time.Second))
	var failed *payorder.Error
	if errors.Is(err, payorder.ErrOutcomeUnknown) && errors.As(err, &failed) {
		page := failed.CheckoutURL
		if failed.Previous != nil { // another program has sent it meanwhile
			page = failed.Previous.URL
		}
		// What a person must look at may be the page of another sale.
		if page != "" && failed.Action != payorder.ActionAskPerson {
			fmt.Println("if it is not paid, the page is", page)
		}
	}
	if err != nil {
		return err
	}
	fmt.Println("send the customer to", checkout.URL)
	return nil
}
