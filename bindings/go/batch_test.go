package payorder

import (
	"context"
	"fmt"
	"runtime"
	"testing"
)

func orderIDs(prefix string, count int) []Query {
	var queries []Query
	for i := 0; i < count; i++ {
		queries = append(queries, ByOrderID(fmt.Sprintf("%s-%d", prefix, i)))
	}
	return queries
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
