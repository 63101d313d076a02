package payorder

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestASaleFromOrderToVerification(t *testing.T) {
	client, order := sandboxClient(t), order("Two coffees")
	checkout := create(t, client, order)
	if !strings.HasPrefix(checkout.URL, sandbox) || checkout.ResponseCode != "200" {
		t.Fatalf("%+v", checkout)
	}
	status, err := client.GetStatus(context.Background(), ByOrderID(order.OrderID))
	if err != nil || status.TransactionStatus != "Pending" || status.Completed || status.Date != "" {
		t.Fatalf("%+v %v", status, err)
	}
	pay(t, checkout.URL)
	waited, err := client.WaitForPayment(context.Background(), ByOrderID(order.OrderID))
	if err != nil || !waited.Final || waited.TimedOut || waited.Polls != 1 || waited.Err != nil {
		t.Fatalf("%+v %v", waited, err)
	}
	if status = waited.Status; !status.Completed || len(status.Date) != len("2026-11-21T14:05:06") {
		t.Fatalf("%+v", status)
	}
	expected := Expected{OrderID: order.OrderID, Amount: "249.5"}
	payment, err := VerifyPayment(expected, status)
	if err != nil || !payment.Paid || len(payment.Reasons) != 0 || len(payment.Unverifiable) == 0 {
		t.Fatalf("%+v %v", payment, err)
	}
	expected.Amount = "250.00"
	payment, err = VerifyPayment(expected, status)
	wrong := []Reason{{Check: "amount", Expected: "250.00", Actual: "249.50"}}
	if err != nil || payment.Paid || fmt.Sprint(payment.Reasons) != fmt.Sprint(wrong) {
		t.Fatalf("%+v %v", payment, err)
	}
	byTransaction, err := client.GetStatus(context.Background(), ByTransactionID(status.TransactionID))
	if err != nil || byTransaction.OrderID != order.OrderID {
		t.Fatalf("%+v %v", byTransaction, err)
	}
}

func TestEveryFailureOfAnOrderHasItsOutcome(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	refused := config("http://" + closed.Addr().String())
	noCredentials := config(sandbox)
	noCredentials.AccessToken = ""
	wrongCredentials := config(sandbox)
	wrongCredentials.AccessToken = "wrong"
	noTLS := config(strings.Replace(sandbox, "http:", "https:", 1))
	foreign := filepath.Join(t.TempDir(), "not-a-journal")
	text := []byte(strings.Repeat("not a database ", 100))
	if err := os.WriteFile(foreign, text, 0o600); err != nil {
		t.Fatal(err)
	}
	noJournal := config(sandbox)
	noJournal.Journal = foreign
	hurried := config(sandbox)
	hurried.Timeout = 300 * time.Millisecond

	for _, one := range []struct {
		config  Config
		product string
		result  Result
		outcome error
		cause   Cause
	}{
		{noCredentials, "Tea", ResultMissingCredentials, ErrNotSent, CauseCredentialsMissing},
		{refused, "Tea", ResultConnectFailed, ErrNotSent, CauseConnectionRefused},
		{noTLS, "Tea", ResultTLSFailed, ErrNotSent, CauseHandshakeFailed},
		{noJournal, "Tea", ResultJournalFailed, ErrNotSent, CauseJournalDamaged},
		{config(sandbox), " ", ResultInvalidRequest, ErrNotSent, CauseRuleBroken},
		{config(sandbox), "sandbox:reject", ResultRejected, ErrRejected, CauseServiceRefused},
		{wrongCredentials, "Tea", ResultUnauthorized, ErrRejected, CauseUnauthorized},
		{config(sandbox), "sandbox:rate-limit", ResultRateLimited, ErrRejected, CauseRateLimited},
		{hurried, "sandbox:stall", ResultTimeout, ErrOutcomeUnknown, CauseResponseTimedOut},
		{config(sandbox), "sandbox:drop-after-commit", ResultConnectionLost, ErrOutcomeUnknown,
			CauseConnectionClosed},
		{config(sandbox), "sandbox:malformed-json", ResultBadResponse, ErrOutcomeUnknown,
			CauseResponseNotJSON},
		{config(sandbox), "sandbox:html-502", ResultServiceFailed, ErrOutcomeUnknown,
			CauseServiceError},
	} {
		order := order(one.product)
		_, err := newClient(t, one.config).CreateOrder(context.Background(), order)
		var failed *Error
		if !errors.As(err, &failed) {
			t.Fatalf("%v: %v", one.result, err)
		}
		if failed.Result != one.result || failed.Name != one.result.String() ||
			failed.Cause != one.cause || failed.Operation != "create_order" ||
			failed.Action == "" || failed.Message == "" || !errors.Is(err, one.result) {
			t.Errorf("%v: %+v", one.result, failed)
		}
		for _, outcome := range []error{ErrNotSent, ErrRejected, ErrOutcomeUnknown, ErrUnusable} {
			if errors.Is(err, outcome) != (outcome == one.outcome) {
				t.Errorf("%v: errors.Is(%v)", one.result, outcome)
			}
		}
		unknown := one.outcome == ErrOutcomeUnknown
		if unknown != (failed.StatusQuery != nil) ||
			unknown && *failed.StatusQuery != ByOrderID(order.OrderID) {
			t.Errorf("%v: StatusQuery is %+v", one.result, failed.StatusQuery)
		}
		if !strings.Contains(failed.JSON, `"name":"`+failed.Name+`"`) {
			t.Errorf("%v: %s", one.result, failed.JSON)
		}
	}
}

