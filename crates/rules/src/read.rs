//! Reads rules, also those that a person has written or edited.

use unframe_page::Selector;

use crate::json;
use crate::rule::{Rule, RuleSet, SiteRules};

/// A text that is not a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadRules {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it, and what to write instead.
    pub what: String,
}

impl RuleSet {
    /// Reads rules in the native format or in JSON.
    ///
    /// ```
    /// use unframe_rules::RuleSet;
    ///
    /// let rules = RuleSet::parse("remove {\n  nav.top  /* the menu */\n  footer\n}")?;
    /// assert_eq!(rules.sections[0].remove.len(), 2);
    /// # Ok::<(), unframe_rules::BadRules>(())
    /// ```
    pub fn parse(text: &str) -> Result<RuleSet, BadRules> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match text.trim_start().starts_with(['[', '{']) {
            true => json::parse(text),
            false => Reader { text, at: 0 }.rules(),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong_at(&self, at: usize, what: impl Into<String>) -> BadRules {
        let before = &self.text[..at.min(self.text.len())];
        BadRules {
            line: before.matches('\n').count() + 1,
            what: what.into(),
        }
    }

    fn wrong(&self, what: impl Into<String>) -> BadRules {
        self.wrong_at(self.at, what)
    }

    fn rules(mut self) -> Result<RuleSet, BadRules> {
        let mut rules = RuleSet::default();
        let mut section = SiteRules::default();
        let mut is_open = false;
        loop {
            self.space()?;
            if self.rest().is_empty() {
                break;
            }
            let start = self.at;
            let word = self.word();
            match word {
                "@site" => {
                    if is_open {
                        rules.sections.push(std::mem::take(&mut section));
                    }
                    section.site = Some(self.site()?);
                    is_open = true;
                }
                "keep" | "remove" => {
                    let found = self.block(word)?;
                    match word {
                        "keep" => section.keep.extend(found),
                        _ => section.remove.extend(found),
                    }
                    is_open = true;
                }
                _ => return Err(self.wrong_at(start, unexpected(&self.text[start..]))),
            }
        }
        if is_open {
            rules.sections.push(section);
        }
        Ok(rules)
    }

    /// Skips white space and comments.
    fn space(&mut self) -> Result<(), BadRules> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            self.comment()?;
        }
    }

    fn comment(&mut self) -> Result<(), BadRules> {
        match self.rest()[2..].find("*/") {
            Some(end) => self.at += end + 4,
            None => return Err(self.wrong("this comment has no end; add `*/`")),
        }
        Ok(())
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '@' || c == '-');
        let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// The name after `@site`, up to `;` or the end of the line.
    fn site(&mut self) -> Result<String, BadRules> {
        let how = "write `@site NAME;`, as in `@site a.example;`";
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if self.rest().starts_with('"') {
            return self.quoted_site(how);
        }
        let rest = self.rest();
        let ends = [rest.find([';', '\n', '\r', '{']), rest.find("/*")];
        let end = ends.into_iter().flatten().min().unwrap_or(rest.len());
        let name = rest[..end].trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(self.wrong(format!("this is no name of a site; {how}")));
        }
        if rest[end..].starts_with('{') {
            return Err(self.wrong(format!(
                "a site has no braces; {how} above its `keep` and `remove`"
            )));
        }
        self.at += end + usize::from(rest[end..].starts_with(';'));
        Ok(name.to_string())
    }

    fn quoted_site(&mut self, how: &str) -> Result<String, BadRules> {
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    self.at += usize::from(self.rest().starts_with(';'));
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c => name.push(c),
            }
        }
        Err(self.wrong(format!("a quote is missing; {how}")))
    }

    /// The selectors between braces, one on each line.
    fn block(&mut self, name: &str) -> Result<Vec<Rule>, BadRules> {
        let start = self.at;
        self.space()?;
        if !self.rest().starts_with('{') {
            let what = format!("`{{` is missing after `{name}`; write `{name} {{`");
            return Err(self.wrong_at(start, what));
        }
        self.at += 1;
        let mut rules = Vec::new();
        loop {
            self.space()?;
            match self.rest().chars().next() {
                None => {
                    let what = format!("this `{name} {{` has no end; add a line with `}}`");
                    return Err(self.wrong_at(start, what));
                }
                Some('}') => {
                    self.at += 1;
                    return Ok(rules);
                }
                Some(';') => self.at += 1,
                Some(_) => rules.push(self.rule()?),
            }
        }
    }

    /// A selector: up to the end of the line, `;`, `}` or a comment, but not inside quotes.
    fn rule(&mut self) -> Result<Rule, BadRules> {
        let (start, rest) = (self.at, self.rest());
        let (mut quote, mut escaped, mut end) = (None, false, rest.len());
        for (at, c) in rest.char_indices() {
            if std::mem::take(&mut escaped) {
                continue;
            }
            match (quote, c) {
                (_, '\\') => escaped = true,
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) if c != '\n' => {}
                (None, '"' | '\'') => quote = Some(c),
                (_, '\n') | (None, ';' | '}' | '{') => {
                    end = at;
                    break;
                }
                (None, '/') if rest[at..].starts_with("/*") => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let text = rest[..end].trim();
        if text.starts_with("//") {
            return Err(self.wrong("comments are written as `/* so */`"));
        }
        if rest[end..].starts_with('{') {
            let what = format!("`{text} {{`: there are no style rules here; write only `{text}`");
            return Err(self.wrong(what));
        }
        // Lists of selectors may go on in the next line.
        let text = text.trim_end_matches(',').trim_end();
        let selector: Selector = text
            .parse()
            .map_err(|error| self.wrong_at(start, format!("{error}")))?;
        self.at += end;
        Ok(Rule::new(selector))
    }
}

