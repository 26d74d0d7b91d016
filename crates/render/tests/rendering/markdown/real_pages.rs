//! Real pages: their Markdown has the words of the plain text and, turned into HTML by a parser, the same
//! Markdown again. With `UNFRAME_CORPORA=DIR` also for pages below that folder.

use std::path::{Path, PathBuf};

use unframe_dom::Limits;
use unframe_methods::{KeepAll, Method};
use unframe_page::Page;
use unframe_render::{MarkdownOptions, markdown, text};

use super::reader;

/// Pages of each folder of a corpus that are read.
const PAGES: usize = 40;

fn render(page: &Page) -> String {
    markdown(page, &KeepAll.view(page), &MarkdownOptions::default())
}

fn parse(html: Vec<u8>) -> Page {
    let url = Some("http://h.example/dir/page".to_string());
    Page::parse(html.into(), url, None, &Limits::default())
}

/// Whether a parser finds the letters and digits of the plain text, in their order.
fn has_the_words(page: &Page) -> bool {
    let words = reader::words(&render(page)).concat();
    let plain = text(page.dom(), &KeepAll.view(page));
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        reader::plain_digits(&letters.collect::<String>())
    };
    letters(&words) == letters(&plain)
}

/// The first lines that differ, if any do.
fn difference(html: Vec<u8>) -> Option<String> {
    let once = render(&parse(html));
    let again = render(&parse(reader::html(&once).into_bytes()));
    let (once, again) = (normal(&once), normal(&again));
    let differs = |(a, b): &(&str, &str)| a != b;
    let mut lines = once.lines().zip(again.lines());
    match lines.find(differs) {
        Some((a, b)) => Some(format!("{a:?}\n{b:?}")),
        None if once.len() != again.len() => Some(format!("{} ≠ {}", once.len(), again.len())),
        None => None,
    }
}

/// Without what the parser changes: it encodes more characters of addresses, counts items and footnotes
/// itself, and white space of code in a cell is white space of HTML. Without the escapes that depend on
/// how the page is cut into elements: if one is needed and missing, the structure differs.
fn normal(markdown: &str) -> String {
    let mut out = markdown.to_string();
    for (encoded, plain) in [
        ("%5B", "["),
        ("%5D", "]"),
        ("%7B", "{"),
        ("%7D", "}"),
        ("%7C", "|"),
        ("%5E", "^"),
        ("%60", "`"),
        ("%22", "\""),
        ("\\$", "$"),
        ("\\*", "*"),
        ("\\<", "<"),
    ] {
        out = out.replace(encoded, plain);
    }
    let lines = out.lines().map(|line| {
        let text = line.trim_start_matches([' ', '>']);
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = if rest.starts_with([')', '.']) {
            rest
        } else {
            text
        };
        let text = match text.starts_with('|') {
            true => text.split_whitespace().collect(),
            false => text.to_string(),
        };
        text.replace("<br><br>", "<br>")
    });
    lines.map(|line| without_labels(&line) + "\n").collect()
}

fn without_labels(line: &str) -> String {
    let mut parts = line.split("[^");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| {
        let rest = part.split_once(']').map_or(part, |(_, rest)| rest);
        out + "[^]" + rest
    })
}

/// The HTML files below a folder, sorted; at most some of each folder.
fn pages(root: &Path, most: usize) -> Vec<PathBuf> {
    let mut folders = vec![root.to_path_buf()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        let is_page = |path: &&PathBuf| {
            path.is_file()
                && path
                    .extension()
                    .is_some_and(|extension| extension == "html")
        };
        found.extend(entries.iter().filter(is_page).take(most).cloned());
        folders.extend(entries.into_iter().filter(|path| path.is_dir()));
    }
    found.sort();
    found
}

#[test]
fn demo_sites() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let pages = pages(&demo, usize::MAX);
    assert!(pages.len() > 20);
    for path in pages {
        let bytes = std::fs::read(&path).unwrap();
        assert!(has_the_words(&parse(bytes.clone())), "{}", path.display());
        assert_eq!(difference(bytes), None, "{}", path.display());
    }
}

#[test]
fn corpora() {
    let Some(root) = std::env::var_os("UNFRAME_CORPORA") else {
        eprintln!("UNFRAME_CORPORA is not set: no real pages to read");
        return;
    };
    let pages = pages(Path::new(&root), PAGES);
    let (mut failed, mut other_words) = (0, 0);
    for path in &pages {
        let bytes = std::fs::read(path).unwrap();
        if !has_the_words(&parse(bytes.clone())) {
            other_words += 1;
            eprintln!("{}: other words", path.display());
        }
        if let Some(difference) = difference(bytes) {
            failed += 1;
            eprintln!("{}\n{difference}", path.display());
        }
    }
    let of = pages.len();
    assert!(failed == 0, "{failed} of {of} pages are read differently");
    // Line numbers, and the marks that footnotes repeat, are left out.
    assert!(
        other_words <= of / 100,
        "{other_words} of {of} pages have other words"
    );
    eprintln!("{of} pages, {other_words} with other words");
}
