//! Where cleaned pages go.

use std::any::Any;

use unframe_read::{RawPage, Skipped};

use crate::clean_page::CleanPage;

/// Why a sink gave up.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Takes the cleaned pages of a run. A closure that takes a `&CleanPage` is a sink too.
pub trait Sink: Sync {
    /// What is made of a page before it is written.
    type Output: Send + 'static;

    /// Renders a page; called on any thread, for several pages at a time.
    fn render(&self, raw: &RawPage, page: &CleanPage) -> Self::Output;

    /// Writes what was rendered; called for one page after another, in the order of the input.
    fn write(&mut self, output: Self::Output) -> Result<(), BoxError>;

    /// Hears of input that gave no page.
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

/// What a sink has made of a page, of whatever type.
pub(super) type Output = Box<dyn Any + Send>;

/// A sink of any type.
pub(super) trait ErasedSink: Sync {
    fn render(&self, raw: &RawPage, page: &CleanPage) -> Output;
    fn write(&mut self, output: Output) -> Result<(), BoxError>;
    fn skipped(&mut self, skipped: &Skipped);
}

/// Hides the type of a sink, so that runs are compiled once.
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
