//! The committed header is what the source says.

mod generate;

use std::path::Path;

#[test]
fn the_committed_header_is_what_the_source_says() {
    let made = generate::make();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/payorder.h");
    if std::env::var_os("PAYORDER_RENEW_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "include/payorder.h is not what src/ffi says; renew it with\n    PAYORDER_RENEW_HEADER=1 cargo test --test header\nand commit it"
    );
}

#[test]
fn every_export_has_a_declaration_that_ends_with_who_frees_what() {
    let folded = generate::make().replace("\n * ", " ");
    let documented: Vec<&str> = folded
        .split("/**")
        .skip(1)
        .filter(|comment| comment.contains("payorder_"))
        .collect();
    let functions = documented
        .iter()
        .filter(|text| text.contains(");") && !text.contains("typedef"));
    let mut count = 0;
    for function in functions {
        count += 1;
        assert!(
            function.contains("rom any thread"),
            "says nothing of threads: {function}"
        );
        if function.contains("char **out_") {
            assert!(
                function.contains("payorder_string_free"),
                "does not say who frees: {function}"
            );
            assert!(
                function.contains("PAYORDER_INVALID_ARGUMENT")
                    || function.contains("Not sent (1 to 99)"),
                "tells no failure: {function}"
            );
        }
    }
    assert_eq!(count, 28, "the functions of the contract");
}
