//! A cleaned page: what is kept of it, in every form.

use std::sync::Arc;

use unframe_labels::{Explanation, Flag, Label, Labels, PageKind};
use unframe_page::Page;
use unframe_render::{
    ExplainedRegion, MarkdownOptions, Metadata, PageLinks, Parts, ReaderComment, RemovedRegion,
    SkeletonOptions,
};

use crate::verdict::Verdict;

/// A page with the labels of its texts. Forms of the page are rendered when they are asked for.
#[derive(Clone, Debug)]
pub struct CleanPage {
    page: Arc<Page>,
    verdict: Verdict,
}

impl CleanPage {
    pub(crate) fn new(page: Arc<Page>, verdict: Verdict) -> CleanPage {
        CleanPage { page, verdict }
    }

    /// The kept text; paragraphs, list items and table cells are separated.
    pub fn text(&self) -> String {
        unframe_render::text(self.page.dom(), self.labels())
    }

    /// The kept text as Markdown: headings, lists, tables, code, formulas and links.
    pub fn markdown(&self) -> String {
        self.markdown_with(&MarkdownOptions::default())
    }

    /// The same with options.
    pub fn markdown_with(&self, options: &MarkdownOptions) -> String {
        unframe_render::markdown(&self.page, self.labels(), options)
    }

    /// The page's own bytes, in its own charset, with the frame cut out.
    pub fn html(&self) -> Vec<u8> {
        unframe_render::html(&self.page, self.labels())
    }

    /// The same as text.
    pub fn html_text(&self) -> String {
        unframe_dom::decode(self.html(), Some(self.page.charset()))
            .text
            .into()
    }

    /// A hash of the kept text, to see whether the content has changed. It does not depend on the frame
    /// or on white space: SHA-256 of the [`text`](CleanPage::text), normalised as
    /// [`content_hash`](crate::render::content_hash()) says, in hexadecimal digits.
    pub fn content_hash(&self) -> String {
        unframe_render::content_hash(&self.text())
    }

    /// The page's own bytes, in its own charset, with the frame marked by
    /// `data-unframe="template"`.
    pub fn marked(&self) -> Vec<u8> {
        let labels = self.labels();
        unframe_render::marked(&self.page, labels, |region| region.probability(labels))
    }

    /// The frame of the page as a standalone HTML document; a slot marks each place of content.
    pub fn template(&self) -> String {
        self.template_with(&SkeletonOptions::default())
    }

    /// The same with options.
    pub fn template_with(&self, options: &SkeletonOptions) -> String {
        let labels = &self.labels().texts;
        let is_template = |node| {
            let at = labels.binary_search_by_key(&node, |text| text.node);
            at.is_ok_and(|at| labels[at].label == Label::Template)
        };
        unframe_render::skeleton(&self.page, is_template, options)
    }

    /// The title of the page.
    pub fn title(&self) -> String {
        self.page.title()
    }

    /// What the page states of itself: language, description, author, dates.
    pub fn metadata(&self) -> Metadata {
        unframe_render::metadata(&self.page)
    }

    /// What kind of page it probably is, and how probable that is. None with methods that do not judge
    /// it.
    pub fn kind(&self) -> Option<(PageKind, f32)> {
        self.labels().kind
    }

    /// The parts of an article that are not its body: headline, byline, date, standfirst, captions.
    pub fn parts(&self) -> Parts {
        unframe_render::parts(&self.page, self.labels())
    }

    /// The page with nothing kept but the body: without the [`parts`](CleanPage::parts).
    ///
    /// ```
    /// let html = "<title>Tea</title><article><h1>Tea</h1><p class=byline>By Ann Leaf</p>
    ///     <p>Green tea is steeped for two minutes, in water that has cooled a little.</p></article>";
    /// let page = unframe::extract(None, html);
    /// assert_eq!(page.parts().headline.as_deref(), Some("Tea"));
    /// assert!(page.body().text().starts_with("Green tea"));
    /// ```
    pub fn body(&self) -> CleanPage {
        let mut body = self.clone();
        body.verdict.labels = unframe_render::body_labels(&self.page, self.labels());
        Explanation::overrule(&mut body.verdict.explanations, &body.verdict.labels);
        body
    }

    /// The page without its tables of data. Tables that only lay out the page stay.
    pub fn without_tables(&self) -> CleanPage {
        let mut without = self.clone();
        without.verdict.labels = unframe_render::labels_without_tables(&self.page, self.labels());
        Explanation::overrule(&mut without.verdict.explanations, &without.verdict.labels);
        without
    }

    /// The readers' comments, if [`Overrides::comments`](crate::Overrides::comments) asks for them.
    pub fn comments(&self) -> Vec<ReaderComment> {
        unframe_render::comments(self.page.dom(), self.labels())
    }

    /// The links of the kept text, and those of the frame.
    pub fn links(&self) -> PageLinks {
        unframe_render::page_links(&self.page, self.labels())
    }

    /// The removed regions, each with its bytes in the page and the reason.
    pub fn regions(&self) -> Vec<RemovedRegion> {
        unframe_render::removed_regions(&self.page, self.labels())
    }

    /// All regions of the page, kept and removed, with their explanations. Empty unless the page was
    /// explained: see [`Site::why`](crate::Site::why).
    pub fn explained_regions(&self) -> Vec<ExplainedRegion> {
        unframe_render::explained_regions(&self.page, &self.verdict.explanations)
    }

    /// What a reader should know of the page.
    pub fn flags(&self) -> &[Flag] {
        &self.verdict.flags
    }

    /// The F1 that the kept text is expected to have, from 0 to 1, by the probabilities of its texts.
    /// None if a text has none: with other methods than `auto`, where something overruled the method,
    /// and on pages without text.
    pub fn confidence(&self) -> Option<f64> {
        let labels = self.labels();
        let (mut kept, mut content, mut both) = (0.0, 0.0, 0.0);
        for text in &labels.texts {
            let probability = labels.reasons[text.reason as usize].probability()?;
            let length = f64::from(text.length);
            let own = length * (1.0 - f64::from(probability));
            content += own;
            if text.label == Label::Content {
                kept += length;
                both += own;
            }
        }
        (kept + content > 0.0).then(|| 2.0 * both / (kept + content))
    }

    /// Share of the visible text, by length, that was removed.
    pub fn removed_share(&self) -> f64 {
        let labels = self.labels();
        labels.template_length() as f64 / labels.length().max(1) as f64
    }

    /// Pages of the site that had been learned when the page was labelled.
    pub fn state_pages(&self) -> u64 {
        self.verdict.state_pages
    }

    /// The page itself.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The label of every visible text, with its reason.
    pub fn labels(&self) -> &Labels {
        &self.verdict.labels
    }

    /// Why each text got its label; empty unless that was asked for.
    pub fn explanations(&self) -> &[Explanation] {
        &self.verdict.explanations
    }
}
