//! How an item that no element expresses is shown.

use anstyle::Style;

use super::blocks::{Blocks, DIM, TOOL, clean_line};
use super::clean::clean;
use crate::document::Directive;
use crate::json::{Json, StringArena};
use crate::transcript::{HostedItem, describe};

impl Blocks<'_> {
    /// One line, and its code and output if everything is shown. Where every difference counts, the JSON.
    pub(super) fn item(&mut self, item: Directive<'_>) {
        let strings = StringArena::default();
        let json = || Json::parse(item.data, &strings).and_then(Json::object).ok();
        let Some(object) = (!self.exact).then(json).flatten() else { return self.aside(&item.to_string()) };
        let HostedItem { title, detail, code, output } = describe(&object);
        self.page.write(&clean_line(&title), TOOL);
        // A result shows all of detail, code and output; other items only the first that is not empty.
        let is_result = title.starts_with('←');
        let texts = [&detail, &code, &output].into_iter().filter(|text| !text.trim().is_empty());
        let rest: Vec<&str> = texts.take(if is_result { 3 } else { 1 }).map(String::as_str).collect();
        let header = if self.full { detail.clone() } else { rest.join(" ") };
        if !header.is_empty() {
            self.page.write(" ", Style::new());
        }
        if !self.full {
            self.page.fold(&clean(&header), Style::new(), "");
            self.page.end_line();
            return;
        }
        self.page.write(&clean_line(&header), Style::new());
        self.page.end_line();
        self.below(&clean(&code), Style::new());
        self.below(&clean(&output), DIM);
    }
}
