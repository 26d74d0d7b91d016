"""A made-up site for tests, and how they start other processes."""

import subprocess
import sys
import textwrap
from pathlib import Path

import unframe

from conftest import ended

URL = "https://a.example/tea/green.html"

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Green tea – The Cup</title><meta name="author" content="Ann Lee">
<meta property="article:published_time" content="2026-01-02"></head><body class="single single-post">
<header id="masthead"><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav></header>
<main><article class="post"><h1 class="entry-title">Green tea</h1><p class="byline">By Ann Lee</p>
<div class="entry-content"><p>Green tea is steeped for two minutes, in water that has cooled a little. Pour it off at
once, or it will be bitter. <a href="black.html">Black tea</a> needs more time.</p>
<table><tr><th>Leaf<th>Minutes<tr><td>Green<td>2<tr><td>Black<td>4<tr><td>White<td>5</table>
<p><img src="cup.jpg" alt="A cup"> The second cup is often better than the first one, because the leaves have opened by
then and give more of their taste.</p>
<div data-nosnippet>Sponsored by the makers of kettles, pots, cups and saucers in this town.</div>
<p>The third cup is often better than the second one, because by then nobody is in a hurry any more.</p></div></article>
</main><footer>All rights reserved. <a href="/imprint">Imprint</a>. <a href="/privacy">Privacy</a>.</footer></body>
</html>"""

COMMENTS = "".join(
    f"""<li id="comment-{number}" class="comment depth-1"><article class="comment-body"><footer class="comment-meta">
    <div class="comment-author vcard"><b class="fn">{name}</b> <span class="says">says:</span></div>
    <div class="comment-metadata"><a href="#{number}"><time>May {number}, 2026 at 10:12 am</time></a></div></footer>
    <div class="comment-content"><p>{text}</p></div>
    <div class="reply"><a rel="nofollow" class="comment-reply-link" href="#r">Reply</a></div></article></li>"""
    for number, name, text in [
        (1, "Ned", "Great post! I did not know that about the second cup, I will try it tonight, thank you."),
        (2, "Ida", "Thanks for this! I love your blog, I did not know about the third cup and will try it."),
        (3, "Tom", "I agree with you, I love this post! I will try it when I am home, thanks again."),
    ]
)
STORY = "".join(
    "<p>Green tea is steeped for two minutes, in water that has cooled a little. Pour it off at once, or it will be "
    f"bitter. The {number} cup is often better than the first one, because the leaves have opened by then.</p>"
    for number in ["second", "third", "fourth"]
)
COMMENTED = f"""<!DOCTYPE html><html lang="en"><head><title>Green tea – The Cup</title></head><body class="single-post">
<header id="masthead"><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav></header>
<main><article class="post"><h1 class="entry-title">Green tea</h1><div class="entry-content">{STORY}</div></article>
<div id="comments" class="comments-area"><h2 class="comments-title">3 Comments</h2><ol class="comment-list">{COMMENTS}
</ol></div><div id="respond" class="comment-respond"><h3 class="comment-reply-title">Leave a Reply</h3>
<p>Your email address will not be published. Required fields are marked *</p></div></main>
<footer>All rights reserved. Imprint. Privacy.</footer></body></html>"""


def pages(count: int, host: str = "a.example", start: int = 0) -> list[tuple[str, str]]:
    """Pages of a made-up site, whose frame is learned from a few of them."""
    return [
        (
            f"https://{host}/{number}",
            f"<title>Story {number}</title><nav><a href=/>Home of {host}</a> <a href=/shop>Shop</a></nav>"
            f"<div class=story><h1>Story {number}</h1><p>Number {number} of the week, told by {7 * number} people in "
            f"the town hall.</div><footer>All rights reserved by {host}. Imprint.</footer>",
        )
        for number in range(start, start + count)
    ]


def redesigned(count: int, start: int) -> list[tuple[str, str]]:
    """Pages of the same site after a redesign."""
    return [
        (
            f"https://a.example/{number}",
            f"<header class=top><ul><li>Start<li>Products<li>About us</ul></header><main><section><h2>Tale {number}"
            f"</h2><div>It was number {number} of the month, told by {7 * number} people in the old mill.</div>"
            "</section></main><aside>Follow us on the radio. Subscribe today.</aside>",
        )
        for number in range(start, start + count)
    ]


def learned(count: int, **settings: object) -> unframe.Site:
    site = unframe.Site(**settings)
    site.learn_many(pages(count))
    return site


def run(*arguments: str | Path, code: str | None = None) -> subprocess.CompletedProcess[str]:
    """Another process: a program, or ``python -m unframe``."""
    what = ["-c", textwrap.dedent(code)] if code else ["-m", "unframe"]
    return ended([sys.executable, *what, *arguments])
