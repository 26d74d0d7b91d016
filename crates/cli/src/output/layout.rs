//! Pages one after another in one text, for people: blank lines or headings between them.

use unframe::read::printable::printable;

/// What is between pages that share a file or a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Nothing: each page ends itself.
    Nothing,
    /// A blank line.
    BlankLine,
    /// A heading above each page, `==> NAME <==`, unless there is only one.
    Headings,
}

/// Arranges pages. A page with a heading is held back until it is known whether there is another.
pub struct Layout {
    between: Between,
    held: Option<(String, Vec<u8>)>,
    pages: u64,
}

impl Layout {
    pub fn new(between: Between) -> Layout {
        Layout {
            between,
            held: None,
            pages: 0,
        }
    }

    /// The bytes to write now that a page has arrived.
    pub fn add(&mut self, name: &str, page: Vec<u8>) -> Vec<u8> {
        self.pages += 1;
        match (self.between, self.pages) {
            (Between::Nothing, _) | (Between::BlankLine, 1) => page,
            (Between::BlankLine, _) => [b"\n", &page[..]].concat(),
            (Between::Headings, 1) => {
                self.held = Some((name.to_string(), page));
                Vec::new()
            }
            (Between::Headings, _) => {
                let first = self.held.take();
                let first = first.map(|(name, page)| headed(&name, &page));
                let mut bytes = first.unwrap_or_default();
                bytes.push(b'\n');
                bytes.extend(headed(name, &page));
                bytes
            }
        }
    }

    /// The bytes to write at the end.
    pub fn finish(&mut self) -> Vec<u8> {
        self.held.take().map(|(_, page)| page).unwrap_or_default()
    }
}

fn headed(name: &str, page: &[u8]) -> Vec<u8> {
    [format!("==> {} <==\n", printable(name)).as_bytes(), page].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(between: Between, pages: &[&str]) -> String {
        let mut layout = Layout::new(between);
        let mut bytes = Vec::new();
        for (n, page) in pages.iter().enumerate() {
            bytes.extend(layout.add(&format!("p{n}"), format!("{page}\n").into_bytes()));
        }
        bytes.extend(layout.finish());
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn one_page_has_no_heading() {
        for between in [Between::Nothing, Between::BlankLine, Between::Headings] {
            assert_eq!(laid_out(between, &["tea"]), "tea\n");
            assert_eq!(laid_out(between, &[]), "");
        }
        let two = ["tea", "milk"];
        assert_eq!(laid_out(Between::Nothing, &two), "tea\nmilk\n");
        assert_eq!(laid_out(Between::BlankLine, &two), "tea\n\nmilk\n");
        assert_eq!(
            laid_out(Between::Headings, &two),
            "==> p0 <==\ntea\n\n==> p1 <==\nmilk\n"
        );
    }
}
