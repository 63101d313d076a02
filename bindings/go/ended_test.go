//go:build go1.20 && cgo

package payorder

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAnErrorHasTheCauseOfItsContext(t *testing.T) {
	gone := errors.New("the customer has gone")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	client := sandboxClient(t)
	_, err := client.GetStatus(ctx, ByOrderID("O-1"))
	if !errors.Is(err, gone) || !errors.Is(err, context.Canceled) || !errors.Is(err, ErrNotSent) ||
		!strings.Contains(err.Error(), gone.Error()) {
		t.Error(err)
	}
	summary, err := client.GetStatuses(ctx, []Query{ByOrderID("O-1")}, nil)
	if !errors.Is(err, gone) || !errors.Is(err, context.Canceled) || !summary.Stopped {
		t.Error(summary, err)
	}
}

// A group of goroutines ends with the first error as the cause.
func TestAnotherCallsErrorSaysNothingAboutThisOne(t *testing.T) {
	for _, of := range []error{ErrNotSent, ResultInvalidRequest,
		readError(ResultInvalidRequest, `{"error":{"message":"no amount"}}`)} {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		client := sandboxClient(t)
		client.SetLog(func(_ context.Context, event LogEvent) {
			if event.Event == "attempt_started" {
				go func() {
					time.Sleep(300 * time.Millisecond)
					cancel(of)
				}()
			}
		})
		_, err := client.CreateOrder(ctx, order("Tea sandbox:stall"))
		if !errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, context.Canceled) {
			t.Error(of, err)
		}
		if errors.Is(err, ErrNotSent) || errors.Is(err, ResultInvalidRequest) {
			t.Errorf("%v: it matches another call's outcome: %v", of, err)
		}
	}
}
