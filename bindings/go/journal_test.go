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

func TestTheJournalIsListedResolvedSettledAndPruned(t *testing.T) {
	ctx, client := context.Background(), journalClient(t)
	lost, paid := order("sandbox:drop-after-commit"), order("Tea")
	if _, err := client.CreateOrder(ctx, lost); !errors.Is(err, ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	pay(t, create(t, client, paid).URL)
	entries, err := client.JournalList(ctx, WithState("unresolved"))
	if err != nil || len(entries) != 1 || entries[0].OrderID != lost.OrderID ||
		entries[0].State != "unknown" || entries[0].URL != "" ||
		*entries[0].Result != ResultConnectionLost {
		t.Fatalf("%+v %v", entries, err)
	}
	entries, err = client.JournalList(ctx, WithOrderID(lost.OrderID), WithEvents())
	if err != nil || len(entries) != 1 || len(entries[0].Events) != 2 {
		t.Fatalf("%+v %v", entries, err)
	}
	sending, attempt := entries[0].Events[0], entries[0].Events[1]
	if sending.Event != "sending" || sending.BodyBytes == 0 || sending.At != entries[0].StartedAt ||
		attempt.Event != "attempt" || *attempt.Result != ResultConnectionLost ||
		attempt.BytesSent == 0 || attempt.TLS {
		t.Fatalf("%+v %+v", sending, attempt)
	}
	recovered, err := client.Recover(ctx, []Expected{{OrderID: "elsewhere", Amount: "1"}})
	if err != nil || len(recovered.Sales) != 3 || recovered.Summary.OK != 2 ||
		recovered.Sales[0].Verdict != "not_in_journal" ||
		recovered.Sales[1].Verdict != "url_lost" || recovered.Sales[2].Verdict != "paid" {
		t.Fatalf("%+v %v", recovered, err)
	}
	if entries[0].Service != sandbox {
		t.Errorf("%q is not the service %q", entries[0].Service, sandbox)
	}
	resolved, err := client.JournalResolve(ctx, WithConcurrency(2))
	// What is paid is not asked about again.
	if err != nil || resolved.Summary.OK != 1 || len(resolved.Entries) != 0 {
		t.Fatalf("%+v %v", resolved, err)
	}
	settled, err := client.JournalSettle(ctx, entries[0].Entry, "पैसे cash")
	if err != nil || settled.State != "settled" || settled.Note != "पैसे cash" {
		t.Fatalf("%+v %v", settled, err)
	}
	_, err = client.JournalSettle(ctx, entries[0].Entry, "")
	if !errors.Is(err, ResultInvalidArgument) {
		t.Fatal(err)
	}
	removed, err := client.JournalPrune(ctx, WithOlderThanDays(1))
	if err != nil || removed != 0 {
		t.Fatal(removed, err)
	}
	all, err := client.JournalList(ctx, WithLimit(1), WithAfter(entries[0].Entry))
	if err != nil || len(all) != 1 || all[0].OrderID != paid.OrderID ||
		all[0].TransactionStatus != "Completed" {
		t.Fatalf("%+v %v", all, err)
	}
}
