//! A sink for tests: what a closure makes of each page, in order.

use unframe::CleanPage;
use unframe::batch::{BoxError, Sink};
use unframe::read::{RawPage, Skipped};

pub struct Collect<T, F> {
    make: F,
    pub made: Vec<T>,
    pub skipped: Vec<String>,
}

impl<T, F: Fn(&RawPage, &CleanPage) -> T> Collect<T, F> {
    pub fn new(make: F) -> Self {
        Collect {
            make,
            made: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

impl<T, F> Sink for Collect<T, F>
where
    T: Send + Sync + 'static,
    F: Fn(&RawPage, &CleanPage) -> T + Sync,
{
    type Output = T;

    fn render(&self, raw: &RawPage, page: &CleanPage) -> T {
        (self.make)(raw, page)
    }

    fn write(&mut self, made: T) -> Result<(), BoxError> {
        self.made.push(made);
        Ok(())
    }

    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped.push(skipped.name.clone());
    }
}
