//! The page with every region tinted by its probability of being frame; a click shows the reasons.
//!
//! The page's markup is unchanged, except that scripts and redirects are cut out, and a content
//! security policy allows only our own script, identified by its hash. Styles, images and fonts of the
//! page are shown if they can be loaded. Our additions are at the very beginning, where broken markup
//! of the page cannot affect them.

use data_encoding::BASE64;
use serde::Serialize;
use sha2::{Digest, Sha256};
use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::Explanation;
use unframe_page::{Page, is_space};

use crate::explained::ExplainedRegion;
use crate::region::source_ends;
use crate::skeleton::escape_value;

const PROGRAM: &str = include_str!("overlay.js");
const STYLE: &str = include_str!("overlay.css");

/// Number of tint levels.
const SHADES: f32 = 10.0;

/// How an overlay is made.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The name of the page, for the legend.
    pub name: String,
    /// The base of relative links, if the page has no `base` element.
    pub base: Option<String>,
}

/// The page as a separate document, in UTF-8.
pub fn overlay(
    page: &Page,
    regions: &[ExplainedRegion],
    explanations: &[Explanation],
    options: &Overlay,
) -> String {
    let dom = page.dom();
    let mut edits = cuts(dom);
    for region in regions {
        wrap(dom, region, explanations, &mut edits);
    }
    let doctype = dom.nodes().iter().find(|node| node.tag == Tag::DOCTYPE);
    let start = doctype.map_or(0, |node| node.open.end as usize);
    edits.push(Edit {
        start,
        end: start,
        text: head(dom, regions, options),
    });
    apply(dom.source(), edits)
}

/// A part of the source that is replaced.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

fn apply(source: &str, mut edits: Vec<Edit>) -> String {
    // Keep the order of edits at the same position.
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut out = String::with_capacity(source.len() + source.len() / 2);
    let mut from = 0;
    for edit in edits {
        // Misnested markup can put a text inside a cut.
        if edit.start < from {
            continue;
        }
        out.push_str(&source[from..edit.start]);
        out.push_str(&edit.text);
        from = edit.end;
    }
    out.push_str(&source[from..]);
    out
}

/// Cuts out scripts, `meta` elements with a charset or an HTTP header (such as a refresh), and the tags
/// of `noscript`.
fn cuts(dom: &Dom) -> Vec<Edit> {
    let ends = source_ends(dom);
    let mut found = Vec::new();
    for (at, node) in dom.nodes().iter().enumerate() {
        let has = |name: &str| dom.attribute(at as NodeId, name).is_some();
        let is_cut = match node.tag {
            Tag::SCRIPT => true,
            Tag::META => has("http-equiv") || has("charset"),
            _ => false,
        };
        // Our script is enabled, so a browser would hide the contents of `noscript`.
        if node.tag == Tag::NOSCRIPT && !dom.shows_no_text(at as NodeId) {
            let tags = [node.open, node.close].into_iter();
            found.extend(tags.map(|tag| Edit {
                start: tag.start as usize,
                end: tag.end as usize,
                text: String::new(),
            }));
        }
        if is_cut && !node.open.is_empty() {
            found.push(Edit {
                start: node.open.start as usize,
                end: ends[at].max(node.open.end) as usize,
                text: String::new(),
            });
        }
    }
    found
}

/// Wraps each text of a region in an `unframe-text` element.
fn wrap(dom: &Dom, region: &ExplainedRegion, explanations: &[Explanation], edits: &mut Vec<Edit>) {
    let shade = (region.frame_probability() * SHADES).round() as u32;
    let open = format!(
        "<unframe-text r={} p={shade}{}>",
        region.number,
        match region.why.label {
            unframe_labels::Label::Template => " f",
            unframe_labels::Label::Content => "",
        }
    );
    for text in &explanations[region.texts.clone()] {
        if dom
            .ancestors(text.node)
            .any(|up| holds_text_only(dom.node(up).tag))
        {
            continue;
        }
        for span in dom.text_spans(text.node) {
            let all = &dom.source()[span.range()];
            let inner = all.trim_matches(is_space);
            if inner.is_empty() {
                continue;
            }
            let start = span.start as usize + (all.len() - all.trim_start_matches(is_space).len());
            let end = start + inner.len();
            edits.push(Edit {
                start,
                end: start,
                text: open.clone(),
            });
            edits.push(Edit {
                start: end,
                end,
                text: "</unframe-text>".into(),
            });
        }
    }
}

