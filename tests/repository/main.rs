//! What the repository promises: its documents are true, its layers hold, its licences are
//! permissive, and the module for VB fits the C interface.

mod cdef;
mod description;
mod documents;
mod files;
mod layers;
mod man_pages;
mod site;
mod start_page;
mod supply_chain;
mod vb;
mod vocabulary;

#[path = "../built/mod.rs"]
mod built;
#[path = "../support/mod.rs"]
mod support;
