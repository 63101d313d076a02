//! What the repository promises: its documents are true, its layers hold, its licences are
//! permissive, and the constants of the packages and the module for VB are current.

mod cdef;
mod constants;
mod description;
mod documents;
mod files;
mod layers;
mod man_pages;
mod pages;
mod site;
mod supply_chain;
mod vb;
mod vocabulary;
