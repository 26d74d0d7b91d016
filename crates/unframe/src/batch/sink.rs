//! The consumer of cleaned pages.

use std::any::Any;

use unframe_read::{RawPage, Skipped};

use crate::clean_page::CleanPage;

/// The error of a sink.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Receives the cleaned pages of a run. A closure that takes a `&CleanPage` is a sink too.
pub trait Sink: Sync {
    /// The rendered form of a page.
    type Output: Send + 'static;

    /// Renders a page; called on any thread, for several pages concurrently.
    fn render(&self, raw: &RawPage, page: &CleanPage) -> Self::Output;

    /// Writes a rendered page; called for one page after another, in input order.
    fn write(&mut self, output: Self::Output) -> Result<(), BoxError>;

    /// Called for input that was skipped.
    fn skipped(&mut self, _: &Skipped) {}
}

impl<F: FnMut(&CleanPage) + Sync> Sink for F {
    type Output = CleanPage;

    fn render(&self, _: &RawPage, page: &CleanPage) -> CleanPage {
        page.clone()
    }

    fn write(&mut self, page: CleanPage) -> Result<(), BoxError> {
        self(&page);
        Ok(())
    }
}

/// A rendered page of any type.
pub(super) type Output = Box<dyn Any + Send>;

/// A sink of any type.
pub(super) trait ErasedSink: Sync {
    fn render(&self, raw: &RawPage, page: &CleanPage) -> Output;
    fn write(&mut self, output: Output) -> Result<(), BoxError>;
    fn skipped(&mut self, skipped: &Skipped);
}

/// Erases the type of a sink, so that the run is compiled once.
pub(super) fn erase<S: Sink>(sink: &mut S) -> impl ErasedSink + '_ {
    Erased(sink)
}

struct Erased<'a, S>(&'a mut S);

impl<S: Sink> ErasedSink for Erased<'_, S> {
    fn render(&self, raw: &RawPage, page: &CleanPage) -> Output {
        Box::new(self.0.render(raw, page))
    }

    fn write(&mut self, output: Output) -> Result<(), BoxError> {
        match output.downcast() {
            Ok(output) => self.0.write(*output),
            Err(_) => unreachable!("rendered by the same sink"),
        }
    }

    fn skipped(&mut self, skipped: &Skipped) {
        self.0.skipped(skipped);
    }
}
