//! The rules: everything that `check` may report, by code and by name, each with the page that explains it.

/// A problem or a concern as people speak of it.
#[derive(Debug)]
pub struct Rule {
    /// What messages show: `W0209`, or the name itself.
    pub code: &'static str,
    /// What it goes by: `unknown-attribute`.
    pub name: &'static str,
    /// What it means, with a bad and a good example, in Markdown.
    pub page: &'static str,
}

macro_rules! rules {
    ($($code:literal $name:literal,)*) => {
        /// Every rule.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            name: $name,
            page: include_str!(concat!("../../fixtures/rules/", $name, ".md")),
        }),*];
    };
}

rules! {
    "E0101" "not-utf8",
    "E0102" "text-at-top-level",
    "E0103" "unterminated-comment",
    "E0104" "unterminated-raw",
    "E0105" "unterminated-tag",
    "E0106" "unterminated-quote",
    "E0107" "stray-quote",
    "W0108" "stray-characters",
    "E0109" "unclosed",
    "E0110" "mismatched",
    "E0111" "stray-close",
    "E0112" "too-deep",
    "E0201" "missing-attribute",
    "E0202" "unknown-role",
    "E0203" "status-without-id",
    "E0204" "inline-at-top-level",
    "E0205" "nested-tool-trace",
    "W0206" "nested-block",
    "E0207" "misplaced-carried",
    "W0208" "repeated-attribute",
    "W0209" "unknown-attribute",
    "W0210" "unknown-tool-type",
    "E0211" "unknown-output",
    "E0212" "part-in-text-output",
    "E0213" "part-in-text",
    "E0214" "two-sources",
    "W0215" "ignored-content",
    "E0216" "not-an-empty-list",
    "E0217" "block-in-imported-body",
    "E0301" "file-missing",
    "E0302" "file-refused",
    "E0303" "file-unfit",
    "E0304" "import-cycle",
    "E0305" "import-too-deep",
    "E0306" "too-many-imports",
    "E0307" "imports-too-large",
    "E0308" "carried-in-import",
    "E0309" "malformed-carried",
    "E0310" "forbidden-field",
    "E0311" "said-twice",
    "E0312" "second-request",
    "E0313" "refused-media",
    "E0314" "malformed-parts",
    "E0315" "not-an-image",
    "E0316" "not-text",
    "E0317" "remote-doc",
    "E0318" "agent-refused",
    "E0319" "part-in-instructions",
    "E0320" "bad-html",
    "E0321" "no-model",
    "E0322" "file-unreadable",
    "E0323" "fetch-failed",
    "E0324" "agent-failed",
    "E0325" "agent-too-deep",
    "E0326" "bad-config",
    "W0327" "second-config",
    "E0328" "bad-schema",
    "E0329" "unknown-tool",
    "W0330" "unreachable-server",
    "W0331" "reasoning-left-out",
    "E0332" "bad-set",
    "E0401" "malformed-json",
    "W0402" "repeated-key",
    "E0403" "api-refused",
    "E0404" "foreign-input",
    "W0405" "odd-item",
    "W0406" "malformed-event",
    "W0407" "no-items",
    "call-without-output" "call-without-output",
    "call-not-answered" "call-not-answered",
    "output-without-call" "output-without-call",
    "output-before-call" "output-before-call",
    "duplicate-call-id" "duplicate-call-id",
    "duplicate-id" "duplicate-id",
    "id-length" "id-length",
    "output-too-long" "output-too-long",
    "image-too-large" "image-too-large",
    "broken-base64" "broken-base64",
    "wrong-media-type" "wrong-media-type",
    "empty-source" "empty-source",
    "unsupported-image" "unsupported-image",
    "not-a-url" "not-a-url",
    "tool-name" "tool-name",
    "part-not-allowed" "part-not-allowed",
    "reasoning-without-item" "reasoning-without-item",
    "unknown-value" "unknown-value",
    "base64-in-text" "base64-in-text",
    "stringified-content" "stringified-content",
    "secret" "secret",
    "hidden-characters" "hidden-characters",
    "tag-in-code" "tag-in-code",
    "comment-in-code" "comment-in-code",
    "raw-in-word" "raw-in-word",
    "unknown-rule" "unknown-rule",
    "ochat-markup" "ochat-markup",
    "ochat-attribute" "ochat-attribute",
    "ochat-comment" "ochat-comment",
}

/// Errors that a flag of the conversion takes away, so that a document may be right with them.
const DEPENDS_ON_FLAGS: [&str; 4] = ["file-refused", "remote-doc", "agent-refused", "unknown-tool"];

/// No rule has a longer name.
const LONGEST: usize = 40;
/// A name that differs more than this from a rule's does not mean it.
const NEAR: f64 = 0.85;

impl Rule {
    /// Whether a document may be right with it. One that cannot be read or converted is not.
    pub fn can_be_allowed(&self) -> bool {
        let is_numbered_error = self.code.starts_with('E') && self.code != self.name;
        !is_numbered_error || DEPENDS_ON_FLAGS.contains(&self.name)
    }

    /// What it is about: the first sentence of its page.
    pub fn summary(&self) -> &'static str {
        let text = self.page.split("\n\n").nth(1).unwrap_or_default();
        text.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }
}

/// The rule of this name or code.
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    let name = name.trim();
    RULES.iter().find(|rule| [rule.name, rule.code].iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The rule whose name is most like this one.
pub fn nearest_rule(name: &str) -> Option<&'static Rule> {
    if name.len() > LONGEST {
        return None;
    }
    let likeness = |rule: &Rule| strsim::jaro_winkler(rule.name, name);
    let nearest = RULES.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(nearest) > NEAR).then_some(nearest)
}
