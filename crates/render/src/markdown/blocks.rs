//! Writes blocks, with the prefixes of the lists, quotations and footnotes that contain them.

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
    /// Its last item.
    last: Option<Container>,
    /// It is written inside the last item of the list that contains it.
    in_last_item: bool,
}

#[derive(Debug)]
struct Container {
    /// Its number among all containers.
    number: usize,
    kind: ContainerKind,
    /// The prefix of its first line; empty until that is chosen.
    marker: String,
    /// Its first line is written.
    started: bool,
    /// Number of its blocks, without those of nested lists.
    blocks: usize,
    /// One of them is not a paragraph.
    odd: bool,
}

#[derive(Debug)]
enum ContainerKind {
    Quote,
    /// An item of a list, with its number.
    Item(usize, Option<u64>),
    /// The note that a reference leads to.
    Footnote,
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
        let in_last_item = self.reopen_item();
        self.open_lists.push(self.lists.len());
        self.lists.push(List {
            next: first,
            sign: None,
            last: None,
            in_last_item,
        });
    }

    pub(super) fn close_list(&mut self) {
        let list = self.open_lists.pop();
        if list.is_some_and(|list| self.lists[list].in_last_item) {
            self.close();
        }
    }

    /// Opens the last item again, for a list that follows it inside a list, without an item of its own.
    fn reopen_item(&mut self) -> bool {
        let Some(list) = self.open_lists.last() else {
            return false;
        };
        let depth = self.containers.len();
        let is_last = |item: &mut Container| self.last.get(depth) == Some(&item.step());
        let item = self.lists[*list].last.take_if(is_last);
        let reopened = item.is_some() && depth < MAX_DEPTH;
        self.containers.extend(item.filter(|_| reopened));
        reopened
    }

    /// Opens an item; false if the nesting is too deep.
    pub(super) fn open_item(&mut self, number: Option<u64>) -> bool {
        if self.open_lists.is_empty() {
            self.open_list(None);
            self.open_lists.pop();
            return self.open(
                ContainerKind::Item(self.lists.len() - 1, None),
                String::new(),
            );
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
        self.open(ContainerKind::Item(list, number), String::new())
    }

    pub(super) fn open_quote(&mut self) -> bool {
        self.open(ContainerKind::Quote, "> ".into())
    }

    pub(super) fn open_footnote(&mut self, label: &str) -> bool {
        self.open(ContainerKind::Footnote, format!("[^{label}]: "))
    }

    /// True if the next block begins an item of a list.
    pub(super) fn at_start_of_item(&self) -> bool {
        let last = self.containers.last();
        last.is_some_and(|last| !last.started && last.list().is_some())
    }

    fn open(&mut self, kind: ContainerKind, marker: String) -> bool {
        if self.containers.len() >= MAX_DEPTH {
            return false;
        }
        self.made += 1;
        self.containers.push(Container {
            number: self.made,
            kind,
            marker,
            started: false,
            blocks: 0,
            odd: false,
        });
        true
    }

    pub(super) fn close(&mut self) {
        if let Some(container) = self.containers.pop()
            && container.started
            && let Some(list) = container.list()
        {
            self.simple = container.blocks <= 1 && !container.odd;
            self.lists[list].last = Some(container);
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
            in_list |= container.list().is_some();
            odd |= container.list().is_none();
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
            let ContainerKind::Item(list, number) = container.kind else {
                continue;
            };
            let above = self.last.get(at).filter(|_| at == shared);
            let above = above.and_then(|step| step.list);
            let signs = match number {
                Some(_) => ['.', ')'],
                None => ['-', '*'],
            };
            let sign = match above.map(|above| (above == list, self.lists[above].sign)) {
                Some((true, Some(sign))) => sign,
                Some((_, taken)) if taken == Some(signs[0]) => signs[1],
                _ => signs[0],
            };
            self.lists[list].sign = Some(sign);
            container.marker = match number {
                Some(number) => format!("{number}{sign} "),
                None => format!("{sign} "),
            };
        }
    }

    /// Writes the prefix of a line inside the first `depth` containers.
    fn prefix(&mut self, depth: usize, first: bool) {
        for container in &mut self.containers[..depth] {
            match container.kind {
                ContainerKind::Quote => self.out.push_str("> "),
                _ if first && !container.started => self.out.push_str(&container.marker),
                ContainerKind::Item(..) => self.out.extend(container.marker.chars().map(|_| ' ')),
                ContainerKind::Footnote => self.out.push_str("    "),
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
            list: self.list(),
        }
    }

    /// The list that it is an item of.
    fn list(&self) -> Option<usize> {
        match self.kind {
            ContainerKind::Item(list, _) => Some(list),
            ContainerKind::Quote | ContainerKind::Footnote => None,
        }
    }
}
