package payorder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// gate is a service that answers when it is opened.
type gate struct {
	*httptest.Server
	arrived chan bool
	opened  chan bool
}

func newGate(t *testing.T) *gate {
	t.Helper()
	g := &gate{arrived: make(chan bool, 10000), opened: make(chan bool)}
	g.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		g.arrived <- true
		<-g.opened
		fmt.Fprint(out, `{"responseCode":"200","data":{"url":"https://pay.example.com/1"}}`)
	}))
	t.Cleanup(g.Server.Close)
	return g
}

func (g *gate) client(t *testing.T, maxCalls int) *Client {
	t.Helper()
	given := config(g.URL)
	given.MaxCalls = maxCalls
	return newClient(t, given)
}

// all makes calls at the same time, and returns how each has ended.
func all(count int, call func() error) <-chan error {
	ended := make(chan error, count)
	for i := 0; i < count; i++ {
		go func() { ended <- call() }()
	}
	return ended
}

// creating is a call for all.
func creating(ctx context.Context, client *Client) func() error {
	return func() error {
		_, err := client.CreateOrder(ctx, order("Tea"))
		return err
	}
}

func TestManyOrdersAtOnceNeedFewThreads(t *testing.T) {
	// With a thread for each order, this ends the process.
	defer debug.SetMaxThreads(debug.SetMaxThreads(200))
	service := newGate(t)
	ended := all(600, creating(context.Background(), service.client(t, 0)))
	for i := 0; i < 64; i++ { // the default of MaxCalls
		<-service.arrived
	}
	close(service.opened)
	for i := 0; i < 600; i++ {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func threads(t *testing.T) int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip(err)
	}
	return len(tasks)
}

func TestManyWaitsAtOnceHoldNoThreads(t *testing.T) {
	service := newGate(t)
	close(service.opened)
	client, before := service.client(t, 0), threads(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := all(2000, func() error {
		_, err := client.WaitForPayment(ctx, ByOrderID("O-1"), WithInterval(10*time.Minute),
			WithWait(time.Hour))
		return err
	})
	for i := 0; i < 2000; i++ {
		<-service.arrived
	}
	for until := time.Now().Add(20 * time.Second); threads(t) > before+12; {
		if time.Now().After(until) {
			t.Errorf("%d threads; before the waits there were %d", threads(t), before)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	for i := 0; i < 2000; i++ {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

// queued makes an order that runs, and then others that must wait for it.
func (g *gate) queued(ctx context.Context, client *Client) (running, waiting <-chan error) {
	running = all(1, creating(context.Background(), client))
	<-g.arrived
	waiting = all(5, creating(ctx, client))
	isQueued := func() bool {
		entering.Lock() // payorder_start is counted too
		defer entering.Unlock()
		return Live().Calls == 6
	}
	for !isQueued() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return running, waiting
}

func TestADeadlineEndsAQueuedCallWhichNeverLeaves(t *testing.T) {
	service := newGate(t)
	client := service.client(t, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	running, waiting := service.queued(ctx, client)
	const text = "context deadline exceeded: the call was cancelled; nothing was sent"
	for i := 0; i < 5; i++ {
		err := <-waiting
		if !errors.Is(err, ResultCancelled) || !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), text) {
			t.Error(err)
		}
	}
	service.sentOne(t, client, running)
}

func TestCloseEndsQueuedCallsAndNoOther(t *testing.T) {
	service := newGate(t)
	client := service.client(t, 1)
	running, waiting := service.queued(context.Background(), client)
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	for i := 0; i < 5; i++ {
		var failed *Error
		if err := <-waiting; !errors.As(err, &failed) || failed.Result != ResultCancelled ||
			failed.Cause != CauseClientFreed {
			t.Error(err)
		}
	}
	service.sentOne(t, client, running)
}

// sentOne opens the gate for the order that runs, and looks for others.
func (g *gate) sentOne(t *testing.T, client *Client, running <-chan error) {
	t.Helper()
	close(g.opened)
	if err := <-running; err != nil {
		t.Error(err)
	}
	_ = client.Close()
	g.Server.Close() // waits for its connections
	if more := len(g.arrived); more != 0 {
		t.Errorf("%d more orders were sent", more)
	}
}
