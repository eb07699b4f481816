//! A page as a browser reads it.

use std::collections::BTreeSet;
use std::fmt::Write;

use html5ever_of_rcdom::tendril::TendrilSink;
use html5ever_of_rcdom::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The elements that a page may have, each with its attributes besides `class` and `id`.
const ALLOWED: [(&str, &[&str]); 49] = [
    ("a", &["href", "rel", "download", "data-hash"]),
    ("article", &[]),
    ("b", &[]),
    ("blockquote", &[]),
    ("body", &[]),
    ("br", &[]),
    ("code", &[]),
    ("dd", &[]),
    ("del", &[]),
    ("details", &["open"]),
    ("div", &["dir", "tabindex", "role", "aria-label"]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("footer", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("head", &[]),
    ("header", &[]),
    ("hr", &[]),
    ("html", &["lang"]),
    ("img", &["src", "alt", "width", "height", "loading", "decoding"]),
    ("ins", &[]),
    ("li", &[]),
    ("main", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("nav", &["aria-label"]),
    ("ol", &["start"]),
    ("p", &[]),
    ("pre", &["tabindex"]),
    ("small", &[]),
    ("span", &["role", "aria-label"]),
    ("strong", &[]),
    ("style", &[]),
    ("summary", &[]),
    ("sup", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &[]),
    ("template", &["data-hash"]),
    ("th", &["scope"]),
    ("thead", &[]),
    ("title", &[]),
    ("tr", &[]),
    ("ul", &["aria-label"]),
];

/// What a browser makes of a page.
#[derive(Default)]
pub(crate) struct Tree {
    /// The structure, one element or text per line.
    pub(crate) outline: String,
    /// All texts that a reader can see.
    pub(crate) text: String,
    /// The targets of links, without that of the document.
    pub(crate) links: Vec<String>,
    /// The ids of all elements.
    pub(crate) ids: BTreeSet<String>,
    /// How deep elements are nested.
    pub(crate) depth: usize,
    problems: Vec<String>,
}

/// Reads a page, and asserts that it is valid, safe and complete in itself.
pub(crate) fn read_page(html: &str) -> Tree {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let errors: Vec<String> = dom.errors.borrow().iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:?}\n{html}");
    let mut tree = Tree::default();
    tree.add(&dom.document, 0);
    for link in tree.links.iter().filter_map(|link| link.strip_prefix('#')) {
        if !tree.ids.contains(link) {
            tree.problems.push(format!("no element has the id {link}"));
        }
    }
    assert!(tree.problems.is_empty(), "{:?}\n{html}", tree.problems);
    tree
}

impl Tree {
    fn add(&mut self, node: &Handle, depth: usize) {
        match &node.data {
            NodeData::Text { contents } => {
                let text = contents.borrow();
                self.text.push_str(&text);
                if !text.trim().is_empty() {
                    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    writeln!(self.outline, "{}{words}", "  ".repeat(depth)).unwrap();
                }
            }
            NodeData::Element { name, attrs, .. } => {
                self.depth = self.depth.max(depth);
                let name = name.local.as_ref();
                let allowed = ALLOWED.iter().find(|(known, _)| *known == name);
                if allowed.is_none() {
                    self.problems.push(format!("the element {name}"));
                }
                let mut shown = String::new();
                for attribute in attrs.borrow().iter() {
                    let (key, value) = (attribute.name.local.as_ref(), attribute.value.as_ref());
                    if !["class", "id"].contains(&key) && !allowed.is_some_and(|(_, keys)| keys.contains(&key)) {
                        self.problems.push(format!("the attribute {key} of {name}"));
                    }
                    self.attribute(name, key, value);
                    if ["class", "id", "href", "src", "alt", "open", "role"].contains(&key) {
                        let head: String = value.chars().take(40).collect();
                        write!(shown, " {key}={head:?}").unwrap();
                    }
                }
                writeln!(self.outline, "{}<{name}{shown}>", "  ".repeat(depth)).unwrap();
                if name != "style" {
                    node.children.borrow().iter().for_each(|child| self.add(child, depth + 1));
                }
            }
            NodeData::Comment { contents } => self.problems.push(format!("a comment: {contents}")),
            NodeData::ProcessingInstruction { .. } => self.problems.push("a processing instruction".to_owned()),
            NodeData::Document | NodeData::Doctype { .. } => {
                node.children.borrow().iter().for_each(|child| self.add(child, depth));
            }
        }
    }

    fn attribute(&mut self, element: &str, key: &str, value: &str) {
        match (element, key) {
            (_, "id") if !self.ids.insert(value.to_owned()) => self.problems.push(format!("the id {value} twice")),
            ("a", "href") if value.starts_with("data:text/markdown;base64,") => {}
            ("a", "href") => {
                let is_safe = ["#", "https://", "http://", "mailto:"]
                    .iter()
                    .any(|scheme| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
                if !is_safe {
                    self.problems.push(format!("a link to {value}"));
                }
                self.links.push(value.to_owned());
            }
            ("img", "src") => {
                let is_image = ["png", "jpeg", "gif", "webp"]
                    .iter()
                    .any(|kind| value.starts_with(&format!("data:image/{kind};base64,")));
                if !is_image {
                    self.problems.push(format!("an image from {value}"));
                }
            }
            _ => {}
        }
    }
}
