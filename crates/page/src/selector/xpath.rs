//! Selectors as XPath 1.0, for tools that have no CSS.

use super::{AttributeTest, Part, Selector, Value};

impl Selector {
    /// The same elements as an XPath 1.0 expression. `None` if there is none: `:nth-of-type` needs the
    /// name of its element.
    ///
    /// Parsers that do not follow the HTML standard, such as lxml's, leave out the `tbody` that a page does
    /// not write. A path through a plain `tbody` is therefore given with and without it.
    pub fn to_xpath(&self) -> Option<String> {
        let mut paths = Vec::new();
        for chain in &self.chains {
            let bare: Vec<&Part> = without_tbody(chain);
            paths.push(path(&chain.iter().collect::<Vec<_>>())?);
            if bare.len() < chain.len() {
                paths.push(path(&bare)?);
            }
        }
        Some(paths.join(" | "))
    }
}

/// The parts without a `tbody` between its table and its rows.
fn without_tbody(chain: &[Part]) -> Vec<&Part> {
    let is_implied = |at: usize| {
        let part = &chain[at];
        let is_plain = part.attributes.is_empty() && part.nth.is_none_or(|nth| nth == 1);
        let is_between = part.child && chain.get(at + 1).is_some_and(|next| next.child);
        part.tag.as_deref() == Some("tbody") && is_plain && is_between
    };
    let kept = (0..chain.len()).filter(|at| !is_implied(*at));
    kept.map(|at| &chain[at]).collect()
}

fn path(parts: &[&Part]) -> Option<String> {
    let mut path = String::new();
    for (number, part) in parts.iter().enumerate() {
        path.push_str(match part.child && number > 0 {
            true => "/",
            false => "//",
        });
        match part.tag.as_deref() {
            None => path.push('*'),
            Some(tag) if is_plain(tag) => path.push_str(tag),
            Some(tag) => path.push_str(&format!("*[name()={}]", literal(tag))),
        }
        if let Some(nth) = part.nth {
            // A position counts elements that passed the tests before it, so it must be the first test.
            part.tag.as_deref().filter(|tag| is_plain(tag))?;
            path.push_str(&format!("[{nth}]"));
        }
        for test in &part.attributes {
            path.push_str(&format!("[{}]", condition(test)));
        }
    }
    Some(path)
}

fn is_plain(tag: &str) -> bool {
    tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && tag.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn condition(test: &AttributeTest) -> String {
    let name = &test.name;
    match &test.value {
        Value::Any => format!("@{name}"),
        Value::Is(value) => format!("@{name}={}", literal(value)),
        Value::HasWord(word) if is_word(word) => {
            let word = literal(&format!(" {word} "));
            format!("contains(concat(' ',normalize-space(@{name}),' '),{word})")
        }
        Value::Begins(value) if !value.is_empty() => {
            format!("starts-with(@{name},{})", literal(value))
        }
        Value::Ends(value) if !value.is_empty() => {
            let before = value.chars().count() - 1;
            let value = literal(value);
            format!("substring(@{name},string-length(@{name})-{before})={value}")
        }
        Value::Has(value) if !value.is_empty() => format!("contains(@{name},{})", literal(value)),
        Value::HasWord(_) | Value::Begins(_) | Value::Ends(_) | Value::Has(_) => "false()".into(),
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_ascii_whitespace())
}

/// A text in quotes. XPath 1.0 has no escapes, so a text with both quotes is put together.
fn literal(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let pieces: Vec<String> = text.split('\'').map(|piece| format!("'{piece}'")).collect();
    format!("concat({})", pieces.join(",\"'\","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_as_xpath() {
        for (selector, expected) in [
            ("nav", "//nav"),
            ("#menu", "//*[@id='menu']"),
            ("main > p a", "//main/p//a"),
            (
                "div.ad",
                "//div[contains(concat(' ',normalize-space(@class),' '),' ad ')]",
            ),
            ("[role=main]", "//*[@role='main']"),
            ("a[href^='x']", "//a[starts-with(@href,'x')]"),
            (
                "a[href$='.pdf']",
                "//a[substring(@href,string-length(@href)-3)='.pdf']",
            ),
            ("a[rel*='']", "//a[false()]"),
            ("li:nth-of-type(2)", "//li[2]"),
            ("li#x:nth-of-type(2)", "//li[2][@id='x']"),
            ("nav, footer", "//nav | //footer"),
            (
                "table > tbody > tr > td:nth-of-type(1)",
                "//table/tbody/tr/td[1] | //table/tr/td[1]",
            ),
            ("table tbody > tr", "//table//tbody/tr"),
            ("[title=\"it's\"]", "//*[@title=\"it's\"]"),
            (
                "[title='\"it\\'s\"']",
                "//*[@title=concat('\"it',\"'\",'s\"')]",
            ),
        ] {
            let parsed: Selector = selector.parse().unwrap();
            assert_eq!(parsed.to_xpath().as_deref(), Some(expected), "{selector}");
        }
        let any: Selector = "div :nth-of-type(1)".parse().unwrap();
        assert_eq!(any.to_xpath(), None);
    }
}
