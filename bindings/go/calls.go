package payorder

// #include "library.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"sync"
)

// call is one call of the library. The program's functions run in the goroutine that made it, which
// waits in serve. There they may panic, or end their goroutine as t.Fatal does, and no frame of the
// library is skipped.
type call struct {
	ctx       context.Context
	log       func(context.Context, LogEvent)
	each      func(arrival) bool
	handle    cgo.Handle       // the number under which the library knows the call, until it ends
	token     *C.char          // cancels the call; nil if the context cannot end
	cancelled bool             // because the context has ended
	work      chan func() bool // closed when the call has ended
	answers   chan bool
	result    Result
	text      string
}

// entering is held in the functions of the library that return soon. A goroutine that waits for a
// lock of the library holds a thread; one that waits for this lock does not.
var entering sync.Mutex

// start puts a call into the client's queue, and waits without a thread for its result, which is
// JSON text. The library's result always decides: if the context ends when the call has its result,
// the result stands. The request may be empty.
func (c *Client) start(ctx context.Context, operation, request string,
	options members) (string, error) {
	name := C.CString(operation)
	defer freeC(name)
	return c.make(&call{ctx: ctx}, request, options, func(call *call, request, options *C.char) {
		number, log, out := C.uintptr_t(call.handle), C.int(0), (*C.char)(nil)
		// A started call keeps the log that the client has at this moment. Its number comes with it,
		// so that its events find their context.
		entering.Lock()
		defer entering.Unlock()
		if call.log = c.log; call.log != nil {
			log = 1
		}
		result := Result(C.payorder_go_start(c.handle, name, request, options, number, log, &out))
		if result != ResultOK {
			call.end(result, take(out))
		}
	})
}

// block makes a call that cannot be started. It holds a thread until it has its result.
func (c *Client) block(one *call, name function, request string, options members) (string, error) {
	return c.make(one, request, options, func(call *call, request, options *C.char) {
		func() {
			entering.Lock()
			// Also if there is no client.
			defer entering.Unlock()
			call.log = c.log
		}()
		go func() {
			var out *C.char
			number := C.uintptr_t(call.handle)
			result := C.payorder_go_call(name, number, c.handle, request, options, &out)
			call.end(Result(result), take(out))
		}()
	})
}

// make begins a call and waits until it has ended.
func (c *Client) make(call *call, request string, options members,
	begin func(call *call, request, options *C.char)) (string, error) {
	defer runtime.KeepAlive(c)
	if err := call.watch(options); err != nil {
		return "", err
	}
	defer call.change(C.PAYORDER_GO_CANCELLATION_FREE)
	written, err := options.json()
	if err != nil {
		return "", err
	}
	var asked *C.char
	if request != "" {
		asked = C.CString(request)
		defer freeC(asked)
	}
	given := C.CString(written)
	defer freeC(given)
	call.work, call.answers = make(chan func() bool), make(chan bool)
	call.handle = cgo.NewHandle(call)
	begin(call, asked, given)
	call.serve()
	if call.result == ResultOK {
		return call.text, nil
	}
	failed := readError(call.result, call.text)
	if call.cancelled && (failed.Is(ResultCancelled) || failed.Is(ResultCancelledInFlight)) {
		failed.ended = endOf(call.ctx)
	}
	return "", failed
}

// watch adds a cancellation token to the options, for a context that can end.
func (c *call) watch(options members) error {
	if c.ctx == nil {
		c.ctx = context.Background()
	}
	if c.ctx.Done() == nil {
		return nil
	}
	entering.Lock()
	result := Result(C.payorder_go_cancellation_new(&c.token))
	entering.Unlock()
	if result != ResultOK {
		return handleError(result)
	}
	options["cancellation"] = C.GoString(c.token)
	c.look() // before the call, so that it sends nothing
	return nil
}

// look cancels the call if its context has ended.
func (c *call) look() {
	if c.token != nil && !c.cancelled && c.ctx.Err() != nil {
		c.cancelled = true
		c.change(C.PAYORDER_GO_CANCELLATION_CANCEL)
	}
}

// change cancels or frees the token.
func (c *call) change(name function) {
	if c.token != nil {
		entering.Lock()
		defer entering.Unlock()
		C.payorder_go_cancellation(name, c.token)
	}
}

// serve runs what is passed to ask. It returns, or panics, when the call has ended.
func (c *call) serve() {
	asked := false // whether the call waits for an answer
	defer func() {
		// Only after a panic is there something left to do. Then the call must end.
		if asked {
			c.answers <- false
		}
		for range c.work {
			c.answers <- false
		}
	}()
	for work := c.next(); work != nil; work = c.next() {
		asked = true
		answer := work()
		// A function that ends the context ends the call before it goes on.
		c.look()
		asked = false
		c.answers <- answer
	}
}

// next returns what the call asks for, or nil when it has ended.
func (c *call) next() func() bool {
	if !c.cancelled {
		select {
		case work := <-c.work:
			return work
		case <-c.ctx.Done():
			c.look()
		}
	}
	return <-c.work
}

// ask runs a function in the goroutine of serve, and returns its answer.
func (c *call) ask(work func() bool) bool {
	c.work <- work
	return <-c.answers
}

// end gives the call its result. The library knows it no more.
func (c *call) end(result Result, text string) {
	c.handle.Delete()
	c.result, c.text = result, text
	close(c.work)
}

func callOf(number C.uintptr_t) *call { return cgo.Handle(number).Value().(*call) }

//export payorderGoDone
func payorderGoDone(result C.int32_t, text *C.char, number C.uintptr_t) {
	callOf(number).end(Result(result), C.GoString(text))
}

//export payorderGoStatus
func payorderGoStatus(index C.size_t, result C.int32_t, text *C.char,
	number C.uintptr_t) C.int32_t {
	call, one := callOf(number), arrival{int(index), Result(result), C.GoString(text)}
	if call.ask(func() bool { return call.each(one) }) {
		return 1
	}
	return 0
}

//export payorderGoLog
func payorderGoLog(text *C.char, number C.uintptr_t) {
	call := callOf(number)
	if call.log == nil {
		return
	}
	var event LogEvent
	fill([]byte(C.GoString(text)), &event)
	call.ask(func() bool {
		// The caller must get the result of the call, which may be the only copy of a checkout URL.
		defer func() { _ = recover() }()
		call.log(call.ctx, event)
		return true
	})
}
