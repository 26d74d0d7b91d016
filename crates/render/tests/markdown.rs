//! Markdown says what the page says, in the shape it had, and nothing of the frame.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use unframe_dom::Limits;
use unframe_labels::{Label, Labels};
use unframe_methods::{KeepAll, Method};
use unframe_page::Page;
use unframe_render::{MarkdownOptions, markdown, text};

fn page(html: &str) -> Page {
    let url = Some("http://h.example/dir/page".to_string());
    Page::parse(html.into(), url, None, &Limits::default())
}

/// Labels every text that holds an `x` as template.
fn label(page: &Page) -> Labels {
    let mut labels = KeepAll.view(page);
    for text in &mut labels.texts {
        if page.dom().text(text.node).contains('x') {
            text.label = Label::Template;
        }
    }
    labels
}

fn render(html: &str) -> String {
    let page = page(html);
    markdown(&page, &label(&page), &MarkdownOptions::default())
}

fn parse(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(markdown, options)
}

fn check(rows: &[(&str, &str)]) {
    for (html, expected) in rows {
        assert_eq!(render(html).trim_end_matches('\n'), *expected, "{html}");
    }
}

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
        ("<li>a", "- a"),
        ("<ul><li><pre>a\n b</pre></ul>", "- ```\n  a\n   b\n  ```"),
    ]);
    // However deep, and whatever is in it, every line stays short.
    let deep = format!("{}a", "<ul><li><blockquote>".repeat(200));
    let found = render(&deep);
    assert!(found.len() < 60 && found.ends_with("a\n"), "{found}");
}

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
fn code() {
    check(&[
        ("<pre>  a\n    b\n</pre>", "```\n  a\n    b\n```"),
        (
            "<pre><code class='language-rust'>fn a() {}\n</code></pre>",
            "```rust\nfn a() {}\n```",
        ),
        (
            "<div class='highlight highlight-source-shell'><pre>ls</pre></div>",
            "```shell\nls\n```",
        ),
        ("<pre class='brush: js;'>a</pre>", "```js\na\n```"),
        ("<pre>```\na\n````</pre>", "`````\n```\na\n````\n`````"),
        ("<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        (
            "<div class=fragment><div class=line>a {</div>\n<div class=line>  b</div><p>c</div>",
            "```\na {\n  b\n```\n\nc",
        ),
        ("<pre>\n\n</pre>a", "a"),
        ("use <code>a_b*</code>, <tt>c</tt>", "use `a_b*`, `c`"),
        ("<code>a`b</code> <code>`c</code>", "``a`b`` `` `c ``"),
        ("<code>a</code><code>b</code>", "`ab`"),
        ("<b><code>a</code></b>.", "**`a`**."),
    ]);
}

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
        ("<i>a <b>b</b></i>", "*a* ***b***"),
        ("<b>a</b><i>bc</i>", "a*bc*"),
        ("un<b>divid</b>ed", "un**divid**ed"),
        ("a<b>(b)</b>c", "a(b)c"),
        ("a <b>(b)</b> c", "a **(b)** c"),
        ("<b>a<p>b</b>", "**a**\n\n**b**"),
        ("<b>a<br>b</b>", "**a**\\\n**b**"),
    ]);
}

