//! Methods without their types: what runs, faces and states work with.
//!
//! A [`Method`] has a view and a memory of its own types. Code that is generic over them is compiled
//! once per method, so nothing outside this crate is: it holds a `dyn Engine`, views in boxes and
//! memories as `dyn Memory`. That costs a few virtual calls per page.

use std::any::{Any, type_name};

use unframe_labels::{Comment, Explanation, Labels};
use unframe_page::Page;
use unframe_site::{Memory, MemoryKind, SiteRecord, TextPlaces, Visit};

use crate::learned::Learned;
use crate::method::Method;

/// What an engine needs to know of a page; only the engine that made it can read it.
pub struct View(Box<dyn Any + Send + Sync>);

/// A method of any type. Implemented for every [`Method`]; see there for what the functions do.
///
/// # Panics
///
/// Functions that take a view or a memory panic if another engine made it.
#[allow(missing_docs)]
pub trait Engine: Send + Sync {
    /// The memory that it learns into: how it is called, created and merged.
    fn memory(&self) -> MemoryKind;

    fn needs_pages(&self) -> u64;
    fn keeps_all(&self) -> bool;
    fn accepts(&self, memory: &dyn Memory) -> Result<(), String>;
    fn view(&self, page: &Page) -> View;
    fn view_known(&self, page: &Page, memory: &dyn Memory) -> View;
    fn learn(&self, memory: &mut dyn Memory, page: &Page, view: &View, visit: Visit<'_>)
    -> Vec<u8>;
    fn shrink(&self, view: &mut View);
    fn places(&self, page: &Page, view: &View) -> TextPlaces;
    fn prepare(&self, memory: &dyn Memory);
    fn label(&self, memory: &dyn Memory, view: &View) -> Labels;
    fn label_in_full(&self, memory: &dyn Memory, view: &View) -> Labels;
    fn explain(&self, memory: &dyn Memory, view: &View, labels: &Labels) -> Vec<Explanation>;
    fn comments(&self, memory: &dyn Memory, view: &View) -> Vec<Comment>;
    fn learned(&self, sites: &[(&dyn Memory, &SiteRecord)]) -> Learned;
}

impl<M: Method> Engine for M {
    fn memory(&self) -> MemoryKind {
        MemoryKind::of::<M::Memory>(M::NAME, M::VERSION)
    }

    fn needs_pages(&self) -> u64 {
        Method::needs_pages(self)
    }

    fn keeps_all(&self) -> bool {
        Method::keeps_all(self)
    }

    fn accepts(&self, memory: &dyn Memory) -> Result<(), String> {
        Method::accepts(self, own::<M>(memory))
    }

    fn view(&self, page: &Page) -> View {
        View(Box::new(Method::view(self, page)))
    }

    fn view_known(&self, page: &Page, memory: &dyn Memory) -> View {
        View(Box::new(Method::view_known(self, page, own::<M>(memory))))
    }

    fn learn(
        &self,
        memory: &mut dyn Memory,
        page: &Page,
        view: &View,
        visit: Visit<'_>,
    ) -> Vec<u8> {
        let Some(memory) = memory.downcast_mut() else {
            wrong::<M>("memory");
        };
        Method::learn(self, memory, page, view_of::<M>(view), visit)
    }

    fn shrink(&self, view: &mut View) {
        match view.0.downcast_mut() {
            Some(view) => Method::shrink(self, view),
            None => wrong::<M>("view"),
        }
    }

    fn places(&self, page: &Page, view: &View) -> TextPlaces {
        Method::places(self, page, view_of::<M>(view))
    }

    fn prepare(&self, memory: &dyn Memory) {
        Method::prepare(self, own::<M>(memory));
    }

    fn label(&self, memory: &dyn Memory, view: &View) -> Labels {
        Method::label(self, own::<M>(memory), view_of::<M>(view))
    }

    fn label_in_full(&self, memory: &dyn Memory, view: &View) -> Labels {
        Method::label_in_full(self, own::<M>(memory), view_of::<M>(view))
    }

    fn explain(&self, memory: &dyn Memory, view: &View, labels: &Labels) -> Vec<Explanation> {
        Method::explain(self, own::<M>(memory), view_of::<M>(view), labels)
    }

    fn comments(&self, memory: &dyn Memory, view: &View) -> Vec<Comment> {
        Method::comments(self, own::<M>(memory), view_of::<M>(view))
    }

    fn learned(&self, sites: &[(&dyn Memory, &SiteRecord)]) -> Learned {
        let sites: Vec<_> = sites
            .iter()
            .map(|(memory, record)| (own::<M>(*memory), *record))
            .collect();
        Method::learned(self, &sites)
    }
}

fn own<M: Method>(memory: &dyn Memory) -> &M::Memory {
    match memory.downcast_ref() {
        Some(memory) => memory,
        None => wrong::<M>("memory"),
    }
}

fn view_of<M: Method>(view: &View) -> &M::View {
    match view.0.downcast_ref() {
        Some(view) => view,
        None => wrong::<M>("view"),
    }
}

fn wrong<M: Method>(what: &str) -> ! {
    panic!(
        "{} was given the {what} of another method",
        type_name::<M>()
    )
}
