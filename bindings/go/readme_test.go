package payorder

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// programs returns the Go programs of the README.
func programs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, block := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllSubmatch(text, -1) {
		found = append(found, string(block[1]))
	}
	return found
}

// buildAsUser builds a program in a module outside of this one, and returns how to run it.
func buildAsUser(t *testing.T, text string) *exec.Cmd {
	t.Helper()
	folder, said := buildModule(t, text)
	if said != "" {
		t.Fatal(said)
	}
	return exec.Command(filepath.Join(folder, "program"))
}

func buildFails(t *testing.T, text string) string {
	t.Helper()
	_, said := buildModule(t, text)
	return said
}

// buildModule makes a module as a user would, and returns its folder and what the compiler said.
func buildModule(t *testing.T, text string) (folder, said string) {
	t.Helper()
	folder = t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	module := "module program\n\ngo 1.19\n\nrequire payorder.example/payorder v0.0.0\n\n" +
		"replace payorder.example/payorder => " +
		here + "\n"
	for name, content := range map[string]string{"go.mod": module, "main.go": text} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("go", "build", "-o", "program", ".")
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		return folder, fmt.Sprintf("%v: %s", err, output)
	}
	return folder, ""
}

// output runs a program to its end, and returns what it printed and its exit status.
func output(t *testing.T, command *exec.Cmd) (string, int) {
	t.Helper()
	said, err := command.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(said), command.ProcessState.ExitCode()
}

func expect(t *testing.T, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("%q is missing in: %s", part, said)
		}
	}
}

func TestTheReadmesOtherExamplesRun(t *testing.T) {
	var text strings.Builder
	text.WriteString(`package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"payorder.example/payorder"
)

var _, _, _ = errors.Is, filepath.Join, time.Second

func main() {
	client, err := payorder.NewClient(payorder.Config{
		BaseURL:     os.Getenv("PAYORDER_BASE_URL"),
		AccessToken: os.Getenv("PAYORDER_ACCESS_TOKEN"),
		ClientKey:   os.Getenv("PAYORDER_CLIENT_KEY"),
		ClientID:    os.Getenv("PAYORDER_CLIENT_ID"),
		SecretKey:   os.Getenv("PAYORDER_SECRET_KEY"),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
`)
	literal, err := json.Marshal(order("Tea"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&text, "\tvar order payorder.Order\n\t_ = json.Unmarshal([]byte(%q), &order)\n",
		literal)
	for _, one := range programs(t)[1:] {
		text.WriteString("\tfunc() {\n" + one + "\t}()\n")
	}
	text.WriteString("}\n")
	run := buildAsUser(t, text.String())
	run.Env = append(os.Environ(), "PAYORDER_JOURNAL="+filepath.Join(t.TempDir(), "orders.sqlite"))
	said, status := output(t, run)
	expect(t, said, "no status:", "created", "the last status was Pending", "100 asked",
		`"event":"call_finished"`)
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
}
