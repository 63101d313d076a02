//! Programs in C and C++ against the library that cargo built: the header and what is linked, the
//! tills of `examples/c`, and hosts, each of which holds one promise that the library makes to the
//! process it is in.
#![cfg(all(feature = "capi", target_os = "linux"))]

mod built;
#[path = "programs/hosts.rs"]
mod hosts;
#[path = "programs/linking.rs"]
mod linking;
#[path = "programs/program.rs"]
mod program;
mod support;
#[path = "programs/till_in_c.rs"]
mod till_in_c;
#[path = "programs/tills.rs"]
mod tills;
