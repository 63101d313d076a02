package payorder

// #include "library.h"
import "C"

import (
	"context"
	"runtime"
)

// SetLog sends the log events of the calls that start from now on to a function, each with the
// context of its call; nil stops them. The function runs in the goroutine that made the call, while
// the call waits for it. Several calls may run it at the same time, and it may use the client. A
// panic in it is recovered and dropped: the caller must get the result of the call, which may be the
// only copy of a checkout URL. It must not end its goroutine (runtime.Goexit, t.Fatal): nobody would
// be left to get the result.
func (c *Client) SetLog(log func(context.Context, LogEvent)) error {
	defer runtime.KeepAlive(c)
	c.starting.Lock()
	defer c.starting.Unlock()
	c.log = log
	on := C.int(0)
	if log != nil {
		on = 1
	}
	return handleError(Result(C.payorder_go_client_set_log(c.handle, on)))
}
