//! Finds where a page without usable links sends its readers: a meta refresh, or frames.

use unframe::Page;
use unframe::dom::{NodeId, Tag};
use url::Url;

/// The page to use instead, if this one has a meta refresh or frames.
pub fn hint(page: &Page) -> Option<String> {
    let dom = page.dom();
    let nodes = || (0..dom.nodes().len() as NodeId).map(|id| (id, dom.node(id).tag));
    let refresh = nodes()
        .filter(|(_, tag)| *tag == Tag::META)
        .find_map(|(id, _)| {
            let kind = dom.attribute(id, "http-equiv")?.trim();
            let content = dom.attribute(id, "content")?;
            (kind.eq_ignore_ascii_case("refresh")).then(|| refresh_target(content))?
        });
    if let Some(target) = refresh {
        let target = resolve(page, target);
        return Some(format!(
            "the page redirects to {target} (meta refresh); use that instead"
        ));
    }
    let frame = nodes()
        .filter(|(_, tag)| matches!(*tag, Tag::FRAME | Tag::IFRAME))
        .find_map(|(id, _)| {
            dom.attribute(id, "src")
                .filter(|src| !src.trim().is_empty())
        })?;
    let frame = resolve(page, frame);
    Some(format!(
        "the page shows other pages in frames; use one of them instead, such as {frame}"
    ))
}

/// The target of a meta refresh: `/home` for `0; url=/home`.
fn refresh_target(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let target = match rest.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => {
            rest[3..].trim_start().strip_prefix('=')?
        }
        _ => rest,
    };
    let target = target.trim().trim_matches(['"', '\'']);
    (!target.is_empty()).then_some(target)
}

fn resolve(page: &Page, target: &str) -> String {
    let base = page.url.as_deref().and_then(|url| Url::parse(url).ok());
    let whole = base.and_then(|base| base.join(target.trim()).ok());
    whole.map_or_else(|| target.trim().to_string(), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::Limits;

    #[test]
    fn pages_that_lead_on() {
        let hint = |html: &str| {
            let url = Some("https://h/a/".to_string());
            hint(&Page::parse(html.into(), url, None, &Limits::default()))
        };
        for (html, expected) in [
            (
                "<meta http-equiv=refresh content='0; url=home'>",
                "https://h/a/home",
            ),
            (
                "<META HTTP-EQUIV=Refresh CONTENT='5;URL=\"/b\"'>",
                "https://h/b ",
            ),
            (
                "<frameset><frame src=menu.html></frameset>",
                "https://h/a/menu.html",
            ),
            ("<p><iframe src='//x/y'></iframe>", "https://x/y"),
        ] {
            let found = hint(html).unwrap();
            assert!(found.contains(expected), "{html}: {found}");
        }
        for html in [
            "<meta http-equiv=refresh content=30>",
            "<meta http-equiv=refresh>",
            "<meta http-equiv=refresh content='0;url='>",
            "<iframe></iframe>",
            "",
        ] {
            assert_eq!(hint(html), None, "{html}");
        }
    }
}
