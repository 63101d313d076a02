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
    let outcomes = (0..).zip(lists::OUTCOMES);
    let outcomes = outcomes.map(|(number, (name, _))| (format!("PAYORDER_OUTCOME_{name}"), number));
    let results = lists::results();
    let results = results.iter().map(|one| (one.name.to_owned(), one.number));
    let version = [("PAYORDER_ABI_VERSION".to_owned(), 1)];
    constants(&mut text, version.into_iter());
    constants(&mut text, results);
    constants(&mut text, outcomes);
    for declaration in declarations::all() {
        text.push_str(&declaration.line());
        text.push('\n');
    }
    text
}

fn constants(text: &mut String, constants: impl Iterator<Item = (String, i32)>) {
    text.push_str("enum {\n");
    let constants: Vec<String> = constants
        .map(|(name, number)| format!("    {name} = {number}"))
        .collect();
    text.push_str(&constants.join(",\n"));
    text.push_str("\n};\n\n");
}
