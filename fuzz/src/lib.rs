//! What the fuzz targets share: [`reply`] checks what all calls promise, [`client`] makes calls
//! through the exports, and [`http`] reads a response independently of the library. [`network`] is a
//! network in this process, and [`clock`] a clock that skips waits; both replace functions of the
//! system, and no input reaches another machine. [`service`] is a service on that network: it does
//! what an [`input`] says, and [`answer`] writes its responses and says what they mean.

pub mod answer;
pub mod client;
pub mod clock;
pub mod http;
pub mod input;
pub mod network;
pub mod reply;
pub mod service;
pub mod system;
