//! Rewrites the links of a page whose markup is moved to another place.

use std::borrow::Cow;
use std::str::FromStr;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::Page;
use url::Url;

use crate::address;

/// How to rewrite the relative links of a page. Links with a scheme, and those within the page
/// (`#top`), are never changed. If the URL of the page is not known, no link is.
#[derive(Clone, Debug, Default)]
pub enum Links {
    /// Leave them as written: correct where the neighbouring files of the page exist.
    #[default]
    AsWritten,
    /// Make them absolute: correct anywhere, as long as the site is online.
    Absolute,
    /// Make them relative to this URL, where the result will be published; links to other hosts
    /// become absolute.
    RelativeTo(Url),
}

impl Links {
    /// Relative to a URL, which must be absolute.
    pub fn relative_to(url: &str) -> Result<Links, String> {
        match Url::parse(url.trim()) {
            Ok(url) if !url.cannot_be_a_base() => Ok(Links::RelativeTo(url)),
            _ => Err(format!(
                "links cannot be relative to `{url}`; write a URL such as \
                 https://a.example/dir/"
            )),
        }
    }
}

/// Parses `as-is`, `absolute`, or a URL to be relative to.
impl FromStr for Links {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "as-is" => Ok(Links::AsWritten),
            "absolute" => Ok(Links::Absolute),
            url => Links::relative_to(url).map_err(|_| {
                format!(
                    "unknown rule for links `{url}`; write as-is, absolute, or the URL that links \
                     become relative to, such as https://a.example/dir/"
                )
            }),
        }
    }
}

/// Rewrites the links of one page.
pub(crate) struct Relink<'a> {
    /// The base of the page's links, and how to rewrite them; `None` if they are left as written.
    rule: Option<(Url, &'a Links)>,
}

impl<'a> Relink<'a> {
    pub(crate) fn new(page: &Page, links: &'a Links) -> Self {
        let base = match links {
            Links::AsWritten => None,
            _ => address::base(page),
        };
        let rule = base.map(|base| (base, links));
        Relink { rule }
    }

    /// Makes links absolute that are relative to `base`.
    pub(crate) fn absolute(base: Url) -> Self {
        const ABSOLUTE: &Links = &Links::Absolute;
        Relink {
            rule: Some((base, ABSOLUTE)),
        }
    }

