//! Wipes texts that were copied through the processor's registers.

/// Wipes the vector registers. The C library copies texts through them, up to 256 bytes at once.
/// Their content is part of a core dump, and is saved on the stack when a signal arrives. No caller
/// relies on their content after a call.
pub fn wipe() {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::asm;
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions, and the registers are declared as
            // overwritten.
            unsafe {
                asm!(
                    "vzeroall",
                    "vpxord zmm16, zmm16, zmm16",
                    "vpxord zmm17, zmm17, zmm17",
                    "vpxord zmm18, zmm18, zmm18",
                    "vpxord zmm19, zmm19, zmm19",
                    "vpxord zmm20, zmm20, zmm20",
                    "vpxord zmm21, zmm21, zmm21",
                    "vpxord zmm22, zmm22, zmm22",
                    "vpxord zmm23, zmm23, zmm23",
                    "vpxord zmm24, zmm24, zmm24",
                    "vpxord zmm25, zmm25, zmm25",
                    "vpxord zmm26, zmm26, zmm26",
                    "vpxord zmm27, zmm27, zmm27",
                    "vpxord zmm28, zmm28, zmm28",
                    "vpxord zmm29, zmm29, zmm29",
                    "vpxord zmm30, zmm30, zmm30",
                    "vpxord zmm31, zmm31, zmm31",
                    clobber_abi("sysv64"),
                    options(nomem, nostack, preserves_flags)
                );
            }
        } else if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: as above.
            unsafe {
                asm!(
                    "vzeroall",
                    clobber_abi("sysv64"),
                    options(nomem, nostack, preserves_flags)
                )
            };
        }
    }
    // A program of 32 bit has no registers that `vzeroall` leaves.
    #[cfg(target_arch = "x86")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: as above.
        unsafe {
            std::arch::asm!(
                "vzeroall",
                clobber_abi("C"),
                options(nomem, nostack, preserves_flags)
            )
        };
    }
}
