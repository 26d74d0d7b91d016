//! What people have marked on the pages of a site: elements that are always kept, and elements that are
//! always removed. They overrule the method. With a state they are in a file beside it, in the format of
//! `unframe rules`, to be read and edited.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use unframe::page::Selector;
use unframe::rules::{Rule, RuleSet, SiteRules};

use crate::problem::Problem;

/// Selectors of one kind that a site may have.
const MOST_SELECTORS: usize = 1000;
/// Sites that may have marks: all of them are written anew with each change.
const MOST_SITES: usize = 10_000;
/// Bytes of the name of a site, as for pages.
const LONGEST_SITE: usize = 255;

/// The marks of all sites.
pub struct SiteMarks {
    file: Option<PathBuf>,
    rules: RwLock<RuleSet>,
}

/// The marks of one site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Elements that are always kept.
    pub protect: Vec<Selector>,
    /// Elements that are always removed.
    pub remove: Vec<Selector>,
}

impl SiteMarks {
    /// Reads the marks beside a state: in `FILE.marks` for `FILE`.
    pub(super) fn open(state: Option<&Path>) -> Result<SiteMarks, String> {
        let file = state.map(|state| {
            let mut name = state.as_os_str().to_owned();
            name.push(".marks");
            PathBuf::from(name)
        });
        let text = match &file {
            Some(file) => match fs::read_to_string(file) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                read => read.map_err(|error| format!("cannot read {}: {error}", file.display()))?,
            },
            None => String::new(),
        };
        let wrong = |error: &dyn std::fmt::Display| {
            let file = file.as_deref().unwrap_or(Path::new("marks")).display();
            format!("{file}: {error}; correct the file, or move it away to start without marks")
        };
        let rules = match text.trim() {
            "" => RuleSet::default(),
            text => RuleSet::parse(text).map_err(|error| wrong(&error))?,
        };
        Ok(SiteMarks {
            file,
            rules: RwLock::new(rules),
        })
    }

    /// The marks of a site.
    pub fn get(&self, site: &str) -> Marks {
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        let own = rules
            .sections
            .iter()
            .find(|one| one.site.as_deref() == Some(site));
        let selectors = |rules: &[Rule]| rules.iter().map(|rule| rule.selector.clone()).collect();
        own.map_or(Marks::default(), |own| Marks {
            protect: selectors(&own.keep),
            remove: selectors(&own.remove),
        })
    }

    /// Replaces the marks of a site. When this returns, they are on disk, if there is a state.
    pub fn set(&self, site: &str, marks: Marks) -> Result<(), Problem> {
        if marks.protect.len().max(marks.remove.len()) > MOST_SELECTORS {
            let message = format!("a site has at most {MOST_SELECTORS} selectors of a kind");
            return Err(Problem::new("unusable", message));
        }
        if site.len() > LONGEST_SITE {
            let message = format!("the name of the site is longer than {LONGEST_SITE} bytes");
            return Err(Problem::new("unusable", message));
        }
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        let mut sections = rules.sections.clone();
        sections.retain(|one| one.site.as_deref() != Some(site));
        if marks != Marks::default() {
            if sections.len() >= MOST_SITES {
                let message =
                    format!("{MOST_SITES} sites have marks, which are the most; remove some");
                return Err(Problem::new("unusable", message));
            }
            sections.push(SiteRules {
                site: Some(site.to_string()),
                about: None,
                keep: marks.protect.into_iter().map(Rule::new).collect(),
                remove: marks.remove.into_iter().map(Rule::new).collect(),
            });
        }
        sections.sort_by(|a, b| a.site.cmp(&b.site));
        let new = RuleSet { sections };
        if let Some(file) = &self.file {
            write(file, new.to_css().as_bytes()).map_err(|error| {
                let message = format!("cannot write {}: {error}", file.display());
                Problem::new("not-kept", message)
            })?;
        }
        *rules = new;
        Ok(())
    }
}

/// Replaces a file when the new one is complete and on disk.
fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    // A crash may bring the old file back only if the folder is not written.
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("a.unframe");
        let marks = SiteMarks::open(Some(&state)).unwrap();
        assert_eq!(marks.get("a.example"), Marks::default());
        let set = Marks {
            protect: vec!["main".parse().unwrap()],
            remove: vec!["nav, .ad".parse().unwrap()],
        };
        marks.set("a.example", set.clone()).unwrap();
        marks.set("b.example", set.clone()).unwrap();
        marks.set("b.example", Marks::default()).unwrap();
        let again = SiteMarks::open(Some(&state)).unwrap();
        assert_eq!(again.get("a.example"), set);
        assert_eq!(again.get("b.example"), Marks::default());
        let file = fs::read_to_string(folder.path().join("a.unframe.marks")).unwrap();
        assert!(file.contains("@site a.example;"), "{file}");
        for odd in [
            "a; } x",
            "a\n@site b;",
            "\"",
            "a */ {",
            " ",
            "\\",
            "ä\u{2028}",
        ] {
            marks.set(odd, set.clone()).unwrap();
            let again = SiteMarks::open(Some(&state)).unwrap();
            assert_eq!(again.get(odd), set, "{odd:?}");
            assert_eq!(again.get("a.example"), set, "{odd:?}");
        }
        fs::write(folder.path().join("a.unframe.marks"), "keep {{").unwrap();
        assert!(SiteMarks::open(Some(&state)).is_err());
    }
}
