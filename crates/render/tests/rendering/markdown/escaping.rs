//! Escapes.

use super::{check, render};

#[test]
fn only_what_would_be_markup_is_escaped() {
    check(&[
        ("1. a", "1\\. a"),
        ("1.5 a", "1.5 a"),
        ("- a", "\\- a"),
        ("-a", "-a"),
        ("# a", "\\# a"),
        ("#a", "#a"),
        ("&gt; a > b", "\\> a > b"),
        ("a * b", "a * b"),
        ("2*3*4", "2\\*3\\*4"),
        ("snake_case_name _a_", "snake_case_name \\_a\\_"),
        ("see [1] and [2](b)", "see [1] and \\[2\\](b)"),
        ("[1]: b", "\\[1\\]: b"),
        ("a &lt; b &lt;c>", "a < b \\<c>"),
        ("&amp;amp; &amp; &amp;b", "\\&amp; & &b"),
        ("C:\\dir \\*", "C:\\dir \\\\\\*"),
        ("&lt;1> &lt;.a@b.c>", "<1> \\<.a@b.c>"),
        ("a `b`", "a \\`b\\`"),
        ("~5 ~~a~~", "~5 \\~\\~a\\~\\~"),
        ("a | b", "a | b"),
        ("<h2>a #</h2>", "## a \\#"),
        ("a<br>---", "a\\\n\\---"),
        ("a<br>===", "a\\\n\\==="),
    ]);
}

#[test]
fn the_same_words_are_spelled_the_same() {
    for words in [
        "[1]",
        "a [b] c",
        "$5",
        "US$5",
        "$HOME",
        "snake_case",
        "__init__",
        "*",
        "2*3",
        "~5",
        "a~b",
        "a & b",
        "&amp;amp;",
        "a &lt; b",
        "&lt;b>",
        "C:\\d",
        "a\\*",
        "`a`",
        "a]",
        "[a",
        "[[a]]",
        "f(a)[1]",
        "a#b",
        "#a",
    ] {
        let alone = render(&format!("<p>o {words} o"));
        let alone = alone
            .trim_end()
            .trim_start_matches("o ")
            .trim_end_matches(" o");
        for (before, after, open, close) in [
            ("<p>", "</p>", "", ""),
            ("<h2>", "</h2>", "## ", ""),
            ("<ul><li>", "</ul>", "- ", ""),
            ("<p><b>", "</b>", "**", "**"),
            ("<p>o <i>", "</i> o", "o *", "* o"),
            ("<p><del>", "</del>", "~~", "~~"),
            ("<p><sup>", "</sup>", "<sup>", "</sup>"),
            ("<p><a href=/>", "</a>", "[", "](http://h.example/)"),
            ("<p>o <a href=/>", "</a> o", "o [", "](http://h.example/) o"),
            ("<blockquote>", "</blockquote>", "> ", ""),
        ] {
            // At the ends of the text its neighbours are others; so the words are between two.
            let found = render(&format!("{before}o {words} o{after}"));
            let expected = format!("{open}o {alone} o{close}\n");
            assert_eq!(found, expected, "{words}");
        }
    }
    // Emphasis that is not written changes nothing.
    check(&[("a <b>*</b> b <i>* </i> c * d", "a * b * c * d")]);
    // One dollar sign of a page that must be escaped: all are.
    check(&[
        ("<p>$5<p>$6 or <b>$7</b>", "\\$5\n\n\\$6 or **\\$7**"),
        ("<p>$5<p>$6 or $7", "$5\n\n$6 or $7"),
        ("<p>US$5<p>CA$6", "US$5\n\nCA$6"),
    ]);
}
