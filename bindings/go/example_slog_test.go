//go:build go1.21

package payorder_test

import (
	"log/slog"

	"payorder.example/payorder"
)

func ExampleClient_SetLog() {
	_ = client.SetLog(func(event payorder.LogEvent) {
		slog.Info(event.Event, "operation", event.Operation, "order", event.OrderID,
			"result", event.Name, "elapsed", event.Elapsed)
	})
}