#[test]
fn links_and_images() {
    check(&[
        ("<a href=c>a</a>", "[a](http://h.example/dir/c)"),
        (
            "<a href='?q=(1'>a</a>",
            "[a](http://h.example/dir/page?q=%281)",
        ),
        (
            "<a href='/w_(b)'>[a]</a>",
            "[\\[a\\]](http://h.example/w_(b))",
        ),
        ("<a href='#n'>a</a> <a href='page#n'>b</a>", "a b"),
        ("<a href='javascript:f()'>a</a> <a>b</a>", "a b"),
        ("<a href=/>a <b>b</b></a>", "[a **b**](http://h.example/)"),
        (
            "<b>a <a href=/>b</a> c</b>",
            "**a** [**b**](http://h.example/) **c**",
        ),
        ("look!<a href=/>a</a>", "look\\![a](http://h.example/)"),
        (
            "<a href=/><h2>a</h2><p>b</a>",
            "## [a](http://h.example/)\n\n[b](http://h.example/)",
        ),
        ("<a href=/><img src=a.png></a>a", "a"),
        ("word<sup><a href='#1'>[1]</a></sup> then", "word[1] then"),
        ("10<sup>6</sup> H<sub>2</sub>O", "10⁶ H₂O"),
    ]);
    let page = page("<p>a <a href=/><img alt='A *b*' src=i.png></a></p><p>x <img src=j.png></p>");
    let mut options = MarkdownOptions::default();
    options.images = true;
    assert_eq!(
        markdown(&page, &label(&page), &options),
        "a [![A \\*b\\*](http://h.example/dir/i.png)](http://h.example/)\n"
    );
    (options.images, options.links) = (false, false);
    let linked = self::page("see <a href=/>a</a>");
    assert_eq!(markdown(&linked, &label(&linked), &options), "see a\n");
    let nowhere = Page::parse("<a href='b c'>a</a>".into(), None, None, &Limits::default());
    let found = markdown(&nowhere, &label(&nowhere), &MarkdownOptions::default());
    assert_eq!(found, "[a](b%20c)\n");
}

#[test]
fn formulas() {
    check(&[
        (
            "<math><mi>a</mi><annotation encoding='application/x-tex'>{\\displaystyle a_1}</annotation></math> b $5",
            "$a_1$ b \\$5",
        ),
        (
            "<math display=block alttext='a*b'><mi>a</mi></math>",
            "$$a*b$$",
        ),
        ("<math><msup><mi>a</mi><mn>2</mn></msup></math>", "a^2"),
        (
            "a <span class=MathJax>drawn</span><script type='math/tex; mode=display'>b_1</script> c",
            "a $$b_1$$ c",
        ),
        (
            "<span class=katex><math><annotation encoding='application/x-tex'>a</annotation></math>\
             <span class=katex-html>drawn</span></span>",
            "$a$",
        ),
        ("a \\(b_1\\) c \\[d*e\\]", "a $b_1$ c $$d*e$$"),
        ("costs $5 or $6", "costs $5 or $6"),
        (
            "<script src=mathjax.js></script>for $a_1$ of $5",
            "for $a_1$ of \\$5",
        ),
        ("<p>x<math alttext=a></math></p>b", "b"),
    ]);
}

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
        ("see [1] and [2](b)", "see [1] and \\[2](b)"),
        ("[1]: b", "\\[1]: b"),
        ("a &lt; b &lt;c>", "a < b \\<c>"),
        ("&amp;amp; &amp; &amp;b", "\\&amp; & &b"),
        ("C:\\dir \\*", "C:\\dir \\\\\\*"),
        ("a `b`", "a \\`b\\`"),
        ("~5 ~~a~~", "~5 ~\\~a\\~\\~"),
        ("a | b", "a | b"),
        ("<h2>a #</h2>", "## a \\#"),
        ("a<br>---", "a\\\n\\---"),
        ("a<br>===", "a\\\n\\==="),
    ]);
}

#[derive(Debug, Default, PartialEq)]
struct Shape {
    headings: Vec<String>,
    items: usize,
    cells: Vec<String>,
    code: Vec<(String, String)>,
    links: Vec<String>,
}

fn shape(markdown: &str) -> Shape {
    let mut shape = Shape::default();
    let mut text = String::new();
    let mut language = String::new();
    for event in parse(markdown) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::TableCell) => text.clear(),
            Event::Start(Tag::CodeBlock(kind)) => {
                text.clear();
                if let CodeBlockKind::Fenced(name) = kind {
                    language = name.to_string();
                }
            }
            Event::Start(Tag::Item) => shape.items += 1,
            Event::Start(Tag::Link { dest_url, .. }) => shape.links.push(dest_url.to_string()),
            Event::End(TagEnd::Heading(_)) => shape.headings.push(text.clone()),
            Event::End(TagEnd::TableCell) => shape.cells.push(text.clone()),
            Event::End(TagEnd::CodeBlock) => shape.code.push((language.clone(), text.clone())),
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            _ => {}
        }
    }
    shape
}

