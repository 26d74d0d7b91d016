//! What the front matter of a Markdown file says about a page.

use unframe::CleanPage;
use unframe::read::RawPage;
use unframe::render::FrontValue::{List, Text};
use unframe::render::front_matter;

/// The front matter of a page. Fields without a value are left out.
pub fn of_page(raw: &RawPage, page: &CleanPage) -> String {
    let stated = page.metadata();
    let title = Some(page.title()).filter(|title| !title.is_empty());
    let kind = page.kind().map(|(kind, _)| kind.name().to_string());
    let texts = [
        ("title", stated.title.or(title)),
        ("url", raw.url.clone()),
        ("source", raw.url.is_none().then(|| raw.name.clone())),
        ("date", stated.published),
        ("modified", stated.modified),
        ("author", stated.author),
        ("description", stated.description),
        ("language", stated.language),
        ("site", Some(raw.site.clone())),
        ("kind", kind),
        ("content_hash", Some(page.content_hash())),
    ];
    let given = texts.into_iter();
    let mut fields: Vec<_> = given
        .filter_map(|(name, text)| Some((name, Text(text?))))
        .collect();
    let flags: Vec<String> = page.flags().iter().map(|f| f.name().to_string()).collect();
    if !flags.is_empty() {
        fields.push(("flags", List(flags)));
    }
    front_matter(&fields)
}
