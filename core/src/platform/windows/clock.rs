//! A clock that continues while the machine sleeps.

use std::time::Duration;

use windows_sys::Win32::System::SystemInformation::GetTickCount64;

/// A point in time of a clock that continues while the machine sleeps. It advances in steps of up
/// to 16 ms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BootInstant(Duration);

impl BootInstant {
    pub(crate) fn now() -> BootInstant {
        // SAFETY: it has no arguments and cannot fail.
        BootInstant(Duration::from_millis(unsafe { GetTickCount64() }))
    }

    pub(crate) fn elapsed(self) -> Duration {
        BootInstant::now().0.saturating_sub(self.0)
    }
}
