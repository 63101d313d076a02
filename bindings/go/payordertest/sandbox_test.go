package payordertest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"payorder.example/payorder"
	"payorder.example/payorder/payordertest"
)

func TestALostOrderIsPaid(t *testing.T) {
	sandbox := payordertest.NewSandbox(t)
	sandbox.Fault("create:1:drop-after-commit")
	client, err := payorder.NewClient(sandbox.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	order := payorder.Order{Amount: "249.50", MerchantTxnID: "T-1", OrderID: "O 1", PayMode: "all",
		MerchantID: "M-1", ProductInfo: "Tea", CustomerName: "Asha Rao",
		CustomerMobile: "9000000001", CustomerEmail: "asha@example.com",
		RedirectionURL: "https://shop.example.com/return", CurrencyCode: "INR"}
	_, err = client.CreateOrder(context.Background(), order)
	var failed *payorder.Error
	if !errors.As(err, &failed) || !errors.Is(err, payorder.ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	sandbox.Press(order.OrderID, "pay")
	status, err := client.GetStatus(context.Background(), *failed.StatusQuery)
	if err != nil || !status.Completed {
		t.Fatal(status, err)
	}
}

const exits = "PAYORDERTEST_EXITS"

func TestASandboxEndsWithItsProgram(t *testing.T) {
	if os.Getenv(exits) != "" {
		fmt.Println("at", payordertest.NewSandbox(t).URL)
		os.Exit(1) // Without a cleanup, as after a timeout.
	}
	program := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	program.Env = append(os.Environ(), exits+"=1")
	said, _ := program.CombinedOutput()
	found := regexp.MustCompile(`at (http\S+)`).FindSubmatch(said)
	if found == nil {
		t.Fatalf("%s", said)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		response, err := http.Get(string(found[1]))
		if err != nil {
			return
		}
		response.Body.Close()
		if time.Now().After(end) {
			t.Fatal("it still answers")
		}
	}
}

// refusals is a test that goes on after what the sandbox refuses.
type refusals struct {
	testing.TB
	said []string
}

func (r *refusals) Fatalf(format string, about ...interface{}) {
	r.said = append(r.said, fmt.Sprintf(format, about...))
}

func TestTheSandboxSaysWhyItRefuses(t *testing.T) {
	refused := &refusals{TB: t}
	sandbox := payordertest.NewSandbox(refused)
	sandbox.Fault("create:1:nonsense")
	sandbox.Press("O-1", "pay")
	for place, words := range []string{`"nonsense" in the rule`, "No order has the orderId"} {
		if !strings.Contains(refused.said[place], words) {
			t.Error(refused.said)
		}
	}
}
