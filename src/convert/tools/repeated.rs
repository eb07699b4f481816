//! Tools with the same name.

use std::collections::HashMap;

use crate::json::{Json, Object};

/// A name that an earlier tool has.
#[derive(Debug)]
pub struct RepeatedName {
    /// The index of the earlier tool.
    pub first: usize,
    /// The index of the tool that has it again.
    pub again: usize,
    /// The name.
    pub name: String,
}

/// The functions and custom tools whose name an earlier one has.
pub fn repeated_names(tools: &[Json<'_>]) -> Vec<RepeatedName> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut repeated = Vec::new();
    for (again, tool) in tools.iter().enumerate() {
        let Ok(tool) = tool.object() else { continue };
        let Some(name) = tool.get_str("name").filter(|_| is_function(&tool)) else { continue };
        match seen.get(name.as_ref()) {
            Some(first) => repeated.push(RepeatedName { first: *first, again, name: name.into_owned() }),
            None => {
                seen.insert(name.into_owned(), again);
            }
        }
    }
    repeated
}

/// Whether the model calls a tool by its name.
pub(in crate::convert) fn is_function(tool: &Object<'_>) -> bool {
    tool.get_str("type").is_some_and(|kind| matches!(kind.as_ref(), "function" | "custom"))
}
