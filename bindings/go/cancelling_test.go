package payorder

import (
	"context"
	"errors"
	"strings"
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

func TestAContextThatEndedBeforeSendsNothing(t *testing.T) {
	address, arrived := silentService(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := newClient(t, config(address)).CreateOrder(ctx, order("Tea"))
	if !errors.Is(err, ResultCancelled) || !errors.Is(err, ErrNotSent) ||
		!errors.Is(err, context.Canceled) || len(arrived) != 0 {
		t.Fatal(err)
	}
}

func TestALogFunctionThatEndsTheContextEndsTheCallBeforeItIsSent(t *testing.T) {
	address, arrived := silentService(t)
	client := newClient(t, config(address))
	for round := 0; round < 50; round++ {
		ctx, cancel := context.WithCancel(context.Background())
		if err := client.SetLog(func(LogEvent) { cancel() }); err != nil {
			t.Fatal(err)
		}
		_, err := client.CreateOrder(ctx, order("Tea"))
		if !errors.Is(err, ResultCancelled) || len(arrived) != 0 {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

func TestACancelledWaitHasTheLastStatus(t *testing.T) {
	client, order := sandboxClient(t), order("Tea")
	create(t, client, order)
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan struct{}, 10)
	if err := client.SetLog(func(event LogEvent) {
		if event.Event == "attempt_finished" {
			asked <- struct{}{}
		}
	}); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-asked // the wait now pauses for a minute
		cancel()
	}()
	_, err := client.WaitForPayment(ctx, ByOrderID(order.OrderID), WithInterval(time.Minute))
	var failed *Error
	if !errors.As(err, &failed) || !errors.Is(err, context.Canceled) || failed.Status == nil ||
		failed.Status.TransactionStatus != "Pending" || *failed.StatusQuery != ByOrderID(order.OrderID) ||
		!strings.HasPrefix(failed.Status.JSON, "{") {
		t.Fatalf("%+v", err)
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

func TestAForgottenClientIsFreed(t *testing.T) {
	before := Live().Clients
	func() {
		if _, err := NewClient(config(sandbox)); err != nil {
			t.Fatal(err)
		}
	}()
	eventually(t, "the client is freed", func() bool { return Live().Clients == before })
}
