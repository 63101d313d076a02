package payorder

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAContextThatEndsInFlightSaysThatTheOrderMayExist(t *testing.T) {
	address, arrived := silentService(t)
	client, order := newClient(t, config(address)), order("Tea")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-arrived
		cancel()
	}()
	started := time.Now()
	_, err := client.CreateOrder(ctx, order)
	var failed *Error
	if !errors.As(err, &failed) || failed.Result != ResultCancelledInFlight ||
		!errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, context.Canceled) ||
		*failed.StatusQuery != ByOrderID(order.OrderID) {
		t.Fatal(err)
	}
	if time.Since(started) > 20*time.Second {
		t.Fatal("the call was not cancelled")
	}
}

func TestADeadlineInFlightIsNotATimeoutOfTheLibrary(t *testing.T) {
	address, _ := silentService(t)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := newClient(t, config(address)).GetStatus(ctx, ByOrderID("O-1"))
	if !errors.Is(err, ResultCancelledInFlight) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}
