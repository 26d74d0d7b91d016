//! What the front matter of a Markdown file says about a page.

use unframe_render::FrontValue::{List, Text};
use unframe_render::front_matter;

use crate::clean_page::CleanPage;
use crate::record::Origin;

impl CleanPage {
    /// YAML front matter for the page: title, URL, dates and so on. Fields without a value are left out.
    pub fn front_matter(&self, of: Origin<'_>) -> String {
        let stated = self.metadata();
        let title = Some(self.title()).filter(|title| !title.is_empty());
        let kind = self.kind().map(|(kind, _)| kind.name().to_string());
        let texts = [
            ("title", stated.title.or(title)),
            ("url", of.url.map(str::to_string)),
            ("source", of.url.is_none().then(|| of.source.to_string())),
            ("date", stated.published),
            ("modified", stated.modified),
            ("author", stated.author),
            ("description", stated.description),
            ("language", stated.language),
            ("site", Some(of.site.to_string())),
            ("kind", kind),
            ("content_hash", Some(self.content_hash())),
        ];
        let given = texts.into_iter();
        let mut fields: Vec<_> = given
            .filter_map(|(name, text)| Some((name, Text(text?))))
            .collect();
        let flags: Vec<String> = self.flags().iter().map(|f| f.name().to_string()).collect();
        if !flags.is_empty() {
            fields.push(("flags", List(flags)));
        }
        front_matter(&fields)
    }
}
