//! What a method is: a view of a page, a memory of a site, and labels from the two.

use unframe_labels::{Comment, Explanation, Labels};
use unframe_page::Page;
use unframe_site::{Memory, SiteRecord, TextPlaces, Visit};

use crate::learned::Learned;
use crate::text_places::text_places;

/// A way to tell a page's own text from the site's frame.
///
/// This is the trait to implement. Everything that runs methods uses them through
/// [`Engine`](crate::Engine), which every method is.
///
/// [`view`](Method::view) is the costly part and needs nothing but the page: pages are viewed in
/// parallel. [`learn`](Method::learn) is called for one page after another, in order.
pub trait Method: Send + Sync + 'static {
    /// Its name, under which states keep what it has learned.
    const NAME: &'static str;
    /// The version of what its memory stores: keys, rows, head and contributions. Raise it with every
    /// change that gives stored bytes another meaning, as a change to a tag list does that keys are
    /// made of. States of another version are refused.
    const VERSION: u32;

    /// What it remembers of a site.
    type Memory: Memory + Default;
    /// What it needs to know of a page.
    type View: Send + Sync + 'static;

    /// The number of pages of a site below which it finds nothing.
    fn needs_pages(&self) -> u64 {
        0
    }

    /// Whether it can continue from what was learned before; if not, what to use instead.
    fn accepts(&self, _: &Self::Memory) -> Result<(), String> {
        Ok(())
    }

    /// True if it never removes anything, whatever the page says of itself.
    fn keeps_all(&self) -> bool {
        false
    }

    /// Extracts from a page what learning and labelling need.
    fn view(&self, page: &Page) -> Self::View;

    /// The same for a page that is only labelled, with reasons that need not be complete, if what is known
    /// of its site spares some of the work.
    fn view_known(&self, page: &Page, _: &Self::Memory) -> Self::View {
        self.view(page)
    }

    /// Learns from a page. Returns what [`Memory::unlearn`] needs to undo it.
    fn learn(
        &self,
        memory: &mut Self::Memory,
        page: &Page,
        view: &Self::View,
        visit: Visit<'_>,
    ) -> Vec<u8>;

    /// Drops what a page that has been learned does not need for its labels: views of many pages
    /// wait for theirs. The page cannot be learned from this view again.
    fn shrink(&self, _: &mut Self::View) {}

    /// Where a page has text, to notice when a site changes its layout.
    fn places(&self, page: &Page, _: &Self::View) -> TextPlaces {
        TextPlaces(text_places(page.dom()))
    }

    /// Computes what the labels of many pages need from a memory. Called on one thread before pages
    /// are labelled on many.
    fn prepare(&self, _: &Self::Memory) {}

    /// Labels a page by what has been learned so far.
    fn label(&self, memory: &Self::Memory, view: &Self::View) -> Labels;

    /// The same labels with all that their reasons can say, if that costs more.
    fn label_in_full(&self, memory: &Self::Memory, view: &Self::View) -> Labels {
        self.label(memory, view)
    }

    /// Why the texts of a page got these labels: one explanation per text, in the same order.
    fn explain(&self, _: &Self::Memory, _: &Self::View, labels: &Labels) -> Vec<Explanation> {
        Explanation::by_reasons(labels, true)
    }

    /// The readers' comments on a page, in document order, if the method finds them.
    fn comments(&self, _: &Self::Memory, _: &Self::View) -> Vec<Comment> {
        Vec::new()
    }

    /// What it has learned of these sites, for the summary of a run.
    fn learned(&self, _sites: &[(&Self::Memory, &SiteRecord)]) -> Learned {
        Learned::default()
    }
}
