//go:build cgo

package payorder

import "context"

// Checked is what Check found.
type Checked struct {
	OK    bool        `json:"ok"`    // no step failed
	Steps []CheckStep `json:"steps"` // in order; after a failed one, those that need it are left out
}

// Check says step by step what works: the network, TLS, the clock, the service, the credentials of
// GetStatus, and the journal. It asks for one status, and creates no order. A step that failed is
// not an error.
func (c *Client) Check(ctx context.Context, options ...CheckOption) (*Checked, error) {
	return read[Checked](c.start(ctx, "check", "", collect(options, CheckOption.forCheck)))
}