#[test]
fn a_parser_finds_the_same_shape() {
    let found = render(
        "<h1>One # two #</h1><ul><li>a<li><p>b</p><pre class=lang-c>  if (a)\n\n\tb;</pre>\
         <ol><li>- c<li>2) d</ol></ul><table><tr><th>a|b<th>`c`<tr><td>*<td><code>|`</code></table>\
         <blockquote><pre>> quoted\n```</pre></blockquote><a href='/a_(b)*c*?d=&copy;&amp;e'>f]</a>",
    );
    let expected = Shape {
        headings: vec!["One # two #".into()],
        items: 4,
        cells: ["a|b", "`c`", "*", "|`"].map(String::from).to_vec(),
        code: vec![
            ("c".into(), "  if (a)\n\n\tb;\n".into()),
            (String::new(), "> quoted\n```\n".into()),
        ],
        links: vec!["http://h.example/a_(b)*c*?d=%C2%A9&e".into()],
    };
    assert_eq!(shape(&found), expected, "{found}");
}

/// The words that a reader of the Markdown sees.
fn words(markdown: &str) -> Vec<String> {
    let mut out = String::new();
    for event in parse(markdown) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::InlineMath(tex) | Event::DisplayMath(tex) => out.push_str(&tex),
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            Event::Start(tag) => match tag {
                Tag::Emphasis | Tag::Strong | Tag::Link { .. } => {}
                _ => out.push(' '),
            },
            Event::End(tag) => match tag {
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => {}
                _ => out.push(' '),
            },
            Event::Rule => {}
            other => panic!("{other:?} in {markdown}"),
        }
    }
    out.split_whitespace().map(String::from).collect()
}

fn markup() -> impl Strategy<Value = String> {
    let tags: Vec<&str> = "p|div|b|i|em|a href=u|ul|ol|ol start=7|li|table|tr|td|th|td colspan=2|td rowspan=2|\
        section|span|h1|h3|pre|code|blockquote|br|hr|dl|dt|dd|strong|sup|img|caption|thead|textarea|button"
        .split('|')
        .collect();
    let name = proptest::sample::select(tags);
    let piece = prop_oneof![
        3 => name.clone().prop_map(|name| format!("<{name}>")),
        3 => name.prop_map(|name| format!("</{}>", name.split(' ').next().unwrap())),
        4 => "( ax| b|c x| d e|&amp;x| &lt;|f g )",
        3 => "[ a\\-*_`#+=>~|.)(!:$\\[\\]\\\\1]{1,6}",
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    // The same cases in every run: one in some hundred thousand, such as code that begins with `]:`
    // in a link at the start of a line, cannot be spelled in Markdown.
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2),
        ..ProptestConfig::with_cases(4_000)
    })]

    /// Read by a parser, the Markdown has the words of the plain text.
    #[test]
    fn words_are_those_of_the_text(input in markup()) {
        let page = page(&input);
        let labels = label(&page);
        let found = markdown(&page, &labels, &MarkdownOptions::default());
        let plain = text(page.dom(), &labels);
        let plain = plain.split_whitespace().map(String::from);
        // A dash may be the sign of an item in the plain text, and the signs around formulas are
        // not those of the page.
        let without = |words: Vec<String>| {
            let bare = |word: String| word.replace(['$', '\\', '(', ')', '[', ']'], "");
            let words = words.into_iter().filter(|word| word != "-").map(bare);
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
        };
        prop_assert_eq!(without(words(&found)), without(plain.collect()), "{:?}", found);
    }
}
