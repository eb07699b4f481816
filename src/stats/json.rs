//! The statistics of a document, as JSON for scripts.

use serde::Serialize;

use crate::convert::Usage;

use super::{Image, ItemName, Row, Stats, Subject, Total};

/// One JSON object with `model`, `instructions`, `tools`, `items`, `total` and `usage`. Unknown and missing values are null.
/// `file` is the name of a document that is one of several.
pub fn to_json(stats: &Stats, file: Option<&str>) -> String {
    let row_of = |subject: Subject| stats.rows.iter().find(|row| row.subject == subject).map(JsonRow::from);
    let is_item = |row: &&Row| matches!(row.subject, Subject::Item(_));
    let json = JsonStats {
        file,
        model: stats.model.as_deref(),
        instructions: row_of(Subject::Instructions),
        tools: row_of(Subject::Tools),
        items: stats.rows.iter().filter(is_item).map(JsonRow::from).collect(),
        total: JsonTotal::from(stats.total()),
        usage: stats.usage,
    };
    serde_json::to_string(&json).unwrap_or_default()
}

#[derive(Serialize)]
struct JsonStats<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'s str>,
    model: Option<&'s str>,
    instructions: Option<JsonRow<'s>>,
    tools: Option<JsonRow<'s>>,
    items: Vec<JsonRow<'s>>,
    total: JsonTotal,
    usage: Option<Usage>,
}

#[derive(Serialize)]
struct JsonRow<'s> {
    #[serde(flatten)]
    item: Option<&'s ItemName>,
    line: Option<usize>,
    bytes: usize,
    tokens: usize,
    images: Vec<JsonImage<'s>>,
    files: usize,
}

#[derive(Serialize)]
struct JsonImage<'s> {
    width: Option<usize>,
    height: Option<usize>,
    media_type: Option<&'s str>,
    bytes: Option<usize>,
    tokens: Option<usize>,
}

#[derive(Serialize)]
struct JsonTotal {
    #[serde(flatten)]
    total: Total,
    tool_output_share: Option<f64>,
}

impl<'s> From<&'s Row> for JsonRow<'s> {
    fn from(row: &'s Row) -> Self {
        let item = if let Subject::Item(item) = &row.subject { Some(item) } else { None };
        let images = row.cost.images.iter().map(JsonImage::from).collect();
        let (bytes, tokens, files) = (row.cost.bytes, row.cost.tokens(), row.cost.files);
        Self { item, line: row.line, bytes, tokens, images, files }
    }
}

impl<'s> From<&'s Image> for JsonImage<'s> {
    fn from(image: &'s Image) -> Self {
        let (width, height) = image.size.unzip();
        Self { width, height, media_type: image.media_type.as_deref(), bytes: image.bytes, tokens: image.tokens }
    }
}

impl From<Total> for JsonTotal {
    fn from(total: Total) -> Self {
        Self { total, tool_output_share: share(total.tool_output_tokens, total.tokens) }
    }
}

/// A part of a whole between 0 and 1, with four digits; `None` if there is no whole.
fn share(part: usize, whole: usize) -> Option<f64> {
    let ten_thousandths = part.saturating_mul(10_000).checked_div(whole)?;
    Some(f64::from(u32::try_from(ten_thousandths).ok()?) / 10_000.0)
}
