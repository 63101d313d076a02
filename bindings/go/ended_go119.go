//go:build !go1.20 && cgo

package payorder

import "context"

// endOf says why a context ended. Before Go 1.20, contexts have no causes.
func endOf(ctx context.Context) error { return ctx.Err() }
