//! One page, without its site.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use unframe::CleanPage;
use unframe::render::MarkdownOptions;

use crate::clean_pages::optional_url;
use crate::error;
use crate::html::Html;
use crate::keywords::Keywords;
use crate::page::{Format, Forms, Page, PageOrigin};
use crate::settings::Settings;
use crate::work::detached;

/// Removes the frame of a single page, by the page's own evidence.
///
/// With other pages of the same site, :class:`unframe.Site` and :func:`unframe.clean_pages` do better.
///
/// Args:
///     html: the page, as ``bytes`` in its own charset (best, and not copied) or as ``str``.
///     url: its address, to resolve links. Optional.
///     output_format: ``"text"`` (default), ``"markdown"``, ``"html"`` (the page with the frame cut out) or
///         ``"json"`` (the record that ``unframe clean`` writes).
///     favor_precision: remove more, to keep less frame.
///     favor_recall: remove less, to lose less content.
///     include_comments: keep readers' comments; ``"only"`` keeps nothing else. Default: False.
///     include_tables: keep tables of data. Default: True.
///     include_links: write the addresses of links in Markdown. Default: True.
///     include_images: write images in Markdown. Default: False.
///     with_metadata: begin text and Markdown with YAML front matter: title, URL, date, author, …
///     protect: CSS selectors of elements that are always kept.
///     remove_selector: CSS selectors of elements that are always removed, unless they are protected.
///     remove: ``"boilerplate"`` (default: all frame, including teasers and consent texts) or
///         ``"template"`` (only what sites repeat).
///     owner_marks: remove what the site's owner has marked with ``data-nosnippet``. Default: True.
///     body_only: leave out headline, byline, date and captions of an article.
///     method: another method than ``"auto"``, as in ``"text"``, which keeps everything.
///     charset: the charset that the transport stated, for ``bytes``.
///
/// Returns:
///     The content, or None if nothing is kept.
///
/// Raises:
///     TypeError: if html is neither bytes nor str.
///     unframe.ArgumentError: if an argument has a wrong value; the message says what to write instead.
///
/// >>> import unframe
/// >>> html = b'''<title>Tea</title><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>
/// ... <article><h1>Green tea</h1><p>Green tea is steeped for two minutes, in water that has
/// ... cooled a little. Pour it off at once, or it will be bitter.</p></article>
/// ... <footer>All rights reserved. Imprint. Privacy.</footer>'''
/// >>> print(unframe.extract(html, "https://a.example/tea", output_format="markdown"))
/// # Green tea
/// <BLANKLINE>
/// Green tea is steeped for two minutes, in water that has cooled a little. Pour it off at once, or it will be bitter.
/// <BLANKLINE>
/// >>> unframe.extract(b"") is None
/// True
#[pyfunction]
#[pyo3(
    signature = (html, url=None, **keywords),
    text_signature = "(html, url=None, *, output_format='text', favor_precision=False, favor_recall=False, include_comments=False, include_tables=True, include_links=True, include_images=False, with_metadata=False, protect=(), remove_selector=(), remove='boilerplate', owner_marks=None, body_only=False, method='auto', charset=None)"
)]
pub fn extract<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let mut keywords = Keywords::new("extract", keywords)?;
    let format = Format::take(&mut keywords)?;
    let mut options = MarkdownOptions::default();
    options.links = keywords.flag("include_links", options.links)?;
    options.images = keywords.flag("include_images", options.images)?;
    let tables = keywords.flag("include_tables", true)?;
    let with_metadata = keywords.flag("with_metadata", false)?;
    let body_only = keywords.flag("body_only", false)?;
    let charset = keywords.text("charset")?;
    let settings = Settings::take(&mut keywords)?;
    keywords.finish()?;
    if with_metadata && format == Format::Html {
        return Err(error::argument(
            "with_metadata works with text and Markdown, and JSON always has it; leave it out, or choose \
             another output_format",
        ));
    }
    let html = Html::of(html, "html")?.with_charset(charset);
    let url = optional_url(url)?;
    let name = url.clone().unwrap_or_else(|| "page".into());
    let page = detached(py, || {
        let mut site = unframe::Site::with_method(&settings.spec);
        site.set_overrides(settings.overrides);
        site.set_full_reasons(format == Format::Json);
        let viewed = site
            .viewer()
            .view(&name, html.bytes, html.charset.as_deref());
        let learned = site.learn_viewed(&viewed);
        learned.map(|_| {
            let page = site.label_viewed(&viewed);
            let page = if tables { page } else { page.without_tables() };
            let body = body_only.then(|| page.body());
            (page, body)
        })
    })?;
    let (page, body) = page.map_err(error::state)?;
    if is_empty(body.as_ref().unwrap_or(&page)) {
        return Ok(None);
    }
    let site = url
        .as_deref()
        .and_then(|url| unframe::read::SiteFrom::Host.site_of(url));
    let page = Page::new(
        page,
        PageOrigin {
            source: name,
            site: site.unwrap_or_default(),
            url,
            ..PageOrigin::default()
        },
    );
    let forms = Forms {
        format,
        markdown: options,
        with_metadata,
        body,
    };
    page.formatted(py, &forms).map(Some)
}

/// Whether nothing is kept of a page.
fn is_empty(page: &CleanPage) -> bool {
    page.labels().length() == page.labels().template_length()
}
