//! Counts the tokens of images by the rules that OpenAI publishes for its models.

/// The `detail` of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A fixed cost.
    Low,
    /// A cost that depends on the size.
    High,
}

/// How a family of models counts.
enum Rule {
    /// The image is fitted into 2048×2048, its short side into 768, and each tile of 512×512 counts.
    Tiles { base: usize, tile: usize },
    /// Each patch of 32×32 has a cost in hundredths of a token. A larger image is scaled to 1536 patches.
    Patches { hundredths: usize },
}

/// For a model that is not listed.
const DEFAULT: Rule = Rule::Tiles { base: 85, tile: 170 };

/// Rules by prefixes of model names. The first match is used.
const RULES: [(&str, Rule); 11] = [
    ("gpt-5-mini", Rule::Patches { hundredths: 162 }),
    ("gpt-5-nano", Rule::Patches { hundredths: 246 }),
    ("gpt-5", Rule::Tiles { base: 70, tile: 140 }),
    ("gpt-4.1-mini", Rule::Patches { hundredths: 162 }),
    ("gpt-4.1-nano", Rule::Patches { hundredths: 246 }),
    ("o4-mini", Rule::Patches { hundredths: 172 }),
    ("gpt-4o-mini", Rule::Tiles { base: 2833, tile: 5667 }),
    ("gpt-4", Rule::Tiles { base: 85, tile: 170 }),
    ("o1", Rule::Tiles { base: 75, tile: 150 }),
    ("o3", Rule::Tiles { base: 75, tile: 150 }),
    ("computer-use-preview", Rule::Tiles { base: 65, tile: 129 }),
];

const FIT: usize = 2048;
const SHORT_SIDE: usize = 768;
const TILE: usize = 512;
const PATCH: usize = 32;
const MAX_PATCHES: usize = 1536;

/// Estimates the tokens of an image of `width` × `height` for a model.
///
/// ```
/// use chatmd::internal::tokens::{Detail, image_tokens};
///
/// assert_eq!(image_tokens("gpt-4o", (1024, 1024), Detail::High), 765);
/// assert_eq!(image_tokens("gpt-4o", (4096, 8192), Detail::Low), 85);
/// assert_eq!(image_tokens("gpt-4.1-mini", (1024, 1024), Detail::High), 1659);
/// assert_eq!(image_tokens("gpt-4.1-mini", (1800, 2400), Detail::High), 2353);
/// ```
pub fn image_tokens(model: &str, (width, height): (usize, usize), detail: Detail) -> usize {
    let rule = RULES.iter().find(|(name, _)| model.starts_with(name)).map_or(&DEFAULT, |(_, rule)| rule);
    match (rule, detail) {
        (Rule::Tiles { base, .. }, Detail::Low) => *base,
        (Rule::Tiles { base, tile }, Detail::High) => {
            let (width, height) = fit((width, height), FIT, usize::max);
            let (width, height) = fit((width, height), SHORT_SIDE, usize::min);
            base + tile * width.div_ceil(TILE) * height.div_ceil(TILE)
        }
        (Rule::Patches { hundredths }, _) => (patches(width, height) * hundredths).div_ceil(100),
    }
}

// An image has far fewer pixels than a float can count.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn patches(width: usize, height: usize) -> usize {
    let count = width.div_ceil(PATCH).saturating_mul(height.div_ceil(PATCH));
    if count <= MAX_PATCHES {
        return count;
    }
    let (width, height, most) = (width as f64, height as f64, MAX_PATCHES as f64);
    let (columns, rows) = ((most * width / height).sqrt(), (most * height / width).sqrt());
    // Shrunk a little more, so that one side is whole patches; rounding must not add one to it.
    let shrink = (columns.floor().max(1.0) / columns).min(rows.floor().max(1.0) / rows);
    let whole = |side: f64| (side * shrink - 1e-6).ceil().max(1.0) as usize;
    (whole(columns) * whole(rows)).min(MAX_PATCHES)
}

/// The size, made smaller so that the side that `side` chooses is at most `most`.
fn fit((width, height): (usize, usize), most: usize, side: fn(usize, usize) -> usize) -> (usize, usize) {
    let chosen = side(width, height).max(1);
    if chosen <= most {
        return (width, height);
    }
    let scaled = |length: usize| length.saturating_mul(most) / chosen;
    (scaled(width), scaled(height))
}
