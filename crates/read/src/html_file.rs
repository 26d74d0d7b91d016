//! Reads a file, or stream, that is one page.

use std::path::PathBuf;

use crate::source::Context;
use crate::unpack::Unpacked;
use crate::{Item, RawPage, SkipReason, Skipped};

/// The page in `stream`. An empty file is an empty page; a compressed one that is damaged is a page
/// as far as it can be decompressed. It probably has `length` bytes.
pub(crate) fn read(
    name: String,
    path: Option<PathBuf>,
    url: Option<String>,
    mut stream: Unpacked,
    length: u64,
    context: &Context,
) -> Item {
    let limit = context.options.max_page_bytes;
    let mut body = Vec::with_capacity(usize::try_from(length).unwrap_or(limit).min(limit));
    let (more, broken) = stream.read_up_to(&mut body, limit);
    if let Some(broken) = &broken
        && (broken.unreadable || body.is_empty())
    {
        let problem = broken.problem.clone();
        let reason = match broken.unreadable {
            true => SkipReason::Unreadable(problem),
            false => SkipReason::Broken(problem),
        };
        return Item::Skipped(Skipped { name, reason });
    }
    Item::Page(RawPage {
        name,
        site: context.site_of(url.as_deref()),
        url,
        path,
        charset: None,
        body,
        date: context.date.clone(),
        record_id: None,
        truncated: more || broken.is_some(),
    })
}
