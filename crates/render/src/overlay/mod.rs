//! The page with every region tinted by its probability of being frame; a click shows the reasons.
//!
//! The page is written anew from its tree: elements and attributes of a list that neither act nor load
//! anything, and texts. So nothing is in the overlay that was not read and labelled. A content security
//! policy allows only our own script, identified by its hash, and nothing to be loaded, unless the
//! page's images, style sheets and fonts are asked for.

mod allowed;
mod body;
mod table;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use unframe_dom::{Dom, NodeId, Tag};
use unframe_labels::{Explanation, Flag, Label};
use unframe_page::Page;

use crate::explained::ExplainedRegion;
use crate::markup::escape_text;
use crate::policy::{Scripts, policy};
use body::Body;
use table::Table;

const PROGRAM: &str = include_str!("overlay.js");
const STYLE: &str = include_str!("overlay.css");

/// Number of tint levels.
const SHADES: f32 = 10.0;

/// How an overlay is made.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The name of the page, for the legend.
    pub name: String,
    /// The base of relative links. Default: the URL of the page.
    pub base: Option<String>,
    /// Load the page's images, style sheets and fonts: from its servers, or from disk if the base is
    /// there. Default: false, a browser loads nothing.
    pub assets: bool,
    /// What the reader should know of the page, for the legend; that limits cut it is always said.
    pub notes: Vec<String>,
    /// Only the tinted page, without legend, reasons and script, for a viewer that has its own. Default:
    /// false.
    pub bare: bool,
}

/// The page as a separate document, in UTF-8. It is at most eight times as long as the page, plus two
/// megabytes.
pub fn overlay(
    page: &Page,
    regions: &[ExplainedRegion],
    explanations: &[Explanation],
    options: &Overlay,
) -> String {
    let dom = page.dom();
    let body = Body::new(page, options.base.as_deref(), options.assets);
    let mut table = Table::of(regions, dom.source().len());
    table.name = &options.name;
    let cuts = dom.cuts().iter().map(|cut| Flag::from(*cut).meaning());
    let cuts = cuts.map(|what| format!("The page was cut: {what}."));
    table.notes = [&options.notes[..], &cuts.collect::<Vec<_>>(), &table.notes].concat();

    let mut out = doctype(dom).to_string();
    out.push_str("<html");
    body.attributes_of(Tag::HTML, &mut out);
    out.push_str("><head><meta charset=\"utf-8\">");
    let scripts = match options.bare {
        true => Scripts::None,
        false => Scripts::Ours(BASE64.encode(&Sha256::digest(PROGRAM))),
    };
    out.push_str(&policy(&scripts, body.assets()));
    out.push_str("<title>");
    escape_text(&page.title(), &mut out);
    out.push_str("</title>");
    body.styles(&mut out);
    out.push_str("<style>");
    out.push_str(STYLE);
    out.push_str("</style>");
    if !options.bare {
        let json = serde_json::to_string(&table).expect("regions are plain data");
        out.push_str("<script type=\"application/json\" id=\"unframe-regions\">");
        // So that no text of the page can close the script element.
        out.push_str(&json.replace('<', "\\u003c"));
        out.push_str("</script><script>");
        out.push_str(PROGRAM);
        out.push_str("</script>");
    }
    out.push_str("</head><body");
    body.attributes_of(Tag::BODY, &mut out);
    out.push('>');
    let mut tags = Tags::of(&regions[..table.described()], explanations);
    body.contents(|text| tags.of_text(text), &mut out);
    out.push_str("</body></html>\n");
    out
}

/// The page's own, if it is a plain one: it decides how browsers lay the page out.
fn doctype(dom: &Dom) -> &str {
    let found = dom.nodes().iter().find(|node| node.tag == Tag::DOCTYPE);
    let Some(node) = found else {
        return "";
    };
    let own = dom.source().get(node.open.range()).unwrap_or_default();
    let inner = own.strip_prefix("<!").and_then(|own| own.strip_suffix('>'));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " \r\n\"'/.:-".contains(c);
    match inner.is_some_and(|inner| inner.chars().all(is_plain)) {
        true => own,
        false => "<!DOCTYPE html>",
    }
}

/// The tags around texts.
struct Tags<'a> {
    regions: &'a [ExplainedRegion],
    /// Each text with the index of its region, in document order.
    texts: std::iter::Peekable<std::vec::IntoIter<(NodeId, usize)>>,
}

