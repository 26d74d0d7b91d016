//! Code: blocks, languages, line numbers.

use super::{check, render};

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
fn languages() {
    for markup in [
        "<pre><code class='language-rust'>a</code></pre>",
        "<pre class='language-rust line-numbers'><code>a</code></pre>",
        "<pre class='prettyprint lang-rust'>a</pre>",
        "<pre><code class='hljs rust'>a</code></pre>",
        "<pre><code class='rust hljs'>a</code></pre>",
        "<pre><code class='hljs language-rust'>a</code></pre>",
        "<pre class='brush: rust; toolbar: false'>a</pre>",
        "<pre class='brush:rust'>a</pre>",
        "<div class='highlight-rust notranslate'><div class=highlight><pre>a</pre></div></div>",
        "<div class='highlight highlight-source-rust'><pre>a</pre></div>",
        "<div class=sourceCode><pre class='sourceCode rust'><code class='sourceCode rust'>a</code></pre></div>",
        "<pre lang=rust>a</pre>",
        "<pre><code data-lang=rust>a</code></pre>",
        "<pre data-language=rust>a</pre>",
        "<figure class='highlight rust'><pre>a</pre></figure>",
        "<figure class=highlight><pre><code class=rust>a</code></pre></figure>",
        "<div class='mw-highlight mw-highlight-lang-rust'><pre>a</pre></div>",
        "<pre class='src src-rust'>a</pre>",
        "<pre class='lang:rust decode:true'>a</pre>",
        "<div class='language-rust highlighter-rouge'><div class=highlight><pre class=highlight>\
         <code>a</code></pre></div></div>",
    ] {
        assert_eq!(render(markup), "```rust\na\n```\n", "{markup}");
    }
    for markup in [
        "<pre>a</pre>",
        "<pre lang=en>a</pre>",
        "<pre class='hljs'>a</pre>",
        "<pre class='highlight wide'>a</pre>",
        "<div class='highlight-default notranslate'><pre>a</pre></div>",
        "<pre><code class='language-none'>a</code></pre>",
        "<pre class='language-plaintext'>a</pre>",
        "<pre data-lang='a b`c'>a</pre>",
    ] {
        assert_eq!(render(markup), "```\na\n```\n", "{markup}");
    }
}

#[test]
fn line_numbers_are_not_code() {
    let expected = "```\na {\n  b\n```\n";
    for markup in [
        // Pygments, as a table and in the lines.
        "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1\n2</pre></div></td>\
         <td class=code><div class=highlight><pre>a {\n  b\n</pre></div></td></tr></table>",
        "<pre><span class=linenos>1</span>a {\n<span class=linenos>2</span>  b</pre>",
        // Rouge
        "<pre class=highlight><code><table class=rouge-table><tbody><tr><td class='rouge-gutter gl'>\
         <pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>a {\n  b\n</pre></td></tr></tbody>\
         </table></code></pre>",
        // Hugo
        "<div class=chroma><table class=lntable><tr><td class=lntd><pre class=chroma><code>\
         <span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd>\
         <pre class=chroma><code>a {\n  b\n</code></pre></td></tr></table></div>",
        // Hexo
        "<figure class=highlight><table><tr><td class=gutter><pre><span class=line>1</span><br>\
         <span class=line>2</span><br></pre></td><td class=code><pre><span class=line>a {</span><br>\
         <span class=line>  b</span><br></pre></td></tr></table></figure>",
        // highlightjs-line-numbers
        "<pre><code><table class=hljs-ln><tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=1>\
         <div class=hljs-ln-n data-line-number=1></div></td><td class=hljs-ln-code>a {</td></tr>\
         <tr><td class='hljs-ln-numbers'>2</td><td class=hljs-ln-code>  b</td></tr></table></code></pre>",
        // SyntaxHighlighter
        "<div class=syntaxhighlighter><table><tr><td class=gutter><div class='line number1'>1</div>\
         <div class='line number2'>2</div></td><td class=code><div class=container>\
         <div class='line number1'><code>a {</code></div>\
         <div class='line number2'><code>&nbsp;&nbsp;</code><code>b</code></div></div></td></tr></table></div>",
        "<pre><span data-line-number=1>1</span>a {\n<span data-line-number=2>2</span>  b</pre>",
    ] {
        assert_eq!(render(markup), expected, "{markup}");
    }
    check(&[
        // An empty row is an empty line.
        (
            "<pre><table><tr><td class=linenos>1<td>a<tr><td class=linenos>2<td><tr><td class=linenos>3<td>b</table></pre>",
            "```\na\n\nb\n```",
        ),
        // Numbers that are code.
        ("<pre>1\n2</pre>", "```\n1\n2\n```"),
        ("<pre class=line-numbers>1\n2</pre>", "```\n1\n2\n```"),
        ("<div class=gutter>12</div>a", "12\n\na"),
        ("<p class=lineno>12 apples", "12 apples"),
    ]);
}
