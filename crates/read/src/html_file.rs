//! Reads a file, or stream, that is one page.

use std::path::PathBuf;

use crate::source::Context;
use crate::text::Text;
use crate::unpack::{Break, Unpacked};
use crate::{InputFields, Item, RawPage, SkipReason, Skipped};

/// Reads the page in `stream`. An empty file is an empty page. A damaged compressed file yields as
/// much of the page as can be decompressed, followed by a report of the damage. `length` is the
/// expected number of bytes.
pub(crate) fn read(
    name: String,
    path: Option<PathBuf>,
    url: Option<String>,
    mut stream: Unpacked,
    length: u64,
    context: &Context,
) -> Vec<Item> {
    let limit = context.options.max_page_bytes;
    let mut body = Vec::with_capacity(usize::try_from(length).unwrap_or(limit).min(limit));
    let (more, broken) = stream.read_up_to(&mut body, limit);
    let is_lost = |broken: &Break| broken.unreadable || body.is_empty();
    let lost = broken.as_ref().is_some_and(is_lost);
    let damage = broken.map(|broken| {
        let reason = match broken.unreadable {
            true => SkipReason::Unreadable(broken.problem),
            false => SkipReason::Broken(broken.problem),
        };
        let name = name.clone();
        Item::Skipped(Skipped { name, reason })
    });
    let text = match lost {
        true => None,
        false => Some(Text::of(body.into())),
    };
    let page = text.map(|text| {
        let undecodable = matches!(text, Text::Part(_));
        let (Text::Whole(body) | Text::Part(body)) = text else {
            let reason = SkipReason::Binary;
            return Item::Skipped(Skipped { name, reason });
        };
        Item::Page(RawPage {
            name,
            site: context.site_of(url.as_deref()),
            url,
            path,
            charset: None,
            body,
            date: context.date.clone(),
            record_id: None,
            truncated: more || damage.is_some(),
            input: InputFields::default(),
            undecodable,
            wrong_digest: None,
        })
    });
    page.into_iter().chain(damage).collect()
}
