//! Parses a page in work and memory that are proportional to its size.
//!
//! The parser follows the rules of browsers, and some of them repeat work: a closing tag searches all open elements, an
//! open `<b>` is copied into every paragraph, and text in a table moves in front of it. So all of this is counted, and the
//! page is parsed in small pieces, until it ends or the work is too much.

use std::borrow::Cow;
use std::cell::Cell;

use html2text::{Handle, RcDom};
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, ExpandedName, QualName, TokenizerResult};

use super::attributes::OpenTags;
use crate::source::ceil_char_boundary;

/// How much of a page is parsed before the work is checked again.
const PIECE: usize = 4096;
/// How many steps each byte of a page may take, and how many any page may take.
const STEPS_PER_BYTE: usize = 100;
const FREE_STEPS: usize = 1 << 24;
/// Maximum number of elements. The layout needs some 2 KiB for each.
const MAX_ELEMENTS: usize = 1 << 19;
/// How many elements any page may have. A larger one may have one for every two bytes.
const FREE_ELEMENTS: usize = 5000;
/// The attributes that affect the text or the parsing of the page.
const KEPT: [&str; 9] = ["alt", "colspan", "encoding", "href", "rowspan", "size", "src", "start", "type"];
/// Attributes whose value does not matter, only that they are present.
const KEPT_EMPTY: [&str; 4] = ["color", "face", "id", "name"];

/// Elements that the parser opens again in the next paragraph. `<a>` is one too, but only one can be open.
const REPEATED: [&str; 13] =
    ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// The tree of a page, or why there is none.
pub(super) fn parse(html: &str) -> Result<RcDom, &'static str> {
    // Nothing runs scripts here, so `<noscript>` is shown.
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = TreeBuilder::new(Sink::default(), options);
    let builder = Builder { tree, tokens: Cell::new(0), max_rows: max_rows(html) };
    let tokenizer = Tokenizer::new(builder, TokenizerOpts::default());
    let sink = || &tokenizer.sink.tree.sink;
    let most_steps = html.len().saturating_mul(STEPS_PER_BYTE).saturating_add(FREE_STEPS);
    let most_elements = (html.len() / 2).saturating_add(FREE_ELEMENTS).min(MAX_ELEMENTS);
    let (input, mut open_tags, mut at) = (BufferQueue::default(), OpenTags::default(), 0);
    while at < html.len() {
        let end = ceil_char_boundary(html, at + PIECE);
        let piece = at..end;
        input.push_back(StrTendril::from_slice(&html[piece.clone()]));
        let tokens = tokenizer.sink.tokens.get();
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        // If something has ended in this piece, a tag that is still open has started in it.
        if tokenizer.sink.tokens.get() != tokens {
            open_tags = OpenTags::default();
        }
        at = piece.end;
        if open_tags.read(html.as_bytes(), piece) {
            return Err("a tag has too many attributes");
        }
        if sink().elements.get() > most_elements {
            return Err("it has too many elements");
        }
        if sink().steps.get() > most_steps {
            return Err(super::TOO_DEEP);
        }
    }
    tokenizer.end();
    Ok(tokenizer.sink.tree.sink.dom)
}

/// An upper bound on the rows of any table: each starts with `<tr>`, or with a part of a table.
fn max_rows(html: &str) -> usize {
    let bytes = html.as_bytes();
    let starts_row =
        |at: &usize| matches!(bytes.get(at + 1..at + 3), Some([b't' | b'T', next]) if !b"dD".contains(next));
    memchr::memchr_iter(b'<', bytes).filter(starts_row).count()
}

/// Passes the tokens to the tree, with few attributes: elements like `<b>` are opened again in the next paragraph, but at most
/// three with the same attributes.
struct Builder {
    tree: TreeBuilder<Handle, Sink>,
    /// How many tokens there were so far.
    tokens: Cell<usize>,
    /// An upper bound on the rows of any table.
    max_rows: usize,
}

impl Builder {
    /// The layout has a cell for each row that a cell spans, so these rows count like elements.
    fn count_rows(&self, tag: &Tag) {
        let rowspan = tag.attrs.iter().find(|attribute| &*attribute.name.local == "rowspan");
        let rows = rowspan.and_then(|rowspan| rowspan.value.parse::<usize>().ok()).unwrap_or_default();
        let elements = &self.tree.sink.elements;
        elements.set(elements.get().saturating_add(rows.min(self.max_rows)));
    }
}

impl TokenSink for Builder {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        // A mistake may be inside a tag.
        self.tokens.set(self.tokens.get() + usize::from(!matches!(token, Token::ParseError(_))));
        let token = match token {
            Token::TagToken(tag) => {
                self.count_rows(&tag);
                Token::TagToken(without_unneeded_attributes(tag))
            }
            token => token,
        };
        self.tree.process_token(token, line)
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn without_unneeded_attributes(mut tag: Tag) -> Tag {
    let is_repeated = REPEATED.contains(&&*tag.name);
    tag.attrs.retain_mut(|attribute| {
        let name = &*attribute.name.local;
        let is_kept = KEPT.contains(&name);
        if KEPT_EMPTY.contains(&name) || is_kept && is_repeated {
            attribute.value.clear();
            return true;
        }
        is_kept
    });
    tag
}

/// The tree, and the work that it took so far.
#[derive(Default)]
struct Sink {
    dom: RcDom,
    steps: Cell<usize>,
    elements: Cell<usize>,
}

impl Sink {
    fn count(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    fn count_element(&self) {
        self.elements.set(self.elements.get() + 1);
    }

    /// Counts the search for a node among its siblings.
    fn count_siblings(&self, node: &Handle) {
        let parent = node.parent.take();
        let siblings = parent.as_ref().and_then(|parent| Some(parent.upgrade()?.children.borrow().len()));
        node.parent.set(parent);
        self.count(siblings.unwrap_or_default());
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.count(1);
        self.dom.elem_name(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.count_element();
        self.dom.create_element(name, attributes, flags)
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.count_element();
        self.dom.create_comment(StrTendril::new())
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.count_element();
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        self.count_siblings(element);
        self.dom.append_based_on_parent_node(element, previous, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        self.dom.append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.count(1);
        self.dom.same_node(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.count_siblings(sibling);
        self.dom.append_before_sibling(sibling, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.count_siblings(target);
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.count(node.children.borrow().len());
        self.dom.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(target)
    }
}
