package payorder

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// loadForTest is what this program does when a test starts it to load a library.
func loadForTest() {
	_, err := NewClient(Config{BaseURL: "https://pay.example.com"})
	path, _ := LibraryPath()
	fmt.Println(path, err)
	os.Exit(0)
}

// loaded starts this program, copied to a folder, and returns what it says about its library.
func loaded(t *testing.T, folder, library string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, self, filepath.Join(folder, "program"))
	command := exec.Command(filepath.Join(folder, "program"))
	command.Dir = folder
	command.Env = append(os.Environ(), "PAYORDER_TEST_LOAD=1", "PAYORDER_LIBRARY="+library)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stub compiles a library with the given C source.
func stub(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libpayorder.so")
	command := exec.Command("gcc", "-shared", "-fPIC", "-x", "c", "-o", path, "-")
	command.Stdin = strings.NewReader(source)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return path
}

func TestALibraryWithoutAFunctionIsRefused(t *testing.T) {
	for source, message := range map[string]string{
		"unsigned payorder_abi_version(void) { return 1; }": "has no payorder_version: it is older",
		"int another;": "not a payorder library",
	} {
		if said := loaded(t, t.TempDir(), stub(t, source)); !strings.Contains(said, message) {
			t.Errorf("%q: %s", message, said)
		}
	}
}

func TestPAYORDER_LIBRARYIsTheOnlyPlaceIfItIsSet(t *testing.T) {
	folder := t.TempDir()
	copyFile(t, os.Getenv("PAYORDER_LIBRARY"), filepath.Join(folder, "libpayorder.so"))
	said := loaded(t, folder, "/nowhere/libpayorder.so")
	if strings.Count(said, "\n  ") != 1 || !strings.Contains(said, "/nowhere/libpayorder.so") {
		t.Fatal(said)
	}
}

func TestALibraryNextToTheProgramIsFound(t *testing.T) {
	folder := t.TempDir()
	copyFile(t, os.Getenv("PAYORDER_LIBRARY"), filepath.Join(folder, "libpayorder.so"))
	if said := loaded(t, folder, ""); said != filepath.Join(folder, "libpayorder.so")+" <nil>\n" {
		t.Fatal(said)
	}
}
