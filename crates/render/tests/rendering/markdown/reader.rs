//! Reads Markdown with a parser: its structure, its words, and its HTML.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

pub fn parse(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(markdown, options)
}

/// One line for each block: its kind, inside which others it is, and its words.
pub fn outline(markdown: &str) -> Vec<String> {
    let mut found = Outline::default();
    for event in parse(markdown) {
        found.event(event);
    }
    found.lines
}

/// The words that a reader sees.
pub fn words(markdown: &str) -> Vec<String> {
    let mut text = String::new();
    for event in parse(markdown) {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::InlineMath(tex) | Event::DisplayMath(tex) => text.push_str(&tex),
            Event::FootnoteReference(label) => text.push_str(&label),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::InlineHtml(tag) if is_inline(&tag) => {}
            Event::InlineHtml(tag) if is_of_cell(&tag) => text.push(' '),
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. }) => {}
            Event::End(
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            ) => {}
            Event::Start(_) | Event::End(_) => text.push(' '),
            Event::Rule | Event::TaskListMarker(_) => {}
            other => panic!("{other:?} in {markdown}"),
        }
    }
    text.split_whitespace().map(String::from).collect()
}

/// The HTML of Markdown, with formulas as MathML.
pub fn html(markdown: &str) -> String {
    let formula = |tex: CowStr<'_>, display: &str| {
        let mut escaped = String::new();
        let quoted = tex.replace('&', "&amp;").replace('"', "&quot;");
        escaped.push_str(&format!(
            "<math display={display} alttext=\"{quoted}\"></math>"
        ));
        Event::InlineHtml(escaped.into())
    };
    let events = parse(markdown).map(|event| match event {
        Event::InlineMath(tex) => formula(tex, "inline"),
        Event::DisplayMath(tex) => formula(tex, "block"),
        event => event,
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

/// Raised and lowered signs as plain ones, because some are written so.
pub fn plain_digits(text: &str) -> String {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
    const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋";
    let plain = |c: char| {
        let at = |signs: &str| signs.chars().position(|sign| sign == c);
        let at = at(RAISED).or_else(|| at(LOWERED));
        at.and_then(|at| "0123456789+-".chars().nth(at))
            .unwrap_or(c)
    };
    text.chars().map(plain).collect()
}

fn is_inline(tag: &str) -> bool {
    let name = tag.trim_matches(['<', '>', '/']);
    ["sup", "sub", "ins", "kbd", "del"].contains(&name)
}

fn is_of_cell(tag: &str) -> bool {
    let name = tag.trim_matches(['<', '>', '/']);
    ["br", "ul", "ol", "li"].contains(&name.split(' ').next().unwrap_or_default())
}

#[derive(Default)]
struct Outline {
    lines: Vec<String>,
    /// The open blocks.
    path: Vec<String>,
    text: String,
    /// The text is that of a tight item, which has no paragraph.
    bare: bool,
}

impl Outline {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.say(&text),
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            Event::InlineHtml(tag) if is_inline(&tag) => {}
            Event::InlineHtml(tag) => self.say(&format!(" {tag} ")),
            Event::FootnoteReference(label) => self.say(&format!("[^{label}]")),
            Event::TaskListMarker(done) => self.say(if done { "[x] " } else { "[ ] " }),
            Event::Rule => self.lines.push("rule".into()),
            other => self.lines.push(format!("{other:?}")),
        }
    }

    fn say(&mut self, text: &str) {
        let in_block = self.path.last().is_some_and(|last| {
            matches!(last.as_str(), "p" | "code" | "cell") || last.starts_with('h')
        });
        self.bare |= !in_block;
        self.text.push_str(text);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let kind = match tag {
            Tag::Paragraph => "p".to_string(),
            Tag::Heading { level, .. } => format!("h{}", *level as usize),
            Tag::BlockQuote(_) => "quote".into(),
            Tag::List(Some(first)) => format!("ol{first}"),
            Tag::List(None) => "ul".into(),
            Tag::Item => "item".into(),
            Tag::CodeBlock(CodeBlockKind::Fenced(language)) if !language.is_empty() => {
                self.flush();
                self.path.push("code".into());
                self.text = format!("{language}:\n");
                return;
            }
            Tag::CodeBlock(_) => "code".into(),
            Tag::TableCell => "cell".into(),
            Tag::Table(_) => "table".into(),
            Tag::TableHead | Tag::TableRow => "row".into(),
            Tag::FootnoteDefinition(label) => format!("note {label}"),
            _ => return,
        };
        self.flush();
        // Containers are named when they begin: two adjacent ones are not one.
        if matches!(kind.as_str(), "item" | "quote" | "row" | "table")
            || kind.starts_with(['u', 'o', 'n'])
        {
            self.line(&kind);
        }
        self.path.push(kind);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell => {
                let kind = self.path.pop().unwrap_or_default();
                let words: Vec<_> = self.text.split_whitespace().collect();
                let line = format!("{kind} {}", words.join(" "));
                self.line(line.trim_end());
                self.text.clear();
            }
            TagEnd::CodeBlock => {
                self.path.pop();
                let line = format!("code {}", self.text.trim_end());
                self.line(&line);
                self.text.clear();
            }
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition => {
                self.flush();
                self.path.pop();
            }
            _ => {}
        }
    }

    /// Ends the paragraph of a tight item.
    fn flush(&mut self) {
        if std::mem::take(&mut self.bare) {
            let words: Vec<_> = self.text.split_whitespace().collect();
            let line = format!("p {}", words.join(" "));
            self.line(&line);
        }
        self.text.clear();
    }

    fn line(&mut self, line: &str) {
        let depth = self.path.len();
        self.lines.push(format!("{}{line}", " ".repeat(depth)));
    }
}
