package payorder

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestTextsArriveUnchanged(t *testing.T) {
	client := sandboxClient(t)
	for _, name := range []string{
		"आशा राव", "O'Neill \"Zoë\" \\ <&>", "☕️👩🏽‍💻",
		"  blanks  ", "null", "a\tb\nc", "a\u2028b",
	} {
		order := order("Tea")
		order.CustomerName = name
		create(t, client, order)
		status, err := client.GetStatus(context.Background(), ByOrderID(order.OrderID))
		if err != nil || status.CustomerName != name {
			t.Errorf("%q: %q %v", name, status.CustomerName, err)
		}
	}
}

func TestATextThatCannotBeSentIsRefusedBeforeTheCall(t *testing.T) {
	client := sandboxClient(t)
	for text, cause := range map[string]Cause{
		"a\x00b": CauseInvalidValue, "a\xffb": CauseNotUTF8, "\xed\xa0\x80": CauseNotUTF8,
	} {
		broken := order("Tea")
		broken.CustomerName = text
		_, err := client.CreateOrder(context.Background(), broken)
		var failed *Error
		if !errors.As(err, &failed) || !errors.Is(err, ErrNotSent) || failed.Cause != cause ||
			failed.Result != ResultInvalidArgument || !strings.Contains(failed.Message, "customerName") {
			t.Errorf("%q: %v", text, err)
		}
		if _, err = client.GetStatus(context.Background(), ByOrderID(text)); !errors.Is(err, ErrNotSent) {
			t.Errorf("%q: %v", text, err)
		}
		if _, err = client.CreateOrder(context.Background(), order("Tea"),
			WithExtraFields(map[string]string{"x": text})); !errors.Is(err, ErrNotSent) {
			t.Errorf("%q: %v", text, err)
		}
		if _, err = ParseReturnURL("?txn=" + text); !errors.Is(err, ErrUnusable) {
			t.Errorf("%q: %v", text, err)
		}
		if _, err = NewClient(Config{BaseURL: text}); !errors.Is(err, ErrNotSent) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAPrintedConfigurationHasNoCredentials(t *testing.T) {
	given := config("https://pay.example.com")
	given.Proxy = "http://user:secret-of-proxy@proxy.example.com"
	client := newClient(t, given)
	given.BaseURL = "https://user:secret-of-url@pay.example.com"
	nested := struct{ Payments Config }{given}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, value := range []interface{}{given, &given, nested, client} {
			printed := fmt.Sprintf(verb, value)
			for _, secret := range []string{"secret-of", "sandbox-", "73616e64626f78"} {
				if strings.Contains(printed, secret) {
					t.Errorf("%s of %T: %s", verb, value, printed)
				}
			}
		}
	}
	if printed := fmt.Sprint(given); !strings.Contains(printed, "pay.example.com") {
		t.Error(printed)
	}
}

func TestReturnURLs(t *testing.T) {
	returned, err := ParseReturnURL("https://shop.example.com/return?txn=T%20%E2%98%95")
	if err != nil || returned.TransactionID != "T ☕" ||
		returned.StatusQuery != ByTransactionID("T ☕") {
		t.Fatalf("%+v %v", returned, err)
	}
	_, err = ParseReturnURL("https://shop.example.com/return")
	if !errors.Is(err, ErrUnusable) || errors.Is(err, ErrNotSent) ||
		!errors.Is(err, ResultInvalidRequest) {
		t.Fatal(err)
	}
}

func TestBodies(t *testing.T) {
	body, err := BuildCreateOrder(order("Tea"), WithExtraFields(map[string]string{"z": "1", "a": "2"}))
	if err != nil || !strings.HasSuffix(body, `,"a":"2","z":"1"}`) {
		t.Fatal(body, err)
	}
	body, err = BuildGetStatus(ByOrderID("O-1"))
	if err != nil || body != `{"searchType":"1","orderId":"O-1"}` {
		t.Fatal(body, err)
	}
	var failed *Error
	if _, err = BuildGetStatus(Query{}); !errors.As(err, &failed) || len(failed.Violations) == 0 {
		t.Fatal(err)
	}
	if _, err = BuildCreateOrder(Order{}); !errors.Is(err, ErrUnusable) {
		t.Fatal(err)
	}
}

func TestWithoutAStatusNothingIsPaid(t *testing.T) {
	expected := Expected{OrderID: "O-1", Amount: "1.00"}
	for _, status := range []*Status{nil, {Completed: true, OrderID: "O-1", Amount: "1.00"}} {
		payment, err := VerifyPayment(expected, status)
		if payment != nil || !errors.Is(err, ErrUnusable) {
			t.Errorf("%+v %v", payment, err)
		}
	}
}
