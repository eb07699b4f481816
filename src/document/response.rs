//! The kinds of tool responses, and the forms of their outputs.

use crate::element::ToolKind;

/// The kind of item that a tool response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseKind {
    /// The output of a function or of a custom tool.
    Tool(ToolKind),
    /// A screenshot.
    Computer,
    /// The output of shell commands.
    Shell,
    /// The result of a patch.
    ApplyPatch,
    /// The answer to a request for approval.
    Approval,
}

impl ResponseKind {
    /// Every kind, with the type of the item it answers and the type of the item that it is.
    const TYPES: [(ResponseKind, &'static str, &'static str); 6] = [
        Self::of_tool(ToolKind::Function),
        Self::of_tool(ToolKind::Custom),
        (ResponseKind::Computer, "computer_call", "computer_call_output"),
        (ResponseKind::Shell, "shell_call", "shell_call_output"),
        (ResponseKind::ApplyPatch, "apply_patch_call", "apply_patch_call_output"),
        (ResponseKind::Approval, "mcp_approval_request", "mcp_approval_response"),
    ];

    const fn of_tool(kind: ToolKind) -> (ResponseKind, &'static str, &'static str) {
        (ResponseKind::Tool(kind), kind.call_type(), kind.output_type())
    }

    /// Whether an item of this type is an output, also one of a type that is not in the table.
    pub fn is_output_type(name: &str) -> bool {
        name.ends_with("_output") || Self::from_item_type(name).is_some()
    }

    /// The key of the call's item that has its id.
    pub fn call_id_key(self) -> &'static str {
        match self {
            ResponseKind::Approval => "id",
            ResponseKind::Tool(_) | ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => {
                "call_id"
            }
        }
    }

    /// The key of its own item that has the id of the call.
    pub fn id_key(self) -> &'static str {
        match self {
            ResponseKind::Approval => "approval_request_id",
            ResponseKind::Tool(_) | ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => {
                "call_id"
            }
        }
    }

    /// The kind that a `type` attribute names: by the type of the call, or by that of the output.
    pub fn from_attribute(name: &str) -> Option<Self> {
        let is_named = |(_, call, output): &&(_, &str, &str)| *call == name || *output == name;
        Self::TYPES.iter().find(is_named).map(|(kind, _, _)| *kind)
    }

    /// The kind of an item of this type.
    pub fn from_item_type(name: &str) -> Option<Self> {
        Self::TYPES.iter().find(|(_, _, output)| *output == name).map(|(kind, _, _)| *kind)
    }

    /// The kind of output that a call of this type needs.
    pub fn from_call_type(name: &str) -> Option<Self> {
        Self::TYPES.iter().find(|(_, call, _)| *call == name).map(|(kind, _, _)| *kind)
    }

    /// The type of the call that it answers.
    pub fn call_type(self) -> &'static str {
        let named = Self::TYPES.iter().find(|(kind, _, _)| *kind == self);
        named.map(|(_, call, _)| *call).unwrap_or_default()
    }

    /// The `type` of its item.
    pub fn item_type(self) -> &'static str {
        let named = Self::TYPES.iter().find(|(kind, _, _)| *kind == self);
        named.map(|(_, _, output)| *output).unwrap_or_default()
    }

    /// The value of its `type` attribute. A function's output has none.
    pub fn attribute(self) -> Option<&'static str> {
        Some(self.call_type()).filter(|_| self != ResponseKind::Tool(ToolKind::Function))
    }
}

/// The form of a tool response that `output=` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputHint {
    /// The body is text, even if it looks like JSON.
    Text,
    /// The body is parts.
    Content,
}

impl OutputHint {
    /// The form that a value of `output=` asks for.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "text" => Some(OutputHint::Text),
            "content" => Some(OutputHint::Content),
            _ => None,
        }
    }

    /// The value of `output=`.
    pub fn name(self) -> &'static str {
        match self {
            OutputHint::Text => "text",
            OutputHint::Content => "content",
        }
    }
}
