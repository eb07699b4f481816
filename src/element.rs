//! The closed vocabulary of ChatMarkdown.

/// An element's name. Anything else between `<` and `>` is literal text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `<user>`
    User,
    /// `<assistant>`
    Assistant,
    /// `<system>`
    System,
    /// `<developer>`
    Developer,
    /// `<msg role="…">`
    Msg,
    /// `<tool_call>`
    ToolCall,
    /// `<tool_response>`
    ToolResponse,
    /// `<reasoning>`
    Reasoning,
    /// `<summary>`, only inside `<reasoning>`
    Summary,
    /// `<config>`
    Config,
    /// `<tool>`
    Tool,
    /// `<script>`, only at top level
    Script,
    /// `<shell_access>`
    ShellAccess,
    /// `<moderator_runtime>`
    ModeratorRuntime,
    /// `<img>`
    Img,
    /// `<doc>`
    Doc,
    /// `<agent>`
    Agent,
    /// `<import>`
    Import,
}

impl Tag {
    /// The whole vocabulary.
    pub const ALL: [Tag; 18] = [
        Tag::User,
        Tag::Assistant,
        Tag::System,
        Tag::Developer,
        Tag::Msg,
        Tag::ToolCall,
        Tag::ToolResponse,
        Tag::Reasoning,
        Tag::Summary,
        Tag::Config,
        Tag::Tool,
        Tag::Script,
        Tag::ShellAccess,
        Tag::ModeratorRuntime,
        Tag::Img,
        Tag::Doc,
        Tag::Agent,
        Tag::Import,
    ];

    /// The name as it is written: lowercase, case-sensitive.
    pub fn name(self) -> &'static str {
        match self {
            Tag::User => "user",
            Tag::Assistant => "assistant",
            Tag::System => "system",
            Tag::Developer => "developer",
            Tag::Msg => "msg",
            Tag::ToolCall => "tool_call",
            Tag::ToolResponse => "tool_response",
            Tag::Reasoning => "reasoning",
            Tag::Summary => "summary",
            Tag::Config => "config",
            Tag::Tool => "tool",
            Tag::Script => "script",
            Tag::ShellAccess => "shell_access",
            Tag::ModeratorRuntime => "moderator_runtime",
            Tag::Img => "img",
            Tag::Doc => "doc",
            Tag::Agent => "agent",
            Tag::Import => "import",
        }
    }

    /// The tag of exactly this name.
    pub fn from_name(name: &str) -> Option<Tag> {
        Tag::ALL.into_iter().find(|tag| tag.name() == name)
    }

    /// Whether it stands for something inside a body: an image, a document, an agent, an import.
    pub fn is_inline(self) -> bool {
        matches!(self, Tag::Img | Tag::Doc | Tag::Agent | Tag::Import)
    }

    /// The tag an author most likely meant by a name outside the vocabulary.
    pub fn meant_by(name: &str) -> Option<Tag> {
        if name.len() > 32 {
            return None;
        }
        let name = name.to_ascii_lowercase().replace('-', "_");
        let distance = |tag: &Tag| strsim::damerau_levenshtein(tag.name(), &name);
        let best = Tag::ALL.into_iter().min_by_key(distance)?;
        (distance(&best) <= best.name().len() / 4 + 1 && name.len() > 2).then_some(best)
    }
}
