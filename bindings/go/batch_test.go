package payorder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func orderIDs(prefix string, count int) []Query {
	var queries []Query
	for i := 0; i < count; i++ {
		queries = append(queries, ByOrderID(fmt.Sprintf("%s-%d", prefix, i)))
	}
	return queries
}

func TestAnErrorOfTheFunctionEndsTheBatch(t *testing.T) {
	stop, calls := errors.New("enough"), 0
	summary, err := sandboxClient(t).GetStatuses(context.Background(), orderIDs("stop", 500),
		func(StatusResult) error {
			if calls++; calls == 3 {
				return stop
			}
			return nil
		}, WithConcurrency(1))
	if err != stop || calls != 3 || !summary.Stopped || summary.Asked >= 500 {
		t.Fatalf("%v after %d calls: %+v", err, calls, summary)
	}
}

func TestAPanicOfTheFunctionEndsTheBatch(t *testing.T) {
	var requests atomic.Int64
	client, calls := newClient(t, config(service(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		fmt.Fprint(w, `{"responseCode":"404","responseMessage":"no such order"}`)
	}))), 0
	defer func() {
		caught, sent := recover(), requests.Load()
		if caught != "planted" || calls != 1 || sent > 10 || Live().Calls != 0 {
			t.Fatalf("caught %v after %d calls, %d requests, %+v", caught, calls, sent, Live())
		}
		_, err := client.GetStatus(context.Background(), ByOrderID("O-1"))
		if !errors.Is(err, ErrRejected) {
			t.Fatal(err)
		}
	}()
	_, _ = client.GetStatuses(context.Background(), orderIDs("panic", 500), func(StatusResult) error {
		calls++
		panic("planted")
	}, WithConcurrency(1))
	t.Fatal("the panic was lost")
}

func TestAFunctionMayEndItsGoroutine(t *testing.T) {
	client, ended := sandboxClient(t), make(chan int)
	go func() {
		calls := 0
		defer func() { ended <- calls }()
		_, _ = client.GetStatuses(context.Background(), orderIDs("exit", 500), func(StatusResult) error {
			calls++
			runtime.Goexit() // as t.Fatal does
			return nil
		})
		calls = -1
	}()
	if calls := <-ended; calls != 1 {
		t.Fatalf("%d calls", calls)
	}
	if live := Live().Calls; live != 0 {
		t.Fatalf("%d calls are running", live)
	}
}

func TestAContextThatEndsStopsTheBatch(t *testing.T) {
	address, arrived := silentService(t)
	client := newClient(t, config(address))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-arrived
		cancel()
	}()
	var failures []error
	summary, err := client.GetStatuses(ctx, orderIDs("cancel", 20), func(result StatusResult) error {
		failures = append(failures, result.Err)
		return nil
	}, WithConcurrency(4))
	if err != context.Canceled || !summary.Stopped || summary.Asked != len(failures) {
		t.Fatalf("%+v %v", summary, err)
	}
	for _, failure := range failures {
		if !errors.Is(failure, ResultCancelledInFlight) && !errors.Is(failure, ResultCancelled) {
			t.Error(failure)
		}
	}
}

func TestClientCancelStopsTheBatch(t *testing.T) {
	address, arrived := silentService(t)
	client := newClient(t, config(address))
	go func() {
		<-arrived
		_ = client.Cancel()
	}()
	summary, err := client.GetStatuses(context.Background(), orderIDs("cancel", 3),
		func(StatusResult) error { return nil })
	if err != ErrStopped || !summary.Stopped {
		t.Fatalf("%+v %v", summary, err)
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	client := sandboxClient(t)
	var group sync.WaitGroup
	for i := 0; i < 16; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			order := order("Tea")
			if _, err := client.CreateOrder(context.Background(), order); err != nil {
				t.Error(err)
			}
			if _, err := client.GetStatus(context.Background(), ByOrderID(order.OrderID)); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
}

func TestALogFunctionThatFailsLosesNoCheckout(t *testing.T) {
	client := sandboxClient(t)
	if err := client.SetLog(func(LogEvent) { panic("planted") }); err != nil {
		t.Fatal(err)
	}
	if checkout := create(t, client, order("Tea")); checkout.URL == "" {
		t.Fatal("no URL")
	}
}
