//! Which regions of a page are shown, and in which order.

use unframe::page::Selector;
use unframe::render::ExplainedRegion;
use unframe::{CleanPage, Label};

#[derive(clap::Args)]
pub struct SelectArgs {
    /// Show only regions that contain this text, ignoring case
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,

    /// Show only regions inside elements that match this CSS selector
    #[arg(long, value_name = "SELECTOR")]
    css: Option<Selector>,

    /// Show only what is removed, or only what is kept
    #[arg(long, value_name = "frame|kept", hide_possible_values = true)]
    only: Option<Only>,

    /// Show regions in the order of the page, or the least certain first
    #[arg(
        long,
        value_name = "page|uncertainty",
        default_value = "page",
        hide_possible_values = true
    )]
    sort: Sort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Frame,
    #[value(alias = "content")]
    Kept,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    Page,
    Uncertainty,
}

impl SelectArgs {
    /// Whether regions were asked for by what they contain or where they are.
    pub fn is_narrow(&self) -> bool {
        self.text.is_some() || self.css.is_some()
    }

    /// Whether anything was asked for.
    pub fn is_given(&self) -> bool {
        self.is_narrow() || self.only.is_some() || self.sort != Sort::Page
    }

    /// The regions that were asked for.
    pub fn of<'a>(
        &self,
        page: &CleanPage,
        regions: &'a [ExplainedRegion],
    ) -> Vec<&'a ExplainedRegion> {
        let text = self.text.as_ref().map(|text| text.to_lowercase());
        let inside = self.css.as_ref().map(|css| css.inside(page.page().dom()));
        let has_text = |region: &ExplainedRegion| {
            text.as_ref().is_none_or(|text| {
                let whole = region.whole_text(page.page(), page.explanations());
                whole.to_lowercase().contains(text)
            })
        };
        let is_inside = |region: &ExplainedRegion| {
            inside.as_ref().is_none_or(|inside| {
                let texts = &page.explanations()[region.texts.clone()];
                texts.iter().any(|text| inside[text.node as usize])
            })
        };
        let has_label = |region: &ExplainedRegion| match self.only {
            None => true,
            Some(Only::Frame) => region.why.label == Label::Template,
            Some(Only::Kept) => region.why.label == Label::Content,
        };
        let found = regions.iter();
        let mut found: Vec<_> = found
            .filter(|region| has_label(region) && is_inside(region) && has_text(region))
            .collect();
        if self.sort == Sort::Uncertainty {
            let certainty = |region: &ExplainedRegion| (region.frame_probability() - 0.5).abs();
            found.sort_by(|one, other| certainty(one).total_cmp(&certainty(other)));
        }
        found
    }
}
