//! C and C++ programs against the library that cargo built: the headers and the linking, the tills
//! of `examples/c`, host programs that each check one promise about the host process, and those of
//! the C++ interface.
#![cfg(target_os = "linux")]

#[path = "programs/forks.rs"]
mod forks;
#[path = "programs/function_examples.rs"]
mod function_examples;
#[path = "programs/host.rs"]
mod host;
#[path = "programs/hosts.rs"]
mod hosts;
// Its tests compile C++. By their names, they run after those that mostly wait.
#[path = "programs/hpp.rs"]
mod hpp;
#[path = "programs/program.rs"]
mod program;
#[path = "programs/tills.rs"]
mod tills;
// By its name, it runs last.
#[path = "programs/windows.rs"]
mod windows;
