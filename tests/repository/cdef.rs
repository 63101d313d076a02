//! The FFI parsers for which include/payorder.cdef is made can read it, and its declarations match
//! the library. PHP and LuaJIT read it in their packages.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;
use support::built;

use crate::succeeds;

fn cdef() -> PathBuf {
    built::project().join("include/payorder.cdef")
}

#[test]
fn cffi_reads_every_signature_as_in_the_description() {
    let own = built::project().join("target/ci-python/bin/python");
    let own = own.to_string_lossy();
    let names = [own.as_ref(), "python3", "/usr/bin/python3"];
    let probe = ["-c", "import cffi"];
    let what = "the declarations in Python's cffi";
    let Some(python) = built::tool_by("PAYORDER_CFFI_PYTHON", &names, &probe, what) else {
        return;
    };
    let mut command = Command::new(python);
    command
        .arg(built::project().join("tests/repository/cdef/load.py"))
        .arg(cdef());
    let description = built::project().join("include/payorder-abi.json");
    succeeds(command.arg(built::library()).arg(description));
}
