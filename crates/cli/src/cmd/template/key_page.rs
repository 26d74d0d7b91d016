//! The template of one page, compared with pages that it links to.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use unframe::Page;
use unframe::methods::LinksParams;
use unframe::methods::links::{LoadError, Loaded, SkippedLink, TemplateError, template_of};
use unframe::render::{Links, skeleton};
use unframe_console::exit::{Exit, UsageError, say};
use unframe_console::input_args::refuse_output_inside;
use unframe_console::report_file::ReportFile;
use unframe_console::terminal;
use unframe_report::numbers::count;
use url::Url;

use super::kept::{self, KeyPage};
use super::record::{Found, KeptIn, Named, TemplateRecord, elements, first_line};
use super::source::Source;
use super::{Args, is_url, live, local, redirect_hint};

/// Links without a page to list.
const NAMED: usize = 5;

/// Parameters that choose the links to follow and the pages to compare with.
const FOLLOWING: [&str; 5] = [
    "menu",
    "replace-atypical",
    "drop-main-content",
    "max-loads",
    "max-links",
];

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let key = one_key(args)?;
    let params = params(args)?;
    refuse_output_inside(&args.site, args.out.as_deref())?;
    let out = args.out.as_deref().map(|path| ReportFile::new(path, "-o"));
    let out = out.transpose()?;
    if let Some(state) = &args.state {
        return in_state(args, state, key, params, out.as_ref());
    }
    if !args.site.is_empty() {
        if let Some(flag) = args.fetch.given() {
            let message = format!("{flag} works only with live pages; leave out {flag} or --site");
            return Err(UsageError(message).into());
        }
        let (pages, loaded) = local::open(args, key)?;
        return find(args, &params, Source::Local(pages), loaded, out.as_ref());
    }
    if !is_url(&args.what[0]) {
        let message = format!(
            "{key}: no pages to compare it with\n  hint: add --site and the folder or archive that \
             contains it, add --state and a state of `clean --method links`, or give the URL \
             of a live page"
        );
        return Err(UsageError(message).into());
    }
    let fetcher = live::fetcher(&args.fetch, params.loads().saturating_add(1))?;
    let (pages, loaded) = live::open(&fetcher, key)?;
    find(
        args,
        &params,
        Source::live(pages, args.quiet),
        loaded,
        out.as_ref(),
    )
}

/// The template, compared with pages of an earlier run.
fn in_state(
    args: &Args,
    state: &Path,
    key: &str,
    params: LinksParams,
    out: Option<&ReportFile>,
) -> anyhow::Result<Exit> {
    let mut given = args.links.given.iter();
    if let Some(given) = given.find(|given| FOLLOWING.contains(&given.key)) {
        let flag = &given.flag;
        let message = format!(
            "{flag} chooses links to follow, and --state follows none; leave out {flag} or \
             --state"
        );
        return Err(UsageError(message).into());
    }
    let is_state = |out: &&ReportFile| {
        let real = |path: &Path| path.canonicalize().ok();
        real(out.path()).is_some_and(|out| real(state) == Some(out))
    };
    if out.as_ref().is_some_and(is_state) {
        let message = "-o and --state name the same file; use a different file for each";
        return Err(UsageError(message.into()).into());
    }
    let is_live = args.site.is_empty() && is_url(&args.what[0]);
    if let Some(flag) = args.fetch.given().filter(|_| !is_live) {
        let message = format!(
            "{flag} works only with live pages; leave it out, or give the URL of a live page"
        );
        return Err(UsageError(message).into());
    }
    let mut key = if is_live {
        let fetcher = live::fetcher(&args.fetch, 1)?;
        let (pages, loaded) = live::open(&fetcher, key)?;
        let address = pages.address(&loaded.url);
        KeyPage {
            site: args.reading.site_of(&address).unwrap_or_default(),
            url: Some(address.clone()),
            name: Named::both(address),
            page: loaded.page,
        }
    } else if args.site.is_empty() {
        local::one_file(args, key)?
    } else {
        let (pages, loaded) = local::open(args, key)?;
        let raw = pages.raw(&loaded.url).context("the key page was read")?;
        KeyPage::local(raw, loaded.page)
    };
    match kept::find(args, state, &mut key, &params)? {
        Some(found) => write(args, &params, &mut key.page, &key.name, &found, out),
        None => Ok(Exit::Incomplete),
    }
}

fn one_key(args: &Args) -> anyhow::Result<&str> {
    let message = match &args.what[..] {
        [key] => match key.to_str() {
            Some(key) => return Ok(key),
            None => format!("{}: the name is not UTF-8", key.display()),
        },
        several => format!(
            "the method links finds the template of one page, but {} were given; give one, or \
             add `--method mdl` for the templates of all",
            several.len()
        ),
    };
    Err(UsageError(message).into())
}

fn params(args: &Args) -> anyhow::Result<LinksParams> {
    let mut params = args.links.params(args.preset.as_deref())?;
    let is_given = |key: &str| args.links.given.iter().any(|flag| flag.key == key);
    if !is_given("t") {
        params.t = params.t.min(params.n.max(1));
    }
    // How many pages a state stores; irrelevant for one page.
    params.keep = params.keep.max(params.n.saturating_add(1));
    if params.t > params.n {
        let message = format!(
            "--t {} of --n {}: more votes than pages; lower --t, or raise --n",
            params.t, params.n
        );
        return Err(UsageError(message).into());
    }
    params.check_ranges()?;
    Ok(params)
}