func TestARefusalHasTheServicesReason(t *testing.T) {
	_, err := sandboxClient(t).CreateOrder(context.Background(), order("sandbox:reject"))
	var failed *Error
	if !errors.As(err, &failed) || failed.ResponseCode != "400" || failed.HTTPStatus != 200 ||
		failed.ResponseMessage == "" || !strings.Contains(err.Error(), failed.ResponseMessage) {
		t.Fatalf("%+v", failed)
	}
	_, err = sandboxClient(t).CreateOrder(context.Background(), order("sandbox:rate-limit"))
	if !errors.As(err, &failed) || failed.RetryAfter != time.Second {
		t.Fatalf("%+v", failed)
	}
}

func TestAnUnknownOutcomeIsSettledByItsQuery(t *testing.T) {
	client, order := sandboxClient(t), order("sandbox:drop-after-commit")
	_, err := client.CreateOrder(context.Background(), order)
	var failed *Error
	if !errors.As(err, &failed) || !errors.Is(err, ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	status, err := client.GetStatus(context.Background(), *failed.StatusQuery)
	if err != nil || status.OrderID != order.OrderID {
		t.Fatalf("%+v %v", status, err)
	}
}

func TestAnOrderThatBreaksRulesListsAllOfThem(t *testing.T) {
	_, err := sandboxClient(t).CreateOrder(context.Background(), Order{Amount: "1e2"})
	var failed *Error
	if !errors.As(err, &failed) || failed.Attempts != 0 || len(failed.Violations) != 11 {
		t.Fatalf("%+v", err)
	}
	for _, one := range failed.Violations {
		if one.Field == "amount" && one.Rule != "decimal" || one.Message == "" {
			t.Errorf("%+v", one)
		}
	}
}

func TestAFieldThatDiffersOnlyInCapitalsReplacesNoOther(t *testing.T) {
	client := newClient(t, config(service(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"responseCode":"200","responseMessage":"Success",
			"data":{"url":"https://pay.example.com/1","URL":"https://wrong.example.com/"}}`)
	})))
	checkout := create(t, client, order("Tea"))
	if checkout.URL != "https://pay.example.com/1" || !strings.Contains(checkout.JSON, "wrong") {
		t.Fatalf("%+v", checkout)
	}
}

func TestALongAnswerIsComplete(t *testing.T) {
	padding := strings.Repeat("x", 1_000_000)
	client := newClient(t, config(service(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"responseCode":"200","responseMessage":"Success",
			"data":{"url":"https://pay.example.com/1","more":1e400,"padding":"%s"}}`, padding)
	})))
	checkout := create(t, client, order("Tea"))
	if checkout.URL != "https://pay.example.com/1" || !strings.Contains(checkout.JSON, padding) ||
		!strings.Contains(checkout.JSON, "1e400") {
		t.Fatalf("%.300s", checkout.JSON)
	}
}

func TestAWaitThatTimesOutHasTheLastError(t *testing.T) {
	waited, err := sandboxClient(t).WaitForPayment(context.Background(), ByOrderID("none"),
		WithWait(200*time.Millisecond), WithInterval(20*time.Millisecond))
	if err != nil || waited.Final || !waited.TimedOut || waited.Status != nil {
		t.Fatalf("%+v %v", waited, err)
	}
	if !errors.Is(waited.Err, ResultRejected) || !errors.Is(waited.Err, ErrRejected) {
		t.Fatalf("%+v", waited.Err)
	}
}

func TestAnInvalidConfigurationIsNotSent(t *testing.T) {
	_, err := NewClient(Config{BaseURL: "http://pay.example.com", Timeout: time.Hour,
		TLS: &TLS{Roots: "none"}, StatusRetries: Ptr(11)})
	var failed *Error
	if !errors.As(err, &failed) || failed.Result != ResultInvalidConfig ||
		!errors.Is(err, ErrNotSent) {
		t.Fatal(err)
	}
	for _, key := range []string{"baseUrl", "timeoutMs", "tls.roots", "statusRetries"} {
		if !strings.Contains(failed.Message, key) {
			t.Errorf("%s is missing in %s", key, failed.Message)
		}
	}
	_, err = NewClientFromJSON(`{"baseUrl":"https://pay.example.com","unknown":1}`)
	if !errors.Is(err, ResultInvalidConfig) {
		t.Fatal(err)
	}
}

func TestAnOptionOfAnotherCallIsRefused(t *testing.T) {
	_, err := sandboxClient(t).CreateOrder(context.Background(), order("Tea"), WithLimit(1))
	if !errors.Is(err, ResultInvalidArgument) || !errors.Is(err, ErrNotSent) {
		t.Fatal(err)
	}
	_, err = sandboxClient(t).CreateOrder(context.Background(), order("Tea"),
		WithTimeout(time.Hour), WithTimeout(time.Minute), WithExtraFields(map[string]string{"a": "1"}))
	if err != nil {
		t.Fatal(err)
	}
}

func TestShortDurationsAreRoundedUp(t *testing.T) {
	for duration, expected := range map[time.Duration]int64{
		time.Nanosecond: 1, time.Millisecond: 1, 1500 * time.Microsecond: 2, -time.Second: -1000,
	} {
		if got := milliseconds(duration); got != expected {
			t.Errorf("%v is %d ms", duration, got)
		}
	}
}
