package main

import (
	"encoding/json"
	"errors"
	"strings"

	"payorder.example/payorder"
)

// sentinels are what a program compares errors with, under the names of the suite. It compares with
// the results too.
var sentinels = []struct {
	name  string
	value error
	class string
}{
	{"not_sent", payorder.ErrNotSent, "ErrNotSent"},
	{"rejected", payorder.ErrRejected, "ErrRejected"},
	{"unknown", payorder.ErrOutcomeUnknown, "ErrOutcomeUnknown"},
	{"unusable", payorder.ErrUnusable, "ErrUnusable"},
}

func results() []payorder.Result {
	var known []payorder.Result
	for one := payorder.ResultInvalidArgument; one < 300; one++ {
		if one.String() != "PAYORDER_UNRECOGNISED" {
			known = append(known, one)
		}
	}
	return known
}

func classes() map[string]string {
	named := map[string]string{}
	for _, one := range results() {
		named[one.String()] = one.String()
	}
	for _, one := range sentinels {
		named[one.name] = one.class
	}
	return named
}

// classOf finds the outcome and the result with errors.Is, as a program does.
func classOf(err error) (caught, class string) {
	for _, one := range results() {
		if errors.Is(err, one) {
			class = one.String()
		}
	}
	for _, one := range sentinels {
		if errors.Is(err, one.value) {
			caught = one.name
		}
	}
	if caught == "unusable" {
		class = "ErrUnusable"
	}
	return caught, class
}

// optional is a text that is null if it is empty.
func optional(text string) interface{} {
	if text == "" {
		return nil
	}
	return text
}

func valueReport(value interface{}) interface{} {
	switch value := value.(type) {
	case *payorder.Checkout:
		return report{"url": value.URL, "responseCode": value.ResponseCode,
			"responseMessage": value.ResponseMessage}
	case *payorder.Status:
		return statusReport(value)
	case *payorder.Waited:
		made := report{"final": value.Final, "timedOut": value.TimedOut, "polls": value.Polls}
		if value.Status != nil {
			made["status"] = statusReport(value.Status)
		}
		if value.Err != nil {
			made["error"] = errorReport(value.Err)
		}
		return made
	case *payorder.Summary:
		return report{"asked": value.Asked, "ok": value.OK, "rejected": value.Rejected,
			"unknown": value.Unknown, "notSent": value.NotSent, "stopped": value.Stopped,
			"transactionStatus": value.TransactionStatus}
	case *payorder.Recovered:
		sales := []report{}
		for _, one := range value.Sales {
			sale := pick(one, "orderId verdict amount url transactionStatus entry")
			sale["reasons"] = reasonsReport(one.Reasons)
			sales = append(sales, sale)
		}
		return report{"summary": valueReport(value.Summary), "sales": sales,
			"otherServices": value.OtherServices}
	case *payorder.ReturnURL:
		return report{"transactionId": value.TransactionID,
			"statusQuery": queryReport(value.StatusQuery)}
	case *payorder.Verification:
		return report{"paid": value.Paid, "reasons": reasonsReport(value.Reasons),
			"unverifiable": value.Unverifiable}
	case *payorder.JournalEntry:
		return entryReport(*value)
	case []payorder.JournalEntry:
		return entriesReport(value)
	case *payorder.Resolved:
		return report{"summary": valueReport(value.Summary), "entries": entriesReport(value.Entries)}
	}
	return value
}

func reasonsReport(reasons []payorder.Reason) []report {
	made := []report{}
	for _, one := range reasons {
		made = append(made,
			report{"check": one.Check, "expected": one.Expected, "actual": one.Actual})
	}
	return made
}

func queryReport(value payorder.Query) report {
	made := report{"searchType": value.SearchType}
	if value.OrderID != "" {
		made["orderId"] = value.OrderID
	}
	if value.TransactionID != "" {
		made["transactionId"] = value.TransactionID
	}
	return made
}

// pick takes values under their names in JSON.
func pick(value interface{}, names string) report {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var all report
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err)
	}
	made := report{}
	for _, name := range strings.Fields(names) {
		made[name] = all[name]
	}
	return made
}

func statusReport(value *payorder.Status) report {
	made := pick(value, "responseCode responseMessage merchantRefId orderId transactionId amount "+
		"transactionStatus transactionDate refundStatus refundType merchantName settlementStatus "+
		"settlementDate payMode completed")
	// JSON has no data of customers.
	made["customerName"], made["customerMobile"] = value.CustomerName, value.CustomerMobile
	made["customerEmail"], made["date"] = value.CustomerEmail, optional(value.Date)
	return made
}

func entriesReport(entries []payorder.JournalEntry) []report {
	made := []report{}
	for _, one := range entries {
		made = append(made, entryReport(one))
	}
	return made
}

func entryReport(value payorder.JournalEntry) report {
	return pick(value, "entry orderId merchantTxnId amount currencyCode state url result "+
		"transactionId transactionStatus note")
}

func errorReport(err error) report {
	var failed *payorder.Error
	if !errors.As(err, &failed) {
		panic(err)
	}
	caught, class := classOf(err)
	made := report{
		"result": failed.Result, "name": failed.Name, "outcome": failed.Outcome,
		"cause": failed.Cause, "action": failed.Action, "message": failed.Message,
		"operation": optional(failed.Operation), "attempts": failed.Attempts,
		"elapsedMs": failed.Elapsed.Milliseconds(), "caught": caught, "class": class,
		"responseCode":    optional(failed.ResponseCode),
		"responseMessage": optional(failed.ResponseMessage),
	}
	violations := []report{}
	for _, one := range failed.Violations {
		violations = append(violations, report{"field": one.Field, "rule": one.Rule})
	}
	made["violations"] = violations
	if failed.HTTPStatus != 0 {
		made["httpStatus"] = failed.HTTPStatus
	}
	if failed.RetryAfter != 0 {
		made["retryAfterMs"] = failed.RetryAfter.Milliseconds()
	}
	if failed.StatusQuery != nil {
		made["statusQuery"] = queryReport(*failed.StatusQuery)
	}
	if failed.Previous != nil {
		made["previous"] = entryReport(*failed.Previous)
	}
	if failed.Status != nil {
		made["status"] = statusReport(failed.Status)
	}
	return made
}

func itemReport(result payorder.StatusResult, caller bool) report {
	made := report{"index": result.Index, "ok": result.Err == nil, "thread": "other"}
	if caller {
		made["thread"] = "caller"
	}
	if result.Err != nil {
		made["error"] = errorReport(result.Err)
	} else {
		made["value"] = statusReport(result.Status)
	}
	return made
}

func eventReport(event payorder.LogEvent) report {
	made := pick(event, "event operation orderId transactionId attempt host name cause "+
		"httpStatus transactionStatus")
	made["elapsedMs"], made["result"] = event.Elapsed.Milliseconds(), event.Result
	return made
}