fn find(
    args: &Args,
    params: &LinksParams,
    mut source: Source<'_>,
    loaded: Loaded,
    out: Option<&ReportFile>,
) -> anyhow::Result<Exit> {
    let Loaded { mut page, url } = loaded;
    let key = source.name(&url);
    let found = template_of(&url, &page, &mut source, params);
    if let Source::Live(_, bar) = &source {
        bar.finish_and_clear();
    }
    let result = match found {
        Ok(result) => result,
        Err(TemplateError::NotEnoughPages { why, skipped, .. }) => {
            say(format_args!(
                "unframe: {}: no other page of the site to compare with: ",
                key.url
            ));
            match (skipped.is_empty(), redirect_hint::hint(&page)) {
                (true, hint) => say(format_args!("{}\n", hint.as_ref().unwrap_or(&why))),
                (false, hint) => {
                    say(format_args!("its links lead to no page\n"));
                    say_skipped(&source, &skipped);
                    if let Some(hint) = hint {
                        say(format_args!("  hint: {hint}\n"));
                    }
                }
            }
            return Ok(Exit::Incomplete);
        }
        Err(error) => return Err(error.into()),
    };
    if !args.quiet {
        say_skipped(&source, &result.skipped);
    }
    let found = Found::over_links(result, |url| source.name(url));
    write(args, params, &mut page, &key, &found, out)
}

/// Writes the template, and prints the pages it was compared with.
fn write(
    args: &Args,
    params: &LinksParams,
    page: &mut Page,
    key: &Named,
    found: &Found,
    out: Option<&ReportFile>,
) -> anyhow::Result<Exit> {
    let mut options = args.skeleton_options();
    options.links = links(args, page, &key.source);
    let html = |page: &Page| skeleton(page, |node| found.is_template[node as usize], &options);
    if let Some(file) = out {
        file.write(&html(page))?;
    }
    let mut shown = std::io::BufWriter::new(terminal::data());
    let written = match (args.json, out) {
        (true, out) => {
            let file = out.map(ReportFile::path);
            let record = TemplateRecord::of(page, key.clone(), found, params, file);
            let json = serde_json::to_string(&record).context("a template as JSON")?;
            writeln!(shown, "{json}")
        }
        (false, None) => shown.write_all(html(page).as_bytes()),
        (false, Some(_)) => Ok(()),
    };
    written
        .and_then(|()| shown.flush())
        .context("cannot write to standard output")?;
    if !args.quiet {
        conclude(&key.url, page, found, params);
    }
    Ok(Exit::Done)
}

/// How the links of the key page are rewritten. A file gets its path on disk as its URL, so that its
/// links still work from another folder.
fn links(args: &Args, page: &mut Page, name: &str) -> Links {
    if page.url.is_some() {
        return args.relative_to.clone().unwrap_or(Links::Absolute);
    }
    let on_disk = |path: &Path| Url::from_file_path(std::path::absolute(path).ok()?).ok();
    let Some(own) = Some(Path::new(name))
        .filter(|path| path.is_file())
        .and_then(on_disk)
    else {
        return args.relative_to.clone().unwrap_or_default();
    };
    let links = match (&args.relative_to, &args.out) {
        (Some(Links::RelativeTo(place)), _) if place.scheme() != "file" => {
            if !args.quiet {
                say(format_args!(
                    "unframe: {name}: the URL of the page is not known; its links are left as they are\n"
                ));
            }
            return Links::AsWritten;
        }
        (Some(links), _) => links.clone(),
        (None, Some(out)) => on_disk(out).map_or(Links::AsWritten, Links::RelativeTo),
        (None, None) => Links::AsWritten,
    };
    page.url = Some(own.into());
    links
}

/// Lists the first of the links that led to no page. Links to pages missing from the input are only
/// counted: a folder rarely has all pages of a site.
fn say_skipped(source: &Source<'_>, skipped: &[SkippedLink]) {
    let is_local = matches!(source, Source::Local(_));
    let is_missing = |link: &&SkippedLink| is_local && link.reason == LoadError::Missing;
    let (missing, failed): (Vec<_>, Vec<_>) = skipped.iter().partition(is_missing);
    if let Some(first) = missing.first() {
        let (links, first) = (
            count(missing.len() as u64, "link"),
            source.name(&first.url).url,
        );
        let lead = if missing.len() == 1 { "leads" } else { "lead" };
        say(format_args!(
            "unframe: {links} {lead} to pages that are not in the input, such as {first}\n"
        ));
    }
    for link in failed.iter().take(NAMED) {
        let (url, reason) = (
            source.name(&link.url).url,
            first_line(&link.reason.to_string()),
        );
        say(format_args!("unframe: {url}: {reason}\n"));
    }
    if failed.len() > NAMED {
        let more = count((failed.len() - NAMED) as u64, "link");
        say(format_args!("unframe: and {more} more without a page\n"));
    }
}

fn conclude(key: &str, page: &Page, found: &Found, params: &LinksParams) {
    let (all, template) = elements(page, found);
    let pages = found.rests_on.len();
    let together = match (pages, pages - found.by_links) {
        (1, 0) => String::new(),
        (_, 0) => " that all link to each other".into(),
        (_, others) => format!(", {others} of them without links to all the others"),
    };
    let (needed, n) = (found.needed, params.n);
    let fewer = match pages < n as usize {
        true => format!(" ({n} were asked for)"),
        false => String::new(),
    };
    let pages = count(pages as u64, "page");
    let from = match &found.kept {
        Some(KeptIn { state, site }) => format!(" of site '{site}' in {}{fewer}", state.display()),
        None => {
            let loads = count(found.loads as u64, "page");
            format!("{together}{fewer}; {loads} loaded")
        }
    };
    say(format_args!(
        "{key}: {template} of {all} elements are template: on {needed} or more of {pages}{from}\n"
    ));
}