/// Elements in which a tag would be text, or be dropped.
fn holds_text_only(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::TEXTAREA | Tag::SELECT | Tag::OPTION | Tag::OPTGROUP | Tag::XMP | Tag::PLAINTEXT
    )
}

#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    /// The method gives probabilities.
    sure: bool,
    regions: &'a [ExplainedRegion],
}

fn head(dom: &Dom, regions: &[ExplainedRegion], options: &Overlay) -> String {
    let hash = BASE64.encode(&Sha256::digest(PROGRAM));
    let mut out = format!(
        "<meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
         script-src 'sha256-{hash}'; style-src * file: data: 'unsafe-inline'; img-src * file: data:; \
         font-src * file: data:; form-action 'none'\">"
    );
    let has_base = (0..dom.nodes().len() as NodeId)
        .any(|id| dom.node(id).tag == Tag::BASE && dom.attribute(id, "href").is_some());
    if let Some(base) = options.base.as_deref().filter(|_| !has_base) {
        out.push_str("<base href=\"");
        escape_value(base, &mut out);
        out.push_str("\">");
    }
    let is_sure = |region: &ExplainedRegion| region.why.probability.is_some();
    let data = Data {
        name: &options.name,
        sure: regions.iter().any(is_sure),
        regions,
    };
    let json = serde_json::to_string(&data).expect("regions are plain data");
    out.push_str("<style>");
    out.push_str(STYLE);
    out.push_str("</style><script type=application/json id=unframe-regions>");
    // So that no text of the page can close the script element.
    out.push_str(&json.replace('<', "\\u003c"));
    out.push_str("</script><script>");
    out.push_str(PROGRAM);
    out.push_str("</script>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explained::explained_regions;
    use unframe_dom::Limits;
    use unframe_methods::{KeepAll, Method, NoMemory};

    fn overlaid(html: &str) -> String {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let view = KeepAll.view(&page);
        let labels = KeepAll.label(&NoMemory, &view);
        let texts = KeepAll.explain(&NoMemory, &view, &labels);
        let regions = explained_regions(&page, &texts);
        let options = Overlay {
            name: "a.html".into(),
            base: Some("https://a.example/?a=1&b=\"2\"".into()),
        };
        overlay(&page, &regions, &texts, &options)
    }

    #[test]
    fn the_page_stays_and_its_programs_go() {
        let made = overlaid(
            "<!doctype html><html lang=en><head><meta charset=latin1><meta http-equiv=refresh \
             content='0;url=//evil'><title>t</title><script>alert(1)</script></head><body \
             class=x><p>One <b>two</b></p><script src=x>a</script><textarea>three</textarea>",
        );
        assert!(made.starts_with("<!doctype html><meta charset=utf-8><meta http-equiv=Content"));
        for gone in ["alert(1)", "latin1", "evil", "src=x"] {
            assert!(!made.contains(gone), "{gone}");
        }
        for there in [
            "<base href=\"https://a.example/?a=1&amp;b=&quot;2&quot;\">",
            "<body class=x><p><unframe-text r=0 p=0>One</unframe-text> <b><unframe-text r=0 \
             p=0>two</unframe-text></b></p>",
            "<textarea>three</textarea>",
        ] {
            assert!(made.contains(there), "{there}");
        }
    }

    #[test]
    fn a_page_that_is_in_its_noscript_is_shown() {
        let text = "word ".repeat(80);
        let made = overlaid(&format!(
            "<body><noscript class=a><p>{text}</p></noscript><noscript>notice</noscript>"
        ));
        assert!(made.contains("<body><p><unframe-text r=0 p=0>word"));
        assert!(made.ends_with("</unframe-text> </p><noscript>notice</noscript>"));
    }

    #[test]
    fn no_text_can_end_the_data() {
        let made = overlaid("<p>&lt;/script>&lt;script>alert(1)&lt;/script></p>");
        let data = made.split_once("id=unframe-regions>").unwrap().1;
        let data = data.split_once("</script>").unwrap().0;
        let json: serde_json::Value = serde_json::from_str(data).unwrap();
        let text = json["regions"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("</script><script>alert(1)"), "{text}");
    }

    #[test]
    fn the_program_is_the_only_one_allowed() {
        let made = overlaid("<p onclick='x()'>a");
        let hash = BASE64.encode(&Sha256::digest(PROGRAM));
        assert!(made.contains(&format!("script-src 'sha256-{hash}';")));
        assert!(made.contains(&format!("<script>{PROGRAM}</script>")));
        assert!(!PROGRAM.contains("</script"));
    }
}
