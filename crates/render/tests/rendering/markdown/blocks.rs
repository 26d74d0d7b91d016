//! Headings, paragraphs, lists, quotations and other blocks.

use super::{check, render};

#[test]
fn blocks() {
    check(&[
        ("", ""),
        ("one", "one"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\n\ntwo"),
        ("<h2>A <i>b</i></h2>c", "## A *b*\n\nc"),
        ("<h1><div>a</div><div>b</div></h1>", "# a b"),
        ("<h3>Name<a href='#n'>¶</a></h3>", "### Name"),
        ("a<br>b<br><br>c<br>", "a\\\nb\n\nc"),
        ("<p>a<hr><p>b<hr>", "a\n\n---\n\nb"),
        ("<hr>a", "a"),
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
        (
            "<blockquote>a</blockquote><blockquote>b</blockquote>",
            "> a\n\n> b",
        ),
        (
            "<blockquote><ul><li>a<li>b</ul></blockquote>",
            "> - a\n> - b",
        ),
        (
            "<dl><dt>T<dd>one<dd>two<dt>U<dd>three</dl>",
            "**T**\n\n- one\n- two\n\n**U**\n\n- three",
        ),
    ]);
}

#[test]
fn nested_quotations() {
    check(&[
        (
            "<blockquote>a<blockquote>b<p>c</blockquote>d</blockquote>",
            "> a\n>\n> > b\n> >\n> > c\n>\n> d",
        ),
        (
            "<blockquote><blockquote>a</blockquote></blockquote>b",
            "> > a\n\nb",
        ),
        (
            "<ul><li>a<blockquote>b<ul><li>c</ul></blockquote></ul>",
            "- a\n\n  > b\n  >\n  > - c",
        ),
        // Quoted posts of forums.
        (
            "<div class=quotetitle>A wrote:</div><div class=quotecontent>a</div>b",
            "A wrote:\n\n> a\n\nb",
        ),
        (
            "<blockquote><pre>a\n\nb</pre></blockquote>",
            "> ```\n> a\n>\n> b\n> ```",
        ),
    ]);
}

#[test]
fn hard_breaks() {
    check(&[
        ("a<br>b<br/>c", "a\\\nb\\\nc"),
        ("a<br>\n b", "a\\\nb"),
        ("<br>a<br>", "a"),
        ("<h2>a<br>b</h2>", "## a b"),
        ("<ul><li>a<br>b</ul>", "- a\\\n  b"),
        ("<blockquote>a<br>b</blockquote>", "> a\\\n> b"),
        ("a\\<br>b", "a\\\\\\\nb"),
        ("a<br>1. b<br># c", "a\\\n1\\. b\\\n\\# c"),
    ]);
}

#[test]
fn figures_and_details() {
    check(&[
        (
            "a<figure><img src=i.png><figcaption>The <b>old</b> port</figcaption></figure>b",
            "a\n\n*The **old** port*\n\nb",
        ),
        (
            "<figure><pre>a</pre><figcaption>b</figcaption></figure>",
            "```\na\n```\n\n*b*",
        ),
        (
            "<details><summary>More</summary>a<p>b</details>c",
            "**More**\n\na\n\nb\n\nc",
        ),
        (
            "<details><summary><h3>More</h3></summary>a</details>",
            "### More\n\na",
        ),
    ]);
}

#[test]
fn signs_beside_headings_are_not_text() {
    check(&[
        (
            "<h2>Name<a class=headerlink href='#n'>¶</a></h2><p>a",
            "## Name\n\na",
        ),
        (
            "<h2><a class=anchor href='#n' aria-label='Permalink: Name'></a>Name</h2>",
            "## Name",
        ),
        (
            "<h2>Name<a class=hash-link href='#n'>\u{200b}</a> <a class='header-anchor' href='#n'>🔗</a></h2>",
            "## Name",
        ),
        (
            "<h2>Name <a class='anchor' href='#n'>Link to this heading</a></h2>",
            "## Name",
        ),
        // The heading itself may be a link of this class.
        (
            "<h2><a class=anchor href='#n'>Anchoring</a></h2>",
            "## Anchoring",
        ),
        (
            "<dl><dt>f()<a class=headerlink href='#f'>¶</a><dd>a</dl>",
            "**f()**\n\n- a",
        ),
        (
            "<h2><span>Name</span><span class=mw-editsection><span>[</span>\
             <a href='/w?title=T&action=edit&section=1'>edit</a><span>]</span></span></h2>a",
            "## Name\n\na",
        ),
        (
            "<h2>Name <a href='/w?action=edit'>edit</a></h2>a",
            "## Name\n\na",
        ),
        (
            "<p><a href='/w?action=edit'>edit</a>",
            "[edit](http://h.example/w?action=edit)",
        ),
        (
            "<p>issue <a href='/i/7#c'>#7</a>",
            "issue [#7](http://h.example/i/7#c)",
        ),
    ]);
}

#[test]
fn lists() {
    check(&[
        ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ol><li value=4>a<li>b</ol>", "4. a\n5. b"),
        (
            "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>",
            "- a\n  - b\n  - c\n- d",
        ),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<ol><li>a<ul><li>b</ul></ol>", "1. a\n   - b"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a<li>x<li>b</ul>", "- a\n- b"),
        ("<ul><li>x</ul>a", "a"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        // A list that follows an item instead of being in it.
        (
            "<ul><li>a</li><ul><li>b<li>c</ul><li>d</ul>",
            "- a\n  - b\n  - c\n- d",
        ),
        (
            "<ol><li>a</li><ul><li>b</li><ul><li>c</ul></ul><li>d</ol>",
            "1. a\n   - b\n     - c\n2. d",
        ),
        ("<ul><ul><li>a</ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a</li><ul><li>x</ul>b<li>c</ul>", "- a\n\nb\n\n- c"),
        (
            "<ul><li>a</ul><ul><li>b</li>|<li>c</ul>",
            "- a\n\n* b\n\n\\|\n\n- c",
        ),
        ("<li>a", "- a"),
        ("<ul><li><pre>a\n b</pre></ul>", "- ```\n  a\n   b\n  ```"),
    ]);
    // However deep, and whatever is in it, every line stays short.
    let deep = format!("{}a", "<ul><li><blockquote>".repeat(200));
    let found = render(&deep);
    assert!(found.len() < 60 && found.ends_with("a\n"), "{found}");
}

#[test]
fn task_lists() {
    check(&[
        (
            "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox disabled> b</ul>",
            "- [x] a\n- [ ] b",
        ),
        (
            "<ul class=task-list><li class=task-list-item><label><input type=checkbox> a</label></ul>",
            "- [ ] a",
        ),
        (
            "<ul><li><p><input type=checkbox disabled> a<p>b</ul>",
            "- [ ] a\n\n  b",
        ),
        // Not a task: a form, a box after the text, a text that looks like a box.
        ("<ul><li><input type=checkbox> a</ul>", "- a"),
        ("<ul><li>a <input type=checkbox disabled></ul>", "- a"),
        (
            "<ul><li>[ ] a<li>see [c] b</ul>",
            "- \\[ \\] a\n- see [c] b",
        ),
        ("<p><input type=checkbox disabled> a", "a"),
        ("<ul><li><input type=checkbox disabled></ul>a", "a"),
    ]);
}
