//! Where a link leads: by its address alone, whatever the page's own address.

/// Where a link leads. Tables of contents lead within the page, breadcrumbs upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Leads {
    /// To a place in the same page.
    Within = 1,
    /// To a folder above, or to the root.
    Up = 2,
    /// To a page nearby, by a relative address.
    Beside = 3,
    /// To an address from the root of the site.
    FromRoot = 4,
    /// To a full address.
    Anywhere = 5,
    /// To no page: a script, a mail address, a telephone.
    NoPage = 6,
    /// To the page before or after it, or the one that they belong to, as the link says.
    InSequence = 7,
}

impl Leads {
    pub fn of(address: &str, rel: &str) -> Leads {
        const SEQUENCE: [&str; 7] = [
            "prev", "previous", "next", "up", "start", "first", "contents",
        ];
        let in_sequence = |word: &str| SEQUENCE.iter().any(|name| word.eq_ignore_ascii_case(name));
        if !rel.is_empty() && rel.split_ascii_whitespace().any(in_sequence) {
            return Leads::InSequence;
        }
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') {
            return Leads::Within;
        }
        if address.starts_with("//") {
            return Leads::Anywhere;
        }
        // A colon is the end of a scheme, unless something comes before it that no scheme has.
        let bytes = address.as_bytes();
        let is_no_scheme = |byte: &u8| matches!(byte, b':' | b'/' | b'?' | b'#' | b'.');
        if let Some(end) = bytes.iter().position(is_no_scheme)
            && bytes[end] == b':'
        {
            let scheme = &bytes[..end];
            let is_web = [&b"https"[..], b"http"]
                .iter()
                .any(|name| scheme.eq_ignore_ascii_case(name));
            return if is_web {
                Leads::Anywhere
            } else {
                Leads::NoPage
            };
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'#' | b'?'));
        let path = &address[..end.unwrap_or(address.len())];
        match path {
            "/" | "." | "./" => Leads::Up,
            _ if path.starts_with("..") && path.trim_start_matches(['.', '/']).is_empty() => {
                Leads::Up
            }
            _ if path.starts_with('/') => Leads::FromRoot,
            _ => Leads::Beside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (address, rel, expected) in [
            ("#top", "", Leads::Within),
            ("", "", Leads::Within),
            ("/", "", Leads::Up),
            ("../..", "", Leads::Up),
            ("../", "", Leads::Up),
            ("../other.html", "", Leads::Beside),
            ("a:b/c.html", "", Leads::NoPage),
            ("page.html?at=10:30", "", Leads::Beside),
            ("/docs/a", "", Leads::FromRoot),
            ("https://example.com/", "", Leads::Anywhere),
            ("//example.com/", "", Leads::Anywhere),
            ("javascript:void(0)", "", Leads::NoPage),
            ("b.html", "nofollow Next", Leads::InSequence),
        ] {
            assert_eq!(Leads::of(address, rel), expected, "{address}");
        }
    }
}
