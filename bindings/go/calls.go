package payorder

// #include "library.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"sync"
	"sync/atomic"
	"time"
)

// call is one call of the library. The program's functions run in the goroutine that made it, which
// waits in serve. There they may panic, or end their goroutine as t.Fatal does, and no frame of the
// library is skipped.
type call struct {
	ctx       context.Context
	log       func(context.Context, LogEvent)
	each      func(arrival) bool
	handle    cgo.Handle  // the number under which the library knows the call, until it ends
	token     *C.char     // cancels the call; nil if the context cannot end
	cancelled atomic.Bool // because the context has ended
	lock      sync.Mutex  // for what follows
	work      []work      // what serve is to run
	ended     bool        // the library gives no more work
	arrived   chan bool   // after each change of the work
	result    Result
	text      string
}

// work is a function for the goroutine of serve.
type work struct {
	run    func() bool
	answer chan<- bool // has a place for it
}

// logTime is how long a call waits for its log function before it sends something.
const logTime = time.Second

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
	of := c.opened()
	return of.make(&call{ctx: ctx}, request, options, func(call *call, request, options *C.char) {
		number, log, out := C.uintptr_t(call.handle), C.int(0), (*C.char)(nil)
		// A started call keeps the log that the client has at this moment. Its number comes with it,
		// so that its events find their context.
		entering.Lock()
		defer entering.Unlock()
		if call.log = of.log; call.log != nil {
			log = 1
		}
		result := Result(C.payorder_go_start(of.live(), name, request, options, number, log, &out))
		if result != ResultOK {
			call.end(result, take(out))
		}
	})
}

// block makes a call that cannot be started. It holds a thread until it has its result.
func (c *Client) block(one *call, name function, request string, options members) (string, error) {
	of := c.opened()
	return of.make(one, request, options, func(call *call, request, options *C.char) {
		entering.Lock()
		call.log = of.log
		entering.Unlock()
		go func() {
			var out *C.char
			number := C.uintptr_t(call.handle)
			result := C.payorder_go_call(name, number, of.handle, request, options, &out)
			call.end(Result(result), take(out))
		}()
	})
}

// make begins a call and waits until it has ended.
func (o *opened) make(call *call, request string, options members,
	begin func(call *call, request, options *C.char)) (string, error) {
	defer runtime.KeepAlive(o)
	if err := Load(); err != nil {
		return "", err
	}
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
	call.arrived = make(chan bool, 1)
	call.handle = cgo.NewHandle(call)
	begin(call, asked, given)
	call.serve()
	if call.result == ResultOK {
		return call.text, nil
	}
	if call.result == ResultInvalidHandle {
		return "", handleError(call.result) // the library's message is for C
	}
	failed := readError(call.result, call.text)
	if call.cancelled.Load() && (failed.Is(ResultCancelled) || failed.Is(ResultCancelledInFlight)) {
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
	if c.token != nil && c.ctx.Err() != nil {
		c.cancelled.Store(true)
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

// serve runs the work of the call. It returns, or panics, when the call has ended.
func (c *call) serve() {
	var one *work
	defer func() {
		// Only after a panic is there something left to do. Then the call must end.
		for ; one != nil; one = c.next() {
			one.answer <- false
		}
	}()
	for one = c.next(); one != nil; one = c.next() {
		answer := one.run()
		// A function that ends the context ends the call before it goes on.
		c.look()
		one.answer <- answer
	}
}

// next returns what the call asks for, or nil when it has ended.
func (c *call) next() *work {
	for {
		if one, ended := c.first(); one != nil || ended {
			return one
		}
		var done <-chan struct{}
		if !c.cancelled.Load() {
			done = c.ctx.Done()
		}
		select {
		case <-c.arrived:
		case <-done:
			c.look()
		}
	}
}

// first takes the oldest work, if there is any.
func (c *call) first() (one *work, ended bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(c.work) == 0 {
		return nil, c.ended
	}
	one, c.work = &c.work[0], c.work[1:]
	return one, false
}

// add changes the work, and lets serve see it.
func (c *call) add(change func()) {
	c.lock.Lock()
	change()
	c.lock.Unlock()
	select {
	case c.arrived <- true:
	default: // serve has yet to see an earlier change
	}
}

// ask runs a function in the goroutine of serve. The answer follows.
func (c *call) ask(run func() bool) <-chan bool {
	answer := make(chan bool, 1)
	c.add(func() { c.work = append(c.work, work{run, answer}) })
	return answer
}

// end gives the call its result. The library knows it no more.
func (c *call) end(result Result, text string) {
	c.handle.Delete()
	c.add(func() { c.result, c.text, c.ended = result, text, true })
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
	if <-call.ask(func() bool { return call.each(one) }) {
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
	answer := call.ask(func() bool {
		// The caller must get the result of the call, which may be the only copy of a checkout URL.
		defer func() { _ = recover() }()
		call.log(call.ctx, event)
		return true
	})
	// Only here does it matter that the function can end the context before the call goes on. It may
	// call the client, which may need the place in the queue that this call has: so not for ever.
	if event.Event == "attempt_started" {
		select {
		case <-answer:
		case <-call.ctx.Done():
		case <-time.After(logTime):
		}
		call.look() // the goroutine of the call may still be in the function
	}
}
