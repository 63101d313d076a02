//go:build go1.20 && cgo

package payorder

import (
	"context"
	"errors"
	"fmt"
)

// endOf says why a context ended: its error, and its cause if that says more.
func endOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if isOfCall(cause) {
		// Another call's outcome must not match as this one's.
		return fmt.Errorf("%w: %v", ctx.Err(), cause)
	}
	if errors.Is(cause, ctx.Err()) {
		return cause
	}
	return fmt.Errorf("%w: %w", ctx.Err(), cause)
}

// isOfCall says whether an error says what happened to a call.
func isOfCall(err error) bool {
	var failed *Error
	var result Result
	if errors.As(err, &failed) || errors.As(err, &result) {
		return true
	}
	for _, outcome := range []error{ErrUnusable, ErrNotSent, ErrRejected, ErrOutcomeUnknown, ErrStopped} {
		if errors.Is(err, outcome) {
			return true
		}
	}
	return false
}
