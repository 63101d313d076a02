package main

import (
	"errors"

	"payorder.example/payorder"
)

// sentinels are what a program compares errors with, under the names of the suite.
var sentinels = []struct {
	name  string
	value error
	class string
}{
	{"not_sent", payorder.ErrNotSent, "ErrNotSent"},
	{"rejected", payorder.ErrRejected, "ErrRejected"},
	{"unknown", payorder.ErrOutcomeUnknown, "ErrOutcomeUnknown"},
	{"unusable", payorder.ErrUnusable, "ErrUnusable"},
	{"", payorder.ResultInvalidArgument, "ResultInvalidArgument"},
	{"", payorder.ResultInvalidHandle, "ResultInvalidHandle"},
	{"", payorder.ResultInvalidConfig, "ResultInvalidConfig"},
	{"", payorder.ResultInvalidRequest, "ResultInvalidRequest"},
	{"", payorder.ResultMissingCredentials, "ResultMissingCredentials"},
	{"", payorder.ResultConnectFailed, "ResultConnectFailed"},
	{"", payorder.ResultTLSFailed, "ResultTLSFailed"},
	{"", payorder.ResultCancelled, "ResultCancelled"},
	{"", payorder.ResultJournalFailed, "ResultJournalFailed"},
	{"", payorder.ResultUnauthorized, "ResultUnauthorized"},
	{"", payorder.ResultRateLimited, "ResultRateLimited"},
	{"", payorder.ResultTimeout, "ResultTimeout"},
	{"", payorder.ResultConnectionLost, "ResultConnectionLost"},
	{"", payorder.ResultBadResponse, "ResultBadResponse"},
	{"", payorder.ResultServiceFailed, "ResultServiceFailed"},
	{"", payorder.ResultCancelledInFlight, "ResultCancelledInFlight"},
	{"", payorder.ResultDuplicate, "ResultDuplicate"},
}

func classes() map[string]string {
	named := map[string]string{}
	for _, one := range sentinels {
		name := one.name
		if name == "" {
			name = one.value.Error()
		}
		named[name] = one.class
	}
	return named
}

// classOf finds the outcome and the result with errors.Is, as a program does.
func classOf(err error) (caught, class string) {
	for _, one := range sentinels {
		if !errors.Is(err, one.value) {
			continue
		}
		if one.name != "" {
			caught, class = one.name, one.class
		} else if caught != "unusable" {
			class = one.class
		}
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
			sale := report{"orderId": one.OrderID, "verdict": one.Verdict, "amount": one.Amount,
				"url": optional(one.URL), "transactionStatus": optional(one.TransactionStatus),
				"reasons": reasonsReport(one.Reasons)}
			if one.Entry != 0 {
				sale["entry"] = one.Entry
			}
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

func statusReport(value *payorder.Status) report {
	return report{
		"responseCode":      value.ResponseCode,
		"responseMessage":   value.ResponseMessage,
		"merchantRefId":     value.MerchantRefID,
		"orderId":           value.OrderID,
		"transactionId":     value.TransactionID,
		"amount":            value.Amount,
		"customerName":      value.CustomerName,
		"customerMobile":    value.CustomerMobile,
		"customerEmail":     value.CustomerEmail,
		"transactionStatus": value.TransactionStatus,
		"transactionDate":   value.TransactionDate,
		"refundStatus":      value.RefundStatus,
		"refundType":        value.RefundType,
		"merchantName":      value.MerchantName,
		"settlementStatus":  value.SettlementStatus,
		"settlementDate":    value.SettlementDate,
		"payMode":           value.PayMode,
		"completed":         value.Completed,
		"date":              optional(value.Date),
	}
}

func entriesReport(entries []payorder.JournalEntry) []report {
	made := []report{}
	for _, one := range entries {
		made = append(made, entryReport(one))
	}
	return made
}

func entryReport(value payorder.JournalEntry) report {
	made := report{"entry": value.Entry, "orderId": value.OrderID,
		"merchantTxnId": value.MerchantTxnID, "amount": value.Amount,
		"currencyCode": value.CurrencyCode, "state": value.State, "url": optional(value.URL),
		"transactionId":     optional(value.TransactionID),
		"transactionStatus": optional(value.TransactionStatus), "note": optional(value.Note)}
	if value.Result != nil {
		made["result"] = *value.Result
	}
	return made
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
	return report{
		"event": event.Event, "operation": event.Operation, "orderId": optional(event.OrderID),
		"transactionId": optional(event.TransactionID), "attempt": event.Attempt,
		"elapsedMs": event.Elapsed.Milliseconds(), "host": event.Host, "result": event.Result,
		"name": optional(event.Name), "cause": optional(string(event.Cause)),
		"httpStatus":        event.HTTPStatus,
		"transactionStatus": optional(event.TransactionStatus),
	}
}
