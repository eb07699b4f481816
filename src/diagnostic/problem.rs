//! Everything that can be wrong, and how it is told.

use super::Lint;
use crate::element::Tag;
use crate::source::Span;

/// Whether a problem stops the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// The work goes on; with `--strict` it does not.
    Warning,
}

/// What sort of failure a problem is; the command has an exit code for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text breaks a rule of the language.
    JsonError,
    /// A file is not there.
    Missing,
    /// A file, a URL or a program is not allowed.
    Refused,
    /// A file is there and cannot be read.
    Unreadable,
    /// The API says no.
    ApiError,
}

/// What a file can be too large for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceiling {
    /// The size of one file.
    File,
    /// The size of everything that is read.
    Total,
}

/// What would let a document read a file that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The name of a regular file.
    RegularFile,
    /// A root that it is in.
    Root,
    /// The current directory as a root.
    CurrentDir,
    /// A prompt that is a file and not fetched.
    LocalPrompt,
}

/// What is wrong with a text. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// the bytes `<user>`, `0xff`
    NotUtf8 {
        /// The first byte that is no text.
        byte: u8,
        /// Where it stands in the file.
        offset: usize,
        /// Whether the file begins like UTF-16.
        looks_like_utf16: bool,
    },
    /// `hello`
    TextAtTopLevel {
        /// The tag that was most likely meant.
        meant: Option<Tag>,
        /// Whether the whole text begins like JSON.
        is_json: bool,
    },
    /// `<!--`
    UnterminatedComment,
    /// `<user>RAW|</user>`
    UnterminatedRaw,
    /// `<user `, or `<user <b>`: another `<` comes before the `>`
    UnterminatedTag(Tag),
    /// `<user id="`
    UnterminatedQuote {
        /// The quote that is missing.
        quote: char,
    },
    /// `<user id="a" b">`
    StrayQuote {
        /// The quote.
        quote: char,
        /// Where a value of several lines began before it.
        value_began: Option<Span>,
    },
    /// `<user ,>`
    StrayCharacters,
    /// `<user>`
    Unclosed {
        /// The element.
        tag: Tag,
        /// A text in it that looks like its closing tag.
        misspelt_at: Option<Span>,
    },
    /// `<user></assistant>`
    Mismatched {
        /// The element that is open.
        opened: Tag,
        /// Its opening tag.
        opened_at: Span,
        /// The element that is closed instead.
        closed: Tag,
        /// Whether that one is open too, further out.
        closes_outer: bool,
    },
    /// `</user>`
    StrayClose(Tag),
    /// `<user>` a hundred times over
    TooDeep {
        /// How many elements may stand inside each other.
        limit: usize,
    },
    /// `<tool_call tool_call_id="c"></tool_call>`
    MissingAttribute {
        /// The element.
        tag: Tag,
        /// What it lacks.
        name: &'static str,
    },
    /// `<msg role="bogus"></msg>`
    UnknownRole(String),
    /// `<assistant status="completed"></assistant>`
    StatusWithoutId,
    /// `<img src="u"/>`
    InlineAtTopLevel(Tag),
    /// `<user><tool_call/></user>`
    NestedToolTrace(Tag),
    /// `<user><tool name="x"/></user>`
    NestedBlock(Tag),
    /// `<user><!-- chatmd:item {} --></user>`
    MisplacedCarried {
        /// What kind of comment it says it is.
        kind: String,
    },
    /// `<user id="a" id="b"></user>`
    RepeatedAttribute(String),
    /// `<user color="red"></user>`
    UnknownAttribute {
        /// The element.
        tag: Tag,
        /// The attribute.
        name: String,
    },
    /// `<tool_call type="x" function_name="f" tool_call_id="c"></tool_call>`
    UnknownToolType(String),
    /// `<tool_response tool_call_id="c" output="json"></tool_response>`
    UnknownOutput,
    /// `<tool_response tool_call_id="c" output="text"><img src="u"/></tool_response>`
    PartInTextOutput,
    /// `<tool_call function_name="f" tool_call_id="c"><doc file_id="f"/></tool_call>`
    PartInText(Tag),
    /// `<user><img src="u" file_id="f"/></user>`
    TwoSources(Tag),
    /// `<user><img src="u">alt</img></user>`
    IgnoredContent(Tag),
    /// `<reasoning id="r" content="x"></reasoning>`
    NotAnEmptyList(&'static str),
    /// `<user><import src="b.md"/></user>`, where `b.md` holds `<user></user>`
    BlockInImportedBody(Tag),
    /// `<user><img src="nowhere.png" local/></user>`
    FileMissing {
        /// The file as it is written in the document.
        path: String,
        /// Whether it is below the current directory, which the document may not read.
        is_in_current_dir: bool,
    },
    /// `<user><img src="/etc/passwd" local/></user>`
    FileRefused {
        /// The file as it is written in the document.
        path: String,
        /// Why it is not allowed.
        why: String,
        /// What would allow it.
        remedy: Remedy,
    },
    /// a file over the ceiling, a link that leads to itself, a name that no file can have
    FileUnfit {
        /// The file as it is written in the document.
        path: String,
        /// Why it is not read.
        why: String,
        /// The ceiling that it is over, if it is over one.
        ceiling: Option<Ceiling>,
    },
    /// a file that the system does not let us read
    FileUnreadable {
        /// The file as it is written in the document.
        path: String,
        /// What the system says.
        why: String,
    },
    /// `<import src="a.md"/>` in `a.md`
    ImportCycle,
    /// a file that imports one that imports one …
    ImportTooDeep {
        /// How many files may stand inside each other.
        limit: usize,
    },
    /// two imports of two imports of two imports …
    TooManyImports {
        /// How many there may be.
        limit: usize,
    },
    /// an import of a very large file
    ImportsTooLarge {
        /// How many bytes all imports may bring.
        limit: usize,
    },
    /// `<import src="b.md"/>`, where `b.md` holds `<!-- chatmd:item {} -->`
    CarriedInImport,
    /// `<!-- chatmd:item {"type": -->`
    MalformedCarried(String),
    /// `<user><!-- chatmd:fields {"role":"system"} --></user>`
    ForbiddenField(String),
    /// `<config model="a"/><!-- chatmd:request {"model":"b"} -->`
    SaidTwice(String),
    /// `<!-- chatmd:request {} --><!-- chatmd:request {} -->`
    SecondRequest,
    /// `<tool_response tool_call_id="c">[{"type":"input_audio"}]</tool_response>`
    RefusedMedia {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
    },
    /// `<tool_response tool_call_id="c">[{"type":"input_text"}]</tool_response>`
    MalformedParts(String),
    /// `<user><img src="notes.txt" local/></user>`
    NotAnImage(String),
    /// `<user><doc src="photo.png" local/></user>`
    NotText(String),
    /// `<user><doc src="https://example.com"/></user>`
    RemoteDoc(String),
    /// `<user><doc src="page.html" local strip/></user>`, where the page cannot be laid out
    BadHtml(String),
    /// `<user><doc src="https://example.com"/></user>` with `--fetch-command false`
    FetchFailed {
        /// What was to be fetched.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// `<user><agent src="a.md" local>x</agent></user>` with `--agent-command false`
    AgentFailed {
        /// What went wrong.
        why: String,
    },
    /// `<agent src="a.md" local>x</agent>` in a message of `a.md`
    AgentTooDeep {
        /// How many agents may ask each other.
        limit: usize,
    },
    /// `<config max_tokens="many"/>`
    BadConfig {
        /// The attribute.
        name: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// `<config/><config/>`
    SecondConfig {
        /// The one that counts.
        first: Span,
    },
    /// `<tool name="t" schema="schema.json"/>`, where the file holds `[]`
    BadSchema {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// `<tool name="unheard_of"/>`
    UnknownTool(String),
    /// `<tool mcp_server="stdio:server"/>`
    UnreachableServer(String),
    /// `<reasoning id="r"></reasoning>` with `--stateless`
    ReasoningLeftOut,
    /// `<user><agent src="a.md" local>x</agent></user>`
    AgentRefused,
    /// `<user>hello</user>`
    NoModel,
    /// `--set input.0.role.x=1`
    BadSet {
        /// The path.
        path: String,
        /// Why nothing can be put there.
        why: String,
    },
    /// `<system instructions><img src="u"/></system>`
    PartInInstructions,
    /// the response `{"object":"response","output":[{"type":"function_call"}]}`
    MalformedJson {
        /// The way to the value.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// an API error about `input[0].content[0]` with `--for`
    ApiRefused {
        /// What the API says.
        message: String,
        /// What it says it about.
        param: String,
    },
    /// the request `{"model":"a","model":"b","input":[]}`
    RepeatedKey(String),
    /// what `check` finds besides
    Lint(Lint),
}

impl Problem {
    /// Its stable code: `E` and a number for an error, `W` for a warning, or the name of a rule of `check`.
    pub fn code(&self) -> &'static str {
        self.message().code
    }

    /// Whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        match self {
            Problem::Lint(lint) => lint.severity(),
            _ if self.code().starts_with('W') => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The sort of failure it is.
    pub fn error_kind(&self) -> ErrorKind {
        match self {
            Problem::ApiRefused { .. } => ErrorKind::ApiError,
            Problem::FileMissing { .. } => ErrorKind::Missing,
            Problem::FileRefused { .. } | Problem::RemoteDoc(_) | Problem::AgentRefused => ErrorKind::Refused,
            Problem::FileUnreadable { .. } | Problem::FetchFailed { .. } | Problem::AgentFailed { .. } => {
                ErrorKind::Unreadable
            }
            _ => ErrorKind::JsonError,
        }
    }

    /// The problem in one line, without its place.
    pub fn title(&self) -> String {
        self.message().title
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        self.message().help
    }
}
