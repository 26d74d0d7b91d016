//! Names the site of a page.
//!
//! Input: a page's URL, or the directory it was found in. Output: the name of the site. By default
//! the host decides, because a frame belongs to the templates of one server; the registrable domain
//! would merge `blog.` and `shop.`, which rarely share one.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use url::{Host, Url};

use crate::SiteFrom;

/// The site of a URL, or `None` if it has no host.
pub(crate) fn of_url(url: &str, from: SiteFrom) -> Option<String> {
    let url = url.trim();
    let parsed = match Url::parse(url) {
        Ok(parsed) if parsed.has_host() => parsed,
        // People write URLs like `example.org/a` and `example.org:8080/a`.
        _ if !url.contains("://") && url.split('/').next()?.contains('.') => {
            Url::parse(&format!("http://{url}")).ok()?
        }
        _ => return None,
    };
    let host = parsed.host_str()?.trim_end_matches('.').to_lowercase();
    if host.is_empty() {
        return None;
    }
    let is_name = matches!(parsed.host(), Some(Host::Domain(_)));
    if from == SiteFrom::Domain
        && is_name
        && let Some(domain) = registrable(&host)
    {
        return Some(domain);
    }
    Some(match parsed.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    })
}

/// `example.co.uk` for `a.b.example.co.uk`; `None` if no public suffix is known.
fn registrable(host: &str) -> Option<String> {
    let domain = psl::domain(host.as_bytes())?;
    if !domain.suffix().is_known() {
        return None;
    }
    String::from_utf8(domain.as_bytes().to_vec()).ok()
}

/// The site names of directories: the last component of each, with links and dots resolved, or as
/// much of the path as distinguishes it from others with that name.
pub(crate) fn of_directories(directories: &[&Path]) -> Vec<String> {
    let real = |directory: &&Path| {
        let real = directory.canonicalize();
        real.unwrap_or_else(|_| directory.to_path_buf())
    };
    let paths: Vec<PathBuf> = directories.iter().map(real).collect();
    let mut parts = vec![1; paths.len()];
    loop {
        let names: Vec<String> = paths.iter().zip(&parts).map(ending).collect();
        let mut called: HashMap<&str, &PathBuf> = HashMap::new();
        let mut shared: HashSet<&str> = HashSet::new();
        for (name, path) in names.iter().zip(&paths) {
            if *called.entry(name).or_insert(path) != path {
                shared.insert(name);
            }
        }
        let mut longer = false;
        for ((name, path), parts) in names.iter().zip(&paths).zip(&mut parts) {
            if shared.contains(&**name) && *parts < path.iter().count() {
                *parts += 1;
                longer = true;
            }
        }
        if !longer {
            return names;
        }
    }
}

/// The last components of a path.
fn ending((path, parts): (&PathBuf, &usize)) -> String {
    let before = path.iter().count().saturating_sub(*parts);
    let ending: PathBuf = path.iter().skip(before).collect();
    ending.to_string_lossy().into_owned()
}

/// The site of a file found below an input directory whose own site is `root`.
pub(crate) fn of_file(relative: &Path, root: &str, from: SiteFrom) -> String {
    let mut parts = relative.components();
    match (from, parts.next(), parts.next()) {
        (SiteFrom::Folder, Some(Component::Normal(folder)), Some(_)) => {
            folder.to_string_lossy().into_owned()
        }
        _ => root.to_owned(),
    }
}

/// The deepest directory that contains all of these.
pub(crate) fn common_directory<'a>(directories: impl IntoIterator<Item = &'a Path>) -> PathBuf {
    let mut directories = directories.into_iter();
    let Some(first) = directories.next() else {
        return PathBuf::new();
    };
    let mut common = first.to_path_buf();
    for directory in directories {
        while !directory.starts_with(&common) && common.pop() {}
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use SiteFrom::{Domain, Folder, Host};

    #[test]
    fn a_url_names_its_site() {
        let rows = [
            ("http://www.Example.org/a", Host, Some("www.example.org")),
            ("https://example.org:443/", Host, Some("example.org")),
            ("http://example.org:8080/", Host, Some("example.org:8080")),
            ("http://example.org./", Host, Some("example.org")),
            ("example.org/page", Host, Some("example.org")),
            ("example.org:8080/page", Host, Some("example.org:8080")),
            (
                "http://bücher.example/",
                Host,
                Some("xn--bcher-kva.example"),
            ),
            ("http://e.org/a b?c=d e", Host, Some("e.org")),
            ("dns:example.org", Host, None),
            ("urn:uuid:1-2", Host, None),
            ("", Host, None),
            ("/a/b.html", Host, None),
            ("http://a.b.example.co.uk/", Domain, Some("example.co.uk")),
            ("http://x.github.io/", Domain, Some("x.github.io")),
            ("http://127.0.0.1:99/", Domain, Some("127.0.0.1:99")),
            ("http://[::1]/", Domain, Some("[::1]")),
            ("http://wiki.intranet/", Domain, Some("wiki.intranet")),
            ("http://co.uk/", Domain, Some("co.uk")),
            ("http://example.org/", Folder, Some("example.org")),
        ];
        for (url, from, site) in rows {
            assert_eq!(of_url(url, from).as_deref(), site, "{url} {from}");
        }
    }

    #[test]
    fn a_folder_names_its_site_when_asked() {
        let rows = [
            ("index.html", Host, "root"),
            ("a/index.html", Host, "root"),
            ("index.html", Folder, "root"),
            ("a/index.html", Folder, "a"),
            ("a/b/index.html", Folder, "a"),
        ];
        for (path, from, site) in rows {
            assert_eq!(of_file(Path::new(path), "root", from), site, "{path}");
        }
    }

    #[test]
    fn the_common_directory_is_the_deepest() {
        let rows: [(&[&str], &str); 3] = [
            (&["/a/b/c"], "/a/b/c"),
            (&["/a/b/c", "/a/b/d", "/a/b"], "/a/b"),
            (&["/a/b", "/ab"], "/"),
        ];
        for (directories, common) in rows {
            let directories = directories.iter().map(Path::new);
            assert_eq!(common_directory(directories), Path::new(common));
        }
    }
}
