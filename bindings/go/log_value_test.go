//go:build go1.21

package payorder

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestALogOfSlogHasNoCustomer(t *testing.T) {
	status, err := ParseStatus(`{"data":{"orderId":"SEEN","customerName":"Asha Rao"}}`)
	if err != nil {
		t.Fatal(err)
	}
	checkout, noCheckout := &Checkout{URL: "https://page.example"}, (*Checkout)(nil)
	given, sale := config("https://pay.example.com"), order("Tea")
	given.Journal = "postgresql://shop:sandbox-password@db.example/shop"
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, handler := range []slog.Handler{slog.NewJSONHandler(file, nil), slog.NewTextHandler(file, nil)} {
		slog.New(handler).Info("till", "order", sale, "pointer", &sale, "status", status,
			"value", *status, "none", Waited{}.Status, "config", given, "checkout", checkout, "no", noCheckout,
			"option", WithAccessToken("sandbox-token"))
	}
	_ = file.Close()
	written, err := os.ReadFile(path)
	if err != nil || strings.Count(string(written), sale.OrderID) != 4 ||
		strings.Count(string(written), "SEEN") != 4 || strings.Contains(string(written), "panicked") ||
		strings.Contains(string(written), "Asha") || strings.Contains(string(written), "sandbox-") ||
		strings.Contains(string(written), "page.example") {
		t.Errorf("%s %v", written, err)
	}
}
