//! The problems of reading and converting.

use crate::element::Tag;
use crate::source::Span;

/// The limit that a file exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceiling {
    /// The size of one file.
    File,
    /// The size of everything that is read.
    Total,
}

/// What would allow a document to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Naming a regular file.
    RegularFile,
    /// Allowing the directory that it is in.
    Directory,
    /// Allowing the current directory.
    CurrentDirectory,
    /// Saving the prompt that was fetched to a file.
    LocalPrompt,
}

/// What the body of a tool response must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseBody {
    /// One image and nothing else.
    OneImage,
    /// `approve` or `deny`, and perhaps a reason.
    Approval,
}

/// A problem of reading or converting. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// the bytes `<user>`, `0xff`
    NotUtf8 {
        /// The first byte that is not valid.
        byte: u8,
        /// Its offset in the file.
        offset: usize,
        /// Whether the file starts like UTF-16.
        looks_like_utf16: bool,
    },
    /// `hello`
    TextAtTopLevel {
        /// A tag at its start as it is written, without `<` and attributes, and the tag that was probably meant.
        misspelt: Option<(String, Tag)>,
        /// Whether the document starts like JSON.
        is_json: bool,
    },
    /// `<!--`
    UnterminatedComment,
    /// `<user>RAW|</user>`
    UnterminatedRaw,
    /// `<user `, or `<user <img>`: another tag comes before the `>`
    UnterminatedTag(Tag),
    /// `<user id="`
    UnterminatedQuote {
        /// The quote that is missing.
        quote: char,
    },
    /// `<user id="a>b</user><user id="c">`
    StrayQuote {
        /// The quote.
        quote: char,
        /// Where a value with a `>` in it started before it.
        value_began: Span,
    },
    /// `<user ,>`
    StrayCharacters,
    /// `<user>`
    UnclosedElement {
        /// The element.
        tag: Tag,
        /// A text in it that looks like its closing tag.
        misspelt_at: Option<Span>,
    },
    /// `<user><img src="https://u"></user>`
    MissingSlash(Tag),
    /// `<user></assistant>`
    MismatchedTag {
        /// The element that is open.
        opened: Tag,
        /// Its opening tag.
        opened_at: Span,
        /// The element that is closed instead.
        closed: Tag,
        /// Whether that element is open too, further out.
        closes_outer: bool,
    },
    /// `</user>`
    StrayClosingTag(Tag),
    /// `<user>` 129 times
    NestingTooDeep {
        /// How deep elements may be nested.
        limit: usize,
    },
    /// `<tool_call tool_call_id="c"></tool_call>`
    MissingAttribute {
        /// The element.
        tag: Tag,
        /// The attribute that is missing.
        name: &'static str,
        /// Whether the tag is in Markdown code, and so is probably meant as text.
        is_in_code: bool,
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
    MisplacedDirective {
        /// The word after `chatmd:`.
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
        /// The attributes that have a meaning there.
        known: Vec<&'static str>,
    },
    /// `<tool_call type="x" function_name="f" tool_call_id="c"></tool_call>`
    UnknownToolType(String),
    /// `<tool_response type="x" tool_call_id="c"></tool_response>`
    UnknownResponseType(String),
    /// `<tool_response type="computer_call" tool_call_id="c">text</tool_response>`
    WrongResponseBody(ResponseBody),
    /// `<tool_response tool_call_id="c" output="json"></tool_response>`
    UnknownOutput,
    /// `<tool_response tool_call_id="c" output="text"><img src="u"/></tool_response>`
    PartInTextOutput,
    /// `<tool_call function_name="f" tool_call_id="c"><doc file_id="f"/></tool_call>`
    PartInText(Tag),
    /// `<user><img src="u" file_id="f"/></user>`
    TwoSources {
        /// The element.
        tag: Tag,
        /// The two attributes.
        names: [&'static str; 2],
    },
    /// `<user><img src="cat.png"/></user>`
    NotAUrl,
    /// `<user><img src="u">alt</img></user>`
    IgnoredContent(Tag),
    /// `<reasoning id="r" content="x"></reasoning>`
    NotAnEmptyList(&'static str),
    /// `<user><import src="b.md"/></user>`, where `b.md` holds `<user></user>`
    BlockInImportedBody(Tag),
    /// `<user><img src="nowhere.png" local/></user>`
    MissingFile {
        /// The path as it is written in the document.
        path: String,
        /// Whether it is below the current directory, which the document may not read.
        is_in_current_dir: bool,
    },
    /// `<user><img src="/etc/passwd" local/></user>`
    ForbiddenFile {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not allowed.
        why: String,
        /// What would allow it.
        remedy: Remedy,
    },
    /// a link to itself, a name that is not valid
    UnusableFile {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not read.
        why: String,
    },
    /// a file that is larger than a limit
    FileTooLarge {
        /// The path as it is written in the document.
        path: String,
        /// Why it is not read.
        why: String,
        /// The limit that the file exceeds.
        ceiling: Ceiling,
    },
    /// a file that the operating system does not allow to be read
    UnreadableFile {
        /// The path as it is written in the document.
        path: String,
        /// The error of the operating system.
        why: String,
    },
    /// `<import src="a.md"/>` in `a.md`
    ImportCycle,
    /// a file that imports one that imports one …
    ImportTooDeep {
        /// How deep imports may be nested.
        limit: usize,
    },
    /// two imports of two imports of two imports …
    TooManyImports {
        /// How many there may be.
        limit: usize,
    },
    /// an import of a very large file
    ImportsTooLarge {
        /// How many bytes all imported files may have.
        limit: usize,
    },
    /// `<import src="b.md"/>`, where `b.md` holds `<!-- chatmd:item {} -->`
    DirectiveInImport,
    /// `<!-- chatmd:item {"type": -->`
    MalformedDirective(String),
    /// `<user><!-- chatmd:fields {"role":"system"} --></user>`
    ForbiddenField(String),
    /// `<config model="a">{"model":"b"}</config>`
    DuplicateField(String),
    /// `<!-- chatmd:request {} --><!-- chatmd:request {} -->`
    RepeatedRequest,
    /// `<tool_response tool_call_id="c">[{"type":"input_audio"}]</tool_response>`
    UnsupportedMedia {
        /// Which part, from 0.
        index: usize,
        /// Its type.
        kind: String,
    },
    /// `<tool_response tool_call_id="c">{"type":"image","data":"AA==","mimeType":"image/png","x":1}</tool_response>`
    UnsentKeys(Vec<String>),
    /// `<tool_response tool_call_id="c">[{"type":"input_text"}]</tool_response>`
    MalformedParts(String),
    /// `<user><img src="notes.txt" local/></user>`
    NotAnImage(String),
    /// `<user><doc src="photo.png" local/></user>`
    NotText(String),
    /// `<user><doc src="https://example.com"/></user>`
    RemoteDoc(String),
    /// `<user><doc src="page.html" local strip/></user>`, where the page cannot be laid out
    HtmlNotConverted {
        /// The file.
        path: String,
        /// Why it is not converted.
        why: &'static str,
    },
    /// `<user><doc src="https://example.com"/></user>`, and a fetch command that fails
    FetchFailed {
        /// What was to be fetched.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// `<user><agent src="a.md" local>x</agent></user>`, and an agent command that fails
    AgentFailed {
        /// What went wrong.
        why: String,
    },
    /// `<agent src="a.md" local>x</agent>` in a message of `a.md`
    AgentTooDeep {
        /// How deep agents may be nested.
        limit: usize,
    },
    /// 101 times `<doc src="https://a"/>`, with a program that fetches it
    TooManyRuns {
        /// How often programs may run.
        limit: u64,
    },
    /// `<config max_tokens="many"/>`
    InvalidConfig {
        /// The attribute.
        name: String,
        /// What its value must be.
        wanted: &'static str,
        /// What it is.
        found: Option<String>,
    },
    /// `<config>model: gpt-5</config>`
    MalformedBody {
        /// The element.
        tag: Tag,
        /// What is wrong with its body.
        what: String,
    },
    /// `<config>{"input":[]}</config>`
    InputInConfig,
    /// `<config>{"store":"yes"}</config>`
    SuspectField {
        /// The error that the API would return.
        what: String,
    },
    /// `<tool name="a">{}</tool><tool name="a">{}</tool>`
    DuplicateTool {
        /// The name.
        name: String,
        /// The first tool of this name.
        first: Span,
    },
    /// `<config/><config/>`
    RepeatedConfig {
        /// The one that counts.
        first: Span,
    },
    /// `<tool name="t" schema="schema.json"/>`, where the file holds `[]`
    InvalidSchema {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// `<tool name="unheard_of"/>`
    UnknownTool(String),
    /// `<tool mcp_server="stdio:server"/>`
    UnreachableServer(String),
    /// `<reasoning id="r"></reasoning>` for a stateless API
    ReasoningOmitted,
    /// `<reasoning issuer="anthropic">I wonder.</reasoning>`
    ForeignBlocks(usize),
    /// `<user><agent src="a.md" local>x</agent></user>`
    AgentRefused,
    /// `<user>hello</user>`
    MissingModel {
        /// Whether the document is empty.
        is_empty: bool,
    },
    /// the option `set` with the path `input.0.role.x`
    InvalidSet {
        /// The path.
        path: String,
        /// Why it cannot be set.
        why: String,
    },
    /// the option `tools` with the text `{}`
    InvalidTools(String),
    /// `<system instructions><img src="u"/></system>`
    PartInInstructions,
    /// the response `{"object":"response","output":[{"type":"function_call"}]}`
    MalformedJson {
        /// The path of the value.
        path: String,
        /// What is wrong with it.
        message: String,
        /// Whether the input ends before the JSON does.
        is_cut: bool,
    },
    /// an API error about `input[0].content[0]`
    ApiError {
        /// The message of the API.
        message: String,
        /// The path of the rejected value.
        param: String,
    },
    /// a Chat Completions response
    ForeignInput {
        /// What it is.
        what: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// the item `{"type":"function_call_output","output":"x"}`
    MalformedItem {
        /// The path of the wrong value.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// the stream `data: {`, and another event after it
    MalformedEvent(String),
    /// a stream with two versions of an item that contradict each other
    DroppedText(String),
    /// the response `{"object":"response","status":"completed","output":[]}`
    NoItems,
    /// A line of a session that is not a JSON object
    BrokenLine(String),
    /// A session without messages
    EmptySession,
    /// the request `{"model":"a","model":"b","input":[]}`
    RepeatedKey(String),
}
