//! The system's own functions, for those that this crate replaces.

use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function of the C library, which is looked up once.
pub(crate) struct SystemFunction {
    name: &'static CStr,
    address: AtomicUsize,
}

impl SystemFunction {
    pub(crate) const fn new(name: &'static CStr) -> SystemFunction {
        SystemFunction {
            name,
            address: AtomicUsize::new(0),
        }
    }

    /// The function as a pointer of the type `F`.
    ///
    /// # Safety
    /// `F` must be a pointer to a C function of the type that this one has.
    pub(crate) unsafe fn get<F: Copy>(&self) -> F {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        let mut address = self.address.load(Ordering::Relaxed);
        if address == 0 {
            // SAFETY: the name is a C string.
            address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) }.addr();
            if address == 0 {
                crate::loopback::refuse("a function that the system does not have");
            }
            self.address.store(address, Ordering::Relaxed);
        }
        // SAFETY: the address of a function, of the type that the caller promises.
        unsafe { std::mem::transmute_copy(&address) }
    }
}

/// Sets `errno`, and returns what a function that failed returns.
pub(crate) fn failed(error: libc::c_int) -> libc::c_int {
    // SAFETY: the address of this thread's own variable.
    unsafe { *libc::__errno_location() = error };
    -1
}
