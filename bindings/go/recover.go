//go:build cgo

package payorder

import (
	"context"
	"fmt"
)

// Format prints a sale without the payment page, whatever the verb.
func (s RecoveredSale) Format(out fmt.State, _ rune) {
	fmt.Fprintf(out, "payorder.RecoveredSale{OrderID: %q, Verdict: %q, Amount: %q, "+
		"TransactionStatus: %q, Reasons: %+v, Entry: %d}",
		s.OrderID, s.Verdict, s.Amount, s.TransactionStatus, s.Reasons, s.Entry)
}

// StatusQuery asks for the sale's order.
func (s *RecoveredSale) StatusQuery() Query { return ByOrderID(s.OrderID) }

// Recovered is the end of Recover.
type Recovered struct {
	Summary       *Summary        `json:"summary"`
	OtherServices int             `json:"otherServices"` // how many open entries the journal has of other services
	Refusal       string          `json:"refusal"`       // the service's words, if it refused every query of two or more
	Sales         []RecoveredSale `json:"sales"`
}

// Recover gives one verdict for each of the sales that the program believes open, and for each open
// entry of the journal; nil if the journal knows them all. Call it after each start. If the context
// ends, it returns what it has and the context's error.
func (c *Client) Recover(ctx context.Context, sales []Expected,
	options ...RecoverOption) (*Recovered, error) {
	request := ""
	if sales != nil {
		texts := make([]string, len(sales))
		for i, sale := range sales {
			given := sale.members()
			if err := given.check(fmt.Sprintf("sale %d: ", i)); err != nil {
				return nil, err
			}
			text, err := given.json()
			if err != nil {
				return nil, err
			}
			texts[i] = text
		}
		request = arrayOf(texts)
	}
	recovered, err := read[Recovered](c.start(ctx, "recover", request,
		collect(options, RecoverOption.forRecover)))
	if err == nil && ctx != nil && ctx.Err() != nil {
		err = recovered.Summary.stopReason(ctx) // an outage stops the queries too, which is no error
	}
	return recovered, err
}
