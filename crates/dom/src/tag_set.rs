//! Sets of tags, fast enough to query for every node of a page.

use crate::tag::Tag;

/// A set of tags whose names HTML defines.
///
/// ```
/// use unframe_dom::{Tag, TagSet};
///
/// let set: TagSet = [Tag::TABLE, Tag::DIV].into_iter().collect();
/// assert!(set.contains(Tag::DIV) && !set.contains(Tag::P));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Tag::DIV, Tag::TABLE]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagSet(
    /// One bit per tag number.
    [u64; WORDS],
);

const WORDS: usize = Tag::KNOWN.div_ceil(64) as usize;

impl TagSet {
    /// True if the set contains this tag.
    pub fn contains(&self, tag: Tag) -> bool {
        let word = self.0.get(usize::from(tag.0 / 64));
        word.is_some_and(|word| word >> (tag.0 % 64) & 1 == 1)
    }

    /// The tags in the order of their numbers, which is alphabetical.
    pub fn iter(&self) -> impl Iterator<Item = Tag> {
        (0..Tag::KNOWN).map(Tag).filter(|tag| self.contains(*tag))
    }
}

/// Tags that are specific to a document are left out.
impl FromIterator<Tag> for TagSet {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let mut set = TagSet::default();
        for tag in tags {
            if let Some(word) = set.0.get_mut(usize::from(tag.0 / 64)) {
                *word |= 1 << (tag.0 % 64);
            }
        }
        set
    }
}
