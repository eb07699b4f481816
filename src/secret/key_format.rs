//! Formats of keys and tokens that start with a known prefix.

use super::{MAX_SECRET_LENGTH, is_random};

/// The format of a kind of secret.
pub(super) struct KeyFormat {
    pub(super) prefix: &'static str,
    pub(super) what: &'static str,
    /// Its length, including the prefix.
    length: Length,
    /// The characters that it consists of, besides letters and digits.
    also: &'static [u8],
}

enum Length {
    Exactly(usize),
    AtLeast(usize),
}

const fn exactly(prefix: &'static str, length: usize, also: &'static [u8], what: &'static str) -> KeyFormat {
    KeyFormat { prefix, what, length: Length::Exactly(length), also }
}

const fn at_least(prefix: &'static str, length: usize, also: &'static [u8], what: &'static str) -> KeyFormat {
    KeyFormat { prefix, what, length: Length::AtLeast(length), also }
}

pub(super) const KEY_FORMATS: [KeyFormat; 23] = [
    at_least("sk-ant-", 40, b"_-", "an Anthropic API key"),
    at_least("sk-", 35, b"_-", "an API key"),
    at_least("sk_live_", 24, b"", "a Stripe key"),
    at_least("rk_live_", 24, b"", "a Stripe key"),
    at_least("ghp_", 40, b"", "a GitHub token"),
    at_least("gho_", 40, b"", "a GitHub token"),
    at_least("ghu_", 40, b"", "a GitHub token"),
    at_least("ghs_", 40, b"", "a GitHub token"),
    at_least("ghr_", 40, b"", "a GitHub token"),
    at_least("github_pat_", 50, b"_", "a GitHub token"),
    at_least("glpat-", 26, b"_-", "a GitLab token"),
    at_least("hf_", 37, b"", "a Hugging Face token"),
    at_least("npm_", 40, b"", "an npm token"),
    at_least("pypi-AgEI", 60, b"_-", "a PyPI token"),
    at_least("xai-", 60, b"", "an xAI API key"),
    at_least("gsk_", 40, b"", "a Groq API key"),
    at_least("dop_v1_", 60, b"", "a DigitalOcean token"),
    at_least("xox", 30, b"-", "a Slack token"),
    exactly("AKIA", 20, b"", "an AWS access key id"),
    exactly("ASIA", 20, b"", "an AWS access key id"),
    exactly("AIza", 39, b"_-", "a Google API key"),
    at_least("eyJ", 60, b"_-.", "a signed token"),
    at_least("ya29.", 40, b"_-", "a Google access token"),
];
impl KeyFormat {
    /// The length of the longest text of this format at the start of `text`, which starts with the prefix.
    pub(super) fn run_length(&self, text: &str) -> usize {
        let is_own = |b: &u8| b.is_ascii_alphanumeric() || self.also.contains(b);
        self.prefix.len() + text.as_bytes()[self.prefix.len()..].iter().take_while(|b| is_own(b)).count()
    }

    /// The length of the secret that a run of this format starts with.
    pub(super) fn secret_length(&self, run: &str) -> Option<usize> {
        let length = match self.length {
            Length::Exactly(exact) => {
                let is_longer = run.as_bytes().get(exact).is_some_and(u8::is_ascii_alphanumeric);
                (run.len() >= exact && !is_longer).then_some(exact)?
            }
            Length::AtLeast(least) => (least..MAX_SECRET_LENGTH).contains(&run.len()).then_some(run.len())?,
        };
        let word = &run[..length];
        (self.is_whole(word) && is_random(word)).then_some(length)
    }

    fn is_whole(&self, word: &str) -> bool {
        match self.prefix {
            "xox" => word.as_bytes().get(4) == Some(&b'-'),
            // A signed token has three parts, an encrypted one five. The name of a file or a sentence may follow.
            "eyJ" => word.trim_end_matches('.').matches('.').count() >= 2,
            // Words with dashes between them are other names.
            "sk-" => {
                let last = word.rsplit('-').next().unwrap_or_default();
                word.bytes().any(|b| b.is_ascii_uppercase())
                    || last.len() >= 32 && last.bytes().all(|b| b.is_ascii_hexdigit())
            }
            _ => true,
        }
    }
}
