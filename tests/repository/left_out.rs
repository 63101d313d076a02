//! Names the tests that are left out on other systems than Linux: there, `cargo test` shows each as
//! ignored, with the reason.

/// The tests, or modules of tests, that need Linux, and why.
macro_rules! need_linux {
    ($($name:ident: $reason:literal;)*) => {
        #[cfg(target_os = "linux")]
        const LISTED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[cfg(not(target_os = "linux"))]
            #[test]
            #[ignore = $reason]
            fn $name() {}
        )*
    };
}

need_linux! {
    a_file_that_is_opened_while_it_is_closed_leaves_no_descriptor: "looks into /proc";
    addresses: "replaces functions of glibc";
    causes: "uses forks, signals and limits of Linux";
    cdef: "compares files that do not depend on the system";
    conformance: "runs the packages' drivers, which were tried on Linux only";
    differential: "its cases do not depend on the system";
    endurance: "counts threads and descriptors in /proc";
    head_and_body_leave_in_one_write: "needs the TCP_INFO of Linux";
    journal_in_postgresql: "starts a server of Debian";
    pages: "runs the documents' blocks, which are for Linux";
    process: "looks into /proc";
    programs: "compiles C programs for Linux, and looks into /proc";
    secrets_in_memory: "reads the memory of a process in /proc";
}

#[cfg(target_os = "linux")]
#[test]
fn each_test_that_needs_linux_is_named_on_other_systems() {
    let tests = support::built::project().join("tests");
    let mut found = std::collections::BTreeSet::new();
    for file in crate::rust_files(&tests) {
        if file.ends_with(file!()) {
            continue;
        }
        let text = crate::read(&file);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("#![cfg(") && line.contains("linux") {
                let name = file.with_extension("").display().to_string();
                found.extend(
                    name.trim_end_matches("/main")
                        .split('/')
                        .next_back()
                        .map(str::to_owned),
                );
            } else if line.starts_with("#[cfg(target_os") {
                let item = lines.find(|line| !line.starts_with("#["));
                let item = item.and_then(|it| it.strip_prefix("mod ").or(it.strip_prefix("fn ")));
                found.extend(
                    item.and_then(|item| item.split([';', '(']).next())
                        .map(str::to_owned),
                );
            }
        }
    }
    assert_eq!(Vec::from_iter(&found), LISTED);
}
