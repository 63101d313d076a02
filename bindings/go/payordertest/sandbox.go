// Package payordertest gives tests a sandbox: the payment service on this machine, which fails on
// demand and moves no money.
package payordertest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"payorder.example/payorder"
)

// Sandbox is a sandbox that runs.
type Sandbox struct {
	t   testing.TB
	URL string // its address, and that of its page in a browser
}

// NewSandbox starts a sandbox without orders, which ends with the test. Its program is that of
// PAYORDER_SANDBOX, or payorder-sandbox in PATH: it is in each archive of a release.
func NewSandbox(t testing.TB) *Sandbox {
	t.Helper()
	name := os.Getenv("PAYORDER_SANDBOX")
	if name == "" {
		name = "payorder-sandbox"
	}
	program := exec.Command(name, "--port", "0")
	output, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatalf("payordertest: %v. Set PAYORDER_SANDBOX to the path of payorder-sandbox, which is in"+
			" each archive of a release", err)
	}
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	// It prints a line for each request, which somebody must read.
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("payordertest: %s ended before it listened", name)
		}
		if _, found, ok := strings.Cut(line, " listens at "); ok {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return &Sandbox{t: t, URL: strings.TrimSuffix(strings.Fields(found)[0], "/")}
		}
	}
}

// Config is that of a client of the sandbox.
func (s *Sandbox) Config() payorder.Config {
	return payorder.Config{BaseURL: s.URL, Proxy: "none", AccessToken: "sandbox-access-token",
		ClientKey: "sandbox-client-key", ClientID: "sandbox-client-id", SecretKey: "sandbox-secret-key"}
}

// Press presses a button of an order's page: "pay", "fail" or "cancel" as the customer, "refund" as
// the shop.
func (s *Sandbox) Press(orderID, button string) {
	s.t.Helper()
	s.post("/sandbox/orders/"+url.PathEscape(orderID)+"/"+button, "")
}

// Fault adds a rule, such as "create:1:drop-after-commit".
func (s *Sandbox) Fault(rule string) {
	s.t.Helper()
	s.post("/sandbox/faults", fmt.Sprintf(`{"rule":%q}`, rule))
}

func (s *Sandbox) post(path, body string) {
	s.t.Helper()
	response, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		s.t.Fatalf("the sandbox refuses %s %s: %s", path, body, response.Status)
	}
}
