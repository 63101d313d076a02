package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	"payorder"
)

func main() {
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for number := 0; number < count; number++ {
		id := fmt.Sprintf("%s-%d", os.Args[2], number)
		checkout, err := client.CreateOrder(context.Background(), payorder.Order{
			Amount:         "249.50",
			MerchantTxnID:  "T-" + id,
			OrderID:        id,
			PayMode:        "all",
			MerchantID:     "M-1",
			ProductInfo:    "Two coffees",
			CustomerName:   "Asha Rao",
			CustomerMobile: "9000000001",
			CustomerEmail:  "asha@example.com",
			RedirectionURL: "https://shop.example.com/return",
			CurrencyCode:   "INR",
		})
		if err != nil || checkout.URL == "" {
			log.Fatal("no order: ", err)
		}
	}
}
