"""Crawls a site politely, and cleans each page as it arrives. What it learns is kept in a file.

usage: python live_crawl.py [URL] [--state site.unframe] [-o pages/] [--limit 100] [--delay 1]

Stop it with Ctrl-C at any time. The next run continues with what is known of the site. Without a URL, it crawls
a demo site, which it serves itself at 127.0.0.1.
"""

import argparse
import threading
import time
import urllib.request
from collections import deque
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, urldefrag, urlsplit
from urllib.robotparser import RobotFileParser

import unframe

AGENT = "unframe-example/1.0"
DEMO = Path(__file__).resolve().parents[2] / "demo" / "harbour-shop" / "pages"
DEMO_PORT = 8317  # always the same, because a page is known by its URL


def main() -> None:
    parser = argparse.ArgumentParser(description="Crawl a site, and clean each page as it arrives.")
    parser.add_argument("url", nargs="?", help="where to begin (default: a demo site at 127.0.0.1)")
    parser.add_argument("--state", default="site.unframe", help="keeps what is learned")
    parser.add_argument("-o", "--output", type=Path, default=Path("pages"), help="folder of Markdown files")
    parser.add_argument("--limit", type=int, default=100, help="pages to fetch")
    parser.add_argument("--delay", type=float, help="seconds between pages (default: 1, demo: 0)")
    args = parser.parse_args()
    start = args.url or serve(DEMO)
    delay = args.delay if args.delay is not None else float(bool(args.url))
    args.output.mkdir(parents=True, exist_ok=True)

    with unframe.Site.open(args.state) as site:
        try:
            crawl(site, start, args.output, args.limit, delay)
        except KeyboardInterrupt:
            print("stopped")
        print(f"{site.pages} pages of {site.name} are known")
        for redesign in site.drift:
            print(f"new design since {redesign['first']}")


def crawl(site: unframe.Site, start: str, output: Path, limit: int, delay: float) -> None:
    robots = RobotFileParser(f"{origin(start)}/robots.txt")
    try:
        robots.read()
    except OSError as error:
        raise SystemExit(f"{origin(start)} cannot be reached: {error}") from None
    queue, queued = deque([start]), {start}
    early: dict[str, bytes] = {}
    fetched = 0
    while queue and fetched < limit:
        url = queue.popleft()
        html, charset = fetch(url) if robots.can_fetch(AGENT, url) else (None, None)
        if html is None:
            continue
        fetched += 1
        page = site.clean(html, url, charset=charset)
        save(page, output)
        print(f"{page.template_share:4.0%} removed  {url}  {' '.join(page.flags)}")
        if "few-pages" in page.flags:
            early[url] = html
        # The links of the frame lead to the rest of the site; they are absolute.
        for link in page.links["frame"] + page.links["own"]:
            target = urldefrag(link["href"]).url
            if origin(target) == origin(start) and target not in queued:
                queued.add(target)
                queue.append(target)
        time.sleep(delay)
    # Little was known when the first pages came. Clean them again with what is known by now.
    for url, html in early.items():
        save(site.clean(html, url, learn=False), output)
    print(f"{fetched} pages fetched, {len(early)} of them cleaned twice")


def fetch(url: str) -> tuple[bytes | None, str | None]:
    """The page, or None if there is none, and the charset that the server states."""
    request = urllib.request.Request(url, headers={"User-Agent": AGENT})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            if response.headers.get_content_type() not in ("text/html", "application/xhtml+xml"):
                return None, None
            return response.read(), response.headers.get_content_charset()
    except OSError as error:
        print(f"{url}: {error}")
        return None, None


def save(page: unframe.Page, output: Path) -> None:
    name = quote(urlsplit(page.url or "").path.strip("/") or "index", safe="")
    (output / f"{name}.md").write_text(page.to_markdown(front_matter=True), encoding="utf-8")


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def serve(folder: Path) -> str:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", DEMO_PORT), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{DEMO_PORT}/index.html"


if __name__ == "__main__":
    main()
