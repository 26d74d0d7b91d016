//! Writes text, attribute values and style sheets so that none of them can become a tag, wherever a
//! browser puts them.

/// Writes a text.
pub(crate) fn escape_text(text: &str, out: &mut String) {
    escape(text, &['&', '<', '>', '\u{a0}'], out);
}

/// Writes an attribute value, for double quotes.
pub(crate) fn escape_value(text: &str, out: &mut String) {
    escape(text, &['&', '"', '<', '>', '\u{a0}'], out);
}

/// Writes ` name="value"`. A name that a browser would read as something else, such as `=x` after an
/// attribute without a value, is left out.
pub(crate) fn attribute(name: &str, value: &str, out: &mut String) {
    let is_sign = |c: char| c.is_whitespace() || c.is_control() || "\"'<>/=`".contains(c);
    if name.is_empty() || name.contains(is_sign) {
        return;
    }
    out.push(' ');
    out.push_str(name);
    if !value.is_empty() {
        out.push_str("=\"");
        escape_value(value, out);
        out.push('"');
    }
}

/// Writes a style sheet for a `style` element. A browser can see such an element as one of SVG, where
/// tags in it are tags, so none remain: `<` becomes the CSS escape `\3c `, which means the same in
/// strings and addresses. Old style sheets begin with `<!--`, which means nothing.
pub(crate) fn style_sheet(css: &str, out: &mut String) {
    let mut rest = css;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("!--") {
            out.push(' ');
            rest = after;
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            out.push_str("\\3c ");
        } else {
            out.push('<');
        }
    }
    out.push_str(rest);
}

/// The address of a script, however it is disguised: browsers ignore white space and control
/// characters in it.
pub(crate) fn is_script_address(address: &str) -> bool {
    let letters = address.chars().filter(|c| *c > ' ' && !c.is_control());
    let start: String = letters
        .take("javascript:".len())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    start == "javascript:" || start.starts_with("vbscript:")
}

fn escape(text: &str, special: &[char], out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let c = after.chars().next().expect("found one");
        out.push_str(match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&#34;",
            _ => "&nbsp;",
        });
        rest = &after[c.len_utf8()..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_remains_in_a_style_sheet() {
        let written = |css: &str| {
            let mut out = String::new();
            style_sheet(css, &mut out);
            out
        };
        for (css, expected) in [
            ("<!-- a { b: c } -->", "  a { b: c } -->"),
            (
                "a::after { content: '</style><b>' }",
                "a::after { content: '\\3c /style>\\3c b>' }",
            ),
            (
                "@media (width<9px) and (1px <= height)",
                "@media (width<9px) and (1px <= height)",
            ),
            ("<<a <", "<\\3c a <"),
            ("<!<!--a", "\\3c ! a"),
        ] {
            assert_eq!(written(css), expected);
        }
        // What is left after one is taken out does not make another.
        assert_eq!(written("<<!--/style>"), "< /style>");
    }

    #[test]
    fn scripts_are_known_in_disguise() {
        for address in [
            "javascript:x",
            " \u{1}JavaScript:x",
            "java\nscript\t:x",
            "vbscript:x",
        ] {
            assert!(is_script_address(address), "{address:?}");
        }
        for address in ["/javascript:x", "java script.html", "#javascript:", ""] {
            assert!(!is_script_address(address), "{address:?}");
        }
    }
}
