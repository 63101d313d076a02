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

func TestAStoppedClientSendsNothingMore(t *testing.T) {
	t.Setenv("PAYORDER_BASE_URL", sandbox)
	given := config("")
	given.AccessToken = "wrong"
	client, err := NewClientFromEnv(given)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.CreateOrder(context.Background(), order("Tea"))
	if !errors.Is(err, ResultUnauthorized) {
		t.Fatal(err)
	}
	if err := client.SetCredentials(WithAccessToken(config("").AccessToken)); err != nil {
		t.Fatal(err)
	}
	create(t, client, order("Tea"))
	if err := client.Stop(); err != nil {
		t.Fatal(err)
	}
	_, err = client.CreateOrder(context.Background(), order("Tea"))
	var failed *Error
	if !errors.As(err, &failed) || failed.Cause != CauseClientStopped {
		t.Fatal(err)
	}
}
