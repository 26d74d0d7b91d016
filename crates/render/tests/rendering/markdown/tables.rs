//! Data tables, and tables that lay out a page.

use super::{check, render};

#[test]
fn tables() {
    check(&[
        (
            "<table><tr><th>a<th>b<tr><td>c<td>d|e</table>",
            "| a | b |\n| --- | --- |\n| c | d\\|e |",
        ),
        (
            "<table><tr><td>a<td>b<tr><td>c<td><code>d|e</code></table>",
            "| | |\n| --- | --- |\n| a | b |\n| c | `d\\|e` |",
        ),
        (
            "<table><caption>T</caption><tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e\
             <tr><td rowspan=2>f<td>g<td>h<tr><td>i<td>j</table>",
            "T\n\n| a | b | c |\n| --- | --- | --- |\n| d | | e |\n| f | g | h |\n| | i | j |",
        ),
        // Nothing is left of the column and the row with an x.
        (
            "<table><tr><th>a<th>x<th>b<tr><td>x<td>x<td>x<tr><td>c<td>x<td>d</table>",
            "| a | b |\n| --- | --- |\n| c | d |",
        ),
        // Tables that lay out a page.
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
        ("<table><tr><td>a<td>b</table>", "a b"),
        (
            "<table><tr><td><ul><li>a</ul><td>b<tr><td>c<td>d</table>",
            "- a\n\nb\n\nc d",
        ),
        (
            "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
            "a b\n\nc d",
        ),
    ]);
    let hostile = "<table><tr>".to_string() + &"<td>a".repeat(60) + &"<tr><td>c".repeat(5000);
    assert!(render(&hostile).len() < 40_000);
}

#[test]
fn blocks_in_a_cell_do_not_flatten_the_table() {
    check(&[
        (
            "<table><tr><th>a<th>b<tr><td>c<td><ul><li>d<li>e <b>f</b></ul><tr><td>g<td>h</table>",
            "| a | b |\n| --- | --- |\n| c | <ul><li>d</li><li>e **f**</li></ul> |\n| g | h |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c<td>d:<ol start=3><li>e<ul><li>f</ul></ol>g</table>",
            "| a | b |\n| --- | --- |\n| c | d:<ol start=\"3\"><li>e<ul><li>f</li></ul></li></ol>g |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><p>d<p>e<p></table>",
            "| a | b |\n| --- | --- |\n| c | d<br>e |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c<br>d<td><div>e</div><div>f</div></table>",
            "| a | b |\n| --- | --- |\n| c<br>d | e<br>f |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><pre>if d|e {\n  f\n\n}</pre>g</table>",
            "| a | b |\n| --- | --- |\n| c | `if d\\|e {`<br>`  f`<br><br>`}`<br>g |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><dl><dt>d<dd>e</dl><blockquote>f</blockquote></table>",
            "| a | b |\n| --- | --- |\n| c | **d**<br>e<br>f |",
        ),
        // Nothing kept of a list, or of an item.
        (
            "<table><tr><th>a<th>b<tr><td>c<td>d<ul><li>x</ul><tr><td>e<td><ul><li>x<li>f</ul></table>",
            "| a | b |\n| --- | --- |\n| c | d |\n| e | <ul><li>f</li></ul> |",
        ),
        // Other signs of a data table than its header cells.
        (
            "<table class=wikitable><tr><td>a<td>b<tr><td>c<td><ul><li>d</ul></table>",
            "| | |\n| --- | --- |\n| a | b |\n| c | <ul><li>d</li></ul> |",
        ),
        (
            "<table border=1><tr><td>a<td>b<tr><td>c<td><p>d<p>e</table>",
            "| | |\n| --- | --- |\n| a | b |\n| c | d<br>e |",
        ),
    ]);
}

#[test]
fn tables_of_long_texts_are_layout() {
    let long = "word ".repeat(300);
    let found = render(&format!(
        "<table><tr><th>a<th>b<tr><td>c<td><p>{long}<p>d</table>"
    ));
    assert!(!found.contains('|'), "{found}");
    let nested = render("<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d</table></table>");
    assert!(!nested.contains('|'), "{nested}");
}
