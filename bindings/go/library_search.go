//go:build !payorder_link

package payorder

// #cgo linux LDFLAGS: -ldl
import "C"

import (
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"
)

// candidates says where the library may be, the preferred place first.
func candidates() []string {
	if chosen := os.Getenv("PAYORDER_LIBRARY"); chosen != "" {
		// A path without a slash would be searched in the system's folders.
		if absolute, err := filepath.Abs(chosen); err == nil {
			chosen = absolute
		}
		return []string{chosen}
	}
	var places []string
	name, system := fileNames()
	if program, err := os.Executable(); err == nil {
		folder := filepath.Dir(program)
		places = append(places, filepath.Join(folder, name))
		if system != name {
			places = append(places, filepath.Join(folder, system))
		}
	}
	places = append(places, builds(name)...)
	return append(places, system)
}

// fileNames returns the name of a library that was just built, and that of an installed one.
func fileNames() (built, installed string) {
	switch runtime.GOOS {
	case "windows":
		return "payorder.dll", "payorder.dll"
	case "darwin":
		return "libpayorder.dylib", "libpayorder.1.dylib"
	}
	return "libpayorder.so", "libpayorder.so.1"
}

// builds returns the libraries that were built in the checkout that this package is in, the newest
// first. It returns none if the program runs outside of the checkout: a program that was installed
// elsewhere must not load a file from the path where it was once compiled.
func builds(name string) []string {
	_, source, _, _ := runtime.Caller(0)
	checkout := filepath.Dir(filepath.Dir(filepath.Dir(source)))
	if _, err := os.Stat(filepath.Join(checkout, "Cargo.toml")); err != nil {
		return nil
	}
	folder, err := os.Getwd()
	if err != nil || !strings.HasPrefix(folder+string(filepath.Separator),
		checkout+string(filepath.Separator)) {
		return nil
	}
	var found []string
	built := map[string]time.Time{}
	for _, profile := range []string{"release", "debug"} {
		path := filepath.Join(checkout, "target", profile, name)
		if file, err := os.Stat(path); err == nil {
			found = append(found, path)
			built[path] = file.ModTime()
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return built[found[i]].After(built[found[j]]) })
	return found
}
