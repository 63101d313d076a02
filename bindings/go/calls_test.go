package payorder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestAFunctionMayEndItsGoroutine(t *testing.T) {
	client, ended := sandboxClient(t), make(chan int)
	queries := make([]Query, 500)
	for i := range queries {
		queries[i] = ByOrderID("exit")
	}
	go func() {
		calls := 0
		defer func() { ended <- calls }()
		_, _ = client.GetStatuses(context.Background(), queries, func(StatusResult) error {
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

func TestManyOrdersAtOnceNeedFewThreads(t *testing.T) {
	// With a thread for each order, this ends the process.
	defer debug.SetMaxThreads(debug.SetMaxThreads(200))
	arrived, opened := make(chan bool, 600), make(chan bool)
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		arrived <- true
		<-opened
		fmt.Fprint(out, `{"responseCode":"200","data":{"url":"https://pay.example.com/1"}}`)
	}))
	defer service.Close()
	client, ended := newClient(t, config(service.URL)), make(chan error, 600)
	for i := 0; i < 600; i++ {
		go func() {
			_, err := client.CreateOrder(context.Background(), order("Tea"))
			ended <- err
		}()
	}
	for i := 0; i < 64; i++ { // the default of MaxCalls
		<-arrived
	}
	close(opened)
	for i := 0; i < 600; i++ {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestManyWaitsNeedFewThreadsAndLittleMemory(t *testing.T) {
	const waits = 2000
	defer debug.SetMaxThreads(debug.SetMaxThreads(200))
	answered := make(chan bool, 1000)
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `{"responseCode":"200","data":{"orderId":"O-1","transactionStatus":"Pending"}}`)
		select {
		case answered <- true:
		default:
		}
	}))
	defer service.Close()
	client, ended := newClient(t, config(service.URL)), make(chan error, waits)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	before := memory(t)
	for i := 0; i < waits; i++ {
		go func() {
			_, err := client.WaitForPayment(ctx, ByOrderID("O-1"))
			ended <- err
		}()
	}
	for i := 0; i < 64; i++ { // as many as run at once
		<-answered
	}
	for Live().Calls < waits {
		time.Sleep(time.Millisecond)
	}
	threads, _ := os.ReadDir("/proc/self/task") // of the library too
	// About 12 KiB each, and six times as much under the race detector.
	if used := memory(t) - before; len(threads) > 200 || used > waits*200<<10 {
		t.Errorf("%d threads, %d MiB", len(threads), used>>20)
	}
	cancel()
	for i := 0; i < waits; i++ {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// memory is how much memory the process holds, or 0 if the system does not say.
func memory(t *testing.T) int {
	t.Helper()
	pages := 0
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscanf(string(text), "%d %d", new(int), &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestRecoverSaysThatItsContextEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		_, _ = io.Copy(io.Discard, in.Body)
		cancel()
		<-in.Context().Done()
	}))
	defer service.Close()
	client := newClient(t, config(service.URL))
	sales := []Expected{{OrderID: "O-1", Amount: "1.00"}, {OrderID: "O-2", Amount: "1.00"}}
	recovered, err := client.Recover(ctx, sales)
	if !errors.Is(err, context.Canceled) || len(recovered.Sales) != 2 || !recovered.Summary.Stopped {
		t.Errorf("%+v %v", recovered, err)
	}
	// A service that cannot be reached is no error.
	service.CloseClientConnections()
	service.Close()
	for len(sales) < 20 {
		sales = append(sales, Expected{OrderID: fmt.Sprint("O-", len(sales)), Amount: "1.00"})
	}
	recovered, err = client.Recover(context.Background(), sales)
	if err != nil || !recovered.Summary.Stopped {
		t.Errorf("%+v %v", recovered, err)
	}
}

func TestABrokenOrderIDIsTheErrorOfItsOwnQuery(t *testing.T) {
	client, sale, ctx := sandboxClient(t), order("Tea"), context.Background()
	create(t, client, sale)
	queries := []Query{ByOrderID("caf\xe9"), ByOrderID(sale.OrderID), {}, ByOrderID("a\x00b")}
	found := make([]StatusResult, len(queries))
	summary, err := client.GetStatuses(ctx, queries, func(one StatusResult) error {
		found[one.Index] = one
		return nil
	})
	if err != nil || summary.OK != 1 || summary.NotSent != 3 || found[1].Status.OrderID != sale.OrderID {
		t.Fatal(summary, err)
	}
	for index, cause := range map[int]Cause{0: CauseNotUTF8, 3: CauseInvalidValue} {
		var failed *Error
		if !errors.As(found[index].Err, &failed) || failed.Cause != cause || !failed.Is(ErrNotSent) {
			t.Error(index, found[index].Err)
		}
	}
	_, err = client.Recover(ctx, []Expected{{OrderID: sale.OrderID, Amount: "1"},
		{OrderID: "caf\xe9", Amount: "1"}})
	if !errors.Is(err, ErrNotSent) || !strings.Contains(err.Error(), "sale 1: orderId is not UTF-8") {
		t.Error(err)
	}
}

func TestADeadlineInFlightIsNotATimeoutOfTheLibrary(t *testing.T) {
	client, order := sandboxClient(t), order("sandbox:stall")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := client.CreateOrder(ctx, order)
	var failed *Error
	if !errors.As(err, &failed) || failed.Result != ResultCancelledInFlight ||
		!errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), context.DeadlineExceeded.Error()) ||
		strings.Contains(err.Error(), "cancelled") ||
		*failed.StatusQuery != ByOrderID(order.OrderID) {
		t.Fatal(err)
	}
}

