//! Tests of `src/render/highlight.rs`.

use super::{Token, highlight};

fn tokens<'c>(language: &str, code: &'c str) -> Vec<(Token, &'c str)> {
    let tokens = highlight(language, code);
    assert_eq!(tokens.iter().map(|(_, piece)| *piece).collect::<String>(), code);
    tokens.into_iter().filter(|(token, _)| *token != Token::Plain).collect()
}

#[test]
fn tokens_of_languages() {
    use Token::{Added, Comment, Function, Key, Keyword, Number, Removed, String, Type};
    let rust = "fn f<'a>(x: &'a str) -> Vec<u8> { g('\\'', \"a\\\"b\", 0x1f) } // end";
    let expected = [
        (Keyword, "fn"),
        (Type, "Vec"),
        (Function, "g"),
        (String, "'\\''"),
        (String, "\"a\\\"b\""),
        (Number, "0x1f"),
        (Comment, "// end"),
    ];
    assert_eq!(tokens("rust", rust), expected);
    let python = [(Keyword, "def"), (Function, "f"), (String, "\"\"\"a\n\"b\"\"\""), (Comment, "# c")];
    assert_eq!(tokens("py", "def f(): \"\"\"a\n\"b\"\"\" # c\n"), python);
    assert_eq!(
        tokens("json", "{\"a\": \"b\", \"c\" : 1}"),
        [(Key, "\"a\""), (String, "\"b\""), (Key, "\"c\""), (Number, "1")]
    );
    assert_eq!(tokens("diff", "@@ 1\n+a\n-b\n c\n"), [(Type, "@@ 1\n"), (Added, "+a\n"), (Removed, "-b\n")]);
    assert_eq!(tokens("SQL", "SELECT a -- b"), [(Keyword, "SELECT"), (Comment, "-- b")]);
    assert_eq!(tokens("sh", "echo $# 'a b' # c"), [(Keyword, "echo"), (String, "'a b'"), (Comment, "# c")]);
    let html = [(Keyword, "b"), (Key, "id"), (String, "\"x\""), (Keyword, "b")];
    assert_eq!(tokens("html", "<b id=\"x\">'</b>"), html);
    assert_eq!(tokens("unknown", "fn 1 \"a\""), []);
    assert_eq!(tokens("rust", &"fn ".repeat(20_000)), []);
}
