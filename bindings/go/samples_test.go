package payorder

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sample builds a sample, and returns a function that prepares to run it.
func sample(t *testing.T, name string, flags ...string) func(arguments ...string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	arguments := append(append([]string{"build"}, flags...), "-o", program, "./samples/"+name)
	if output, err := exec.Command("go", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return func(arguments ...string) *exec.Cmd {
		command := exec.Command(program, arguments...)
		command.Env = append(os.Environ(), environment(sandbox)...)
		return command
	}
}

// environment has the settings of the samples.
func environment(address string) []string {
	settings := config(address)
	return []string{
		"PAYORDER_BASE_URL=" + settings.BaseURL,
		"PAYORDER_ACCESS_TOKEN=" + settings.AccessToken,
		"PAYORDER_CLIENT_KEY=" + settings.ClientKey,
		"PAYORDER_CLIENT_ID=" + settings.ClientID,
		"PAYORDER_SECRET_KEY=" + settings.SecretKey,
		"http_proxy=", "all_proxy=",
	}
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

// sale runs the sample to its end, and pays when it shows the checkout URL.
func sale(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	pipe, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(pipe)
	first, _ := lines.ReadString('\n')
	if url := strings.TrimPrefix(strings.TrimSpace(first), "send the customer to "); url != "" {
		pay(t, url)
	}
	rest, _ := io.ReadAll(lines)
	_ = command.Wait()
	return first + string(rest)
}

func TestSampleSale(t *testing.T) {
	run, id := sample(t, "sale"), order("").OrderID
	said := sale(t, run(id, "249.50", "Two coffees"))
	expect(t, said, "send the customer to http://", "paid: 249.50 for "+id)
	said = sale(t, run(id+"-2", "249.50", "sandbox:wrong-amount"))
	expect(t, said, "check: money moved", `amount is "1.00" instead of "249.50"`)
	said, status := output(t, run(id+"-3", "249.50", "sandbox:reject"))
	expect(t, said, "no order was created:")
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
}

// A program that is linked with the library finds it as every other program does.
func TestSampleSaleWithALinkedLibrary(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"libpayorder.so", "libpayorder.so.1"} {
		copyFile(t, os.Getenv("PAYORDER_LIBRARY"), filepath.Join(folder, name))
	}
	include, err := filepath.Abs("../../include")
	if err != nil {
		t.Fatal(err)
	}
	description := fmt.Sprintf("Name: payorder\nDescription: payorder\nVersion: 0\n"+
		"Libs: -lpayorder\nCflags: -I%s\n", include)
	file := filepath.Join(folder, "payorder.pc")
	if err := os.WriteFile(file, []byte(description), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PKG_CONFIG_PATH", folder)
	// Not in payorder.pc, because Go keeps what it has built with another folder there.
	t.Setenv("CGO_LDFLAGS", "-L"+folder)
	t.Setenv("LD_LIBRARY_PATH", folder)
	t.Setenv("PAYORDER_LIBRARY", "/nowhere")
	id := order("").OrderID
	said := sale(t, sample(t, "sale", "-tags", "payorder_link")(id, "1.00", "Tea"))
	expect(t, said, "paid: 1.00 for "+id)
}

func TestSampleLostAnswer(t *testing.T) {
	run, id := sample(t, "lost_answer"), order("").OrderID
	said, _ := output(t, run(id, "249.50", "sandbox:drop-after-commit"))
	expect(t, said, "the order may exist: PAYORDER_CONNECTION_LOST",
		"the service has order "+id+": Pending")
	said, _ = output(t, run(id+"-2", "249.50", "sandbox:drop-before"))
	expect(t, said, "still not known; ask again later")
}

func TestSampleReconciliation(t *testing.T) {
	client, paid, wrong, open := sandboxClient(t), order("Tea"), order("Tea"), order("Tea")
	for _, order := range []Order{paid, wrong} {
		pay(t, create(t, client, order).URL)
	}
	create(t, client, open)
	file := filepath.Join(t.TempDir(), "orders.csv")
	text := fmt.Sprintf("%s,249.50\n%s,1.00\n%s,249.50\nnone,1.00\n", paid.OrderID, wrong.OrderID,
		open.OrderID)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said, status := output(t, sample(t, "reconciliation")(file))
	expect(t, said, paid.OrderID+",249.50,matched", wrong.OrderID+",1.00,differs: amount",
		open.OrderID+",249.50,not paid: Pending", "none,1.00,no status", "1 of 4 orders matched")
	if status != 2 {
		t.Errorf("exit status %d", status)
	}
}

func TestSampleRestart(t *testing.T) {
	run, id := sample(t, "restart"), order("").OrderID
	journal := filepath.Join(t.TempDir(), "orders.sqlite")
	crashed := run(journal, "sell", id, "249.50", "sandbox:stall")
	var said bytes.Buffer
	crashed.Stdout, crashed.Stderr = &said, &said
	if err := crashed.Start(); err != nil {
		t.Fatal(err)
	}
	client := sandboxClient(t)
	eventually(t, "the service has the order", func() bool {
		status, err := client.GetStatus(context.Background(), ByOrderID(id))
		return err == nil && status.OrderID == id
	})
	_ = crashed.Process.Kill()
	_ = crashed.Wait()

	text, status := output(t, run(journal, "sell", id, "249.50", "sandbox:stall"))
	expect(t, text, "order "+id+" was sent before: sending")
	if status != 2 {
		t.Errorf("exit status %d", status)
	}
	// Without an answer, nothing is known about the payment.
	unknown := run(journal, "ask")
	unknown.Env = append(unknown.Env, "PAYORDER_SECRET_KEY=wrong")
	if _, status = output(t, unknown); status != 2 {
		t.Errorf("exit status %d", status)
	}
	text, status = output(t, run(journal, "ask"))
	expect(t, text, id+" 249.50 url_lost Pending")
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
}
