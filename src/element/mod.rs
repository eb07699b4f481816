//! The vocabulary of ChatMarkdown, as one table.

mod attribute;
mod tool_kind;

pub use attribute::{AttributeDefinition, AttributeKind, Usage, is_of_ochat};
pub use tool_kind::ToolKind;

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
    /// The attributes that have a meaning on it, in the order in which they are written. Those of a `<msg>` depend on its
    /// role. Any attribute of a tool that the API runs is a field of the tool.
    pub attributes: &'static [AttributeDefinition],
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
                    $(Tag::$tag => {
                        const ROW: Definition =
                            Definition { name: $name, placement: $placement, body: $body, attributes: $attributes };
                        &ROW
                    })+
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

use AttributeKind::{EmptyList, File, FlagOrFalse, Nullable, NullableOrObject};
use BodyKind::{Declaration, Message, Reasoning, Response, Text, Void};
use Placement::{Inline, ReasoningOnly, ToolTrace, TopLevel, TopLevelOrText};
use attribute::{
    CACHE, CALL_ITEM_ID, CONFIG, ID, INSTRUCTIONS, ISSUER, NAME, PHASE, STATUS, TOOL, member, other, own, text,
};

vocabulary! {
    User "user" TopLevel, Message, &[ID, STATUS, PHASE, NAME, CACHE];
    Assistant "assistant" TopLevel, Text, &[ID, STATUS, PHASE, other("logprobs", EmptyList), NAME, CACHE];
    System "system" TopLevel, Message, &[ID, STATUS, PHASE, INSTRUCTIONS, NAME, CACHE];
    Developer "developer" TopLevel, Message, &[ID, STATUS, PHASE, INSTRUCTIONS, NAME, CACHE];
    Msg "msg" TopLevel, Message, &[own("role"), own("tool_call"), own("function_call")];
    ToolCall "tool_call" ToolTrace, Text, &[
        own("type"), own("function_name"), own("tool_call_id"), CALL_ITEM_ID, STATUS,
        member("namespace", "namespace", Nullable), member("caller", "caller", NullableOrObject),
        member("async", "async", FlagOrFalse), member("content", "@content", FlagOrFalse).only_for("chat"), CACHE,
    ];
    ToolResponse "tool_response" ToolTrace, Response, &[
        own("type"), own("tool_call_id"), CALL_ITEM_ID, STATUS, own("output"),
        member("error", "@error", FlagOrFalse).only_for("messages"),
        member("hoisted", "@hoisted", FlagOrFalse).only_for("chat"), NAME, CACHE,
    ];
    // The file of a string comes before the string: a long string is written to the file.
    Reasoning "reasoning" TopLevel, Reasoning, &[
        ID, STATUS, other("content", EmptyList), member("encrypted_src", "encrypted_content", File),
        member("encrypted_content", "encrypted_content", Nullable), ISSUER, text("field", "@field").only_for("chat"),
        member("signature_src", "@signature", File).only_for("messages"), text("signature", "@signature").only_for("messages"),
        member("redacted_src", "@redacted", File).only_for("messages"), text("redacted", "@redacted").only_for("messages"),
    ];
    Summary "summary" ReasoningOnly, Reasoning, &[own("type")];
    Config "config" TopLevel, Declaration, CONFIG;
    Tool "tool" TopLevel, Declaration, TOOL;
    Script "script" TopLevelOrText, Declaration, &[];
    ShellAccess "shell_access" TopLevel, Declaration, &[];
    ModeratorRuntime "moderator_runtime" TopLevel, Declaration, &[];
    Img "img" Inline(&[Message, Response]), Void, &[
        own("src"), own("file_id"), own("local"), text("detail", "detail"), ISSUER, CACHE,
    ];
    Doc "doc" Inline(&[Message, Response, Text]), Void, &[
        own("src"), own("file_id"), own("local"), own("file"), own("base64"), own("filename"), own("strip"),
        own("markdown"), ISSUER, CACHE,
    ];
    Agent "agent" Inline(&[Message, Response, Text]), Message, &[own("src"), own("local")];
    Import "import" Inline(&[Message]), Void, &[own("src"), own("local"), own("namespace")];
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

    /// The name as it is written.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// The row of one of its attributes.
    pub fn attribute(self, name: &str) -> Option<&'static AttributeDefinition> {
        self.definition().attributes.iter().find(|row| row.name == name)
    }

    /// The names of its attributes.
    pub fn attribute_names(self) -> Vec<&'static str> {
        self.definition().attributes.iter().map(|row| row.name).collect()
    }

    /// Whether it is content of a body: an image, a document, an agent or an import.
    pub fn is_inline(self) -> bool {
        matches!(self.definition().placement, Inline(_))
    }

    /// Whether the content between its tags is never sent.
    pub fn is_void(self) -> bool {
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
