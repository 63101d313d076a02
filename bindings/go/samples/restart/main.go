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
	"time"

	"payorder.example/payorder"
)

func main() {
	if !(len(os.Args) == 6 && os.Args[2] == "sell" || len(os.Args) == 3 && os.Args[2] == "ask") {
		fmt.Fprintln(os.Stderr, "usage: restart JOURNAL sell ORDER_ID AMOUNT PRODUCT\n"+
			"       restart JOURNAL ask")
		os.Exit(1)
	}
	client, err := payorder.NewClientFromEnv(payorder.Config{Journal: os.Args[1]})
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
	}, payorder.WithTimeout(5*time.Second))
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

// ask gives one verdict for every order that is open. The time limit of an order that a killed
// program was sending must pass first.
func ask(client *payorder.Client) error {
	recovered, err := client.Recover(context.Background(), nil, payorder.WithWait(10*time.Second))
	if err != nil {
		return err
	}
	for _, sale := range recovered.Sales {
		fmt.Println(sale.OrderID, sale.Amount, sale.Verdict, sale.TransactionStatus)
	}
	if recovered.Summary.OK < recovered.Summary.Asked {
		return errors.New("orders are still open without a status: ask again later")
	}
	return nil
}
