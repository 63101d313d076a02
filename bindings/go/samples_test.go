package payorder

import (
	"bufio"
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
