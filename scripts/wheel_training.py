"""The work by which the compiler learns what is common: pages of the folder that is named, in all main ways."""

import sys
from pathlib import Path

import unframe

ROUNDS = 5

folder = Path(sys.argv[1])
pages = [path.read_bytes() for path in sorted(folder.rglob("*.html"))]
for _ in range(ROUNDS):
    for html in pages:
        unframe.extract(html)
        unframe.extract(html, output_format="markdown")
    for page in unframe.clean_pages(folder, site_from="folder", jobs=1):
        page.text, page.markdown