impl<'a> Tags<'a> {
    fn of(regions: &'a [ExplainedRegion], explanations: &[Explanation]) -> Tags<'a> {
        let texts = regions.iter().enumerate().flat_map(|(at, region)| {
            let texts = &explanations[region.texts.clone()];
            texts.iter().map(move |text| (text.node, at))
        });
        let mut texts: Vec<_> = texts.collect();
        texts.sort_unstable();
        Tags {
            regions,
            texts: texts.into_iter().peekable(),
        }
    }

    /// The start tag for a text; texts are asked for in document order.
    fn of_text(&mut self, text: NodeId) -> Option<String> {
        while self.texts.next_if(|(node, _)| *node < text).is_some() {}
        let (_, at) = self.texts.next_if(|(node, _)| *node == text)?;
        let region = &self.regions[at];
        let shade = (region.frame_probability() * SHADES).round() as u32;
        let frame = match region.why.label {
            Label::Template => " f",
            Label::Content => "",
        };
        Some(format!("<unframe-text r={at} p={shade}{frame}>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explained::explained_regions;
    use unframe_dom::Limits;
    use unframe_methods::{KeepAll, Method, NoMemory};

    fn overlaid(html: &str, assets: bool) -> String {
        let page = Page::parse(html.into(), None, None, &Limits::default());
        let view = KeepAll.view(&page);
        let labels = KeepAll.label(&NoMemory, &view);
        let texts = KeepAll.explain(&NoMemory, &view, &labels);
        let regions = explained_regions(&page, &texts);
        let options = Overlay {
            name: "a.html".into(),
            base: Some("https://a.example/d/?a=1".into()),
            assets,
            notes: vec!["A note.".into()],
            bare: false,
        };
        overlay(&page, &regions, &texts, &options)
    }

    /// What is between the tags of the body.
    fn body(made: &str) -> &str {
        let (_, body) = made.split_once("</head>").unwrap();
        body.strip_suffix("</body></html>\n").unwrap()
    }

    fn data(made: &str) -> serde_json::Value {
        let (_, data) = made.split_once("id=\"unframe-regions\">").unwrap();
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn the_page_stays_and_what_acts_goes() {
        let made = overlaid(
            "<!doctype html><html lang=en onload=x()><head><meta charset=latin1><meta \
             http-equiv=refresh content='0;url=//evil'><title>t &amp; u</title>\
             <script>alert(1)</script></head><body class='x unframe-off'><p>One \
             <b onclick=x()>two</b></p><script src=x>a</script><textarea>three</textarea>",
            false,
        );
        assert!(made.starts_with(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             http-equiv=\"Content-Security-Policy\""
        ));
        assert!(made.contains("<title>t &amp; u</title>"));
        assert_eq!(
            body(&made),
            "<body class=\"x\"><p><unframe-text r=0 p=0>One</unframe-text> <b><unframe-text r=0 \
             p=0>two</unframe-text></b></p><textarea>three</textarea>"
        );
        assert_eq!(data(&made)["notes"], serde_json::json!(["A note."]));
    }

    #[test]
    fn only_what_is_known_to_be_harmless_is_written() {
        let text = "<unframe-text r=0 p=0>a</unframe-text>";
        for (html, expected) in [
            // Links lead nowhere, except within the page.
            ("<a href=/x>a</a>", format!("<a href=\"#\">{text}</a>")),
            (
                "<a href=#x ping=/y>a</a>",
                format!("<a href=\"#x\">{text}</a>"),
            ),
            // Frames, plug-ins and forms.
            ("<iframe src=/x srcdoc=y>b</iframe>a", text.into()),
            ("<object data=/x><embed src=/y>a</object>", text.into()),
            (
                "<form action=/x><button formaction=/y>a</button></form>",
                format!("<form><button>{text}</button></form>"),
            ),
            // Elements that no list has, and those of ours.
            ("<blink>a</blink>", text.into()),
            (
                "<my-box id=i>a</my-box>",
                format!("<my-box id=\"i\">{text}</my-box>"),
            ),
            ("<unframe-text r=7>a</unframe-text>", text.into()),
            (
                "<p id=unframe-panel data-x=1>a",
                format!("<p data-x=\"1\">{text}</p>"),
            ),
            // Drawings and formulas.
            (
                "<svg onload=x() viewBox='0 0 1 1'><script>x()</script><use href=/y /><use \
                 href=#z /><a href=javascript:x()><path d=M0 fill='url(/p)'/></a><animate \
                 attributeName=href to=javascript:x() /><foreignObject><p>b</p></foreignObject></svg>a",
                format!(
                    "<svg viewbox=\"0 0 1 1\"><use></use><use href=\"#z\"></use><path \
                     d=\"M0\"></path></svg>{text}"
                ),
            ),
            (
                "<math href=/x><mi>x</mi><annotation-xml>b</annotation-xml></math>a",
                format!("<math><mi>x</mi></math>{text}"),
            ),
            // Images are in the page itself, or not there.
            (
                "<img src=/x srcset=/y><img src='data:image/gif;base64,AA'>a",
                format!("<img><img src=\"data:image/gif;base64,AA\">{text}"),
            ),
            ("<xmp>a</xmp>", format!("<pre>{text}</pre>")),
            ("<!-- b --><template>b</template>a", text.into()),
        ] {
            let made = overlaid(&format!("<body>{html}"), false);
            assert_eq!(body(&made), format!("<body>{expected}"), "{html}");
        }
    }

    #[test]
    fn style_sheets_stay_and_cannot_hold_markup() {
        let html = "<style media=print>a::after{content:'</b><script>'}</style>a<style \
            type=text/less>no</style><link rel=stylesheet href=s.css><svg><style>no</style></svg>\
            <p style='background:url(i.png)'>b";
        let made = overlaid(html, false);
        let styles = made.split_once("</title>").unwrap().1;
        assert!(styles.starts_with(
            "<style media=\"print\">a::after{content:'\\3c /b>\\3c script>'}</style><style>html"
        ));
        assert!(made.contains("<p style=\"background:url(i.png)\">"));
    }

    #[test]
    fn what_is_asked_for_is_loaded_from_servers() {
        let html = "<base href=/b/><link rel=stylesheet href=s.css><link rel=preload href=p>\
            <style>@import 't.css'</style><img src=i.png srcset='j.png 2x'><img src=file:///etc/x>\
            <img src=javascript:x()><p style='background:url(k.png)'>a";
        let made = overlaid(html, true);
        for there in [
            "img-src data: http: https:;",
            "<link rel=\"stylesheet\" href=\"https://a.example/b/s.css\">",
            "@import 'https://a.example/b/t.css'",
            "<img src=\"https://a.example/b/i.png\" srcset=\"https://a.example/b/j.png 2x\"><img><img>",
            "url(https://a.example/b/k.png)",
        ] {
            assert!(made.contains(there), "{there}: {made}");
        }
        // A page on a server cannot say that it is on disk.
        let made = overlaid("<base href='file:///etc/'><img src=x>", true);
        assert!(made.contains("<body><img></body>"), "{made}");
        assert!(!made.contains("file:"), "{made}");
        let made = overlaid(html, false);
        assert!(made.contains("img-src data:;"), "{made}");
        assert!(
            !made.contains("<link") && !made.contains("src=\""),
            "{made}"
        );
    }

    #[test]
    fn a_page_that_is_in_its_noscript_is_shown() {
        let text = "word ".repeat(80);
        let made = overlaid(
            &format!("<body><noscript class=a><p>{text}</p></noscript><noscript>notice</noscript>"),
            false,
        );
        let body = body(&made);
        assert!(body.starts_with("<body><p><unframe-text r=0 p=0>word"));
        assert!(body.ends_with("</unframe-text> </p>"), "{body}");
    }

    #[test]
    fn no_text_can_end_the_data() {
        let made = overlaid("<p id='</script>x'>&lt;/script>&lt;script>alert(1)", false);
        let data = data(&made);
        assert_eq!(data["regions"][0]["css"], "#\\<\\/script\\>x");
        assert!(made.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert_eq!(made.matches("<script").count(), 2);
    }

    #[test]
    fn a_bare_overlay_has_no_script() {
        let page = Page::parse(
            "<script>x()</script><p onclick='x()'>a".into(),
            None,
            None,
            &Limits::default(),
        );
        let view = KeepAll.view(&page);
        let texts = KeepAll.explain(&NoMemory, &view, &KeepAll.label(&NoMemory, &view));
        let options = Overlay {
            bare: true,
            ..Overlay::default()
        };
        let made = overlay(&page, &explained_regions(&page, &texts), &texts, &options);
        assert!(
            made.contains("<p><unframe-text r=0 p=0>a</unframe-text>"),
            "{made}"
        );
        assert!(!made.contains("script"), "{made}");
    }

    #[test]
    fn the_program_is_the_only_one_allowed() {
        let made = overlaid("<p onclick='x()'>a", false);
        let hash = BASE64.encode(&Sha256::digest(PROGRAM));
        assert!(made.contains(&format!("script-src 'sha256-{hash}';")));
        assert!(made.contains(&format!("<script>{PROGRAM}</script>")));
        assert!(!PROGRAM.contains("</script"));
    }
}
