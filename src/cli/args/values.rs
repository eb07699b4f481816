//! The options of the library that are values of flags.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::render::Theme;
use crate::{Api, OutputStyle, SessionView, SystemRole, ToolImages, Whitespace};

/// Names the variants of an option, with their help.
macro_rules! values {
    ($option:ty: $($variant:ident = $name:literal $($help:literal)?,)*) => {
        impl ValueEnum for $option {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$variant),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(match self {
                    $(Self::$variant => PossibleValue::new($name)$(.help($help))?,)*
                })
            }
        }
    };
}

values! { Api:
    Responses = "responses" "OpenAI Responses",
    Messages = "messages" "Anthropic Messages",
    Chat = "chat" "OpenAI Chat Completions, and servers that copy it",
}

values! { Whitespace:
    Layout = "layout" "A line break after an opening tag or before a closing tag is not content",
    Verbatim = "verbatim" "All whitespace is content, as in ochat",
}

values! { ToolImages:
    Hoist = "hoist" "In a user message after the outputs, which every server takes",
    Inline = "inline" "In the output, which some servers take",
}

values! { SystemRole:
    System = "system",
    Developer = "developer",
}

values! { SessionView:
    All = "all" "Everything that happened, in order",
    Model = "model" "What the model would see if the session continued",
}

values! { OutputStyle:
    Json = "json" "As a JSON array",
    Items = "items" "As `<img>`, `<doc>` and text",
}

values! { Theme:
    Auto = "auto" "As the reader prefers",
    Light = "light" "Dark text on light ground",
    Dark = "dark" "Light text on dark ground",
}
