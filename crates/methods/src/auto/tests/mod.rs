//! Tests of the method as a whole, and what they share.

mod articles;
mod hostile;
mod laws;
mod names;
mod sampling;

use unframe_dom::Limits;
use unframe_page::{Fingerprint, Page, content_fingerprint, page_identity, visible_texts};
use unframe_site::{Memory, MemoryKind, Sites};

use super::*;
use unframe_labels::{Label, Labels, Reason};

use crate::Method;

fn page(html: impl Into<unframe_dom::PageBytes>) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

fn view(html: impl Into<unframe_dom::PageBytes>) -> AutoView {
    Auto::default().view(&page(html))
}

/// What has been learned of the site.
fn known(sites: &Sites) -> &AutoMemory {
    sites.get("s").unwrap().downcast_ref().unwrap()
}

fn visit(sites: &mut Sites, name: &str, html: &str) -> bool {
    let (method, parsed) = (Auto::default(), page(html));
    let view = method.view(&parsed);
    let content = content_fingerprint(parsed.bytes());
    let identity = page_identity(None, name);
    sites
        .visit(
            "s",
            identity,
            content,
            html.len() as u64,
            |memory, visit| method.learn(memory.downcast_mut().unwrap(), &parsed, &view, visit),
        )
        .unwrap()
}

/// Learns pages one by one under the names `0`, `1`, …
fn learn(pages: &[String]) -> Sites {
    let mut sites = Sites::in_memory(MemoryKind::of::<AutoMemory>("auto", 2));
    sites.load("s").unwrap();
    for (number, html) in pages.iter().enumerate() {
        visit(&mut sites, &number.to_string(), html);
    }
    sites
}

fn memory(pages: &[String]) -> AutoMemory {
    known(&learn(pages)).clone()
}

/// All that is stored of a memory.
type Stored = (Vec<u8>, Vec<(u8, Fingerprint, Vec<u8>)>);

fn stored(memory: &AutoMemory) -> Stored {
    let mut rows = Vec::new();
    memory.rows(&mut |table, key, row| rows.push((table, key, row.unwrap().to_vec())));
    (memory.head(), rows)
}

fn labels(memory: &AutoMemory, html: &str) -> Labels {
    Auto::default().label_in_full(memory, &view(html))
}

/// The texts of a page that are removed.
fn removed(method: &Auto, memory: &AutoMemory, html: &str) -> Vec<String> {
    let page = page(html);
    let labels = method.label(memory, &method.view(&page));
    let gone = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Template);
    gone.map(|text| page.dom().text(text.node).trim().to_string())
        .collect()
}

/// Every reason has valid probabilities.
fn is_sound(labels: &Labels) -> bool {
    labels.reasons.iter().all(|reason| match reason {
        Reason::Odds {
            probability,
            boilerplate,
            template,
            seen,
            of,
            ..
        } => {
            let probabilities = [boilerplate, template].map(|chance| chance.unwrap_or(f32::NAN));
            probabilities
                .iter()
                .all(|chance| (0.0..=1.0).contains(chance))
                && probabilities.contains(probability)
                && seen <= of
        }
        _ => false,
    })
}
