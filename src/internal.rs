//! What the tests, benchmarks and fuzz targets use besides the public API. It may change in any release.

pub mod chat {
    #[doc(no_inline)]
    pub use crate::chat::{
        Options, ReplyError, SystemRole, ToolImages, export, import_reply, import_request, read_stream,
    };
}

pub mod convert {
    #[doc(no_inline)]
    pub use crate::convert::{Context, OutputStyle, Request, RequestOptions, Wanted, WriteOptions, write_payload};
}

pub mod diagnostic {
    #[doc(no_inline)]
    pub use crate::diagnostic::{
        Colors, Diagnostic, Diagnostics, ErrorKind, NoHints, Problem, Rule, SyntaxProblem, problem_rules, render,
        thousands,
    };
}

pub mod document {
    #[doc(no_inline)]
    pub use crate::document::{
        Block, Body, DataComment, DataKind, Declaration, DeclarationBody, DocForm, Document, Field, Fields,
        ItemElement, ItemKind, JsonText, Limits, Media, MediaKind, Outline, OutputHint, Part, ResponseKind, Role,
        Summary, ToolKind, Use, format, is_same, line_ending, lower, outline, print, print_with, references,
    };
}

pub mod element {
    #[doc(no_inline)]
    pub use crate::element::{AttributeKind, BodyKind, Tag};
}

pub mod json {
    #[doc(no_inline)]
    pub use crate::json::{
        Json, JsonError, Kind, MAX_DEPTH, Object, StringArena, fits_line, is_same, is_valid, lay_out, pretty, write,
    };
}

pub mod lint {
    #[doc(no_inline)]
    pub use crate::lint::{CheckOptions, check, find_rule, json, rules};
}

pub mod media {
    #[doc(no_inline)]
    pub use crate::resources::media::{DataUrl, base64, data_url, dimensions, file_type, image_type, is_animated_gif};
}

pub mod messages {
    #[doc(no_inline)]
    pub use crate::messages::{export, import_replies, import_request, read_stream};
}

#[cfg(feature = "render")]
pub mod render {
    #[doc(no_inline)]
    pub use crate::render::{ExtractError, Options, Page, Theme, extract, redact};
}

pub mod resolve {
    #[doc(no_inline)]
    pub use crate::resolve::Resolver;
}

pub mod responses {
    #[doc(no_inline)]
    pub use crate::responses::{
        Completion, Item, Part, Reasoning, ToolOutput, foreign_bytes, read, size, without_nulls,
        without_partial_character,
    };
}

pub mod sanitize {
    #[doc(no_inline)]
    pub use crate::sanitize::{is_invisible, sanitize, sanitize_json};
}

pub mod sessions {
    #[doc(no_inline)]
    pub use crate::sessions::{Format, SessionLimits, detect, open};
}

pub mod show {
    #[doc(no_inline)]
    pub use crate::show::{Options, show};
    #[doc(no_inline)]
    pub use crate::transcript::describe;
}

pub mod source {
    #[doc(no_inline)]
    pub use crate::source::{Origins, SourceId, Sources, Span, Spanned, decode};
}

pub mod stats {
    #[doc(no_inline)]
    pub use crate::stats::{Row, Stats, Subject, TableOptions, count, label, render, to_json};
}

pub mod stream {
    #[doc(no_inline)]
    pub use crate::stream::{StreamDecoder, StreamEnd, Streamed, StreamedBody};
}

pub mod syntax {
    #[doc(no_inline)]
    pub use crate::syntax::{
        Attribute, Attributes, MAX_DEPTH, Node, ends_with_markup, front_matter, is_whitespace, nested_elements,
        opens_document, parse, parse_body, unreadable_tag, write,
    };
}

pub mod tokens {
    #[doc(no_inline)]
    pub use crate::tokens::{Detail, image_tokens, text_tokens};
}

pub mod wire {
    #[doc(no_inline)]
    pub use crate::wire::{
        Api, Class, Detected, Entry, ExportedRequest, Form, Incoming, LEDGER_RULES, Ledger, LedgerRule, LocatedTool,
        Mark, Moved, Overlay, Place, Placed, Plan, SourceRequest, Unit, UnitKind, arrange, detect, marks,
        report_unsent, sent_call_id, unsent_field, unsent_member,
    };
}