fn unexpected(rest: &str) -> String {
    let line = rest.lines().next().unwrap_or_default().trim();
    let shown: String = line.chars().take(40).collect();
    if line.starts_with("//") || line.starts_with("# ") {
        return format!("`{shown}`: comments are written as `/* so */`");
    }
    if line.contains("##") {
        return format!(
            "`{shown}` is a filter of an ad blocker; write the part after `##` between `remove {{` and \
             `}}`"
        );
    }
    format!(
        "`{shown}` is outside of `keep {{ }}` and `remove {{ }}`; write selectors between these braces, one \
         on each line"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_read() {
        let text = "/* shop */ @site shop.example; keep {\n main#content /* it */\n}\nremove { nav; \
            footer }\n@site b.example\nremove {\n  a[title='};/*'],\n  .x, .y\n\n  div > p; /* z */\n}";
        let rules = RuleSet::parse(text).unwrap();
        let shown: Vec<String> = rules
            .sections
            .iter()
            .map(|section| {
                let list = |rules: &[Rule]| {
                    let all = rules.iter().map(|rule| rule.selector.to_string());
                    all.collect::<Vec<_>>().join(" | ")
                };
                let site = section.site.as_deref().unwrap_or("*");
                format!(
                    "{site}: {} - {}",
                    list(&section.keep),
                    list(&section.remove)
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "shop.example: main#content - nav | footer",
                "b.example:  - a[title='};/*'] | .x, .y | div > p"
            ]
        );
        assert_eq!(
            RuleSet::parse(" /* nothing */ ").unwrap(),
            RuleSet::default()
        );
    }

    #[test]
    fn errors_name_the_line_and_say_what_to_write() {
        for (text, line, hint) in [
            ("remove {\n  nav\n  a:hover\n}", 3, "`:nth-of-type(NUMBER)`"),
            ("remove {\n  nav\n", 1, "add a line with `}`"),
            ("remove\n  nav\n", 1, "write `remove {`"),
            ("nav\n", 1, "between these braces"),
            ("keep { main }\n// x", 2, "/* so */"),
            ("keep {\n// x\n}", 2, "/* so */"),
            ("/* x", 1, "add `*/`"),
            ("a.example##.ad", 1, "after `##`"),
            ("keep {\n  main { color: red }\n}", 2, "write only `main`"),
            ("@site a.example {\n", 1, "no braces"),
            ("@site ;\n", 1, "@site NAME;"),
            ("@site \"x\n", 1, "quote"),
            ("{\"keep\": 1}", 1, "keep"),
            ("[{\"keep\":\n [\"a:b\"]}]", 2, "a:b"),
        ] {
            let error = RuleSet::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains(hint), "{text}: {error}");
        }
    }
}
