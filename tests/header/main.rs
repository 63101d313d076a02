//! The generated files in include/ are up to date: the C header, its declarations for FFI parsers,
//! and the machine-readable description.

mod cdef;
mod declarations;
mod describe;
mod form;
mod lists;
mod manual;

use std::path::Path;

/// Compares a file in include/ with what is generated from the source, or writes it if requested.
fn is_committed(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("include")
        .join(name);
    if std::env::var_os("PAYORDER_RENEW_HEADER").is_some() {
        std::fs::write(&path, made).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "include/{name} is not what the source says; renew it with\n    \
         PAYORDER_RENEW_HEADER=1 cargo test --test header\nand commit it"
    );
}

#[test]
fn the_committed_files_are_what_the_source_says() {
    is_committed("payorder.h", &manual::make());
    is_committed("payorder.cdef", &cdef::make());
    let description = describe::make();
    is_committed("payorder-abi.json", &description);
    // Ownership is read from the text of a parameter's comment, so a new wording could lose it.
    for kind in "borrowed kept freed caller payorder_string_free".split(' ') {
        let parameter = format!("\"ownership\":\"{kind}\"");
        assert!(description.contains(&parameter), "no parameter is {kind}");
    }
}
