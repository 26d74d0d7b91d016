//! Kinds of pages.

use std::fmt;

use serde::Serialize;

/// What kind of page it is, by what its content consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// One text, such as a report or a post of a blog.
    Article,
    /// Posts of several people: a forum, or questions and answers.
    Thread,
    /// Items that lead to other pages: an index, a category, results of a search.
    List,
    /// The values of one thing: a product, a job, a film.
    Record,
    /// Anything else: documentation, a service, a form.
    Other,
}

impl PageKind {
    /// All kinds, in order.
    pub const ALL: [PageKind; 5] = [
        PageKind::Article,
        PageKind::Thread,
        PageKind::List,
        PageKind::Record,
        PageKind::Other,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Thread => "thread",
            PageKind::List => "list",
            PageKind::Record => "record",
            PageKind::Other => "other",
        }
    }
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
