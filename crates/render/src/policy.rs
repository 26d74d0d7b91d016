//! The content security policy of a page that we write: what a browser may load and run for it.

/// The scripts that may run.
pub(crate) enum Scripts {
    /// None.
    None,
    /// One of ours, with this SHA-256 hash in Base64.
    Ours(String),
    /// Those of the page.
    All,
}

/// From where images, style sheets, fonts and media may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assets {
    /// From nowhere, only what is in the page itself.
    Inline,
    /// From servers.
    Servers,
    /// From servers and from disk.
    ServersAndDisk,
}

/// The policy as `meta` elements, to be read by a browser before anything that it could load.
pub(crate) fn policy(scripts: &Scripts, assets: Assets) -> String {
    let from = match assets {
        Assets::Inline => "",
        Assets::Servers => " http: https:",
        Assets::ServersAndDisk => " http: https: file:",
    };
    let runs = match scripts {
        Scripts::None => String::new(),
        Scripts::Ours(hash) => format!(" script-src 'sha256-{hash}';"),
        Scripts::All => format!(" script-src 'unsafe-inline' 'unsafe-eval'{from};"),
    };
    let asks = match (scripts, assets) {
        (Scripts::All, Assets::Servers | Assets::ServersAndDisk) => {
            format!(" connect-src{from}; frame-src{from}; worker-src blob:{from};")
        }
        _ => " form-action 'none';".into(),
    };
    // Looking up the hosts of links is not covered by the policy.
    let lookup = match assets {
        Assets::Inline => "<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">",
        _ => "",
    };
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';{runs} style-src \
         'unsafe-inline'{from}; img-src data:{from}; font-src data:{from}; media-src data:{from};\
         {asks}\">{lookup}"
    )
}
