//go:build cgo && go1.21

package payorder

import (
	"fmt"
	"log/slog"
)

// LogValue is what slog writes: what Format prints, also for a handler that writes JSON.
func (c Config) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }

// LogValue is what slog writes: what Format prints, also for a handler that writes JSON.
func (o Order) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(o)) }

// LogValue is what slog writes: what Format prints, also for a handler that writes JSON.
func (c *Checkout) LogValue() slog.Value {
	if c == nil {
		return slog.AnyValue(nil)
	}
	return slog.StringValue(fmt.Sprint(*c))
}

// LogValue is what slog writes: what Format prints, also for a handler that writes JSON.
func (s *Status) LogValue() slog.Value {
	if s == nil {
		return slog.AnyValue(nil)
	}
	return slog.StringValue(fmt.Sprint(*s))
}
