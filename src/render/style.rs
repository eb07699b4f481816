//! The style of a page, and the policy that forbids everything else.

use super::Renderer;
use crate::resources::media::base64;

/// The colours of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader prefers.
    #[default]
    Auto,
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

/// Paper is always light.
const AUTO: &str = concat!(
    include_str!("style/light.css"),
    "@media screen and (prefers-color-scheme: dark) {\n",
    include_str!("style/dark.css"),
    "}\n",
    include_str!("style/page.css")
);
const LIGHT: &str = concat!(include_str!("style/light.css"), include_str!("style/page.css"));
const DARK: &str = concat!(
    include_str!("style/light.css"),
    "@media screen {\n",
    include_str!("style/dark.css"),
    "}\n",
    include_str!("style/page.css")
);

/// The start of a page: its policy, its colours, the version of the program and the title.
const HEAD: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"{}\">\n",
    "<meta name=\"generator\" content=\"chatmd {}\">\n<title>{}</title>\n<style>"
);

impl Theme {
    fn css(self) -> &'static str {
        match self {
            Theme::Auto => AUTO,
            Theme::Light => LIGHT,
            Theme::Dark => DARK,
        }
    }

    fn color_scheme(self) -> &'static str {
        match self {
            Theme::Auto => "light dark",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

impl Renderer<'_, '_> {
    /// Everything up to the header of the page.
    pub(super) fn head(&mut self) {
        let css = self.options.theme.css();
        // The hash of the style allows this style and no other.
        let hash = base64(&hmac_sha256::Hash::hash(css.as_bytes()));
        let policy = format!(
            "default-src 'none'; img-src data:; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
        );
        let title = self.title();
        self.html.write(HEAD, &[&policy, &self.options.theme.color_scheme(), &env!("CARGO_PKG_VERSION"), &title]);
        self.html.markup(css);
        self.html.markup(
            "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#conversation\">Skip to the conversation</a>\n",
        );
    }
}
