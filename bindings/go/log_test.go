package payorder

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

type callKey struct{}

func TestALogFunctionGetsTheContextOfTheCall(t *testing.T) {
	var lock sync.Mutex
	events := map[string]string{}
	given, query := config(sandbox), ByOrderID("O-1")
	given.Journal = filepath.Join(t.TempDir(), "orders.sqlite")
	given.Log = func(ctx context.Context, event LogEvent) {
		lock.Lock()
		defer lock.Unlock()
		events[ctx.Value(callKey{}).(string)] += event.Operation + " " + event.Event + ","
	}
	client := newClient(t, given)
	var running sync.WaitGroup
	for number := 0; number < 100; number++ {
		running.Add(1)
		go func(name string, isQuery bool) {
			defer running.Done()
			ctx := context.WithValue(context.Background(), callKey{}, name)
			if isQuery {
				_, _ = client.GetStatus(ctx, query)
			} else {
				_, _ = client.GetStatuses(ctx, []Query{query}, func(StatusResult) error { return nil })
			}
		}(fmt.Sprint(number), number%2 == 0)
	}
	running.Wait()
	const one = "get_status attempt_started,get_status attempt_failed,get_status call_finished,"
	for number := 0; number < 100; number++ {
		expected := one + strings.Repeat("get_statuses call_finished,", number%2)
		if found := events[fmt.Sprint(number)]; found != expected {
			t.Errorf("call %d: %s", number, found)
		}
	}
}

// With one place in the queue for each order, every order waits for its log function.
func TestALogFunctionMayUseTheClient(t *testing.T) {
	given := config(sandbox)
	given.MaxCalls = 4
	client := newClient(t, given)
	query := ByOrderID(order("Tea").OrderID)
	var lock sync.Mutex
	asked := 0
	err := client.SetLog(func(ctx context.Context, event LogEvent) {
		if event.Operation != "create_order" || event.Event == "call_finished" {
			return
		}
		_, err := client.GetStatus(ctx, query)
		lock.Lock()
		defer lock.Unlock()
		asked++
		if !errors.Is(err, ErrRejected) { // the service does not know the order
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for number := 0; number < 8; number++ {
		running.Add(1)
		go func() {
			defer running.Done()
			if _, err := client.CreateOrder(context.Background(), order("Tea")); err != nil {
				t.Error(err)
			}
		}()
	}
	running.Wait()
	if asked != 16 {
		t.Errorf("%d of 16 events asked", asked)
	}
}

func TestNothingIsSentIfTheContextEndsDuringASlowLogFunction(t *testing.T) {
	for _, endsItself := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		given, sale := config(sandbox), order("Tea")
		given.Log = func(_ context.Context, event LogEvent) {
			if event.Event != "attempt_started" {
				return
			}
			if endsItself {
				cancel()
			} else {
				time.AfterFunc(logTime/4, cancel)
			}
			time.Sleep(2 * logTime)
		}
		client := newClient(t, given)
		_, err := client.CreateOrder(ctx, sale)
		if !errors.Is(err, ErrNotSent) || !errors.Is(err, context.Canceled) {
			t.Errorf("ends itself: %v: %v", endsItself, err)
		}
		_, err = sandboxClient(t).GetStatus(context.Background(), ByOrderID(sale.OrderID))
		if !errors.Is(err, ErrRejected) {
			t.Errorf("ends itself: %v: the order was sent: %v", endsItself, err)
		}
	}
}
