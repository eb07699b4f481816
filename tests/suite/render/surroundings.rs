//! Secrets of every known form, next to and inside of anything that a document may contain.

use chatmd::internal::render::{Options, extract};
use chatmd::{CheckOptions, Converter};

use super::laws::rendered;

/// A secret of each form, and the name of its kind.
fn secrets() -> Vec<(String, &'static str)> {
    let word = "x8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1QoX8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4e";
    let header = "eyJhbGciOiJIUzI1NiJ9";
    let mut all: Vec<(String, &str)> = [
        ("sk-ant-", "Anthropic API key"),
        ("sk-proj-", "API key"),
        ("sk_live_", "Stripe key"),
        ("ghp_", "GitHub token"),
        ("github_pat_", "GitHub token"),
        ("glpat-", "GitLab token"),
        ("hf_", "Hugging Face token"),
        ("npm_", "npm token"),
        ("pypi-AgEI", "PyPI token"),
        ("xai-", "xAI API key"),
        ("gsk_", "Groq API key"),
        ("dop_v1_", "DigitalOcean token"),
        ("xoxb-", "Slack token"),
        ("ya29.", "Google access token"),
    ]
    .into_iter()
    .map(|(prefix, kind)| (format!("{prefix}{word}"), kind))
    .collect();
    all.extend([
        ("ghp_Ab3dEfGh1jKlMn0pQrStUvWxYz01234567Ab".to_owned(), "GitHub token"),
        ("AKIA2E0A8F3B244C9986".to_owned(), "AWS access key id"),
        (format!("AIza{}", &word[..35]), "Google API key"),
        (format!("{header}.eyJzdWIiOiJib2IifQ.{}", &word[..43]), "signed token"),
        (format!("{header}.{word}.{}.{}.{}", &word[..16], &word[..40], &word[..22]), "signed token"),
        (format!("{header}..{}.{}.{}", &word[..16], &word[..40], &word[..22]), "signed token"),
    ]);
    all
}

/// Text that may surround a secret, which is `@`.
const SURROUNDINGS: [&str; 45] = [
    "@",
    "It is @.",
    "@, then",
    "\"@\"",
    "(@)",
    "key=@&x=y",
    "\u{1b}[32m@\u{1b}[0m",
    "red\u{1b}[1;31m@\u{1b}[m!",
    "\u{1b}(B@",
    "x\u{9b}32m@",
    "{\"a\":\"\\u001b[32m@\\u001b[0m\"}",
    "{\"a\":\"x\\u000a@\"}",
    "{\"a\":\"x\\u0020@\\u0020\"}",
    "{\"a\":\"x\\n@\\ny\"}",
    "{\"a\":\"x\\r\\n@\"}",
    "{\"a\":\"x\\t@\"}",
    "{\"a\":\"x\\b@\"}",
    "{\"a\":\"x\\f@\"}",
    "\"{\\\"a\\\":\\\"x\\\\n@\\\\n\\\"}\"",
    "\"\\\"\\\\\\\"x\\\\\\\\u0020@\\\\\\\"\\\"\"",
    "printf '\\x1b[32m@'",
    "printf '\\033[32m@\\033[0m'",
    "echo -e '\\e[0m@'",
    "\\u{1b}[32m@",
    "\\U0000001b[32m@",
    "a%20@",
    "token%3D@%26x",
    "token%253D@",
    "a&#10;@",
    "a&#x20;@",
    "a&amp;lt;@",
    "a&quot;@&quot;",
    "_@_",
    "**@**",
    "`@`",
    "key-@",
    "key_@",
    "+@",
    "-@",
    "     1→@",
    "\t1\t@",
    "> @",
    "x\u{200b}@\u{200b}",
    "@ is it",
    "https://x.org/?t=@",
];

/// Ways to write a secret: one of its characters is escaped, or something invisible is in it.
fn spellings(secret: &str) -> Vec<String> {
    let sign = secret.find(['_', '-', '.']).unwrap_or(1);
    let (head, tail) = secret.split_at(sign);
    let code = u32::from(tail.as_bytes()[0]);
    let rest = &tail[1..];
    let mut all = vec![
        secret.to_owned(),
        format!("{head}\\u{code:04x}{rest}"),
        format!("{head}\\\\u{code:04x}{rest}"),
        format!("{head}\\x{code:02x}{rest}"),
        format!("{head}%{code:02X}{rest}"),
        format!("{head}%25{code:02x}{rest}"),
        format!("{head}&#{code};{rest}"),
        format!("{head}&#x{code:x};{rest}"),
        format!("{head}\u{200b}{tail}"),
        format!("{head}{}\u{ad}{}", &tail[..5], &tail[5..]),
        format!("{head}\u{1b}[m\u{1b}[K{tail}"),
    ];
    if !tail.as_bytes()[0].is_ascii_alphanumeric() {
        all.push(format!("{head}\\{tail}"));
    }
    all
}

