//! The size of a request before it is sent: bytes, images and an estimate of tokens, per item and in total.
//!
//! Everything that a model reads is counted: the texts of messages, outputs and summaries, the names and
//! arguments of calls, the JSON of tools and of items in comments, and images by their size. Not counted: the tokens that
//! the API adds to separate messages, and data that models do not see: ids, annotations, encrypted reasoning. Images and
//! files that are not in the request itself, and files of any kind, have no known cost and count as 0.

mod count;
mod json;
mod layout;
mod table;

use serde::Serialize;

use crate::convert::Usage;

#[doc(hidden)]
pub use count::count;
#[doc(hidden)]
pub use json::to_json;
#[doc(hidden)]
pub use table::{TableOptions, label, render};

/// What the parts of a request cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// The model that the images are counted for.
    pub model: Option<String>,
    /// The instructions and the tools, where there are any, and then the items in order.
    pub rows: Vec<Row>,
    /// The tokens that the API has counted for the answers so far, as the comments of the document say.
    pub usage: Option<Usage>,
}

/// One part of a request and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub subject: Subject,
    /// Its line in the document, from 1, or the line of the import that brings it.
    pub line: Option<usize>,
    /// What it costs.
    pub cost: Cost,
}

/// The subject of a row. Its texts are sanitized and of bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// `instructions`
    Instructions,
    /// `tools`
    Tools,
    /// An item of `input`.
    Item(ItemName),
}

/// The keys of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ItemName {
    /// Its place in `input`, from 0.
    pub index: usize,
    /// Its `type`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its `role`, if it is a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The tool that it calls, or whose output it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The call that it is or answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

/// What a part of a request costs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// Its length as it is sent.
    pub bytes: usize,
    /// The tokens of its texts.
    pub text_tokens: usize,
    /// Its images in order.
    pub images: Vec<Image>,
    /// How many files it has. Their tokens are not known.
    pub files: usize,
}

/// The known properties of an image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// Width and height.
    pub size: Option<(usize, usize)>,
    /// The media type of its bytes, or else of its URL.
    pub media_type: Option<String>,
    /// Its size in bytes, decoded.
    pub bytes: Option<usize>,
    /// What it costs.
    pub tokens: Option<usize>,
}

/// The totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Total {
    /// How many items there are.
    pub items: usize,
    /// Their length, with that of instructions and tools.
    pub bytes: usize,
    /// How many images there are.
    pub images: usize,
    /// The known tokens.
    pub tokens: usize,
    /// The number of images of unknown cost.
    pub unknown_images: usize,
    /// The number of files of unknown cost.
    pub unknown_files: usize,
    /// How many tool outputs there are.
    #[serde(skip)]
    pub tool_outputs: usize,
    /// The tokens of tool outputs among the known ones.
    pub tool_output_tokens: usize,
}

impl Stats {
    /// The sum of all rows.
    pub fn total(&self) -> Total {
        let mut total = Total::default();
        for Row { subject, cost, .. } in &self.rows {
            total.items += usize::from(matches!(subject, Subject::Item(_)));
            total.bytes += cost.bytes;
            total.images += cost.images.len();
            total.tokens += cost.tokens();
            total.tool_outputs += usize::from(subject.is_tool_output());
            total.tool_output_tokens += if subject.is_tool_output() { cost.tokens() } else { 0 };
            total.unknown_images += cost.unknown_images();
            total.unknown_files += cost.files;
        }
        total
    }

    /// The rows with the most tokens, largest first. Equal rows keep their order.
    pub fn top(&self, most: usize) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.cost.tokens()));
        rows.truncate(most);
        rows
    }
}

impl Subject {
    /// Whether it is a tool output.
    pub fn is_tool_output(&self) -> bool {
        matches!(self, Subject::Item(item) if item.kind.ends_with("_output"))
    }
}

impl Cost {
    /// The known tokens.
    pub fn tokens(&self) -> usize {
        self.text_tokens + self.images.iter().filter_map(|image| image.tokens).sum::<usize>()
    }

    /// The number of images of unknown cost.
    pub fn unknown_images(&self) -> usize {
        self.images.iter().filter(|image| image.tokens.is_none()).count()
    }
}

impl Total {
    /// Whether something of unknown cost is counted as 0.
    pub fn is_at_least(&self) -> bool {
        self.unknown_images + self.unknown_files > 0
    }
}
