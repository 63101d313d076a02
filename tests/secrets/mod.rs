//! A host program with marked secrets, and the search for them in its memory.

pub mod calls;
pub mod host;
pub mod life;
pub mod marked;
pub mod memory;
