package payorder

// #include "library.h"
import "C"

import "runtime/cgo"

// receiver runs the program's functions in the goroutine that made the call, while the call itself
// runs in another one. There they may panic, or end their goroutine as t.Fatal does, and no frame
// of the library is skipped.
type receiver struct {
	log     *func(LogEvent)
	each    func(arrival) bool
	work    chan func() bool
	done    chan bool
	watcher *watcher
}

// arrival is one result of many.
type arrival struct {
	index  int
	result Result
	text   string
}

func newReceiver(log *func(LogEvent)) *receiver {
	return &receiver{log: log, work: make(chan func() bool), done: make(chan bool)}
}

// serve runs a call, and what it passes to ask. It returns, or panics, when the call has ended.
func (r *receiver) serve(call func()) {
	go func() {
		defer close(r.work)
		call()
	}()
	asked := false // whether the call waits for an answer
	defer func() {
		// Only after a panic is there something left to do. Then the call must end.
		if asked {
			r.done <- false
		}
		for range r.work {
			r.done <- false
		}
	}()
	for work := range r.work {
		asked = true
		answer := work()
		asked = false
		r.done <- answer
	}
}

// ask runs a function in the goroutine of serve, and returns its answer.
func (r *receiver) ask(work func() bool) bool {
	r.work <- work
	return <-r.done
}

//export payorderGoStatus
func payorderGoStatus(index C.size_t, result C.int32_t, text *C.char, call C.uintptr_t) C.int32_t {
	receiver := cgo.Handle(call).Value().(*receiver)
	one := arrival{int(index), Result(result), C.GoString(text)}
	if receiver.ask(func() bool { return receiver.each(one) }) {
		return 1
	}
	return 0
}

//export payorderGoLog
func payorderGoLog(text *C.char, call C.uintptr_t) {
	receiver := cgo.Handle(call).Value().(*receiver)
	if receiver.log == nil {
		return
	}
	var event LogEvent
	fill([]byte(C.GoString(text)), &event)
	receiver.ask(func() bool {
		// The caller must get the result of the call, which may be the only copy of a checkout URL.
		defer func() { _ = recover() }()
		(*receiver.log)(event)
		return true
	})
	// A log function that ends the context ends the call before it goes on.
	receiver.watcher.look()
}
