//! Styles in a line: emphasis, struck text, raised and lowered text, keys, quotations.

use super::check;

#[test]
fn emphasis() {
    check(&[
        ("<b>a</b> <i>b</i>", "**a** *b*"),
        ("<b> a </b>b", "**a** b"),
        ("a<b> b </b>c", "a **b** c"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b></b><i> </i>a", "a"),
        ("<b><i>a</i></b>", "***a***"),
        ("<b>a <i>b</i> c</b>", "**a *b* c**"),
        ("<i>a <b>b</b></i>", "*a **b***"),
        ("<b>a</b><i>bc</i>", "a*bc*"),
        ("un<b>divid</b>ed", "un**divid**ed"),
        ("a<b>(b)</b>c", "a(b)c"),
        ("a <b>(b)</b> c", "a **(b)** c"),
        ("<b>a<p>b</b>", "**a**\n\n**b**"),
        ("<b>a<br>b</b>", "**a**\\\n**b**"),
        ("a<b>:</b> <i>b</i><i>.</i> <b>--</b>", "a: *b.* --"),
        (
            "<cite>a</cite> <cite class='citation web'>b</cite>",
            "*a* b",
        ),
    ]);
}

#[test]
fn struck_and_inserted_text() {
    check(&[
        ("<del>a b</del> c", "~~a b~~ c"),
        ("<s>$10</s>, <strike>b</strike>", "~~$10~~, ~~b~~"),
        ("<del>a</del><del>b</del>", "~~ab~~"),
        ("<del> a </del>b", "~~a~~ b"),
        ("a<del>b</del>c", "a~~b~~c"),
        ("a<del>(b)</del>c", "a<del>(b)</del>c"),
        ("<del><b>a</b></del>", "~~**a**~~"),
        ("<del>a~</del>", "~~a\\~~~"),
        ("<del>a<p>b</del>", "~~a~~\n\n~~b~~"),
        ("<ins>a b</ins> c", "<ins>a b</ins> c"),
        ("<ins>a <b>b</b></ins>", "<ins>a</ins> **<ins>b</ins>**"),
        ("<ins>a<p>b</ins>", "<ins>a</ins>\n\n<ins>b</ins>"),
        ("<ins></ins>a<ins> </ins>", "a"),
        ("<del>a</del> <ins>b</ins>", "~~a~~ <ins>b</ins>"),
    ]);
}

#[test]
fn raised_and_lowered_text() {
    check(&[
        ("y<sup>n+1</sup>", "y<sup>n+1</sup>"),
        ("a<sub>ij</sub>b", "a<sub>ij</sub>b"),
        ("2<sup>2<sup>n</sup></sup>", "2<sup>2<sup>n</sup></sup>"),
        ("a<sup>b</sup><sup>c</sup>", "a<sup>b</sup><sup>c</sup>"),
        ("a<sup>b<sub>c</sub></sup>", "a<sup>b<sub>c</sub></sup>"),
        ("a<sup> b </sup>c", "a <sup>b</sup> c"),
        ("y<sup>*</sup>", "y<sup>\\*</sup>"),
        ("10<sup>6</sup> H<sub>2</sub>O", "10⁶ H₂O"),
        ("10<sup>-3</sup>", "10⁻³"),
        ("the 1<sup>st</sup> Tea<sup>®</sup>", "the 1st Tea®"),
        ("a<sup>th</sup>", "a<sup>th</sup>"),
        ("<h2>y<sup>n</sup></h2>", "## y<sup>n</sup>"),
        ("<sup><p>a<p>b</sup>", "a\n\nb"),
        ("a<sup></sup>", "a"),
    ]);
}

#[test]
fn keys_and_quotations() {
    check(&[
        (
            "press <kbd>Ctrl</kbd>+<kbd>C</kbd>",
            "press <kbd>Ctrl</kbd>+<kbd>C</kbd>",
        ),
        (
            "<kbd><kbd>Ctrl</kbd>-<kbd>C</kbd></kbd>",
            "<kbd><kbd>Ctrl</kbd>-<kbd>C</kbd></kbd>",
        ),
        ("<kbd>*</kbd>", "<kbd>\\*</kbd>"),
        ("said <q>a <i>b</i></q>.", "said “a *b*”."),
        ("<q> a </q> b", "“a” b"),
        ("<q>a <q>b</q></q>", "“a “b””"),
        ("<q>“a”</q> <q>\"b\"</q>", "“a” \"b\""),
        ("<q></q>a", "a"),
        ("<q>x</q>a", "a"),
        ("<b><q>a</q></b> b", "**“a”** b"),
    ]);
}
