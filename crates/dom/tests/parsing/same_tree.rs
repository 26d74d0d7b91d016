//! Our parser builds the same tree as html5ever and records where each node came from.

use proptest::prelude::*;
use unframe_dom::{Dom, Limits, Scripts, Tag, parse, parse_as};

use crate::reference::parse_with_html5ever;

fn check(text: &str) {
    for scripts in [Scripts::On, Scripts::Off] {
        let ours = parse_as(text, &Limits::default(), scripts);
        assert_eq!(ours.cuts(), [], "{text:?}");
        assert_eq!(
            ours.outline(),
            parse_with_html5ever(text, scripts).outline(),
            "{text:?}, scripts {scripts:?}"
        );
        check_positions(text, &ours);
    }
}

/// Whether the page was parsed with or without scripts.
fn scripts_of(dom: &Dom) -> Scripts {
    match dom.noscript_is_raw() {
        true => Scripts::On,
        false => Scripts::Off,
    }
}

/// Checks that a node's span covers the markup that created the node.
fn check_positions(text: &str, dom: &Dom) {
    for (id, node) in dom.nodes().iter().enumerate() {
        let open = &text[node.open.range()];
        if node.tag == Tag::TEXT {
            let own = dom.text(id as u32);
            let whole = dom.text_spans(id as u32).count() == 1;
            let plain = whole && !open.contains(['&', '\r', '\0', '<']) && open.len() == own.len();
            if plain {
                assert_eq!(open, own, "{text:?}");
            }
            assert!(!open.is_empty(), "{own:?} of {text:?} has no source span");
        } else if node.tag.is_element() && !open.is_empty() {
            let name = dom.tag_name(node.tag);
            // A NUL in a name becomes U+FFFD, which is longer.
            let own = open
                .get(1..=name.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(name));
            assert!(
                own || name.contains('\u{FFFD}'),
                "{name} at {open:?} of {text:?}"
            );
        }
        if !node.close.is_empty() {
            assert!(text[node.close.range()].starts_with("</"), "{text:?}");
        }
    }
}

#[test]
fn awkward_markup() {
    for text in [
        "",
        " ",
        "just text",
        "<p>one<p>two<div>three</p>four",
        "<b><p>misnested</b>formatting</p>",
        "<a href=1>one<a href=2>two</a>",
        "<table>fostered<tr><td>cell</table>after",
        "<table><tr> <td>a</td> x <td>b</td></table>",
        "<table> \n <tr>\n<td> a </td>\n</tr>\n</table>\n",
        "<!doctype html>\n\n<html>\n<head>\n<title>A &amp; B</title>\n</head>\n<body class=a>\n<p>x</p>\n</body>\n</html>\n",
        "<ul><li>a<li>b<ul><li>c</ul></ul>",
        "<select><option>a<option>b</select>",
        "<script>if (a < b) document.write('<p>no</p>')</script><p>yes",
        "<script><!-- <script> </script> --></script>x",
        "<script></script\0>foo</script>bar<style></style\0>foo</style>bar",
        "<script>a</b/ '</scriptx' </SCRIPT >x<script>never closed",
        "<style>a</styl<!--b</style\n>x<style/>y</STYLE>z<script></script",
        "<style>p > a {}</style><textarea><b>raw</b></textarea><title>t</title>",
        "<svg><title>t</title><path d=x /><foreignObject><p>in</p></foreignObject></svg><p>out",
        "<math><mi>x</mi><annotation-xml encoding='text/html'><p>y</annotation-xml></math>",
        "<svg><![CDATA[a < b]]></svg>",
        "<body class=a><body class=b id=c>",
        "<p a=1 a=2 b b=3 A=4>dup",
        "&lt;&nbsp;&notit;&copy&#x41;&#0;&#xD800;",
        "a\0b<p>\0</p><table>\0a</table>",
        "line\r\nbreaks\rhere<pre>\n\nx</pre>",
        "<plaintext>all of <b>this",
        "<frameset><frame></frameset>",
        "<template><td>x</template><p>y",
        "<template><col>a\n</template><table><colgroup>a\n<col></table>",
        "<p><!-- comment -->a<!---->b<?php echo ?>c</p>",
        "<div / x/y=\"a&amp;b\" z='q' =odd>",
        "</p></br><br></div>",
        "<button><button>x</button>",
        "<form><form><input></form></form>",
        "<h1>a<h2>b</h1>c",
        "<nobr>a<nobr>b",
        "<x-card><slot name=s>a</slot></x-card>",
        "<img src=a><image src=b>",
        "unclosed <a href='x",
        "unclosed <!-- comment",
        "<noscript><img src=x></noscript><p>x",
        "<head><noscript><link><style>a</style><!-- c --> </noscript><meta></head>x",
        "<head><noscript> a<img></noscript><title>t</title></head><body class=b>x",
        "<body><noscript><p>a &lt b<table><td>c</noscript>d</table><noscript>e</div></noscript>f",
        "<body><p><b><noscript>a</b>b<noscript>c</noscript>d</noscript>e",
        "<html lang=el>Ελληνικά<p>日本語",
    ] {
        check(text);
    }
}

