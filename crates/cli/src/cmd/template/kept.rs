//! Compares the key page with pages of an earlier run, whose trees are in a state.

use std::path::Path;

use anyhow::Context;
use unframe::Page;
use unframe::methods::{Engine, LinksMemory, LinksMethod, LinksParams};
use unframe::page::CanonicalUrl;
use unframe::read::RawPage;
use unframe::store::{SiteRecord, Store};
use unframe::template::page_url;
use unframe_console::exit::{UsageError, say};
use unframe_report::numbers::count;

use super::Args;
use super::record::{Found, KeptIn, Named};
use crate::page_lookup::choose_site;

/// The key page, and the site that `clean` would assign it to.
pub struct KeyPage {
    pub page: Page,
    /// The URL by which `clean` would identify it.
    pub url: Option<String>,
    pub name: Named,
    pub site: String,
}

impl KeyPage {
    /// A page of a folder or an archive.
    pub fn local(raw: &RawPage, page: Page) -> KeyPage {
        KeyPage {
            page,
            url: page_url(raw),
            name: Named::of(raw),
            site: raw.site.clone(),
        }
    }
}

/// The template of the key page, compared with the pages of its site in the state. Prints a message
/// and returns `None` if the state has no other page of the site.
pub fn find(
    args: &Args,
    state: &Path,
    key: &mut KeyPage,
    params: &LinksParams,
) -> anyhow::Result<Option<Found>> {
    let store = Store::open_read_only(state)?;
    let method = LinksMethod::new(params.clone())?;
    let kind = method.memory();
    store.check_version(kind)?;
    let site = choose(args, state, &key.site, store.sites(kind.method))?;
    let (memory, _) = store.load(kind, &site)?.context("the site is there")?;
    let memory: &LinksMemory = memory.downcast_ref().expect("a memory of links");
    if !method.compares_with(memory) {
        let message = format!(
            "{}: its pages were learned with other parameters and cannot be compared; add {}",
            state.display(),
            as_flags(memory.rules())
        );
        return Err(UsageError(message).into());
    }
    // A file gets the same address as in `clean`, so that links and positions match.
    let stated = std::mem::replace(&mut key.page.url, key.url.clone());
    let template = method.template(memory, &key.page);
    key.page.url = stated;
    let Some(template) = template else {
        let kept = count(memory.kept_pages() as u64, "page");
        say(format_args!(
            "unframe: {}: no other page of the site to compare with: {} holds {kept} of {site}, \
             and none but this page\n",
            key.name.url,
            state.display()
        ));
        return Ok(None);
    };
    let rests_on = template.rests_on.iter().enumerate();
    Ok(Some(Found {
        rests_on: rests_on
            .map(|(at, url)| Named {
                url: address(url.as_deref(), at),
                source: state.display().to_string(),
            })
            .collect(),
        votes: template.votes,
        is_template: template.is_template,
        needed: template.needed,
        by_links: template.by_links,
        links: 0,
        loads: 0,
        skipped: Vec::new(),
        replaced: Vec::new(),
        kept: Some(KeptIn {
            state: state.into(),
            site,
        }),
    }))
}

/// The requested site; else the page's own; else the only one.
fn choose(
    args: &Args,
    state: &Path,
    own: &str,
    sites: Vec<(String, SiteRecord)>,
) -> Result<String, UsageError> {
    let state = state.display();
    if sites.is_empty() {
        return Err(UsageError(format!(
            "{state}: holds nothing learned by the method links; learn with `unframe clean PAGES \
             --method links --state {state}`"
        )));
    }
    let names = sites.into_iter().map(|(name, _)| name).collect();
    choose_site(
        names,
        own,
        args.site_name.as_deref(),
        &state.to_string(),
        "--site-name NAME",
        &format!(" (`unframe state show {state}` lists them)"),
    )
}

/// The parameters of the trees, as flags of this command.
fn as_flags(rules: &str) -> String {
    let rules: Vec<&str> = rules.split(',').collect();
    let mut flags: Vec<String> = rules
        .iter()
        .filter(|rule| !rule.starts_with("keep="))
        .map(|rule| format!("--{}", rule.replace('=', " ")))
        .collect();
    if !rules.contains(&"page-attributes") {
        flags.push("--no-page-attributes".into());
    }
    flags.join(" ")
}

/// The name of a stored page: its URL, or its path if the host was invented for a folder; its number if
/// it has no URL, as in states of versions that did not store URLs.
fn address(url: Option<&str>, at: usize) -> String {
    let Some(url) = url else {
        return format!("page {} (its URL is not stored)", at + 1);
    };
    match CanonicalUrl::parse(url) {
        Some(made_up) if made_up.host().ends_with(".invalid") => {
            made_up.path().trim_start_matches('/').to_string()
        }
        _ => url.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_spelled_as_flags() {
        assert_eq!(
            as_flags("ids=all,classes=all,page-attributes,keep=40"),
            "--ids all --classes all --page-attributes"
        );
        assert_eq!(
            as_flags("ids=unique-stable,classes=stable,keep=6"),
            "--ids unique-stable --classes stable --no-page-attributes"
        );
    }

    #[test]
    fn kept_pages_have_names() {
        assert_eq!(address(Some("https://h/a?b"), 0), "https://h/a?b");
        assert_eq!(address(Some("http://site.invalid/a/b.html"), 0), "a/b.html");
        assert_eq!(address(None, 1), "page 2 (its URL is not stored)");
    }
}
