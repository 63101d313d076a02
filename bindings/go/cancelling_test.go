package payorder

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestADeadlineInFlightIsNotATimeoutOfTheLibrary(t *testing.T) {
	client, order := sandboxClient(t), order("sandbox:stall")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := client.CreateOrder(ctx, order)
	var failed *Error
	if !errors.As(err, &failed) || failed.Result != ResultCancelledInFlight ||
		!errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, context.DeadlineExceeded) ||
		*failed.StatusQuery != ByOrderID(order.OrderID) {
		t.Fatal(err)
	}
}
