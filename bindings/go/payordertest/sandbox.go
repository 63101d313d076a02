// Package payordertest gives tests a sandbox: the payment service on this machine, which fails on
// demand and moves no money.
package payordertest

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"payorder.example/payorder"
)

// Sandbox is a sandbox that runs.
type Sandbox struct {
	t               testing.TB
	URL             string // its address
	control, secret string
	config          payorder.Config
}

var (
	controlLine = regexp.MustCompile(`control address is (\S+) with Authorization: (.+)\n`)
	addressLine = regexp.MustCompile(`listens at (\S+)`)
)

// NewSandbox starts a sandbox without orders, which ends with the test, also if that is killed.
// Its program is that of
// PAYORDER_SANDBOX, or payorder-sandbox in PATH: it is in each archive of a release.
func NewSandbox(t testing.TB) *Sandbox {
	t.Helper()
	name := os.Getenv("PAYORDER_SANDBOX")
	if name == "" {
		name = "payorder-sandbox"
	}
	program := exec.Command(name, "--private")
	// A private one ends with its standard input, which ends with this program.
	_, err := program.StdinPipe()
	var output io.Reader
	if err == nil {
		output, err = program.StdoutPipe()
	}
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
	s := &Sandbox{t: t}
	for s.URL == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("payordertest: %s ended before it listened", name)
		}
		if found := controlLine.FindStringSubmatch(line); found != nil {
			s.control, s.secret = found[1], found[2]
		} else if found := addressLine.FindStringSubmatch(line); found != nil {
			s.URL = found[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	var told struct {
		Credentials struct{ AccessToken, ClientKey, ClientID, SecretKey string }
	}
	s.ask("GET", "", "", &told)
	known := told.Credentials
	s.config = payorder.Config{BaseURL: s.URL, Proxy: "none", AccessToken: known.AccessToken,
		ClientKey: known.ClientKey, ClientID: known.ClientID, SecretKey: known.SecretKey}
	return s
}

// Config is that of a client of the sandbox.
func (s *Sandbox) Config() payorder.Config { return s.config }

// Press presses a button of an order's page: "pay", "fail" or "cancel" as the customer, "refund" as
// the shop.
func (s *Sandbox) Press(orderID, button string) {
	s.t.Helper()
	s.ask("POST", "/orders/"+url.PathEscape(orderID)+"/"+button, "", nil)
}

// Fault adds a rule, such as "create:1:drop-after-commit".
func (s *Sandbox) Fault(rule string) {
	s.t.Helper()
	body, _ := json.Marshal(map[string]string{"rule": rule})
	s.ask("POST", "/faults", string(body), nil)
}

// ask sends a request to the control address, and reads the response into `told`.
func (s *Sandbox) ask(method, path, body string, told interface{}) {
	s.t.Helper()
	request, err := http.NewRequest(method, s.control+"/sandbox"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", s.secret)
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		var refused struct{ Error string }
		_ = json.NewDecoder(response.Body).Decode(&refused)
		s.t.Fatalf("the sandbox refuses %s %s: %s: %s", path, body, response.Status, refused.Error)
	} else if told != nil {
		if err = json.NewDecoder(response.Body).Decode(told); err != nil {
			s.t.Fatal(err)
		}
	}
}
