package payorder

// #include "library.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
)

// Ptr returns a pointer to a value, for the fields of Config that may be 0.
func Ptr[T any](value T) *T { return &value }

// Format prints only the service's host, whatever the verb, so that no credential gets into a log.
func (c Config) Format(out fmt.State, _ rune) {
	host := ""
	if service, err := url.Parse(c.BaseURL); err == nil {
		host = service.Host
	}
	fmt.Fprintf(out, "payorder.Config{host: %q}", host)
}

// UnmarshalJSON refuses: without an error, the credentials, the journal and each key that Config names
// in another way would be lost.
func (c *Config) UnmarshalJSON([]byte) error {
	return errors.New("payorder: a Config is not read from JSON: give the text to NewClientFromJSON")
}

// Client is a client of one service. Create it with NewClient, and close it at the end. All
// goroutines may use it at the same time.
type Client struct {
	made *opened // nil in a Client that NewClient did not make
}

// opened is a client of the library. Copies of a Client have the same one.
type opened struct {
	*held
	log func(context.Context, LogEvent) // changed and read with the lock entering
}

// held is what is freed if the client was forgotten. It refers to nothing, but a log function may refer
// to its client: a cycle with a finalizer in it would never be freed.
type held struct {
	handle C.uintptr_t
	closed bool  // with the lock entering
	_      *byte // the finalizer of a small object without a pointer may never run
}

// live returns the client's number, or 0, which the library refuses, if it was closed. The lock
// entering is held until the library is left: then no call is being started when the client is freed.
func (h *held) live() C.uintptr_t {
	if h.closed {
		return 0
	}
	return h.handle
}

// opened returns a client that is closed if there is none.
func (c *Client) opened() *opened {
	if c.made == nil {
		return &opened{held: &held{}}
	}
	return c.made
}

// tell calls a function of the library that has only the client.
func (h *held) tell(name function) error {
	defer runtime.KeepAlive(h)
	if err := Load(); err != nil {
		return err
	}
	return handleError(Result(C.payorder_go_client(name, h.handle)))
}

// NewClient creates a client. It makes no connection, and reads the files that the configuration
// names.
func NewClient(config Config) (*Client, error) {
	text, err := membersOf(config).json()
	if err != nil {
		return nil, err
	}
	return makeClient(C.PAYORDER_GO_CLIENT_NEW, text, config.Log)
}

// NewClientFromJSON creates a client from a configuration with the keys of the C interface, for
// example from a file.
func NewClientFromJSON(config string) (*Client, error) {
	return makeClient(C.PAYORDER_GO_CLIENT_NEW, config, nil)
}

// NewClientFromEnv creates a client from the environment, for example PAYORDER_BASE_URL. The fields
// of the configuration win over the environment.
func NewClientFromEnv(config Config) (*Client, error) {
	text, err := membersOf(config).json()
	if err != nil {
		return nil, err
	}
	return makeClient(C.PAYORDER_GO_CLIENT_FROM_ENV, text, config.Log)
}

// function is one of PAYORDER_GO_...
type function = C.int

func makeClient(name function, config string, log func(context.Context, LogEvent)) (*Client, error) {
	if err := Load(); err != nil {
		return nil, err
	}
	if err := checkText(config, "the configuration"); err != nil {
		return nil, err
	}
	text := C.CString(config)
	defer freeC(text)
	made := &opened{held: &held{}}
	var out *C.char
	result := Result(C.payorder_go_client_new(name, text, &made.handle, &out))
	details := take(out)
	if result != ResultOK {
		return nil, readError(result, details)
	}
	// For a client that was forgotten. A call keeps its client alive. Other finalizers do not wait.
	runtime.SetFinalizer(made.held, func(forgotten *held) { go func() { _ = forgotten.close() }() })
	client := &Client{made}
	if log == nil {
		return client, nil
	}
	return client, client.SetLog(log)
}

// Close frees the client. It waits for no call, but for the disk if no call uses the journal any
// more: then it closes the journal's file. Calls that run finish on their own, and those that still
// wait in the queue end with ResultCancelled: after Close, no further order is sent. Later calls fail
// with ResultInvalidHandle. Closing a client twice does nothing.
func (c *Client) Close() error { return c.opened().close() }

func (h *held) close() error {
	// A call that is being started is in the queue first, and ends with it.
	entering.Lock()
	wasClosed := h.closed
	h.closed = true
	entering.Unlock()
	if wasClosed {
		return nil
	}
	runtime.SetFinalizer(h, nil)
	// Without the lock, because a slow disk can hold this up.
	return h.tell(C.PAYORDER_GO_CLIENT_FREE)
}

// Cancel ends all calls of this client within 100 ms, also those that wait in its queue. The client
// can be used again at once. To end one call, cancel its context.
func (c *Client) Cancel() error { return c.opened().tell(C.PAYORDER_GO_CLIENT_CANCEL) }

// Stop ends all calls as Cancel does, and refuses later ones: for a clean end of the program.
func (c *Client) Stop() error { return c.opened().tell(C.PAYORDER_GO_CLIENT_STOP) }

// SetCredentials replaces credentials, with the options WithAccessToken, WithClientKey,
// WithClientID and WithSecretKey. Attempts that begin later use them, also those of calls that run.
func (c *Client) SetCredentials(credentials ...CredentialOption) error {
	_, err := c.block(&call{}, C.PAYORDER_GO_CLIENT_SET_CREDENTIALS, "",
		collect(credentials, CredentialOption.forCredentials))
	return err
}

// SetLog sends the log events of the calls that start from now on to a function, each with the
// context of its call; nil stops them. The function runs in the goroutine that made the call, before
// the call returns. Several calls may run it at the same time, and it may use the client. At
// "attempt_started" the call waits for it, for a second at most: if it ends the context there,
// nothing is sent. A panic in it is recovered and dropped: the caller must get the result of the
// call, which may be the only copy of a checkout URL. It must not end its goroutine (runtime.Goexit,
// t.Fatal): nobody would be left to get the result.
func (c *Client) SetLog(log func(context.Context, LogEvent)) error {
	if err := Load(); err != nil {
		return err
	}
	to := c.opened()
	defer runtime.KeepAlive(to)
	entering.Lock()
	defer entering.Unlock()
	to.log = log
	on := C.int(0)
	if log != nil {
		on = 1
	}
	return handleError(Result(C.payorder_go_client_set_log(to.live(), on, 0)))
}
