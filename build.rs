//! Says how the shared library is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A DNS lookup that is still blocked in the system, or a thread-local's destructor, must not
    // run into unmapped code after dlclose.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