/// Markup with special rules.
const RARE: [&str; 20] = [
    "<!doctype html public '-//W3C//DTD HTML 4.01 Transitional//EN'>",
    "<!doctype html public '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'>",
    "<!doctype svg>",
    "<input type=Hidden>",
    "<annotation-xml encoding='text/html'>",
    "<annotation-xml encoding='application/xhtml+xml'>",
    "<font color=red>",
    "<svg/>",
    "<![CDATA[ a <b> ]]>",
    "<b class=x id=y>",
    "<b id=y class=x>",
    "</scr",
    "<a href=\"?a=1&copy=2&amp;b&lt;&\">",
    "<a href='&quot;&#39;&notit;&para'>",
    "<i title = \"a&nbsp;b\r\nc\r&#x80;\" id\n= x y = >",
    "&copy;&para &#x80;&#160; & &&amp;&mdash",
    "<!-->",
    "<!--a--!>b-->",
    "<!-- <!-- - -- -->",
    "<!--->",
];

/// Pieces of markup that, combined at random, reach most branches of the tree builder.
fn markup() -> impl Strategy<Value = String> {
    let tags = "a|b|i|p|div|span|table|tr|td|th|tbody|caption|ul|li|dl|dt|dd|h1|form|input|select|option|button|svg|math|mi|title|script|style|textarea|pre|br|img|nobr|body|html|head|template|frameset|x-y|ruby|rt|font|foreignObject|desc|noscript|iframe|plaintext|em|u|code|strong|h2|main|search|dialog|center|hr|wbr|marquee|object|applet|optgroup|thead|tfoot|col|colgroup|rb|rp|rtc|xmp|listing|frame|noframes|noembed|image|link|meta|base|param|mtext|annotation-xml|mglyph|clipPath|video|label";
    let tags: Vec<&'static str> = tags.split('|').collect();
    let name = proptest::sample::select(tags);
    let piece = prop_oneof![
        4 => name.clone().prop_map(|name| format!("<{name}>")),
        3 => name.clone().prop_map(|name| format!("</{name}>")),
        1 => (name, "[a-z]{1,3}", "[ -~é]{0,6}").prop_map(|(name, key, value)| format!("<{name} {key}=\"{value}\">")),
        3 => "[a-z \n]{0,8}",
        1 => "[&<>!/?='\"\\-\\[\\]a-z#;\0\r\n é漢]{0,10}",
        1 => Just("<!-- c -->".to_string()),
        1 => Just("&amp;&nbsp;&lt".to_string()),
        1 => Just("<!doctype html>".to_string()),
        1 => proptest::sample::select(RARE.to_vec()).prop_map(str::to_string),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn random_markup(text in markup()) {
        check(&text);
    }

    #[test]
    fn random_characters(text in "[<>/!\\-a-c =\"'&;#x0-9\n\0\r]{0,60}") {
        check(&text);
    }
}

/// Real pages, whole and damaged, if a corpus is available.
#[test]
fn real_pages_and_their_mutants() {
    let Some(root) = std::env::var_os("UNFRAME_CORPORA") else {
        eprintln!("UNFRAME_CORPORA is not set: no real pages to compare on");
        return;
    };
    let mut folders = vec![std::path::PathBuf::from(root)];
    let (mut pages, mut seed) = (0u64, 1u64);
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") {
                pages += 1;
                if pages % 23 != 0 {
                    continue;
                }
                let bytes = std::fs::read(&path).unwrap();
                let decoded = unframe_dom::decode(bytes, None);
                compare(&decoded.text);
                for _ in 0..3 {
                    compare(&mutate(&decoded.text, &mut seed));
                }
            }
        }
    }
    eprintln!("{} real pages compared", pages / 23);
}

fn compare(text: &str) {
    let ours = parse(text, &Limits::default());
    if ours.cuts().is_empty() {
        let reference = parse_with_html5ever(text, scripts_of(&ours));
        let (mine, its) = (ours.outline(), reference.outline());
        if let Some((mine, its)) = mine.lines().zip(its.lines()).find(|(a, b)| a != b) {
            panic!("trees differ for {text:.200}\nours: {mine}\nhtml5ever: {its}");
        }
        assert_eq!(
            mine.len(),
            its.len(),
            "trees differ in length for {text:.200}"
        );
        check_positions(text, &ours);
    }
}

/// Drops, doubles or swaps a few parts of the text.
fn mutate(text: &str, seed: &mut u64) -> String {
    let mut next = |below: usize| {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 33) as usize % below.max(1)
    };
    let mut out = text.to_string();
    for _ in 0..12 {
        let from = out.floor_char_boundary(next(out.len()));
        let to = out.floor_char_boundary((from + next(40)).min(out.len()));
        let piece = out[from..to].to_string();
        match next(3) {
            0 => out.replace_range(from..to, ""),
            1 => out.insert_str(from, &piece),
            _ => {
                let place = out.floor_char_boundary(next(out.len()));
                out.insert_str(place, &piece);
            }
        }
    }
    out
}
