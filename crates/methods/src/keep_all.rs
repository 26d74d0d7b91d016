//! `text`: keeps everything. The floor that every other method must beat.

use unframe_labels::{Label, Labels, Reason, TextLabel};
use unframe_page::{Fingerprint, Page, length, normalise, visible_texts};
use unframe_site::{BadRow, Figure, Memory, Visit, WriteRow};

use crate::method::Method;
use crate::params::{Param, Params};
use crate::registry::Registered;

/// The method that removes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepAll;

/// Nothing to remember.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

/// Nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoParams;

impl Registered for KeepAll {
    type Params = NoParams;
    const SOURCE: &'static str = "";
    const SUMMARY: &'static str = "removes nothing";

    fn build(_: NoParams, _: bool) -> Result<Self, String> {
        Ok(KeepAll)
    }
}

impl Params for NoParams {
    const METHOD: &'static str = KeepAll::NAME;
    const TABLE: &'static [Param<Self>] = &[];

    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Method for KeepAll {
    const NAME: &'static str = "text";
    const VERSION: u32 = 1;

    type Memory = NoMemory;
    type View = Labels;

    fn keeps_all(&self) -> bool {
        true
    }

    fn view(&self, page: &Page) -> Labels {
        let mut normal = String::new();
        let texts = visible_texts(page.dom())
            .map(|node| {
                let text = normalise(page.dom().text(node), &mut normal);
                TextLabel {
                    node,
                    length: length(text),
                    label: Label::Content,
                    reason: 0,
                }
            })
            .collect();
        Labels {
            texts,
            reasons: vec![Reason::KeepAll],
            ..Labels::default()
        }
    }

    fn learn(&self, _: &mut NoMemory, _: &Page, _: &Labels, _: Visit<'_>) -> Vec<u8> {
        Vec::new()
    }

    fn label(&self, _: &NoMemory, view: &Labels) -> Labels {
        view.clone()
    }
}

impl Memory for NoMemory {
    fn load(&mut self, _: u8, _: Fingerprint, _: &[u8]) -> Result<(), BadRow> {
        Ok(())
    }

    fn load_head(&mut self, _: &[u8]) -> Result<(), BadRow> {
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        Vec::new()
    }

    fn rows(&self, _: &mut WriteRow<'_>) {}

    fn take_changes(&mut self, _: &mut WriteRow<'_>) {}

    fn unlearn(&mut self, _: Fingerprint, _: &[u8]) {}

    fn merge(&mut self, _: Self) {}

    fn len(&self) -> usize {
        0
    }

    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }
}
