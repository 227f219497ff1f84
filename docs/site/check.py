# SPDX-License-Identifier: BSD-2-Clause
"""Looks at the site: check.py links SITE, or check.py browser SITE.

links: each link leads to a file and an anchor of the site, nothing is loaded from elsewhere, the first page leads to all others.
browser: in headless Chromium, from file://, the search finds pages, pages fit a narrow window, and a page can be printed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("object", "data"), ("embed", "src"), ("audio", "src"),
          ("video", "src")}
LINKED = {("a", "href"), ("area", "href")}
FOUND_ANYWHERE = {"search.html", "genindex.html", "404.html", "iwarp.html"}  # pages of the generator; the tool opens no page of the site
NARROW = 390
# What the search has to find: words, and the page that must be among the results.
SEARCHES = [("PAD+zero", "docs/rules/mpa.pad-zero.html"), ("iwarp_rx_push", "api/iwarp-rx.html"), ("outstanding", "docs/stats.html"),
            ("tcp-refused", "docs/diagnoses.html")]
PAGES = ["index.html", "docs/guide.html", "docs/rules/index.html", "docs/rules/mpa.pad-zero.html", "docs/wire-format.html", "docs/performance.html",
         "docs/diagnoses.html", "docs/json.html", "docs/tutorials/wireshark.html", "docs/cases/README.html", "api/index.html", "api/iwarp-endpoint.html",
         "search.html"]


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            value = value or ""
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if (tag, name) in LINKED:
                self.links.append(value)
            elif (tag, name) in LOADED or (tag == "link" and name == "href"):
                self.loads.append(value)


def elsewhere(url):
    return bool(urlsplit(url).scheme or urlsplit(url).netloc) and not url.startswith("data:")


def target_of(site, page, url):
    """The file that a link of a page leads to."""
    path = unquote(urlsplit(url).path)
    return (site / path.lstrip("/") if path.startswith("/") else page.parent / path).resolve() if path else page


def page_complaints(site, path, page, pages):
    name = path.relative_to(site)
    for url in page.loads:
        if elsewhere(url):
            yield f"{name}: loads {url}"
        elif not url.startswith("data:") and not target_of(site, path, url).is_file():
            yield f"{name}: loads {url}, which is not there"
    for url in page.links:
        if elsewhere(url):
            continue
        target, part = target_of(site, path, url), unquote(urlsplit(url).fragment)
        if not target.is_file():
            yield f"{name}: the link to {url} leads nowhere"
        elif part and target in pages and part not in pages[target].anchors and part != "top":
            yield f"{name}: the link to {url} has no anchor"


def style_complaints(site):
    for path in sorted(site.rglob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for url in re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", text):
            url = url[0] or url[1]
            if elsewhere(url):
                yield f"{path.relative_to(site)}: loads {url}"
            elif not url.startswith(("data:", "#")) and not target_of(site, path, url).is_file():
                yield f"{path.relative_to(site)}: loads {url}, which is not there"


def reached(site, pages):
    todo, seen = [site / "index.html"], set()
    while todo:
        path = todo.pop()
        if path in pages and path not in seen:
            seen.add(path)
            todo += [target_of(site, path, url) for url in pages[path].links if not elsewhere(url)]
    return seen


def check_links(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if site / "index.html" not in pages:
        yield "there is no index.html"
        return
    for path, page in pages.items():
        if path.name != "iwarp.html":  # it makes its links when it runs; its own tests look at it
            yield from page_complaints(site, path, page, pages)
    yield from style_complaints(site)
    for path in sorted(set(pages) - reached(site, pages)):
        if path.relative_to(site).as_posix() not in FOUND_ANYWHERE:
            yield f"{path.relative_to(site)}: no page leads to it"
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")


def browse(chromium, url, *options):
    """Returns the document as it is after its scripts have run."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--virtual-time-budget=20000",
                               "--dump-dom", *options, url], capture_output=True, text=True, check=False)
    return done.stdout


# For each frame: the first element of the article that does not fit the frame, unless something inside the article scrolls it.
MEASURE = """addEventListener("load", () => { document.body.dataset.wide = Array.from(frames).map(({ document: { documentElement: page }, getComputedStyle }) => {
  const scrolled = (element) => element.tagName !== "ARTICLE" && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolled(element.parentElement));
  const wide = Array.from(page.querySelectorAll("article *")).find((element) =>
    element.getBoundingClientRect().right > page.clientWidth + 1 && !scrolled(element.parentElement));
  return wide ? wide.tagName : "-"; }).join(" "); })"""


def too_wide(chromium, site, pages):
    """The kind of an element of each page that a narrow window cuts, or "-"."""
    probe = site / "probe-of-check.html"
    frames = "".join(f'<iframe src="{page}" width="{NARROW}" height="800" style="border: 0"></iframe>' for page in pages)
    probe.write_text(f"<!doctype html><body>{frames}<script>{MEASURE}</script></body>", encoding="utf-8")
    try:
        found = re.search(r'data-wide="([\w -]+)"', browse(chromium, probe.as_uri(), "--allow-file-access-from-files"))
    finally:
        probe.unlink()
    return dict(zip(pages, found[1].split())) if found else {}


def check_browser(site):
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        yield "there is no Chromium (Debian: chromium)"
        return
    for words, page in SEARCHES:
        text = browse(chromium, f"{(site / 'search.html').as_uri()}?q={words}")
        if not re.search(rf'<li[^>]*><a href="{re.escape(page)}', text):
            yield f"the search for {words} does not find {page}"
    found = too_wide(chromium, site, PAGES)
    if not found:
        yield "Chromium does not measure the pages"
    yield from (f"{page}: a window of {NARROW} pixels cuts {element}" for page, element in found.items() if element != "-")
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "page.pdf"
        browse(chromium, (site / "docs/rules/mpa.pad-zero.html").as_uri(), f"--print-to-pdf={pdf}", "--no-pdf-header-footer")
        if not pdf.is_file() or pdf.read_bytes()[:5] != b"%PDF-":
            yield "a page cannot be printed"


def main():
    what, site = sys.argv[1], Path(os.path.realpath(sys.argv[2]))
    complaints = list({"links": check_links, "browser": check_browser}[what](site))
    for complaint in complaints:
        print(complaint)
    print(f"{what}: {len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
