// A restart after a crash: with a journal, the next run knows which orders may exist, and asks
// for their status before it sells again.
//
//	restart JOURNAL sell ORDER_ID AMOUNT PRODUCT
//	restart JOURNAL ask
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"payorder"
)

func main() {
	if !(len(os.Args) == 6 && os.Args[2] == "sell" || len(os.Args) == 3 && os.Args[2] == "ask") {
		fmt.Fprintln(os.Stderr, "usage: restart JOURNAL sell ORDER_ID AMOUNT PRODUCT\n"+
			"       restart JOURNAL ask")
		os.Exit(1)
	}
	client, err := payorder.NewClient(payorder.Config{
		BaseURL:     os.Getenv("PAYORDER_BASE_URL"),
		AccessToken: os.Getenv("PAYORDER_ACCESS_TOKEN"),
		ClientKey:   os.Getenv("PAYORDER_CLIENT_KEY"),
		ClientID:    os.Getenv("PAYORDER_CLIENT_ID"),
		SecretKey:   os.Getenv("PAYORDER_SECRET_KEY"),
		Journal:     os.Args[1],
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	if os.Args[2] == "sell" {
		err = sell(client, os.Args[3], os.Args[4], os.Args[5])
	} else {
		err = ask(client)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// sell creates an order. The journal has it before it is sent, and still after a power cut.
func sell(client *payorder.Client, orderID, amount, product string) error {
	checkout, err := client.CreateOrder(context.Background(), payorder.Order{
		Amount:         amount,
		MerchantTxnID:  "T-" + orderID,
		OrderID:        orderID,
		PayMode:        "all",
		MerchantID:     "M-1",
		ProductInfo:    product,
		CustomerName:   "Asha Rao",
		CustomerMobile: "9000000001",
		CustomerEmail:  "asha@example.com",
		RedirectionURL: "https://shop.example.com/return",
		CurrencyCode:   "INR",
	})
	var failed *payorder.Error
	if errors.Is(err, payorder.ResultDuplicate) && errors.As(err, &failed) {
		return fmt.Errorf("order %s was sent before: %s", failed.Previous.OrderID,
			failed.Previous.State)
	}
	if err != nil {
		return err
	}
	fmt.Println("send the customer to", checkout.URL)
	return nil
}

// ask asks about every order that is open, and lists those that may exist all the same.
func ask(client *payorder.Client) error {
	resolved, err := client.JournalResolve(context.Background())
	if err != nil {
		return err
	}
	fmt.Printf("asked about %d orders, the service knows %d\n",
		resolved.Summary.Asked, resolved.Summary.OK)
	entries, err := client.JournalList(context.Background())
	if err != nil {
		return err
	}
	for _, entry := range entries {
		fmt.Println(entry.OrderID, entry.Amount, entry.State, entry.TransactionStatus)
	}
	if len(resolved.Entries) > 0 || resolved.Summary.OK < resolved.Summary.Asked {
		return errors.New("orders are still open without a status: ask again later")
	}
	return nil
}
