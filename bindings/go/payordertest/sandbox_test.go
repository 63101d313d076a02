package payordertest_test

import (
	"context"
	"errors"
	"testing"

	"payorder.example/payorder"
	"payorder.example/payorder/payordertest"
)

func TestALostOrderIsPaid(t *testing.T) {
	sandbox := payordertest.NewSandbox(t)
	sandbox.Fault("create:1:drop-after-commit")
	client, err := payorder.NewClient(sandbox.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	order := payorder.Order{Amount: "249.50", MerchantTxnID: "T-1", OrderID: "O 1", PayMode: "all",
		MerchantID: "M-1", ProductInfo: "Tea", CustomerName: "Asha Rao",
		CustomerMobile: "9000000001", CustomerEmail: "asha@example.com",
		RedirectionURL: "https://shop.example.com/return", CurrencyCode: "INR"}
	_, err = client.CreateOrder(context.Background(), order)
	var failed *payorder.Error
	if !errors.As(err, &failed) || !errors.Is(err, payorder.ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	sandbox.Press(order.OrderID, "pay")
	status, err := client.GetStatus(context.Background(), *failed.StatusQuery)
	if err != nil || !status.Completed {
		t.Fatal(status, err)
	}
}
