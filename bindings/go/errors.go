//go:build cgo

package payorder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The outcomes of a failed call, for errors.Is. Every error of a call is one of the first three.
var (
	// ErrNotSent says that nothing of the request was sent. Fix the problem and call again, unless
	// the program cancelled the call: Error.Action says what to do.
	ErrNotSent = errors.New("payorder: not sent")
	// ErrRejected says that the service refused the request. After CreateOrder, the call created no
	// order. After a query or a wait, it says nothing about the order.
	ErrRejected = errors.New("payorder: rejected")
	// ErrOutcomeUnknown says that the order may exist. Give Error.StatusQuery to GetStatus before
	// anything else.
	ErrOutcomeUnknown = errors.New("payorder: outcome unknown")
	// ErrUnusable is an error of a function that does not use the network. It says nothing about an
	// order, so it is not ErrNotSent.
	ErrUnusable = errors.New("payorder: unusable argument")
	// ErrStopped says that Client.Cancel ended many status queries before they were complete.
	ErrStopped = errors.New("payorder: stopped before all orders were asked about")
)

// Result is how a call ended. The range of the number is the outcome. A Result is also an error, so
// that errors.Is(err, payorder.ResultDuplicate) works.
type Result int32

func (r Result) String() string {
	if name, known := resultNames[r]; known {
		return name
	}
	return "PAYORDER_UNRECOGNISED"
}

func (r Result) Error() string { return r.String() }

// Outcome returns what happened to the request, also for a result that this version does not know.
func (r Result) Outcome() Outcome {
	switch {
	case r == ResultOK:
		return OutcomeDone
	case r >= 1 && r <= 99:
		return OutcomeNotSent
	case r >= 100 && r <= 199:
		return OutcomeRejected
	}
	return OutcomeUnknown
}

// Outcome is what happened to a request.
type Outcome string

// Cause says exactly what happened, for programs.
type Cause string

// Action says what to do next, for programs.
type Action string

func (e *Error) Error() string {
	name := e.Name
	if name == "" {
		name = e.Result.String()
	}
	message := e.Message
	if e.ended != nil {
		if errors.Is(e.ended, context.DeadlineExceeded) {
			message = strings.Replace(message, "the call was cancelled", "the call ended", 1)
		}
		message = e.ended.Error() + ": " + message
	}
	return "payorder: " + message + " (" + name + ")"
}

// Is compares with the error's result and with its outcome.
func (e *Error) Is(target error) bool {
	if result, ok := target.(Result); ok {
		return e.Result == result
	}
	switch target {
	case ErrUnusable:
		return e.unusable
	case ErrNotSent:
		return !e.unusable && e.Result.Outcome() == OutcomeNotSent
	case ErrRejected:
		return e.Result.Outcome() == OutcomeRejected
	case ErrOutcomeUnknown:
		return e.Result.Outcome() == OutcomeUnknown
	}
	return false
}

// Format prints the text of the error, whatever the verb, also of an Error that is no pointer: JSON may
// have the customer's data.
func (e Error) Format(out fmt.State, verb rune) {
	if verb != 'q' {
		verb = 's'
	}
	fmt.Fprintf(out, "%"+string(verb), e.Error())
}

// Unwrap returns why the context ended, if it ended the call: its error, and its cause.
func (e *Error) Unwrap() error { return e.ended }

// readError reads an error object. The number alone decides the outcome, so that a text that cannot
// be read hides nothing.
func readError(result Result, text string) *Error {
	read := readErrorDetails(result, readObject([]byte(text))["error"])
	read.JSON = text
	return read
}

func readErrorDetails(result Result, details json.RawMessage) *Error {
	read := &Error{}
	fill(details, read)
	read.Result, read.Outcome = result, result.Outcome()
	if read.Name == "" {
		read.Name = result.String()
	}
	if read.Message == "" {
		read.Message = "the library gave no message"
	}
	return read
}

type usualCause struct {
	cause  Cause
	action Action
}

// NewDuplicate makes the error of an order that the journal has already, for the tests of a program.
func NewDuplicate(message string, previous JournalEntry) *Error {
	usual, known := duplicateCauses[previous.State]
	if previous.URL != "" {
		usual = duplicateCauses["url"]
	} else if !known {
		usual = usualCauses[ResultDuplicate]
	}
	made := ownError(ResultDuplicate, usual.cause, usual.action, message, previous.StatusQuery())
	made.Previous = &previous
	return made
}

// NewError makes an error for the tests of a program, with the name, the outcome, a usual cause and
// its action as an error of CreateOrder has them. The query becomes StatusQuery; Query{} is none.
// For ResultDuplicate, it is NewDuplicate with the query's order.
func NewError(result Result, message string, query Query) *Error {
	if result == ResultDuplicate {
		return NewDuplicate(message, JournalEntry{OrderID: query.OrderID, State: "created"})
	}
	usual, known := usualCauses[result]
	if !known {
		usual.cause, usual.action = CauseBug, ActionReportBug
		if result.Outcome() == OutcomeUnknown {
			usual.action = ActionAskStatus
		}
	}
	return ownError(result, usual.cause, usual.action, message, query)
}

// ownError is an error that this package found, in the form of the library's errors.
func ownError(result Result, cause Cause, action Action, message string, query Query) *Error {
	details := members{
		"result":  result,
		"name":    result.String(),
		"outcome": string(result.Outcome()),
		"cause":   string(cause),
		"action":  string(action),
		"message": strings.ToValidUTF8(message, "\uFFFD"),
	}
	if query != (Query{}) {
		details["statusQuery"] = membersOf(query)
	}
	text, _ := members{"error": details}.json()
	return readError(result, text)
}

// unusableText is the error of a text that cannot be given to the library.
func unusableText(cause Cause, message string) *Error {
	return ownError(ResultInvalidArgument, cause, ActionFixRequest, message, Query{})
}

// handleError is the error of a function that has no error object.
func handleError(result Result) error {
	switch result {
	case ResultOK:
		return nil
	case ResultInvalidHandle:
		return ownError(result, CauseClientFreed, ActionFixRequest,
			"the client is closed; create another one", Query{})
	}
	return ownError(result, CauseBug, ActionReportBug, "the library failed", Query{})
}
