package payorder

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

func journalClient(t *testing.T) *Client {
	t.Helper()
	configuration := config(sandbox)
	configuration.Journal = filepath.Join(t.TempDir(), "orders.sqlite")
	return newClient(t, configuration)
}

func TestALostOrderHasEvents(t *testing.T) {
	ctx, client := context.Background(), journalClient(t)
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
