//! Says how the shared library is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A DNS lookup that is still blocked in the system, or a thread-local's destructor, must not
    // run into unmapped code after dlclose.
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let elf = [
        "linux",
        "android",
        "freebsd",
        "netbsd",
        "openbsd",
        "dragonfly",
    ];
    if elf.contains(&system.as_str()) {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
