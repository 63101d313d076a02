//! Linux, macOS and the BSDs.

mod clock;
#[cfg(feature = "journal")]
pub(crate) mod files;
mod names;
mod process;
mod sockets;

pub(crate) use clock::BootInstant;
pub(crate) use names::look_up;
#[cfg(feature = "capi")]
pub(crate) use process::ThreadCancelGuard;
pub(crate) use process::{
    at_each_fork, describe_error, is_out_of_descriptors, is_out_of_memory, stay_loaded,
    with_signals_blocked,
};
pub(crate) use sockets::{
    Descriptor, NO_DESCRIPTOR, Receiver, close_copy, connected, descriptor, is_in_progress, peek,
    send, send_vectored, tcp_socket, wait_until_connected, wait_until_readable,
    wait_until_writable,
};
