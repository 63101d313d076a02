//! The system's own functions, for those that this crate replaces.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Functions that replace the system's of the same name and type. The body of each gives its result,
/// or `None` to call the system's. They are as safe as those.
macro_rules! replaces {
    ($(
        $(#[$doc:meta])+
        fn $name:ident($($argument:ident: $kind:ty),+) -> $result:ty $own:block
    )+) => {
        $(
            $(#[$doc])+
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $kind),+) -> $result {
                static SYSTEMS: $crate::system::SystemFunction =
                    $crate::system::SystemFunction::new(concat!(stringify!($name), "\0"));
                type Function = unsafe extern "C" fn($($kind),+) -> $result;
                let own = || -> Option<$result> { $own };
                // SAFETY: the type of the function, at least as far as registers are concerned; the
                // caller guarantees valid arguments.
                own().unwrap_or_else(|| unsafe { SYSTEMS.get::<Function>()($($argument),+) })
            }
        )+
    };
}
pub(crate) use replaces;

/// A function of the C library, which is looked up once.
pub(crate) struct SystemFunction {
    /// With a NUL at its end.
    name: &'static str,
    address: AtomicUsize,
}

impl SystemFunction {
    pub(crate) const fn new(name: &'static str) -> SystemFunction {
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
            // SAFETY: the name ends with a NUL.
            address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr().cast()) }.addr();
            if address == 0 {
                refuse("a function that the system does not have");
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

/// Ends the process as a finding. The library would catch a panic.
pub fn refuse(what: &str) -> ! {
    eprintln!("panicked at {what}");
    std::process::abort();
}