    /// The new value of an attribute; `None` to remove the attribute.
    pub(crate) fn attribute<'v>(
        &self,
        dom: &Dom,
        id: NodeId,
        name: &str,
        value: &'v str,
    ) -> Option<Cow<'v, str>> {
        if self.rule.is_none() {
            return Some(Cow::Borrowed(value));
        }
        Some(match name {
            // All links are already resolved against it.
            "href" if dom.node(id).tag == Tag::BASE => return None,
            "href" | "src" | "action" | "formaction" | "poster" | "cite" | "background"
            | "data" | "longdesc" | "manifest" | "xlink:href" => self.link(value),
            "ping" => self.each(value, char::is_whitespace, " "),
            "srcset" | "imagesrcset" => self.source_set(value),
            "style" => self.css(value),
            _ => Cow::Borrowed(value),
        })
    }

    fn link<'v>(&self, link: &'v str) -> Cow<'v, str> {
        let written = Cow::Borrowed(link);
        let Some((base, links)) = &self.rule else {
            return written;
        };
        let trimmed = link.trim();
        if trimmed.starts_with('#') || Url::parse(trimmed).is_ok() {
            return written;
        }
        let Ok(target) = base.join(trimmed) else {
            return written;
        };
        let relative = match links {
            Links::RelativeTo(place) => place.make_relative(&target),
            _ => None,
        };
        Cow::Owned(relative.unwrap_or_else(|| target.into()))
    }

    fn each<'v>(&self, links: &'v str, between: fn(char) -> bool, glue: &str) -> Cow<'v, str> {
        let links = links.split(between).filter(|link| !link.is_empty());
        let links: Vec<_> = links.map(|link| self.link(link)).collect();
        Cow::Owned(links.join(glue))
    }

    /// A `srcset`: images with widths or densities, as in `a.png 1x, b.png 2x`. A comma ends a link
    /// only before white space; otherwise it is part of the URL.
    pub(crate) fn source_set<'v>(&self, set: &'v str) -> Cow<'v, str> {
        let mut images = Vec::new();
        let mut rest = set;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if rest.is_empty() {
                return Cow::Owned(images.join(", "));
            }
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (link, after) = rest.split_at(end);
            let alone = link.trim_end_matches(',');
            let size = match alone.len() < link.len() {
                true => "",
                false => &after[..after.find(',').unwrap_or(after.len())],
            };
            rest = &after[size.len()..];
            let image = format!("{} {}", self.link(alone), size.trim());
            images.push(image.trim_end().to_string());
        }
    }

    /// The links in a style sheet: `url(…)` and `@import`.
    pub(crate) fn css<'v>(&self, css: &'v str) -> Cow<'v, str> {
        if self.rule.is_none() {
            return Cow::Borrowed(css);
        }
        let mut out = String::with_capacity(css.len());
        let mut rest = css;
        while let Some((before, link, after)) = next_css_link(rest) {
            out.push_str(before);
            out.push_str(&self.link(link));
            rest = after;
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// The text before the next link, the link, and the rest.
fn next_css_link(css: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + css[from..].find(['u', 'U', '@'])?;
        let word = |word: &str| {
            let found = css.get(at..at + word.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(word))
        };
        let (start, bare_end) = match () {
            () if word("url(") => (at + "url(".len(), Some(')')),
            () if word("@import") => (at + "@import".len(), None),
            () => {
                from = at + 1;
                continue;
            }
        };
        from = start;
        let inner = css[start..].trim_start();
        let start = css.len() - inner.len();
        let quote = inner.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (start, end) = match (quote, bare_end) {
            (Some(quote), _) => (start + 1, css[start + 1..].find(quote)),
            (None, Some(end)) => (start, css[start..].find([end, ' ', '\n', '\t'])),
            (None, None) => continue,
        };
        let end = start + end?;
        return Some((&css[..start], &css[start..end], &css[end..]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::Limits;

    fn page(url: Option<&str>, head: &str) -> Page {
        let url = url.map(str::to_string);
        Page::parse(head.into(), url, None, &Limits::default())
    }

    #[test]
    fn relative_links_lead_to_where_they_led() {
        let to_other = Links::relative_to("https://h/x/y.html").unwrap();
        let base = page(Some("https://h/a/b.html"), "");
        for (link, absolute, relative) in [
            ("c.html", "https://h/a/c.html", "../a/c.html"),
            ("../d/", "https://h/d/", "../d/"),
            ("/x/z?q=1", "https://h/x/z?q=1", "z?q=1"),
            ("//cdn/p.js", "https://cdn/p.js", "https://cdn/p.js"),
            ("#top", "#top", "#top"),
            ("https://h/a/c", "https://h/a/c", "https://h/a/c"),
            ("mailto:a@b", "mailto:a@b", "mailto:a@b"),
            (
                "javascript:void(0)",
                "javascript:void(0)",
                "javascript:void(0)",
            ),
            ("data:,x", "data:,x", "data:,x"),
        ] {
            assert_eq!(Relink::new(&base, &Links::Absolute).link(link), absolute);
            assert_eq!(Relink::new(&base, &to_other).link(link), relative, "{link}");
            assert_eq!(Relink::new(&base, &Links::AsWritten).link(link), link);
        }
    }

    #[test]
    fn the_stated_base_counts_and_an_unknown_one_changes_nothing() {
        let stated = page(Some("https://h/a/b.html"), "<base href='/other/'>");
        assert_eq!(
            Relink::new(&stated, &Links::Absolute).link("x"),
            "https://h/other/x"
        );
        let unknown = page(None, "<base href='/other/'>");
        assert_eq!(Relink::new(&unknown, &Links::Absolute).link("x"), "x");
    }

    #[test]
    fn sets_and_styles() {
        let page = page(Some("https://h/a/"), "");
        let relink = Relink::new(&page, &Links::Absolute);
        for (set, expected) in [
            ("p.png", "https://h/a/p.png"),
            (
                "p.png 1x, q.png 2x",
                "https://h/a/p.png 1x, https://h/a/q.png 2x",
            ),
            ("p.png, q.png 2x", "https://h/a/p.png, https://h/a/q.png 2x"),
            (
                "p,q.png 10w,r.png",
                "https://h/a/p,q.png 10w, https://h/a/r.png",
            ),
            (" , ", ""),
        ] {
            assert_eq!(relink.source_set(set), expected, "{set}");
        }
        for (css, expected) in [
            ("a { color: blue }", "a { color: blue }"),
            (
                "background: url(p.png)",
                "background: url(https://h/a/p.png)",
            ),
            ("x: URL( 'p.png' )", "x: URL( 'https://h/a/p.png' )"),
            ("@import \"s.css\"; u", "@import \"https://h/a/s.css\"; u"),
            ("@import url(s.css);", "@import url(https://h/a/s.css);"),
            (
                "src: url(data:,x), url(f)",
                "src: url(data:,x), url(https://h/a/f)",
            ),
            ("ü url(", "ü url("),
            ("url('never closed", "url('never closed"),
        ] {
            assert_eq!(relink.css(css), expected, "{css}");
        }
    }

    #[test]
    fn spellings() {
        assert!(matches!("as-is".parse(), Ok(Links::AsWritten)));
        assert!(matches!("absolute".parse(), Ok(Links::Absolute)));
        assert!(matches!("http://h/a".parse(), Ok(Links::RelativeTo(_))));
        for wrong in ["", "relative", "mailto:a@b", "/a/b"] {
            assert!(wrong.parse::<Links>().is_err(), "{wrong}");
        }
    }
}
