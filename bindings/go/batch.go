package payorder

// #include "library.h"
import "C"

import "context"

// StatusResult is the result of one query of GetStatuses: a Status, or the Err that GetStatus would
// have returned.
type StatusResult struct {
	Index  int     `json:"index"` // the query's index
	Query  Query   `json:"query,omitempty"`
	Status *Status `json:"status"`
	Err    error   `json:"err"`
}

// stopReason returns why many queries ended before they were complete, or nil.
func (s *Summary) stopReason(ctx context.Context) error {
	if s == nil || !s.Stopped {
		return nil
	}
	if ctx != nil && ctx.Err() != nil {
		return endOf(ctx)
	}
	return ErrStopped
}

// GetStatuses asks for many statuses, several at the same time, and calls each with every result as
// it arrives, in the goroutine that called GetStatuses. It returns when all queries are done.
//
// If each returns an error or panics, no more queries are sent, the results of those in flight are
// dropped, and GetStatuses ends with that error or panic. If the context ends, the queries in
// flight are cancelled, their results still go to each, and the error is that of the context. The
// summary is not nil in these cases.
func (c *Client) GetStatuses(ctx context.Context, queries []Query,
	each func(StatusResult) error, options ...BatchOption) (*Summary, error) {
	texts, broken := make([]string, len(queries)), map[int]error{}
	for i, query := range queries {
		text, err := membersOf(query).json()
		if err != nil {
			// The library refuses this one in its place, and counts it.
			text, broken[i] = "{}", err
		}
		texts[i] = text
	}
	var failure error
	call := &call{ctx: ctx, each: func(one arrival) bool {
		if failure == nil {
			result := readResult(queries, one)
			if err := broken[one.index]; err != nil && one.result == ResultInvalidRequest {
				result.Err = err
			}
			failure = each(result)
		}
		return failure == nil
	}}
	summary, err := read[Summary](c.block(call, C.PAYORDER_GO_GET_STATUSES, arrayOf(texts),
		collect(options, BatchOption.forBatch)))
	if err != nil {
		return nil, err
	}
	if failure == nil {
		failure = summary.stopReason(ctx)
	}
	return summary, failure
}

// arrival is one result of many.
type arrival struct {
	index  int
	result Result
	text   string
}

func readResult(queries []Query, one arrival) StatusResult {
	result := StatusResult{Index: one.index, Query: queries[one.index]}
	if one.result == ResultOK {
		result.Status, result.Err = answered(one.text, result.Query)
	} else {
		result.Err = readError(one.result, one.text)
	}
	return result
}
