//! The vocabulary of ChatMarkdown, as one table.

/// Where an element is allowed, and how it is treated elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// At top level. Inside a body it is sent as text, with a warning.
    TopLevel,
    /// At top level. Inside a body it is an error: a call is an item of its own, never content.
    ToolTrace,
    /// At top level. Inside a body it is text without a warning, because HTML in Markdown uses the name.
    TopLevelOrText,
    /// A tag inside `<reasoning>` only. Elsewhere it is text, because HTML in Markdown uses the name.
    ReasoningOnly,
    /// A part of bodies of these kinds. In other bodies it is text.
    Inline(&'static [BodyKind]),
}

/// What a body may contain besides text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Images, documents, agents and imports, each a part of its own.
    Message,
    /// Documents and agents, whose text joins the text around them.
    Text,
    /// Parts if an image, a file or `chatmd:part` is among them. Otherwise one text.
    Response,
    /// Summaries.
    Reasoning,
    /// Anything. It is kept as written, for the consumer of the declaration.
    Declaration,
    /// Nothing. Content is not sent, and is laid out like [`BodyKind::Text`].
    Void,
}

/// One row of the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The name as it is written: lowercase, case-sensitive.
    pub name: &'static str,
    /// Where the element may stand.
    pub placement: Placement,
    /// What its body may contain. The body of a `<msg>` depends on its role.
    pub body: BodyKind,
    /// The attributes that have a meaning on it. Those of a `<msg>` depend on its role, and those of declarations are
    /// checked where declarations are converted.
    pub attributes: &'static [&'static str],
}

macro_rules! vocabulary {
    ($($tag:ident $name:literal $placement:expr, $body:expr, $attributes:expr;)+) => {
        /// An element of the vocabulary. Any other name between `<` and `>` is literal text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tag {
            $(#[doc = concat!("`<", $name, ">`")] $tag,)+
        }

        impl Tag {
            /// The whole vocabulary.
            pub const ALL: &'static [Tag] = &[$(Tag::$tag,)+];

            /// The row of this element.
            pub const fn definition(self) -> &'static Definition {
                match self {
                    $(Tag::$tag => &Definition {
                        name: $name,
                        placement: $placement,
                        body: $body,
                        attributes: $attributes,
                    },)+
                }
            }

            /// The tag of exactly this name.
            pub fn from_name(name: &str) -> Option<Tag> {
                match name {
                    $($name => Some(Tag::$tag),)+
                    _ => None,
                }
            }
        }
    };
}

use BodyKind::{Declaration, Message, Reasoning, Response, Text, Void};
use Placement::{Inline, ReasoningOnly, ToolTrace, TopLevel, TopLevelOrText};

vocabulary! {
    User "user" TopLevel, Message, &["id", "status", "phase"];
    Assistant "assistant" TopLevel, Text, &["id", "status", "phase", "logprobs"];
    System "system" TopLevel, Message, &["id", "status", "phase", "instructions"];
    Developer "developer" TopLevel, Message, &["id", "status", "phase", "instructions"];
    Msg "msg" TopLevel, Message, &["role", "tool_call", "function_call"];
    ToolCall "tool_call" ToolTrace, Text, &["type", "function_name", "tool_call_id", "id", "status", "namespace", "caller"];
    ToolResponse "tool_response" ToolTrace, Response, &["type", "tool_call_id", "id", "status", "output", "error"];
    Reasoning "reasoning" TopLevel, Reasoning,
        &["id", "status", "encrypted_content", "encrypted_src", "content", "issuer", "signature", "redacted"];
    Summary "summary" ReasoningOnly, Reasoning, &["type"];
    Config "config" TopLevel, Declaration, &[];
    Tool "tool" TopLevel, Declaration, &[];
    Script "script" TopLevelOrText, Declaration, &[];
    ShellAccess "shell_access" TopLevel, Declaration, &[];
    ModeratorRuntime "moderator_runtime" TopLevel, Declaration, &[];
    Img "img" Inline(&[Message, Response]), Void, &["src", "file_id", "local", "detail"];
    Doc "doc" Inline(&[Message, Response, Text]), Void,
        &["src", "file_id", "local", "file", "filename", "strip", "markdown"];
    Agent "agent" Inline(&[Message, Response, Text]), Message, &["src", "local"];
    Import "import" Inline(&[Message]), Void, &["src", "local", "namespace"];
}

/// Names that other formats use for elements of the vocabulary.
const OTHER_NAMES: [(&str, Tag); 14] = [
    ("human", Tag::User),
    ("ai", Tag::Assistant),
    ("bot", Tag::Assistant),
    ("model", Tag::Assistant),
    ("message", Tag::Msg),
    ("function_call", Tag::ToolCall),
    ("tool_use", Tag::ToolCall),
    ("function_call_output", Tag::ToolResponse),
    ("tool_output", Tag::ToolResponse),
    ("tool_result", Tag::ToolResponse),
    ("thinking", Tag::Reasoning),
    ("image", Tag::Img),
    ("document", Tag::Doc),
    ("include", Tag::Import),
];

impl Tag {
    /// The length of the longest name.
    pub const MAX_NAME_LENGTH: usize = {
        let (mut longest, mut index) = (0, 0);
        while index < Tag::ALL.len() {
            let length = Tag::ALL[index].definition().name.len();
            longest = if length > longest { length } else { longest };
            index += 1;
        }
        longest
    };

    /// How many tags are void.
    pub const VOID_COUNT: usize = {
        let (mut count, mut index) = (0, 0);
        while index < Tag::ALL.len() {
            count += Tag::ALL[index].is_void() as usize;
            index += 1;
        }
        count
    };

    /// The name as it is written.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// Whether it is content of a body: an image, a document, an agent or an import.
    pub fn is_inline(self) -> bool {
        matches!(self.definition().placement, Inline(_))
    }

    /// Whether the content between its tags is never sent.
    pub const fn is_void(self) -> bool {
        matches!(self.definition().body, Void)
    }

    /// Whether it is more than text in a body of this kind.
    pub fn is_part_of(self, body: BodyKind) -> bool {
        // Content that is not sent is laid out like text.
        let body = if body == Void { Text } else { body };
        match self.definition().placement {
            Inline(bodies) => bodies.contains(&body),
            ReasoningOnly => body == Reasoning,
            TopLevel | ToolTrace | TopLevelOrText => false,
        }
    }

    /// The element that an author most likely meant by an unknown name: one with a similar name, or one that another format
    /// calls by this name.
    pub fn meant_by(name: &str) -> Option<Tag> {
        if name.len() > 32 {
            return None;
        }
        let name = name.to_ascii_lowercase().replace('-', "_");
        if let Some((_, tag)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
            return Some(*tag);
        }
        let distance = |tag: &Tag| strsim::damerau_levenshtein(tag.name(), &name);
        let best = Tag::ALL.iter().copied().min_by_key(distance)?;
        (distance(&best) <= best.name().len() / 4 + 1 && name.len() > 2).then_some(best)
    }
}
