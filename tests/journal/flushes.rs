//! The order in which a process writes, flushes and sends.

use std::process::Command;

use support::abi::Client;
use support::built;
use support::built::process::{own_config, passed, process};
use support::responses::created;
use support::service::Service;
use support::shop::{Shop, order};

#[test]
#[ignore = "started by the_intent_is_flushed_to_the_disk_before_the_first_byte"]
fn making_one_order() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    client.create(&order("FIRST")).done();
    client.create(&order("SECOND")).done();
}

#[test]
fn the_intent_is_flushed_to_the_disk_before_the_first_byte() {
    let Some(strace) = built::tool("STRACE", &["strace"], "flushing before sending") else {
        return;
    };
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let test = process("flushes::making_one_order", &config);
    let trace = shop.folder.path().join("trace");
    let calls = "trace=fsync,fdatasync,sync_file_range,pwrite64,write,%network";
    let output = Command::new(strace)
        .args(["-f", "-y", "-e", calls, "-o"])
        .arg(&trace)
        .arg(test.get_program())
        .args(test.get_args())
        .envs(
            test.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .output()
        .expect("strace runs");
    passed(&output);
    // For each line: the call, and whether it is for the log or for a socket.
    let trace = std::fs::read_to_string(trace).unwrap();
    let steps = trace.lines().filter_map(|line| {
        let sends = line.contains("send") && line.contains("socket:")
            || line.contains("TCP:") && line.contains("send");
        let step = match line {
            _ if sends => "send",
            _ if line.contains("journal.db-wal") && line.contains("sync(") => "flush",
            _ if line.contains("journal.db-wal") && line.contains("write") => "write",
            _ => return None,
        };
        Some(step)
    });
    let mut steps: Vec<&str> = steps.collect();
    steps.dedup();
    let sends: Vec<usize> = (0..steps.len()).filter(|at| steps[*at] == "send").collect();
    assert_eq!(sends.len(), 2, "{steps:?}\n{trace}");
    for send in sends {
        assert_eq!(
            steps[send - 2..send],
            ["write", "flush"],
            "the intent: {steps:?}"
        );
        assert_eq!(
            steps[send + 1..send + 3],
            ["write", "flush"],
            "the outcome: {steps:?}"
        );
    }
}
