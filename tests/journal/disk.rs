//! A journal on a disk of its own: full, or read-only.

use super::write_failures::{
    check_journal_failed_event, check_unusable, with_fault_after_the_intent,
};
use super::{DUPLICATE, JOURNAL_FAILED};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::built;
use support::responses::created;
use support::service::Service;
use support::shop::{Shop, entries, is_sound, order, states};

/// A file system in memory; `None` if this process may not mount one.
struct Disk(PathBuf);

impl Disk {
    fn of_256_kib(shop: &Shop) -> Option<Disk> {
        let folder = shop.folder.path().join("disk");
        fs::create_dir(&folder).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "none"])
            .arg(&folder)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Disk(folder));
        }
        // Not `eprintln!`: its output is shown only when the test fails.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: a disk of its own: this process may not mount one"
        );
        None
    }

    fn fill(folder: &Path) {
        let mut file = fs::File::create(folder.join("filler")).unwrap();
        while file.write_all(&[0x20; 256]).is_ok() {}
    }

    fn make_room(folder: &Path) {
        fs::remove_file(folder.join("filler")).unwrap();
    }

    fn remount(&self, how: &str) {
        let output = Command::new("mount")
            .args(["-o", &format!("remount,{how}")])
            .arg(&self.0)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", built::transcript(&output));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, because a client of the test can still have it open.
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[test]
fn on_a_full_disk_nothing_is_sent_and_nothing_is_lost() {
    let (mut shop, service) = (Shop::new(), Service::responding(created()));
    let Some(disk) = Disk::of_256_kib(&shop) else {
        return;
    };
    shop.path = disk.0.join("journal.db");
    Disk::fill(&disk.0);
    check_unusable(&shop, "journal_full", "full");
    Disk::make_room(&disk.0);
    let client = shop.client(&service);
    client.create(&order("FIRST")).done();
    Disk::fill(&disk.0);
    let reply = client.create(&order("SECOND"));
    reply.is(JOURNAL_FAILED);
    assert_eq!(reply.error()["cause"], "journal_full", "{}", reply.text());
    reply.says("full");
    assert_eq!(service.request_count(), 1, "nothing was sent");
    assert_eq!(
        client.create(&order("FIRST")).code,
        DUPLICATE,
        "its entries are still known"
    );
    Disk::make_room(&disk.0);
    client.create(&order("SECOND")).done();
    let folder = disk.0.clone();
    let (code, log) = with_fault_after_the_intent(&client, "A", move || Disk::fill(&folder));
    assert_eq!(code, 0);
    check_journal_failed_event(log);
    Disk::make_room(&disk.0);
    client.create(&order("A")).is(DUPLICATE);
    assert_eq!(
        states(&entries(&client))[..2],
        ["FIRST: created", "SECOND: created"]
    );
    is_sound(&shop.path);
}

#[test]
fn a_read_only_file_cannot_be_used() {
    let (mut shop, service) = (Shop::new(), Service::responding(created()));
    let Some(disk) = Disk::of_256_kib(&shop) else {
        return;
    };
    shop.path = disk.0.join("journal.db");
    shop.client(&service).create(&order("A")).done();
    disk.remount("ro");
    check_unusable(&shop, "journal_read_only", "cannot be");
    disk.remount("rw");
    let client = shop.client(&service);
    assert_eq!(states(&entries(&client)), ["A: created"]);
    client.create(&order("A")).is(DUPLICATE);
}
