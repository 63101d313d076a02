//! The journal's path may be long, in any script, and in each form that the system accepts.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use support::abi::Client;
use support::orders::{config, with};
use support::paths::{long_folder, near_folder, relative};
use support::responses::created;
use support::result::DUPLICATE;
#[cfg(unix)]
use support::result::INVALID_CONFIG;
use support::rows::Rows;
use support::service::Service;
use support::shop::{entries, order, states};
#[cfg(unix)]
use support::unreachable::refusing_url;

const NAME: &str = "ऑर्डर.db";

#[test]
fn each_form_of_a_path_leads_to_the_same_journal() {
    let near = near_folder();
    let short = near.path().join("दुकान");
    std::fs::create_dir(&short).unwrap();
    let service = Service::responding(created());
    let client_of =
        |path: &Path| Client::new(&with(&config(&service.url()), "journal", path.to_str()));
    let mut rows = Rows::new();
    let mut folders = vec![("short", short)];
    if cfg!(windows) {
        folders.push(("long", long_folder(near.path())));
    }
    for (kind, folder) in folders {
        let path = folder.join(NAME);
        client_of(&path).create(&order(kind)).done();
        rows.that(kind, path.is_file(), || "the file is missing".to_owned());
        for form in forms(&folder) {
            let row = format!("{kind}: {}", form.display());
            let client = client_of(&form);
            rows.same(&row, client.create(&order(kind)).code, DUPLICATE);
            let created = vec![format!("{kind}: created")];
            rows.same(&row, states(&entries(&client)), created);
        }
    }
    rows.end();
}

/// Other paths of the journal in this folder.
fn forms(folder: &Path) -> Vec<PathBuf> {
    let path = folder.join(NAME);
    let roundabout = folder.join("..").join(folder.file_name().unwrap());
    let doubled = format!("{}{}", folder.display(), MAIN_SEPARATOR_STR.repeat(2));
    let mut forms = vec![
        relative(&path),
        roundabout.join(NAME),
        format!("{doubled}.{MAIN_SEPARATOR_STR}{NAME}").into(),
    ];
    if cfg!(windows) {
        let text = path.to_str().unwrap();
        let (drive, rooted) = text.split_at(2);
        let relative = relative(&path);
        let relative = relative.to_str().unwrap();
        forms.extend(
            [
                format!(r"\\?\{text}"),
                text.replace('\\', "/"),
                relative.replace('\\', "/"),
                rooted.to_owned(),
                // From the current folder of the drive.
                format!("{drive}{relative}"),
                // Windows ignores case, and dots and spaces at the end.
                text.replace(".db", ".DB"),
                format!("{text}. ."),
            ]
            .map(PathBuf::from),
        );
    }
    forms
}

/// SQLite's limit on Unix.
#[cfg(unix)]
#[test]
fn a_path_that_is_too_long_for_sqlite_is_an_invalid_config() {
    let near = near_folder();
    let url = refusing_url();
    let listed = |name: &str| {
        let path = near.path().join(name);
        let client = Client::try_new(&with(&config(&url), "journal", path.to_str()))?;
        Ok::<_, support::abi::Reply>(entries(&client))
    };
    // In two folders, since a name has at most 255 bytes.
    let folder = format!("{}/{}", "a".repeat(150), "b".repeat(150));
    std::fs::create_dir_all(near.path().join(&folder)).unwrap();
    let length = near.path().join(&folder).join("").as_os_str().len();
    let longest = format!("{folder}/{}", "c".repeat(504 - length));
    assert!(listed(&longest).unwrap().is_empty());
    let reply = listed(&format!("{longest}b")).unwrap_err();
    reply.is(INVALID_CONFIG);
    reply.says("505 bytes");
}

/// On other systems the file can be replaced, and the client detects it.
#[cfg(windows)]
#[test]
fn a_journal_in_use_cannot_be_moved_or_deleted() {
    use std::time::{Duration, Instant};
    use std::{fs, thread};
    use support::shop::Shop;

    let shop = Shop::new();
    let service = Service::responding(created());
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let elsewhere = shop.path.with_file_name("elsewhere.db");
    fs::write(&elsewhere, "another file").unwrap();
    for (way, result) in [
        ("deleted", fs::remove_file(&shop.path)),
        (
            "moved",
            fs::rename(&shop.path, elsewhere.with_extension("2")),
        ),
        ("replaced", fs::rename(&elsewhere, &shop.path)),
    ] {
        assert!(result.is_err(), "{way}");
        assert_eq!(states(&entries(&client)), ["A: created"], "{way}");
    }
    drop(client);
    // Wine closes a file a moment later.
    let began = Instant::now();
    while let Err(error) = fs::remove_file(&shop.path) {
        assert!(began.elapsed() < Duration::from_secs(30), "{error}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(windows)]
#[test]
#[ignore = "started by a_short_name_of_the_journal_has_no_log_of_its_own"]
fn sending_in_a_process() {
    use support::built::process::{own_config, tell};

    let Some(config) = own_config() else { return };
    tell(&Client::new(&config).create(&order("A")));
}

/// SQLite keeps its log next to the name that it is given.
#[cfg(windows)]
#[test]
fn a_short_name_of_the_journal_has_no_log_of_its_own() {
    use support::built::process::{passed, process, told};

    let near = near_folder();
    let path = near.path().join("the orders of a till.db");
    let service = Service::responding(created());
    let of = |path: &Path| with(&config(&service.url()), "journal", path.to_str());
    let client = Client::new(&of(&path));
    client.create(&order("A")).done();
    let short = short_name(&path);
    assert_ne!(short, path);
    let mut other = process("paths::sending_in_a_process", &of(&short));
    told(&passed(&other.output().unwrap())).is(DUPLICATE);
    assert_eq!(service.request_count(), 1);
    assert_eq!(states(&entries(&client)), ["A: created"]);
}

#[cfg(windows)]
fn short_name(path: &Path) -> PathBuf {
    use std::os::windows::ffi::{OsStrExt, OsStringExt};

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetShortPathNameW(long: *const u16, short: *mut u16, size: u32) -> u32;
    }
    let long: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let mut short = [0; 1000];
    // SAFETY: both texts stay where they are, and the size is that of the second one.
    let length = unsafe { GetShortPathNameW(long.as_ptr(), short.as_mut_ptr(), 1000) };
    std::ffi::OsString::from_wide(&short[..length as usize]).into()
}

/// While one thread closes a file after its last call, another client opens it.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_opened_while_it_is_closed_leaves_no_descriptor() {
    let shop = support::shop::Shop::new();
    let service = Service::responding(created());
    let config = shop.config(&service.url());
    let (ended, endings) = std::sync::mpsc::channel();
    const CLIENTS: usize = 150;
    for number in 0..CLIENTS {
        let client = Client::new(&config);
        client.create(&order(&format!("A-{number}"))).done();
        let (ended, second) = (ended.clone(), order(&format!("B-{number}")).to_string());
        let done = move |_| ended.send(()).expect("the test waits");
        support::abi::start(client.key(), "create_order", Some(&second), None, done).done();
    }
    for _ in 0..CLIENTS {
        endings.recv().expect("each call ends");
    }
    let is_of_journal = |entry: std::io::Result<std::fs::DirEntry>| {
        let target = entry.and_then(|entry| std::fs::read_link(entry.path()));
        target.is_ok_and(|target| target.starts_with(shop.folder.path()))
    };
    support::patience::until(|| {
        let mut all = std::fs::read_dir("/proc/self/fd").expect("Linux has it");
        !all.any(is_of_journal)
    });
}
