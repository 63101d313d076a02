//go:build go1.20

package payorder

import (
	"context"
	"errors"
	"fmt"
)

// endOf says why a context ended: its error, and its cause if that says more.
func endOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ctx.Err()) {
		return cause
	}
	return fmt.Errorf("%w: %w", ctx.Err(), cause)
}
