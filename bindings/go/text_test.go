package payorder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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

func TestAPrintedConfigurationOrOptionHasNoCredentials(t *testing.T) {
	given := config("https://pay.example.com")
	given.Proxy = "http://user:secret-of-proxy@proxy.example.com"
	client := newClient(t, given)
	given.BaseURL = "https://user:secret-of-url@pay.example.com"
	nested := struct{ Payments Config }{given}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, value := range []interface{}{given, &given, nested, client, WithAccessToken("sandbox-token")} {
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

func TestAConfigurationInJSONIsNotReadInParts(t *testing.T) {
	given := config("https://pay.example.com")
	given.Journal = "orders.db"
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	for text, into := range map[string]interface{}{
		string(text):                         &Config{},
		`{"payments": ` + string(text) + `}`: &struct{ Payments Config }{},
		`{"baseUrl": "https://a.example"}`:   &Config{},
	} {
		err := json.Unmarshal([]byte(text), into)
		if err == nil || !strings.Contains(err.Error(), "NewClientFromJSON") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAStatusThatWasFilledInOrChangedIsNotVerified(t *testing.T) {
	expected := Expected{OrderID: "O-1", Amount: "1.00"}
	status, err := ParseStatus(`{"responseCode":"200","data":{"orderId":"O-1","amount":"1.00",
		"transactionStatus":"Completed"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if payment, err := VerifyPayment(expected, status); err != nil || !payment.Paid {
		t.Errorf("%+v %v", payment, err)
	}
	changed := *status
	changed.Amount = "2.00"
	withoutJSON := *status
	withoutJSON.JSON = ""
	for _, status := range []*Status{&changed, &withoutJSON, {}, nil} {
		for _, amount := range []string{"1.00", "2.00"} {
			expected.Amount = amount
			payment, err := VerifyPayment(expected, status)
			if payment != nil || !errors.Is(err, ErrUnusable) {
				t.Errorf("%+v %v", payment, err)
			}
		}
	}
}

func TestAnOrderThatMayExistHasAQueryEvenIfTheErrorCannotBeRead(t *testing.T) {
	query := ByOrderID("O-1")
	for err, wanted := range map[*Error]*Query{
		readError(ResultInternalInFlight, ""):                  &query,
		NewError(ResultTimeout, "", ByTransactionID("T-1")):    Ptr(ByTransactionID("T-1")),
		NewError(ResultConnectFailed, "not sent", Query{}):     nil,
		NewError(ResultRejected, "the service refused", query): &query,
	} {
		_ = withQuery(err, Order{OrderID: "O-1"})
		if (err.StatusQuery == nil) != (wanted == nil) ||
			wanted != nil && *err.StatusQuery != *wanted {
			t.Errorf("%v: %v", err, err.StatusQuery)
		}
	}
}

func TestAnErrorOfAFakeIsLikeOneOfACall(t *testing.T) {
	query := ByOrderID("O-1")
	late := NewError(ResultTimeout, "no response", query)
	if late.Name != "PAYORDER_TIMEOUT" || late.Outcome != OutcomeUnknown ||
		late.Cause != CauseResponseTimedOut || late.Action != ActionAskStatus ||
		*late.StatusQuery != query || !errors.Is(late, ErrOutcomeUnknown) ||
		late.Error() != "payorder: no response (PAYORDER_TIMEOUT)" ||
		*readError(ResultTimeout, late.JSON).StatusQuery != query {
		t.Errorf("%+v %s", late, late.JSON)
	}
	for result, action := range map[Result]Action{
		ResultConnectFailed: ActionCheckNetwork, 99: ActionReportBug, 299: ActionAskStatus,
	} {
		failed := NewError(result, "", Query{})
		if failed.Action != action || failed.Cause == "" || failed.StatusQuery != nil {
			t.Errorf("%v: %q %q %v", result, failed.Cause, failed.Action, failed.StatusQuery)
		}
	}
}

func TestADuplicateOfAFakeSaysWhatItsEntryImplies(t *testing.T) {
	for entry, usual := range map[*JournalEntry]usualCause{
		{State: "created", URL: "https://u"}: {CauseOrderAlreadySent, ActionUsePrevious},
		{State: "created"}:                   {CauseOrderAlreadySent, ActionAskStatus},
		{State: "unknown"}:                   {CauseOrderMayExist, ActionAskStatus},
	} {
		entry.OrderID = "O-1"
		failed := NewDuplicate("sent before", *entry)
		if failed.Result != ResultDuplicate || failed.Cause != usual.cause ||
			failed.Action != usual.action || *failed.StatusQuery != ByOrderID("O-1") ||
			failed.Previous.State != entry.State {
			t.Errorf("%+v", failed)
		}
	}
	if failed := NewError(ResultDuplicate, "", ByOrderID("O-1")); failed.Previous.OrderID != "O-1" {
		t.Errorf("%+v", failed)
	}
}

func TestTheEndOfAWaitOfAFake(t *testing.T) {
	paid, err := ParseStatus(`{"responseCode":"200","data":{"transactionStatus":"Completed"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if end := NewWaited(paid, nil); !end.Final || end.TimedOut || end.Status != paid {
		t.Errorf("%+v", end)
	}
	late := NewError(ResultTimeout, "", ByOrderID("O-1"))
	if end := NewWaited(nil, late); end.Final || !end.TimedOut || end.Err != late {
		t.Errorf("%+v", end)
	}
}

func TestAFieldThatDiffersOnlyInCapitalsReplacesNoOther(t *testing.T) {
	status, err := ParseStatus(`{"data":{"amount":"1.00","Amount":"2.00"},"Data":{}}`)
	if err != nil || status.Amount != "1.00" || !strings.Contains(status.JSON, "2.00") {
		t.Fatal(status, err)
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

func TestNothingPrintsTheCustomersData(t *testing.T) {
	given, order := config(sandbox), order("Tea")
	given.Journal = filepath.Join(t.TempDir(), "orders.sqlite")
	client := newClient(t, given)
	checkout := create(t, client, order)
	checkout.JSON += order.CustomerName // as a service may
	ctx, query := context.Background(), ByOrderID(order.OrderID)
	status, err := client.GetStatus(ctx, query)
	if err != nil || status.CustomerName != order.CustomerName {
		t.Fatal(status, err)
	}
	waited, err := client.WaitForPayment(ctx, query, WithWait(time.Millisecond), WithFinal())
	if err != nil {
		t.Fatal(err)
	}
	listed, err := client.JournalList(ctx)
	if err != nil {
		t.Fatal(err)
	}
	recovered, err := client.Recover(ctx, nil)
	if err != nil || recovered.Sales[0].URL != checkout.URL {
		t.Fatalf("%+v %v", recovered, err)
	}
	result := StatusResult{Status: status}
	failed := readError(ResultTimeout, `{"error":{"message":"late","responseBody":"Asha Rao"}}`)
	failed.Status, failed.JSON = status, status.JSON
	if failed.ResponseBody != "Asha Rao" {
		t.Errorf("%q", failed.ResponseBody)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		for _, value := range []interface{}{order, &order, status, *status, waited, *waited,
			result, []Status{*status}, failed, *failed, []Error{*failed}, checkout, *checkout, listed,
			&listed[0], Resolved{Entries: listed}, recovered, &recovered.Sales[0]} {
			printed := fmt.Sprintf(verb, value)
			if strings.Contains(printed, "Asha") || strings.Contains(printed, "9000000001") ||
				strings.Contains(printed, "/checkout/") {
				t.Errorf("%s of %T: %s", verb, value, printed)
			}
		}
	}
	if printed := fmt.Sprintf("%v %q", fmt.Errorf("sale: %w", failed), *failed); printed !=
		`sale: payorder: late (PAYORDER_TIMEOUT) "payorder: late (PAYORDER_TIMEOUT)"` {
		t.Error(printed)
	}
	text, err := json.Marshal([]interface{}{status, waited, result, failed, config(sandbox)})
	if err != nil || strings.Contains(string(text), "Asha") ||
		strings.Contains(string(text), "sandbox-") ||
		!strings.Contains(string(text), `"transactionStatus":"Pending"`) {
		t.Errorf("%s %v", text, err)
	}
	text, err = json.Marshal(order)
	again := Order{}
	if err != nil || json.Unmarshal(text, &again) != nil || again != order ||
		!strings.Contains(string(text), `"redirectionURL":`) {
		t.Errorf("%s %v", text, err)
	}
}
