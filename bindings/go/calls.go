package payorder

// #include "library.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
)

// function is one of PAYORDER_GO_...
type function = C.int

// call makes a call on the client, with a cancellation token if the context can end. It returns the
// library's result as JSON text. The library's result always decides: if the context ends when the
// call has its result, the result stands. The request may be empty.
func (c *Client) call(ctx context.Context, name function, request string,
	options members) (string, error) {
	log := c.log.Load()
	if log == nil {
		return c.callHere(ctx, name, request, options, nil)
	}
	var text string
	var err error
	receiver := newReceiver(log)
	receiver.serve(func() { text, err = c.callHere(ctx, name, request, options, receiver) })
	return text, err
}

// callHere makes the call in this goroutine. The receiver takes its log events and results.
func (c *Client) callHere(ctx context.Context, name function, request string, options members,
	receiver *receiver) (string, error) {
	defer runtime.KeepAlive(c)
	watcher, err := watch(ctx, options)
	if err != nil {
		return "", err
	}
	var number C.uintptr_t
	if receiver != nil {
		receiver.watcher = watcher
		handle := cgo.NewHandle(receiver)
		defer handle.Delete()
		number = C.uintptr_t(handle)
	}
	var given *C.char
	if request != "" {
		given = C.CString(request)
		defer freeC(given)
	}
	text, err := invoke(options, func(options *C.char, out **C.char) C.int32_t {
		return C.payorder_go_call(name, number, c.handle, given, options, out)
	})
	watcher.stop()
	if failed, ok := err.(*Error); ok && ctx != nil {
		if failed.Result == ResultCancelled || failed.Result == ResultCancelledInFlight {
			failed.ended = ctx.Err()
		}
	}
	return text, err
}

// watcher cancels a call when its context ends.
type watcher struct {
	ctx             context.Context
	token           *C.char
	returned, ended chan struct{}
}

// watch adds a cancellation token to the options, which is cancelled when the context ends. A
// context that cannot end has no watcher. Its stop must be called when the call has returned.
func watch(ctx context.Context, options members) (*watcher, error) {
	if ctx == nil || ctx.Done() == nil {
		return nil, nil
	}
	w := &watcher{ctx: ctx, returned: make(chan struct{}), ended: make(chan struct{})}
	if result := Result(C.payorder_go_cancellation_new(&w.token)); result != ResultOK {
		return nil, handleError(result)
	}
	options["cancellation"] = C.GoString(w.token)
	w.look() // before the call, so that it sends nothing
	go func() {
		defer close(w.ended)
		select {
		case <-ctx.Done():
			w.look()
		case <-w.returned:
		}
	}()
	return w, nil
}

// look cancels the call if its context has ended.
func (w *watcher) look() {
	if w != nil && w.ctx.Err() != nil {
		C.payorder_go_cancellation(C.PAYORDER_GO_CANCELLATION_CANCEL, w.token)
	}
}

func (w *watcher) stop() {
	if w != nil {
		close(w.returned)
		<-w.ended
		C.payorder_go_cancellation(C.PAYORDER_GO_CANCELLATION_FREE, w.token)
	}
}

// invoke calls a function of the library, and returns its text or its error.
func invoke(options members, run func(options *C.char, out **C.char) C.int32_t) (string, error) {
	text, err := options.json()
	if err != nil {
		return "", err
	}
	given := C.CString(text)
	defer freeC(given)
	var out *C.char
	result := Result(run(given, &out))
	answer := take(out)
	if result != ResultOK {
		return "", readError(result, answer)
	}
	return answer, nil
}
