//! Finds the position of the last page of each site in the list of inputs, as far as names tell.
//!
//! A folder of sites is read one site after another, so the data of a site need not be kept until
//! the end of the run. Archives, JSON lines and streams may hold pages of any site, and so may
//! files whose names do not tell what they are.

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::{FileSource, Source};
use crate::{ReadOptions, sniff};

/// Which sites have no page after a position in the list of inputs.
#[derive(Debug)]
pub struct SiteEnds {
    /// For each site, the number of files and streams up to its last page.
    of_site: HashMap<Arc<str>, usize>,
    /// The same for the last file or stream that may have pages of any site.
    of_any: usize,
}

impl SiteEnds {
    pub(crate) fn of(sources: &[Source], options: &ReadOptions) -> SiteEnds {
        let mut ends = SiteEnds {
            of_site: HashMap::new(),
            of_any: 0,
        };
        for (number, source) in sources.iter().enumerate() {
            match source {
                Source::Skipped(_) => {}
                Source::File(file) if is_page(file) && options.site.is_none() => {
                    ends.of_site.insert(Arc::clone(&file.site), number + 1);
                }
                _ => ends.of_any = number + 1,
            }
        }
        ends
    }

    /// True if no page of a site comes after the first `sources` files and streams. False for a
    /// site that is not named after a folder, because nothing is known about it.
    pub fn is_over(&self, site: &str, sources: usize) -> bool {
        let last = self.of_site.get(site);
        self.of_any <= sources && last.is_some_and(|last| *last <= sources)
    }
}

/// True if a file holds at most one page, and the folder decides its site.
fn is_page(file: &FileSource) -> bool {
    file.origin == sniff::Origin::Found && sniff::is_named_as_page(&file.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sniff::Origin;

    fn sources(files: &[(&str, &str)]) -> Vec<Source> {
        let file = |(path, site): &(&str, &str)| {
            Source::File(FileSource {
                path: path.into(),
                relative: path.into(),
                site: (*site).into(),
                size: 1,
                origin: Origin::Found,
            })
        };
        files.iter().map(file).collect()
    }

    #[test]
    fn a_site_is_over_after_its_last_file() {
        let files = [
            ("1.html", "a"),
            ("2.html", "b"),
            ("3.png", "a"),
            ("4.html", "c"),
        ];
        let ends = SiteEnds::of(&sources(&files), &ReadOptions::default());
        for (site, over) in [("a", 3), ("b", 2), ("c", 4), ("unheard of", 5)] {
            for read in 0..=4 {
                assert_eq!(ends.is_over(site, read), read >= over, "{site} {read}");
            }
        }
    }

    #[test]
    fn an_archive_may_have_pages_of_any_site() {
        for any in ["2.warc.gz", "2.jsonl", "2", "2.dat"] {
            let files = [("1.html", "a"), (any, "a"), ("3.html", "b")];
            let ends = SiteEnds::of(&sources(&files), &ReadOptions::default());
            assert!(!ends.is_over("a", 1) && ends.is_over("a", 2), "{any}");
        }
    }

    #[test]
    fn nothing_is_known_of_a_site_named_by_hand() {
        let options = ReadOptions {
            site: Some("all".into()),
            ..ReadOptions::default()
        };
        let ends = SiteEnds::of(&sources(&[("1.html", "a"), ("2.html", "b")]), &options);
        assert!(!ends.is_over("all", 1) && !ends.is_over("a", 1));
    }
}
