package payorder

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// sandbox is the address of the sandbox that the script test started.
var sandbox = os.Getenv("PAYORDER_BASE_URL")

func TestMain(m *testing.M) {
	code := m.Run()
	left := Live()
	// The last thread that gave a result may not have gone on yet.
	for until := time.Now().Add(2 * time.Second); left.Calls > 0 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
		left = Live()
	}
	if left != (LiveCounters{}) {
		fmt.Fprintf(os.Stderr, "FAIL: the library still holds %+v\n", left)
		code = 1
	}
	os.Exit(code)
}

// config is the configuration for a service at an address, with the sandbox's credentials.
func config(address string) Config {
	return Config{
		BaseURL:     address,
		AccessToken: "sandbox-access-token",
		ClientKey:   "sandbox-client-key",
		ClientID:    "sandbox-client-id",
		SecretKey:   "sandbox-secret-key",
		Proxy:       "none",
	}
}

func newClient(t *testing.T, config Config) *Client {
	t.Helper()
	client, err := NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func sandboxClient(t *testing.T) *Client {
	t.Helper()
	return newClient(t, config(sandbox))
}

var orders atomic.Int64

// order is a new order; its product may have a marker of the sandbox.
func order(product string) Order {
	number := orders.Add(1)
	return Order{
		Amount:         "249.50",
		MerchantTxnID:  fmt.Sprintf("T-%d-%d", os.Getpid(), number),
		OrderID:        fmt.Sprintf("O-%d-%d", os.Getpid(), number),
		PayMode:        "all",
		MerchantID:     "M-1",
		ProductInfo:    product,
		CustomerName:   "Asha Rao",
		CustomerMobile: "9000000001",
		CustomerEmail:  "asha@example.com",
		RedirectionURL: "https://shop.example.com/return",
		CurrencyCode:   "INR",
	}
}

func create(t *testing.T, client *Client, order Order) *Checkout {
	t.Helper()
	checkout, err := client.CreateOrder(context.Background(), order)
	if err != nil {
		t.Fatal(err)
	}
	return checkout
}
