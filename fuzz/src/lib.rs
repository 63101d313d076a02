//! What the fuzz targets share: [`reply`] checks what all calls promise, [`client`] makes calls
//! through the exports, and [`http`] reads a response independently of the library. [`network`] is a
//! network in this process, and [`clock`] a clock that skips waits; both replace functions of the
//! system. [`service`] is a scripted service on that network. [`loopback`] prevents connections to
//! other machines.

pub mod client;
pub mod clock;
pub mod http;
pub mod loopback;
pub mod network;
pub mod reply;
pub mod service;
mod system;
