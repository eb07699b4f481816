//! The languages whose code is coloured, as one table.

/// How the words of a language are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Keywords, functions and types.
    Code,
    /// Keys and values.
    Data,
    /// Tags and attributes.
    Markup,
    /// Lines that were added or removed.
    Diff,
}

/// The properties of a language that the scanner needs.
pub(super) struct Language {
    names: &'static str,
    pub(super) style: Style,
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// The characters that start and end a string on one line.
    pub(super) quotes: &'static str,
    /// The delimiters of strings of several lines.
    pub(super) long_strings: &'static [&'static str],
    pub(super) keywords: &'static str,
    pub(super) ignores_case: bool,
    pub(super) has_lifetimes: bool,
    /// Whether names of types start with a capital letter.
    pub(super) has_types: bool,
}

const BASE: Language = Language {
    names: "",
    style: Style::Code,
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: "\"'",
    long_strings: &[],
    keywords: "",
    ignores_case: false,
    has_lifetimes: false,
    has_types: true,
};

const HASH: Language = Language { line_comments: &["#"], block_comment: None, ..BASE };

const LANGUAGES: [Language; 22] = [
    Language {
        names: "rust rs",
        has_lifetimes: true,
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
                   match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
        ..BASE
    },
    Language {
        names: "python py python3 pycon ipython",
        long_strings: &["\"\"\"", "'''"],
        keywords: "False None True and as assert async await break case class continue def del elif else except \
                   finally for from global if import in is lambda match nonlocal not or pass raise return self try \
                   while with yield",
        ..HASH
    },
    Language {
        names: "javascript js jsx mjs cjs typescript ts tsx",
        long_strings: &["`"],
        keywords: "abstract any as async await boolean break case catch class const continue default delete do else \
                   enum export extends false finally for from function get if implements import in instanceof \
                   interface let new null number of private protected public readonly return set static string super \
                   switch this throw true try type typeof undefined unknown var void while yield",
        ..BASE
    },
    Language {
        names: "c h cpp c++ cc hpp cxx objc",
        keywords: "auto bool break case catch char class const constexpr continue default delete do double else enum \
                   explicit extern false float for friend goto if inline int long namespace new noexcept nullptr \
                   operator override private protected public return short signed sizeof static struct switch template \
                   this throw true try typedef typename union unsigned using virtual void volatile while",
        ..BASE
    },
    Language {
        names: "java kotlin kt kts scala groovy",
        long_strings: &["\"\"\""],
        keywords: "abstract as boolean break byte case catch char class companion const continue data def default do \
                   double else enum extends false final finally float for fun if implements import in instanceof int \
                   interface internal is lateinit long match new null object open override package private protected \
                   public return sealed short static super switch this throw throws trait true try val var void when \
                   while yield",
        ..BASE
    },
    Language {
        names: "csharp cs c# fsharp",
        keywords: "abstract as async await base bool break byte case catch char class const continue decimal default \
                   delegate do double else enum event false finally float for foreach get if in int interface internal \
                   is lock long namespace new null object out override params private protected public readonly record \
                   ref return sealed set short static string struct switch this throw true try using var virtual void \
                   while yield",
        ..BASE
    },
    Language {
        names: "go golang",
        long_strings: &["`"],
        keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
                   interface iota map nil package range return select struct switch true type var",
        ..BASE
    },
    Language {
        names: "swift dart zig solidity",
        long_strings: &["\"\"\""],
        keywords: "as async await break case catch class const continue default defer do else enum extension false \
                   final for func guard if import in init inout internal is let nil null override private protocol \
                   pub public return self static struct super switch this throw throws true try var void where while",
        ..BASE
    },
    Language {
        names: "php",
        line_comments: &["//", "#"],
        keywords: "abstract array as break case catch class const continue declare default do echo else elseif extends \
                   false final finally fn for foreach function global if implements include instanceof interface match \
                   namespace new null private protected public readonly require return static switch throw trait true \
                   try use var while yield",
        ..BASE
    },
    Language {
        names: "ruby rb elixir ex exs crystal",
        keywords: "alias and begin break case class def defmodule defp do else elsif end ensure false fn for if in \
                   module next nil not or redo require rescue retry return self super then true undef unless until use \
                   when while yield",
        ..HASH
    },
    Language {
        names: "shell sh bash zsh fish console shellsession terminal",
        has_types: false,
        keywords: "alias break case cd continue do done echo elif else esac exec exit export false fi for function if \
                   in local printf read return set shift source sudo then trap true unset until while",
        ..HASH
    },
    Language {
        names: "powershell ps1 pwsh",
        ignores_case: true,
        keywords: "begin break catch continue do else elseif end exit filter finally for foreach function if in param \
                   process return switch throw trap try until while",
        ..HASH
    },
    Language {
        names: "sql postgresql mysql sqlite plsql",
        line_comments: &["--"],
        ignores_case: true,
        has_types: false,
        keywords: "add all alter and as asc begin between by case cast check column commit constraint create cross \
                   database default delete desc distinct drop else end exists false foreign from full group having if \
                   in index inner insert into is join key left like limit not null offset on or order outer over \
                   partition primary references returning right rollback select set table then transaction true union \
                   unique update using values view when where with",
        ..BASE
    },
    Language {
        names: "lua haskell hs elm ada vhdl",
        line_comments: &["--"],
        block_comment: None,
        keywords: "and case class data deriving do else elseif end false for function if import in instance let local \
                   module newtype nil not of or repeat return then true type until where while",
        ..BASE
    },
    Language {
        names: "ocaml ml reason",
        line_comments: &[],
        block_comment: Some(("(*", "*)")),
        quotes: "\"",
        keywords: "and as assert begin class do done downto else end exception false for fun function functor if in \
                   include let match method module mutable new of open or rec sig struct then to true try type val \
                   when while with",
        ..BASE
    },
    Language {
        names: "r julia jl perl pl nim makefile make dockerfile docker cmake nix hcl terraform tf",
        keywords: "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR abstract begin break const \
                   do else elseif elsif end export false for foreach function if import in include inherit let local \
                   module my next our proc repeat require resource return rec struct sub then true use using variable \
                   where while with",
        ..HASH
    },
    Language { names: "json json5 jsonc jsonl ndjson", style: Style::Data, keywords: "true false null", ..BASE },
    Language {
        names: "yaml yml toml ini conf cfg properties env editorconfig",
        style: Style::Data,
        line_comments: &["#", ";"],
        long_strings: &["\"\"\"", "'''"],
        keywords: "true false null yes no on off",
        ..HASH
    },
    Language { names: "css scss less sass", style: Style::Data, keywords: "important", ..BASE },
    Language {
        names: "graphql gql proto protobuf",
        style: Style::Code,
        keywords: "enum fragment input interface message mutation query repeated schema service string type union",
        ..HASH
    },
    Language {
        names: "html xml svg xhtml vue svelte chatmarkdown",
        style: Style::Markup,
        line_comments: &[],
        block_comment: Some(("<!--", "-->")),
        quotes: "\"",
        ..BASE
    },
    Language { names: "diff patch", style: Style::Diff, ..BASE },
];

/// The language of this name, as the first word after the fence of a code block.
pub(super) fn find(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.names.split(' ').any(|known| known == name))
}