func TestALostOrderHasEvents(t *testing.T) {
	configuration := config(sandbox)
	configuration.Journal = filepath.Join(t.TempDir(), "orders.sqlite")
	ctx, client := context.Background(), newClient(t, configuration)
	lost := order("sandbox:drop-after-commit")
	if _, err := client.CreateOrder(ctx, lost); !errors.Is(err, ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	entries, err := client.JournalList(ctx, WithOrderID(lost.OrderID), WithEvents())
	if err != nil || len(entries) != 1 || len(entries[0].Events) != 2 || entries[0].Service != sandbox {
		t.Fatalf("%+v %v", entries, err)
	}
	sending, attempt := entries[0].Events[0], entries[0].Events[1]
	if sending.Event != "sending" || sending.BodyBytes == 0 || sending.At != entries[0].StartedAt ||
		attempt.Event != "attempt" || *attempt.Result != ResultConnectionLost ||
		attempt.BytesSent == 0 || attempt.TLS {
		t.Fatalf("%+v %+v", sending, attempt)
	}
}

// encoding/json takes 10,000 arrays in one another, and the library more.
func TestAStatusThatCannotBeReadIsNoEmptyStatus(t *testing.T) {
	deep := strings.Repeat("[", 10001) + strings.Repeat("]", 10001)
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(out, `{"responseCode":"200","data":{"orderId":"O-1","transactionStatus":"Completed",`+
			`"amount":"249.50"},"x":%s}`, deep)
	}))
	defer service.Close()
	client, ctx, query := newClient(t, config(service.URL)), context.Background(), ByOrderID("O-1")
	_, one := client.GetStatus(ctx, query)
	_, waited := client.WaitForPayment(ctx, query)
	var each error
	_, err := client.GetStatuses(ctx, []Query{query}, func(result StatusResult) error {
		each = result.Err
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{"one": one, "wait": waited, "many": each} {
		var failed *Error
		if !errors.As(err, &failed) || !errors.Is(err, ErrOutcomeUnknown) ||
			failed.StatusQuery == nil || *failed.StatusQuery != query {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestNoClientDoesNotStopTheOthers(t *testing.T) {
	func() {
		defer func() { _ = recover() }()
		var none *Client
		_, _ = none.JournalList(context.Background())
	}()
	ended := make(chan error, 1)
	client := sandboxClient(t)
	go func() {
		_, err := client.CreateOrder(context.Background(), order("Tea"))
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for ever")
	}
}

// The order exists: its checkout URL must not be lost in what else the service sends.
func TestACheckoutIsReadAtAnyDepth(t *testing.T) {
	deep := strings.Repeat("[", 10001) + strings.Repeat("]", 10001)
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(out, `{"responseCode":"200","data":{"url":"https://pay.example.com/1"},"x":%s}`, deep)
	}))
	defer service.Close()
	checkout, err := newClient(t, config(service.URL)).CreateOrder(context.Background(), order("Tea"))
	if err != nil || checkout.URL != "https://pay.example.com/1" || !strings.Contains(checkout.JSON, deep) {
		t.Fatalf("%v %v", checkout, err)
	}
}

func TestARefusedOptionLeavesTheOrderToAskAbout(t *testing.T) {
	client, query := sandboxClient(t), ByOrderID("O-1")
	for _, option := range []WaitOption{WithFinal("\xff"), WithWait(-time.Hour)} {
		_, err := client.WaitForPayment(context.Background(), query, option)
		var failed *Error
		if !errors.As(err, &failed) || failed.StatusQuery == nil || *failed.StatusQuery != query {
			t.Errorf("%v", err)
		}
	}
}

func TestACopyOfAClientIsTheSameClient(t *testing.T) {
	type shop struct {
		name   string
		client Client
	}
	made, err := NewClient(config(sandbox))
	if err != nil {
		t.Fatal(err)
	}
	copied := &shop{"Tea", *made}
	made = nil
	runtime.GC()
	runtime.GC()
	if _, err := copied.client.CreateOrder(context.Background(), order("Tea")); err != nil {
		t.Error(err)
	}
	if err := copied.client.Close(); err != nil {
		t.Error(err)
	}
	_, err = copied.client.GetStatus(context.Background(), ByOrderID("O-1"))
	if !errors.Is(err, ResultInvalidHandle) {
		t.Error(err)
	}
}

func TestACallOfAClosedClientSaysSo(t *testing.T) {
	closed, ctx := sandboxClient(t), context.Background()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	want := handleError(ResultInvalidHandle).Error()
	for _, client := range []*Client{closed, {}} {
		_, created := client.CreateOrder(ctx, order("Tea"))
		_, asked := client.GetStatus(ctx, ByOrderID("O-1"))
		_, listed := client.JournalList(ctx)
		for _, err := range []error{created, asked, listed, client.Stop()} {
			if !errors.Is(err, ResultInvalidHandle) || err.Error() != want {
				t.Error(err)
			}
		}
	}
}

func TestAForgottenClientIsFreedAlsoIfItsLogFunctionRefersToIt(t *testing.T) {
	before := Live().Clients
	func() {
		var client *Client
		given := config(sandbox)
		given.Log = func(context.Context, LogEvent) { _ = client.Cancel() }
		var err error
		if client, err = NewClient(given); err != nil {
			t.Fatal(err)
		}
	}()
	for until := time.Now().Add(10 * time.Second); Live().Clients > before; {
		if time.Now().After(until) {
			t.Fatal("it is never freed")
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
}