fn assert_redacted(document: &str, end: &str, kind: &str) {
    let page = rendered(document, &Options { redacts: true, ..Options::default() });
    let taken = String::from_utf8(extract(page.html.as_bytes()).unwrap()).unwrap();
    assert!(!page.html.contains(end), "in the page: {document}");
    assert!(!taken.contains(end) && taken.contains(&format!("[redacted: {kind}]")), "{document}\n{taken}");
    assert_eq!(page.redacted.iter().map(|one| one.kind).collect::<Vec<_>>(), [kind], "{document}");
    assert!(page.redacted_elsewhere.is_empty(), "{document}");
    let checked = Converter::new().check(document, &CheckOptions::default());
    assert!(checked.iter().any(|finding| finding.name() == "secret"), "not reported: {document}");
}

#[test]
fn no_surrounding_hides_a_secret() {
    for (secret, kind) in secrets() {
        let end = &secret[secret.len() - 10..];
        for surrounding in SURROUNDINGS {
            let text = surrounding.replace('@', &secret);
            assert_redacted(&format!("<user>\n{text}\n</user>\n"), end, kind);
        }
    }
}

#[test]
fn no_spelling_hides_a_secret() {
    for (secret, kind) in secrets() {
        let end = &secret[secret.len() - 10..];
        for text in spellings(&secret) {
            assert_redacted(&format!("<user>\nIt is {text}\n</user>\n"), end, kind);
            assert_redacted(&format!("<!-- It is {text} -->\n<user>\nx\n</user>\n"), end, kind);
            let output =
                format!("<tool_response tool_call_id=\"c\">\n{{\"a\":\"\\u001b[1m{text}\"}}\n</tool_response>\n");
            assert_redacted(&output, end, kind);
        }
    }
}

#[test]
fn no_end_hides_a_secret() {
    let word = "x8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4eUi1QoX8Kq2LmVt5RbN7wYcZ3dJ6fHs9gPa4e";
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.{}", &word[..43]);
    for (text, end, kind) in [
        (format!("{jwt}.Next sentence"), &word[20..43], "signed token"),
        (format!("{jwt}.json"), &word[20..43], "signed token"),
        (format!("{jwt}..."), &word[20..43], "signed token"),
        ("AKIA2E0A8F3B244C9986_old".to_owned(), "3B244C9986", "AWS access key id"),
        ("AKIA2E0A8F3B244C9986-old".to_owned(), "3B244C9986", "AWS access key id"),
        ("AKIA2E0A8F3B244C9986\\u001b[0mfoo".to_owned(), "3B244C9986", "AWS access key id"),
        (format!("AIza{}-old", &word[..35]), &word[20..35], "Google API key"),
    ] {
        assert_redacted(&format!("<user>\n{text}\n</user>\n"), end, kind);
    }
}

/// Lines of a key as other programs show them.
#[test]
fn no_prefix_of_lines_hides_a_private_key() {
    let line = "MIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7vMIIEpAIBAAKCAQEA7bq0";
    let key = |kind: &str, headers: &str| {
        format!("-----BEGIN {kind}-----\n{headers}{}q9ZwXbK4==\n-----END {kind}-----", format!("{line}\n").repeat(14))
    };
    let plain = key("RSA PRIVATE KEY", "");
    let prefixed = |prefix: &dyn Fn(usize) -> String| {
        plain.lines().enumerate().map(|(at, line)| prefix(at + 1) + line + "\n").collect::<String>()
    };
    let texts = [
        plain.clone(),
        key("PRIVATE KEY", ""),
        key("OPENSSH PRIVATE KEY", ""),
        key("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\nComment: mine\n\n"),
        key("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n"),
        prefixed(&|at| format!("{at:6}\t")),
        prefixed(&|at| format!("{at:6}→")),
        prefixed(&|_| "> ".to_owned()),
        prefixed(&|_| "\t".to_owned()),
        prefixed(&|_| "    ".to_owned()),
        prefixed(&|_| "+".to_owned()),
        prefixed(&|at| format!("id_rsa:{at}:")),
        prefixed(&|_| "\u{1b}[32m".to_owned()),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', " "),
        format!("{{\"key\":\"{}\"}}", plain.replace('\n', "\\n")),
        format!("{{\"key\":\"{}\"}}", plain.replace('\n', "\\\\n")),
        plain.replace('\n', "%0A").replace(' ', "%20").replace('=', "%3D"),
    ];
    for text in texts {
        assert_redacted(&format!("<user>\n{text}\n</user>\n"), "q9ZwXbK4", "private key");
        assert_redacted(&format!("<user>\n{text}\n</user>\n"), &line[..20], "private key");
    }
    // A key without an end does not reach further than its lines.
    let cut = format!("<user>\n<doc file_id=\"f\" filename=\"-----BEGIN PRIVATE KEY-----\n{line}\n\"/>\n</user>\n");
    assert_redacted(&cut, &line[..20], "private key");
}

