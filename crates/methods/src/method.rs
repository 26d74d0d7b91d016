//! What every method is: a view of a page, a memory of a site, and labels from the two.

use unframe_page::Page;
use unframe_site::{Memory, TextPlaces, Visit};

use crate::explanation::Explanation;
use crate::labels::Labels;
use crate::text_places::text_places;

/// A way to tell a page's own text from the site's frame.
///
/// [`view`](Method::view) is the costly part and needs nothing but the page: pages are viewed in
/// parallel. [`learn`](Method::learn) is called for one page after another, in order.
pub trait Method: Send + Sync {
    /// What it remembers of a site.
    type Memory: Memory;
    /// What it needs to know of a page.
    type View: Send + Sync;

    /// Pages of a site below which nothing can be found.
    fn needs_pages(&self) -> u64 {
        0
    }

    /// Whether it can learn on from what was learnt before; if not, what to use instead.
    fn accepts(&self, _: &Self::Memory) -> Result<(), String> {
        Ok(())
    }

    /// Looks at a page.
    fn view(&self, page: &Page) -> Self::View;

    /// Learns from a page. Returns what [`Memory::unlearn`] will need to undo it.
    fn learn(
        &self,
        memory: &mut Self::Memory,
        page: &Page,
        view: &Self::View,
        visit: Visit<'_>,
    ) -> Vec<u8>;

    /// Lets go what a page that is learnt can do without until it is labelled: views of many pages are
    /// kept until then. The page cannot be learnt from this view again.
    fn shrink(&self, _: &mut Self::View) {}

    /// Where a page has text, to tell when pages are built anew. Worked out from the page unless the
    /// method has looked at that already.
    fn places(&self, page: &Page, _: &Self::View) -> TextPlaces {
        TextPlaces(text_places(page.dom()))
    }

    /// Works out what labels of many pages need of a memory. Called on one thread before pages are
    /// labelled on many, for what must not be worked out on several at the same time.
    fn prepare(&self, _: &Self::Memory) {}

    /// Labels a page by what has been learnt so far.
    fn label(&self, memory: &Self::Memory, view: &Self::View) -> Labels;

    /// Why the texts of a page got these labels, which [`label`](Method::label) gave: one for each,
    /// in the same order. Made of the reasons of the labels if the method knows no more.
    fn explain(&self, _: &Self::Memory, _: &Self::View, labels: &Labels) -> Vec<Explanation> {
        Explanation::by_reasons(labels, true)
    }
}
