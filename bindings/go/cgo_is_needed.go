//go:build !cgo

package payorder

// The compiler prints this name in its first error.
type _ payorder_needs_cgo__set_CGO_ENABLED_to_1_and_install_a_C_compiler
