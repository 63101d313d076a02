// Package payorder creates payment orders and reads their status, with the C library of this
// repository. When a call fails, the error says what happened to the order: this call sent nothing
// (ErrNotSent), the service refused it (ErrRejected), or it may exist (ErrOutcomeUnknown).
//
// One Client is enough for a process, and all goroutines may use it at the same time. A call blocks
// until it has its result. If its context ends, the library ends the call within 100 ms, and the
// result says whether the order may exist. A call is never abandoned.
//
// A status does not prove a payment. Only VerifyPayment says whether an order is paid.
package payorder
