//! TECO, the corpus of template and content extraction (Alarte 2014, ch. 6): one folder per site,
//! with a key page whose elements are labelled by classes.
//!
//! An element with the class `notTemplate`, including its descendants, is not template;
//! `mainContent` is the page's main content. Later versions of the corpus write `TECO_notTemplate`
//! and so on. The classes are removed from the pages before any method sees them.

use std::path::{Path, PathBuf};

use unframe_dom::{Limits, NodeId};
use unframe_page::{Page, file_url};

use crate::corpus::{files_below, name_of, subfolders};
use crate::{EvalError, NodeGold};

/// The sites of one folder.
#[derive(Clone, Debug)]
pub struct Teco {
    /// The name of the folder.
    pub name: String,
    /// The sites with a key page, by name.
    pub sites: Vec<TecoSite>,
    /// Folders without a labelled page.
    pub skipped: Vec<PathBuf>,
}

/// One site.
#[derive(Clone, Debug)]
pub struct TecoSite {
    /// The name of the folder.
    pub name: String,
    /// All pages: URL, file.
    pub pages: Vec<(String, PathBuf)>,
    /// The indices in `pages` of the labelled pages.
    pub keys: Vec<usize>,
}

/// A page with its labels removed, and the labels.
#[derive(Clone, Debug)]
pub struct TecoPage {
    /// The page without labels.
    pub page: Page,
    /// Which of its elements are template.
    pub template: NodeGold,
    /// The main content: these elements and all their descendants.
    pub main_content: Vec<NodeId>,
}

const NOT_TEMPLATE: &str = "notTemplate";
const MAIN_CONTENT: &str = "mainContent";
/// Prefix of the classes in later versions.
const PREFIX: &str = "TECO_";
/// All classes that the corpus adds.
const CLASSES: [&str; 4] = [NOT_TEMPLATE, MAIN_CONTENT, "mainMenu", "menu"];

impl Teco {
    /// Searches a folder for sites: labelled pages in it or in its subfolders. `None` if there are
    /// none, since the folder may be a corpus of another format.
    pub fn open(folder: impl AsRef<Path>) -> Result<Option<Teco>, EvalError> {
        let folder = folder.as_ref();
        let mut teco = Teco {
            name: name_of(folder),
            sites: Vec::new(),
            skipped: Vec::new(),
        };
        for child in subfolders(folder)? {
            match TecoSite::open(&child)? {
                Some(site) => teco.sites.push(site),
                None => teco.skipped.push(child),
            }
        }
        if teco.sites.is_empty() {
            teco.sites.extend(TecoSite::open(folder)?);
            teco.skipped.clear();
        }
        Ok((!teco.sites.is_empty()).then_some(teco))
    }
}

impl TecoSite {
    fn open(folder: &Path) -> Result<Option<TecoSite>, EvalError> {
        let mut site = TecoSite {
            name: name_of(folder),
            pages: Vec::new(),
            keys: Vec::new(),
        };
        for (id, path) in files_below(folder)? {
            let bytes = read(&path)?;
            if !looks_like_a_page(&id, &bytes) {
                continue;
            }
            if carries_labels(&bytes) {
                site.keys.push(site.pages.len());
            }
            site.pages.push((url_of(&site.name, &id), path));
        }
        Ok((!site.keys.is_empty()).then_some(site))
    }
}

impl TecoPage {
    /// Reads a page and removes its labels.
    pub fn read(url: &str, path: &Path, limits: &Limits) -> Result<TecoPage, EvalError> {
        Ok(TecoPage::parse(url, read(path)?, limits))
    }

    /// The same for bytes in memory.
    pub fn parse(url: &str, bytes: Vec<u8>, limits: &Limits) -> TecoPage {
        let labelled = Page::parse(bytes.into(), Some(url.into()), None, limits);
        let has = |id: NodeId, class: &str| classes(&labelled, id).any(|own| own == class);
        let own = |id: NodeId| has(id, NOT_TEMPLATE) || has(id, MAIN_CONTENT);
        let template = NodeGold::new(&labelled, own);
        let all = 0..labelled.dom().nodes().len() as NodeId;
        let main_content = all.filter(|id| has(*id, MAIN_CONTENT)).collect();
        // The tree is the same without the labels, so they still apply to it.
        let bytes = without_labels(&labelled);
        TecoPage {
            page: Page::parse(bytes.into(), Some(url.into()), None, limits),
            template,
            main_content,
        }
    }
}

/// The classes of an element that are labels, without their prefix.
fn classes(page: &Page, id: NodeId) -> impl Iterator<Item = &str> {
    let value = page.dom().attribute(id, "class").unwrap_or("");
    value.split_ascii_whitespace().filter_map(label)
}

fn label(class: &str) -> Option<&str> {
    let name = class.strip_prefix(PREFIX).unwrap_or(class);
    let known = class.len() > name.len() || name == NOT_TEMPLATE || name == MAIN_CONTENT;
    (known && CLASSES.contains(&name)).then_some(name)
}

