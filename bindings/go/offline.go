package payorder

// #include "library.h"
import "C"

import "time"

// ReturnURL is what a return URL says. It does not prove a payment.
type ReturnURL struct {
	TransactionID string `json:"transactionId,omitempty"`
	StatusQuery   Query  `json:"statusQuery,omitempty"` // what to give to GetStatus
	JSON          string `json:"-"`
}

// ParseReturnURL reads the transaction from the URL on which the customer came back: absolute, or
// /path?query, or ?query. An error is ErrUnusable.
func ParseReturnURL(url string) (*ReturnURL, error) {
	if err := checkText(url, "the URL"); err != nil {
		return nil, offline(err)
	}
	return read[ReturnURL](build(C.PAYORDER_GO_PARSE_RETURN_URL, url, ""))
}

// Expected is what VerifyPayment compares a status with.
type Expected struct {
	OrderID       string    `json:"orderId"`
	Amount        string    `json:"amount"`
	TransactionID string    `json:"transactionId"` // optional
	NotBefore     time.Time `json:"notBefore"`     // optional: when the sale began
}

func (e Expected) members() members {
	made := members{"orderId": e.OrderID, "amount": e.Amount}
	if e.TransactionID != "" {
		made["transactionId"] = e.TransactionID
	}
	if !e.NotBefore.IsZero() {
		made["notBefore"] = e.NotBefore.Format(time.RFC3339)
	}
	return made
}

// VerifyPayment compares a status with what was expected. The order is paid only if Paid is true.
// An error is ErrUnusable: nothing was compared, for example because the status was changed (see
// Status).
func VerifyPayment(expected Expected, status *Status) (*Verification, error) {
	if status == nil {
		return nil, offline(unusableText(CauseNull, "there is no status to verify"))
	}
	if status.JSON == "" || *status != *readStatus(status.JSON) {
		return nil, offline(unusableText(CauseInvalidValue,
			"the status is not as a call or ParseStatus made it: make it with ParseStatus"))
	}
	return VerifyPaymentJSON(expected, status.JSON)
}

// VerifyPaymentJSON does the same with the service's response as JSON text.
func VerifyPaymentJSON(expected Expected, status string) (*Verification, error) {
	request, err := expected.members().json()
	if err == nil {
		err = checkText(status, "the status")
	}
	if err != nil {
		return nil, offline(err)
	}
	return read[Verification](build(C.PAYORDER_GO_VERIFY_PAYMENT, request, status))
}

// BuildCreateOrder checks an order and returns the body that CreateOrder would send. An error is
// ErrUnusable, and lists every violation.
func BuildCreateOrder(order Order, options ...BuildOption) (string, error) {
	request, err := membersOf(order).json()
	if err != nil {
		return "", offline(err)
	}
	given, err := collect(options, BuildOption.forBuild).json()
	if err != nil {
		return "", offline(err)
	}
	return build(C.PAYORDER_GO_BUILD_CREATE_ORDER, request, given)
}

// BuildGetStatus checks a query and returns the body that GetStatus would send.
func BuildGetStatus(query Query) (string, error) {
	request, err := membersOf(query).json()
	if err != nil {
		return "", offline(err)
	}
	return build(C.PAYORDER_GO_BUILD_GET_STATUS, request, "")
}

// build calls a function that uses no network.
func build(name function, first, second string) (string, error) {
	if err := Load(); err != nil {
		return "", err
	}
	one, two := C.CString(first), C.CString(second)
	defer freeC(one)
	defer freeC(two)
	var out *C.char
	result := Result(C.payorder_go_offline(name, one, two, &out))
	text := take(out)
	if result != ResultOK {
		return "", offline(readError(result, text))
	}
	return text, nil
}

// offline marks an error as one that says nothing about an order.
func offline(err error) error {
	if failed, ok := err.(*Error); ok {
		failed.unusable = true
	}
	return err
}
