//! Classifies an archive record: a page, or something else with the reason for skipping it.

use std::borrow::Cow;

use super::{RecordHead, RecordKind};
use crate::http::{self, MediaType};
use crate::input_fields::RecordHeader;
use crate::sniff::{looks_like_html, signature};
use crate::source::Context;
use crate::text::Text;
use crate::{InputFields, Item, RawPage, SkipReason, Skipped};

/// The item for a record, from as much of its block as is available. `cut` says that the block is
/// incomplete; an incomplete record without any byte of a page yields `None`.
pub(super) fn to_item(
    name: String,
    head: &RecordHead,
    block: &[u8],
    cut: bool,
    context: &Context,
) -> Option<Item> {
    let skip = |name, reason| Some(Item::Skipped(Skipped { name, reason }));
    match &head.kind {
        RecordKind::Revisit => return skip(name, SkipReason::Revisit),
        RecordKind::Other(kind) => {
            return skip(name, SkipReason::NotResponse(kind.clone()));
        }
        RecordKind::Response | RecordKind::Resource => {}
    }
    let limit = context.options.max_page_bytes;
    let (status, media_type, raw, joined, body) = match http_head(head, block) {
        Some((http, raw)) => {
            if http
                .status
                .is_some_and(|status| !(200..300).contains(&status))
            {
                return skip(name, SkipReason::Status(http.status.unwrap_or_default()));
            }
            if let Some(reason) = stated_otherwise(http.media_type.as_ref()) {
                return skip(name, reason);
            }
            let body = http::decode(&http, raw, limit);
            let joined = match head.digests.payload {
                Some(_) => http::join_chunks(&http, raw),
                None => None,
            };
            (http.status, http.media_type, raw, joined, body)
        }
        None => {
            let media_type = head.content_type.as_deref().and_then(MediaType::read);
            let media_type = media_type.filter(|stated| stated.essence != "application/http");
            if let Some(reason) = stated_otherwise(media_type.as_ref()) {
                return skip(name, reason);
            }
            let truncated = block.len() > limit;
            let bytes = block[..block.len().min(limit)].to_vec();
            let body = http::Body {
                truncated,
                ..http::Body::whole(bytes)
            };
            (None, media_type, block, None, body)
        }
    };
    if cut && body.bytes.is_empty() {
        return None;
    }
    if let Some(what) = signature(&body.bytes) {
        return skip(name, SkipReason::NotHtml(what.to_owned()));
    }
    let stated = media_type.as_ref().is_some_and(MediaType::is_html);
    if !stated && !looks_like_html(&body.bytes) {
        return skip(name, SkipReason::NotHtml("data of unknown type".to_owned()));
    }
    let input = InputFields::of_record(&RecordHeader {
        date: head.date.as_deref(),
        record_id: head.id.as_deref(),
        status,
        mime: media_type.as_ref().map(|stated| stated.essence.as_str()),
        charset: media_type
            .as_ref()
            .and_then(|stated| stated.charset.as_deref()),
    });
    let wrong_digest = match cut || head.truncated {
        true => None,
        false => {
            // Some writers take the whole block for the payload.
            let forms = [Some(raw), joined.as_deref(), Some(&body.bytes), Some(block)];
            let forms = forms.into_iter().flatten().map(Cow::Borrowed);
            head.digests.mismatch(block, forms)
        }
    };
    let text = Text::of(body.bytes.into());
    let undecodable = matches!(text, Text::Part(_));
    let (Text::Whole(bytes) | Text::Part(bytes)) = text else {
        let reason = body.undecoded.map(SkipReason::Undecodable);
        return skip(name, reason.unwrap_or(SkipReason::Binary));
    };
    Some(Item::Page(RawPage {
        name,
        site: context.site_of(head.url.as_deref()),
        url: head.url.clone(),
        path: None,
        charset: media_type.and_then(|stated| stated.charset),
        body: bytes,
        date: head.date.clone().or_else(|| context.date.clone()),
        record_id: head.id.clone(),
        truncated: body.truncated || cut || head.truncated,
        input,
        undecodable,
        wrong_digest,
    }))
}

/// Whether the record claims to be a page. A page cannot contain other records.
pub(super) fn claims_html(head: &RecordHead, block: &[u8]) -> bool {
    let stated = match http_head(head, block) {
        Some((http, _)) => http.media_type,
        None => head.content_type.as_deref().and_then(MediaType::read),
    };
    stated.is_some_and(|stated| stated.is_html())
}

/// The HTTP header of a response. A bare document has none, even if it begins like one.
fn http_head<'a>(head: &RecordHead, block: &'a [u8]) -> Option<(http::Head, &'a [u8])> {
    match head.kind {
        RecordKind::Response => http::read_head(block),
        _ => None,
    }
}

/// The reason to skip a record that states a type other than HTML.
fn stated_otherwise(media_type: Option<&MediaType>) -> Option<SkipReason> {
    let stated = media_type.filter(|stated| !stated.is_html() && !stated.is_unknown())?;
    Some(SkipReason::NotHtml(stated.essence.clone()))
}
