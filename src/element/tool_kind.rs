//! The two protocols of tools that the caller runs.

/// The protocol of a call and its output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// `function_call`: the arguments are JSON.
    Function,
    /// `custom_tool_call`: the input is free text.
    Custom,
}

impl ToolKind {
    /// The `type` of a call.
    pub const fn call_type(self) -> &'static str {
        match self {
            ToolKind::Function => "function_call",
            ToolKind::Custom => "custom_tool_call",
        }
    }

    /// The `type` of an output.
    pub const fn output_type(self) -> &'static str {
        match self {
            ToolKind::Function => "function_call_output",
            ToolKind::Custom => "custom_tool_call_output",
        }
    }

    /// The key of the call's input: `arguments` or `input`.
    pub fn input_key(self) -> &'static str {
        match self {
            ToolKind::Function => "arguments",
            ToolKind::Custom => "input",
        }
    }
}
