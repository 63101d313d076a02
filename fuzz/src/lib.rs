//! What the fuzz targets share: [`reply`] checks what all calls promise, [`client`] makes calls
//! through the exports, [`service`] is a scripted service on loopback, [`http`] reads a response
//! independently of the library, and [`loopback`] prevents connections to other machines.

pub mod client;
pub mod http;
pub mod loopback;
pub mod reply;
pub mod service;
