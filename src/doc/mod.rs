//! Floor 9: a policy as one page for people who have no tools: HTML that stands by itself, and Markdown.
//!
//! A policy becomes a [`Document`], a value of sections, tables and lines (`tree`); from it HTML (`html`, with the pictures of
//! `svg`) and Markdown (`markdown`) are two renderings. What is written in a policy's text is taken from there (`written`):
//! documentation, the cells as their author wrote them, groups. An artifact holds none of these; then cells are shown as the
//! sets that they mean, and the page says so.
//!
//! Everything is escaped in one place a format: markup is static text, and all that comes from a policy is written by a
//! function that escapes (`markup`). The same policy gives the same page, byte for byte.

mod acts;
mod behaviour;
mod examples;
mod facts;
mod html;
mod limits;
mod markdown;
mod markup;
mod mermaid;
mod page;
mod picture;
mod prose;
mod readers;
mod rules;
mod svg;
mod tables;
mod tree;
mod written;

pub(crate) use page::{Given, document};
pub(crate) use tree::Document;
