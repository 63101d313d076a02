//! What the fuzz targets share: [`reply`] holds every call against what all calls promise,
//! [`client`] makes calls through the exports, [`service`] is a service on loopback that says what
//! it is told to, [`http`] reads a response with nothing of the library's, and [`loopback`] keeps
//! all of it on this machine.

pub mod client;
pub mod http;
pub mod loopback;
pub mod reply;
pub mod service;
