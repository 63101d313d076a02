//go:build payorder_link

package payorder

// #cgo pkg-config: payorder
// #cgo CFLAGS: -DPAYORDER_GO_LINK
import "C"

// With the build tag payorder_link, the system finds the library when it starts the program.
func candidates() []string { return []string{"the library that the program was linked with"} }