#[test]
fn names_give_secrets_away() {
    let value = "Zx9kQ2mP7vLwAb3d8u";
    let long = value.repeat(50);
    for (text, end) in [
        (format!("AWS_SESSION_TOKEN={long}"), value),
        (format!("Authorization: Bearer {value}"), value),
        (format!("curl -H \"authorization: Basic {value}\""), value),
        (format!("{{\"headers\": {{\"Authorization\": \"Bearer {value}\"}}}}"), value),
        (format!("{{\\\"headers\\\": {{\\\"Authorization\\\": \\\"Bearer {value}\\\"}}}}"), value),
        (format!("\"api_key\": \"{value}\""), value),
        (format!("api_key: {value}"), value),
        (format!("apiKey: '{value}'"), value),
        (format!("X-Api-Key: {value}"), value),
        (format!(":client_secret => '{value}'"), value),
        (format!("SECRET_KEY: {value}"), value),
        ("DB_PASSWORD: Hunter2x".to_owned(), "Hunter2x"),
        ("\"password\": \"Hunter2x\"".to_owned(), "Hunter2x"),
        (format!("API_TOKEN=&quot;{value}&quot;"), value),
        (format!("API_TOKEN%3D{value}"), value),
    ] {
        assert_redacted(&format!("<user>\n{text}\n</user>\n"), end, "secret");
    }
    for host in ["hosting.corp", "hostess", "localhost.corp", "db", "example.corp"] {
        let text = format!("<user>\npostgres://bob:Hunter2xPa55w0rd@{host}/x\n</user>\n");
        assert_redacted(&text, "Hunter2x", "password in a URL");
    }
}

#[test]
fn text_that_only_looks_like_a_secret_is_kept() {
    for text in [
        "postgres://bob:Hunter2xPa55w0rd@host/x and postgres://bob:Hunter2xPa55w0rd@host:5432/x",
        "postgres://bob:Hunter2xPa55w0rd@localhost:5432/x",
        "api_key: String, token: Base64EncodedTokenString, secret: Sha256HashedSecretValue",
        "fn f(token: Token::Base64Encoded1Or2Or3) and Token::Base64Encoded1Or2Or3",
        "\"nextPageToken\": \"CAUQAA7bq0mJ8nQx2yTq4r\", \"NextToken\": \"CAUQAA7bq0mJ8nQx2yTq4r\"",
        "Authorization: Bearer $OPENAI_API_KEY_2 and Authorization: Bearer YOUR_ACCESS_TOKEN_1",
        "\"password\": \"your-password1\" and password: hunter2 and token: https://example.org/a1/b2/c3/d4",
        "secret://vault1/team2/key3/of4/app5",
        "\"api_key\": \"${OPENAI_API_KEY_2}\"",
        "csrf_token = form.csrf_token1; api_key=settings.openai_api_key2",
        "C:\\new\\table\\bin\\file and 100%25 of 50%20 &amp; more",
        "/\\bghp_[A-Za-z0-9]{36}\\b/ and \\bsk-[a-z]+",
        "grep -l \"-----BEGIN RSA PRIVATE KEY-----\" /etc/ssl/private/of/this/machine/and/others/too",
        "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA7bq0mJ8nQx2yTq4r1u9sC3kz5w7v\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----",
    ] {
        let document = format!("<user>\n{text}\n</user>\n");
        let page = rendered(&document, &Options { redacts: true, ..Options::default() });
        assert_eq!((page.redacted.as_slice(), page.redacted_elsewhere.len()), (&[][..], 0), "{text}");
        assert_eq!(extract(page.html.as_bytes()).unwrap(), document.as_bytes(), "{text}");
    }
}
