package payorder

// #include <stdlib.h>
// #include "library.h"
import "C"

import (
	"strings"
	"sync"
	"unsafe"
)

// LibraryError says that the shared library was not found, or has another version of the ABI.
// Nothing was sent.
type LibraryError struct {
	// Tried has a line for each place: the path and what was wrong.
	Tried []string
}

func (e *LibraryError) Error() string {
	return "payorder: found no shared library that it can use; nothing was sent. It tried\n  " +
		strings.Join(e.Tried, "\n  ") +
		"\nSet PAYORDER_LIBRARY to the path of the library, or see the package's README."
}

// Is makes errors.Is(err, ErrNotSent) true.
func (e *LibraryError) Is(target error) bool { return target == ErrNotSent }

var loading struct {
	once sync.Once
	path string
	err  error
}

// Load loads the shared library, if this was not done yet. The other functions do it when they need
// it. A program that calls Load when it starts fails there, and not at its first sale.
func Load() error {
	loading.once.Do(func() {
		loading.path, loading.err = load(candidates())
	})
	return loading.err
}

func load(places []string) (string, error) {
	const size = 1024
	message := (*C.char)(C.calloc(1, size))
	defer C.free(unsafe.Pointer(message))
	failure := &LibraryError{}
	for _, path := range places {
		text := C.CString(path)
		loaded := C.payorder_go_load(text, message, size)
		C.free(unsafe.Pointer(text))
		if loaded != 0 {
			return path, nil
		}
		failure.Tried = append(failure.Tried, path+": "+C.GoString(message))
	}
	return "", failure
}

// Version returns the version of the loaded library, such as "0.1.0".
func Version() (string, error) {
	if err := Load(); err != nil {
		return "", err
	}
	return C.GoString(C.payorder_go_version()), nil
}

// LibraryPath returns where the library was found. For one that the system found, that is only the
// file's name.
func LibraryPath() (string, error) {
	err := Load()
	return loading.path, err
}

// LiveCounters counts what the library holds in this process, to find leaks.
type LiveCounters struct {
	Clients int // clients that were created and not freed
	Strings int // strings that the library returned and that were not freed
	Calls   int // calls that are queued, run, or give their result at this moment
}

// Live returns the library's counters. All are 0 if the library was never loaded.
func Live() LiveCounters {
	if Load() != nil {
		return LiveCounters{}
	}
	return LiveCounters{
		Clients: int(C.payorder_go_live(C.PAYORDER_GO_LIVE_CLIENTS)),
		Strings: int(C.payorder_go_live(C.PAYORDER_GO_LIVE_STRINGS)),
		Calls:   int(C.payorder_go_live(C.PAYORDER_GO_LIVE_CALLS)),
	}
}

// take copies a string of the library and frees it there.
func take(text *C.char) string {
	if text == nil {
		return ""
	}
	copied := C.GoString(text)
	C.payorder_go_string_free(text)
	return copied
}

func freeC(text *C.char) { C.free(unsafe.Pointer(text)) }
