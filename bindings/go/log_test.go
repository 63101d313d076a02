package payorder

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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
