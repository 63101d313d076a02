//! The declarations without preprocessor lines, for the FFI parsers of LuaJIT, PHP and Python's
//! cffi.

use super::{declarations, lists};

/// The text of include/payorder.cdef.
pub fn make() -> String {
    let mut text = format!(
        "/* payorder.cdef: the declarations of payorder.h {} for FFI parsers that have no\n \
         * preprocessor: LuaJIT, PHP, Python's cffi. Generated together with the header. */\n\n",
        env!("CARGO_PKG_VERSION")
    );
    let version = serde_json::json!({"name": "PAYORDER_HEADER_ABI_VERSION", "number": 1});
    for (key, list) in [
        ("name", vec![version]),
        ("name", lists::results()),
        ("constant", lists::outcomes()),
    ] {
        let constant = |one| format!("    {} = {}", lists::text(one, key), one["number"]);
        let constants: Vec<String> = list.iter().map(constant).collect();
        text += &format!("enum {{\n{}\n}};\n\n", constants.join(",\n"));
    }
    for declaration in declarations::all() {
        text += &(declaration.line() + "\n");
    }
    text
}
