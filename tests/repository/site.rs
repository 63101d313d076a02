//! The site is built by one command, has a page for everything, and no broken link.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::built;

use crate::{description, python_program, succeeds};

#[test]
fn the_site_has_every_guide_function_result_and_cause_and_no_broken_link() {
    let (Some(mut builder), Some(mdbook)) = (
        python_program("docs/site"),
        built::tool("MDBOOK", &["mdbook"], "the site"),
    ) else {
        return;
    };
    let site = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("site");
    builder.env("MDBOOK", mdbook);
    builder.env("PAYORDER_LIBRARY", built::library());
    succeeds(builder.arg(&site));

    let description = description();
    for (list, each) in [("functions", true), ("results", false), ("causes", true)] {
        for one in description[list].as_array().expect("a list") {
            let name = one["name"].as_str().expect("a name");
            let page = match each {
                true => site.join(format!("reference/{list}/{name}.html")),
                false => site.join(format!("reference/{list}.html")),
            };
            let text = fs::read_to_string(&page).unwrap_or_default();
            assert!(text.contains(name), "{}", page.display());
        }
    }
    let contents = fs::read_to_string(site.join("toc.html")).expect("the table of contents");
    let pages = crate::pages().into_iter();
    for page in pages.filter(|page| page.starts_with("docs/guides/")) {
        let link = page.replace(".md", ".html");
        assert!(contents.contains(&link), "{page} is not on the site");
    }
    let read = |name| fs::read_to_string(site.join(name)).expect("a file for tools");
    let listed = read("llms.txt");
    let links = listed.split("](").skip(1);
    let linked: Vec<&str> = links.filter_map(|link| link.split(')').next()).collect();
    assert!(linked.len() > 100 && linked.contains(&"docs/guides/outcomes.html"));
    for link in linked {
        assert!(site.join(link).is_file(), "llms.txt has a link to {link}");
    }
    assert!(read("llms-full.txt").contains("# Schemas for editors and tools"));
    let schema: Value =
        serde_json::from_str(&read("schemas/configuration.schema.json")).expect("a schema");
    let config = description["config"].as_array().expect("a list");
    for setting in config {
        let key = setting["key"].as_str().expect("a key");
        assert!(!schema["properties"][key]["type"].is_null(), "{key}");
    }
    let index = fs::read_to_string(site.join("index.html")).expect("the first page");
    assert!(index.contains("searcher"), "the site has a search");
}
