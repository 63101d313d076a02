//go:build go1.20

package payorder

import (
	"context"
	"errors"
	"strings"
	"testing"
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