/// The bytes of a page with the labels overwritten by spaces.
fn without_labels(page: &Page) -> Vec<u8> {
    let mut bytes = page.bytes().to_vec();
    for id in 0..page.dom().nodes().len() as NodeId {
        if classes(page, id).next().is_none() {
            continue;
        }
        let tag = page.source(page.dom().node(id).open);
        let Some(tag) = bytes.get_mut(tag) else {
            continue;
        };
        let mut at = 0;
        while at < tag.len() {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let length = tag[at..].iter().take_while(|byte| is_name(byte)).count();
            let word = std::str::from_utf8(&tag[at..at + length]).unwrap_or("");
            if label(word).is_some() {
                tag[at..at + length].fill(b' ');
            }
            at += length.max(1);
        }
    }
    bytes
}

/// Whether a page has labels.
pub fn carries_labels(bytes: &[u8]) -> bool {
    contain(bytes, NOT_TEMPLATE) || contain(bytes, MAIN_CONTENT)
}

/// The bytes of a page without the classes that the corpus adds.
pub fn unlabelled(bytes: Vec<u8>, limits: &Limits) -> Vec<u8> {
    // Most pages have none of them, and need not be parsed.
    if !carries_labels(&bytes) && !contain(&bytes, PREFIX) {
        return bytes;
    }
    without_labels(&Page::parse(bytes.into(), None, None, limits))
}

fn contain(bytes: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    bytes.windows(name.len()).any(|window| window == name)
}

/// Whether a file of a site is a page, by its path in the folder of the site and its content.
pub fn looks_like_a_page(id: &str, bytes: &[u8]) -> bool {
    let ending = id.rsplit_once('.').map_or("", |(_, ending)| ending);
    let script = matches!(
        &*ending.to_ascii_lowercase(),
        "js" | "css" | "json" | "xml" | "txt" | "svg" | "png" | "jpg" | "jpeg" | "gif" | "ico"
    );
    let head = &bytes[..bytes.len().min(1024)];
    !script && head.contains(&b'<')
}

/// The URL of a file of a site, by its path there. Mirrors have a folder for each host; then the folder is
/// the host.
pub fn url_of(site: &str, id: &str) -> String {
    match id.split_once('/') {
        Some((host, path)) if host.contains('.') => format!("http://{host}/{path}"),
        _ => file_url(site, Path::new(id)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, EvalError> {
    std::fs::read(path).map_err(|source| EvalError::Read {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(page: &TecoPage, matches: impl Fn(NodeId) -> bool) -> Vec<String> {
        let dom = page.page.dom();
        (1..dom.nodes().len() as NodeId)
            .filter(|id| dom.node(*id).tag.is_element() && matches(*id))
            .map(|id| dom.tag_name(dom.node(id).tag).to_string())
            .collect()
    }

    #[test]
    fn classes_are_labels_and_go() {
        for prefix in ["", "TECO_"] {
            let html = format!(
                "<ul class='menu nav'><li>Home</ul><div class='{prefix}notTemplate box'><p>a \
                 notTemplate<b class=\"x {prefix}mainContent\">b</b></div>"
            );
            let page = TecoPage::parse("http://h/", html.into(), &Limits::default());
            let own = elements(&page, |id| !page.template.is_template[id as usize]);
            assert_eq!(own, ["div", "p", "b"]);
            let left = elements(&page, |id| page.main_content.contains(&id));
            assert_eq!(left, ["b"]);
            let dom = page.page.dom();
            let class = |id: NodeId| dom.attribute(id, "class").map(str::trim).map(String::from);
            let found: Vec<_> = (0..dom.nodes().len() as NodeId).filter_map(class).collect();
            // A class `menu` of the page itself is kept.
            assert_eq!(found, ["menu nav", "box", "x"]);
            assert!(dom.source().contains("a notTemplate"));
        }
    }

    #[test]
    fn pages_without_a_key_lose_their_classes_too() {
        for (html, expected) in [
            ("<p class=menu>x", "<p class=menu>x"),
            (
                "<p class='TECO_menu a'>TECO_menu",
                "<p class='          a'>TECO_menu",
            ),
            ("<p class=notTemplate>x", "<p class=           >x"),
        ] {
            let found = unlabelled(html.into(), &Limits::default());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
            let page = TecoPage::parse("http://h/", html.into(), &Limits::default());
            assert_eq!(page.page.bytes(), expected.as_bytes());
        }
    }

    #[test]
    fn a_folder_of_sites() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("one/www.one.org/index.html", "<p class=notTemplate>x");
        write("one/www.one.org/a/b.html", "<p>y");
        write("one/www.one.org/s.js", "'<p class=notTemplate>'");
        write("two/index.html", "<p class=TECO_mainContent>x");
        write("three/index.html", "<p>x");
        let teco = Teco::open(root.path()).unwrap().unwrap();
        let names: Vec<&str> = teco.sites.iter().map(|site| site.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(teco.skipped.len(), 1);
        let one = &teco.sites[0];
        let urls: Vec<&str> = one.pages.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(
            urls,
            [
                "http://www.one.org/a/b.html",
                "http://www.one.org/index.html"
            ]
        );
        assert_eq!(one.keys, [1]);
        assert_eq!(teco.sites[1].pages[0].0, "http://two.invalid/index.html");
        // A single site is also a corpus; a folder of other things is not.
        assert_eq!(
            Teco::open(root.path().join("two"))
                .unwrap()
                .unwrap()
                .sites
                .len(),
            1
        );
        assert!(Teco::open(root.path().join("three")).unwrap().is_none());
    }
}
