//! `ochat-attribute`: an attribute with a `>`, where ochat ends the tag.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::source::{SourceText, each_element};

/// `<user id="a > b">x</user>`
pub(super) struct OchatAttribute<'s> {
    name: &'s str,
}

impl Lint for OchatAttribute<'_> {
    const RULE: Rule = rule!("ochat-attribute" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(format!("ochat ends the tag at the `>` in `{}`", self.name), "contains `>`", "write `&gt;`")
    }

    /// ochat ends a tag at the first `>`, even inside quotes.
    fn check_portable(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_element(source.nodes, &mut |element| {
            for attribute in &element.attributes.0 {
                if source.sources.slice(attribute.span).contains('>') {
                    OchatAttribute { name: &attribute.name }.report(attribute.span, diagnostics);
                }
            }
        });
    }
}
