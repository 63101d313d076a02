// A sale: creates an order, shows where the customer pays, waits for the payment and verifies it.
//
//	sale ORDER_ID AMOUNT
//
// The exit status is 0 if the order is paid, 1 if nothing was sent or the service refused the
// order, and 2 if the order may exist, can still be paid, or a person must look at it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"payorder.example/payorder"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sale ORDER_ID AMOUNT")
		os.Exit(1)
	}
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	// Ctrl-C ends the call that is running. Its error still says whether the order may exist.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(sell(ctx, client, os.Args[1], os.Args[2]))
}

func sell(ctx context.Context, client *payorder.Client, orderID, amount string) int {
	began := time.Now()
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
	})
	if errors.Is(err, payorder.ErrOutcomeUnknown) {
		var failed *payorder.Error
		errors.As(err, &failed)
		fmt.Println("the order may exist:", failed.Action, err)
		ask(client, *failed.StatusQuery)
		page := failed.CheckoutURL
		if failed.Previous != nil {
			page = failed.Previous.URL
		}
		// What a person must look at may be the page of another sale.
		if page != "" && failed.Action != payorder.ActionAskPerson {
			fmt.Println("if it is not paid, the page is", page)
		} else {
			fmt.Println("if it is not paid, a person decides what to do")
		}
		return 2
	}
	if err != nil {
		fmt.Println("this call created no order:", err)
		return 1
	}
	fmt.Println("send the customer to", checkout.URL)

	waited, err := client.WaitForPayment(ctx, payorder.ByOrderID(orderID),
		payorder.WithWait(5*time.Minute))
	if err != nil {
		fmt.Println("open: the customer can still pay; ask for the status:", err)
		return 2
	}
	if waited.Status == nil {
		fmt.Println("open: no status was seen:", waited.Err)
		return 2
	}
	// A final status does not prove a payment: the amount may be wrong.
	payment, err := payorder.VerifyPayment(
		payorder.Expected{OrderID: orderID, Amount: amount, NotBefore: began}, waited.Status)
	if err != nil {
		fmt.Println("open: the status cannot be checked:", err)
		return 2
	}
	switch {
	case payment.Paid:
		fmt.Println("paid:", amount, "for", orderID)
		return 0
	case moved(waited.Status):
		fmt.Println("check: money moved, not as expected; show it to a person")
	default:
		// Also after "Failed" or "Cancelled": no status but "Completed" is known to be the end.
		fmt.Printf("open: order %s is %s, the customer may still pay\n", orderID,
			waited.Status.TransactionStatus)
	}
	for _, reason := range payment.Reasons {
		fmt.Printf("  %s is %q instead of %q\n", reason.Check, reason.Actual, reason.Expected)
	}
	return 2
}

// moved says whether money may have moved, also if the service writes its status in another way.
func moved(status *payorder.Status) bool {
	return strings.EqualFold(strings.TrimSpace(status.TransactionStatus), "Completed") ||
		status.RefundStatus+status.RefundType+status.SettlementStatus+status.SettlementDate != ""
}

// ask asks for the status of an order whose answer was lost: a query changes nothing. It does not
// send the order again, because the customer could then pay twice.
func ask(client *payorder.Client, query payorder.Query) {
	// Not with the context of the call, which may have ended.
	status, err := client.GetStatus(context.Background(), query)
	if err != nil {
		// Even "no such order" proves nothing: the service may not know it yet.
		fmt.Println("still not known; ask again later:", err)
		return
	}
	fmt.Printf("the service has order %s: %s\n", status.OrderID, status.TransactionStatus)
}
