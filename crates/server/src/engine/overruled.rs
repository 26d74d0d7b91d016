//! What overrules the method for one page: what the request says, then what people have marked on the site.

use unframe::{Comments, Overrides};

use super::marks::Marks;

/// What a request says.
#[derive(Clone, Debug, Default)]
pub struct Overruled {
    /// Elements that are always kept, and elements that are always removed.
    pub own: Marks,
    /// What is done with readers' comments.
    pub comments: Comments,
}

impl Overruled {
    /// The same with the marks of the site.
    pub fn with(self, marks: Marks) -> Overrides {
        Overrides {
            protect: [self.own.protect, marks.protect].concat(),
            remove: [self.own.remove, marks.remove].concat(),
            comments: self.comments,
            ..Overrides::default()
        }
    }
}
