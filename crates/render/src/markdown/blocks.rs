//! Writes blocks, with the prefixes of the lists and quotations that contain them.

/// Lists and quotations nested deeper are written at this depth, because each level adds characters to
/// every line.
const MAX_DEPTH: usize = 12;
/// The largest number of a list item in Markdown.
const MAX_NUMBER: u64 = 999_999_999;

/// The kind of a block, which determines the gaps around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    Other,
}

#[derive(Debug)]
struct List {
    /// The number of the next item, if items are numbered.
    next: Option<u64>,
    /// The marker of its items; chosen with the first.
    sign: Option<char>,
}

#[derive(Debug)]
struct Container {
    /// Its number among all containers.
    number: usize,
    /// The list, if it is an item of one, with the item's number.
    item: Option<(usize, Option<u64>)>,
    /// The prefix of its first line; empty until that is written.
    marker: String,
    /// Its first line is written.
    started: bool,
    /// Number of its blocks, without those of nested lists.
    blocks: usize,
    /// One of them is not a paragraph.
    odd: bool,
}

/// A container of the last block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    number: usize,
    list: Option<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Blocks {
    out: String,
    containers: Vec<Container>,
    /// All lists so far.
    lists: Vec<List>,
    /// The lists that are open, innermost last.
    open_lists: Vec<usize>,
    made: usize,
    last: Vec<Step>,
    last_kind: Option<Kind>,
    /// The last item had only one paragraph, and perhaps a list.
    simple: bool,
    /// Write a rule before the next block.
    rule: bool,
}

impl Blocks {
    pub(super) fn open_list(&mut self, first: Option<u64>) {
        self.open_lists.push(self.lists.len());
        self.lists.push(List {
            next: first,
            sign: None,
        });
    }

    pub(super) fn close_list(&mut self) {
        self.open_lists.pop();
    }

    /// Opens an item; false if the nesting is too deep.
    pub(super) fn open_item(&mut self, number: Option<u64>) -> bool {
        if self.open_lists.is_empty() {
            self.open_list(None);
            self.open_lists.pop();
            return self.open(Some((self.lists.len() - 1, None)));
        }
        let list = self.open_lists[self.open_lists.len() - 1];
        let number = match &mut self.lists[list].next {
            Some(next) => {
                let number = number.unwrap_or(*next).min(MAX_NUMBER);
                *next = number + 1;
                Some(number)
            }
            None => None,
        };
        self.open(Some((list, number)))
    }

    pub(super) fn open_quote(&mut self) -> bool {
        self.open(None)
    }

    fn open(&mut self, item: Option<(usize, Option<u64>)>) -> bool {
        if self.containers.len() >= MAX_DEPTH {
            return false;
        }
        self.made += 1;
        self.containers.push(Container {
            number: self.made,
            item,
            marker: String::new(),
            started: false,
            blocks: 0,
            odd: false,
        });
        true
    }

    pub(super) fn close(&mut self) {
        if let Some(container) = self.containers.pop()
            && container.started
            && container.item.is_some()
        {
            self.simple = container.blocks <= 1 && !container.odd;
        }
    }

    /// Adds a rule between blocks; not inside lists, where it could be read as an item marker.
    pub(super) fn rule(&mut self) {
        self.rule = self.containers.is_empty() && !self.out.is_empty();
    }

    /// Writes a block of one or more lines.
    pub(super) fn block(&mut self, text: &str, kind: Kind) {
        if std::mem::take(&mut self.rule) && self.containers.is_empty() {
            self.write("---", Kind::Other);
        }
        self.write(text, kind);
    }

    fn write(&mut self, text: &str, kind: Kind) {
        let path: Vec<Step> = self.containers.iter().map(Container::step).collect();
        let shared = path
            .iter()
            .zip(&self.last)
            .take_while(|(a, b)| a == b)
            .count();
        self.choose_markers(shared);
        if !self.out.is_empty() {
            self.out.push('\n');
            if !self.is_tight(&path, shared) {
                let at = self.out.len();
                self.prefix(shared, false);
                let end = self.out.trim_end_matches(' ').len().max(at);
                self.out.truncate(end);
                self.out.push('\n');
            }
        }
        let depth = self.containers.len();
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.out.push('\n');
            }
            let at = self.out.len();
            self.prefix(depth, number == 0);
            self.out.push_str(line);
            if line.is_empty() {
                let end = self.out.trim_end_matches(' ').len().max(at);
                self.out.truncate(end);
            }
        }
        let (mut in_list, mut odd) = (false, kind != Kind::Paragraph);
        for container in self.containers.iter_mut().rev() {
            container.started = true;
            if !in_list {
                container.blocks += 1;
                container.odd |= odd;
            }
            in_list |= container.item.is_some();
            odd |= container.item.is_none();
        }
        (self.last, self.last_kind) = (path, Some(kind));
    }

    /// Whether a block follows the last one without an empty line: items of one line, and a list in an
    /// item after the item's first line.
    fn is_tight(&self, path: &[Step], shared: usize) -> bool {
        let Some(list) = path.get(shared).and_then(|step| step.list) else {
            return false;
        };
        match self.last.get(shared) {
            Some(last) => last.list == Some(list) && self.simple,
            None => {
                let in_item = shared > 0 && path[shared - 1].list.is_some();
                let marker = &self.containers[shared].marker;
                let may_interrupt = !marker.starts_with(|c: char| c.is_ascii_digit())
                    || matches!(marker.as_str(), "1. " | "1) ");
                in_item && self.last_kind == Some(Kind::Paragraph) && may_interrupt
            }
        }
    }

    /// Chooses the markers of items that are about to begin. Adjacent lists get different markers;
    /// otherwise they would be read as one list.
    fn choose_markers(&mut self, shared: usize) {
        for at in 0..self.containers.len() {
            let container = &mut self.containers[at];
            if !container.marker.is_empty() {
                continue;
            }
            let Some((list, number)) = container.item else {
                container.marker = "> ".into();
                continue;
            };
            let above = self.last.get(at).filter(|_| at == shared);
            let above = above
                .and_then(|step| step.list)
                .filter(|above| *above != list);
            let taken = above.and_then(|above| self.lists[above].sign);
            let signs = match number {
                Some(_) => ['.', ')'],
                None => ['-', '*'],
            };
            let sign = *self.lists[list].sign.get_or_insert(match taken {
                Some(taken) if taken == signs[0] => signs[1],
                _ => signs[0],
            });
            container.marker = match number {
                Some(number) => format!("{number}{sign} "),
                None => format!("{sign} "),
            };
        }
    }

    /// Writes the prefix of a line inside the first `depth` containers.
    fn prefix(&mut self, depth: usize, first: bool) {
        for container in &mut self.containers[..depth] {
            match container.item {
                None => self.out.push_str("> "),
                Some(_) if first && !container.started => self.out.push_str(&container.marker),
                Some(_) => self.out.extend(container.marker.chars().map(|_| ' ')),
            }
        }
    }

    pub(super) fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}

impl Container {
    fn step(&self) -> Step {
        Step {
            number: self.number,
            list: self.item.map(|(list, _)| list),
        }
    }
}
