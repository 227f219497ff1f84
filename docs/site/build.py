# SPDX-License-Identifier: BSD-2-Clause
"""Makes the site: build.py ROOT OUT [PAGE].   PAGE: the page for browsers of conformance/web

The pages of the repository are copied to a folder with the same layout, so that their links hold. docs/README.md
becomes the first page and the navigation. The list of the rules is made of their pages, the reference of the XML of Doxygen. Sphinx makes HTML of them.
Any warning is an error.
"""

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

META = str(Path(__file__).resolve().parents[2] / "libiwarp/tests/meta")
sys.path.insert(0, META)
import tree  # noqa: E402

LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)]*)?\))")
MOVED = {"docs/README.md": "index.md", "docs/rules": "docs/rules/index.md"}
AREAS = {"mpa": "MPA", "ddp": "DDP", "rdmap": "RDMAP", "sctp": "DDP over SCTP"}
HEADERS = ["libiwarp/include/iwarp", "conformance/rules/include/iwarp"]
NOT_LISTED = {"export.h"}  # declares nothing


def moved(file, target):
    """The target of a link, or its page of the site where the site has another one."""
    path = MOVED.get(posixpath.normpath((file.parent / target).as_posix()))
    return posixpath.relpath(path, file.parent.as_posix()) if path else target


def copy_tree(root, out):
    """Copies each page, and each file of the tree that a page shows or links."""
    for file in (path for path in tree.files(root) if path.suffix == ".md"):
        text = (root / file).read_text(encoding="utf-8")
        for _, target, _ in LINK.findall(text):
            path = Path(posixpath.normpath((file.parent / target).as_posix()))
            if (root / path).is_file() and path.suffix != ".md":
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / path, out / path)
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        text = LINK.sub(lambda link, file=file: f"{link[1]}{moved(file, link[2])}{link[3]}", text)
        (out / file).write_text(text, encoding="utf-8")


def toctree(names, caption=""):
    yield "```{toctree}"
    yield ":hidden:"
    if caption:
        yield f":caption: {caption}"
    yield ""
    yield from names
    yield "```"
    yield ""


def first_page(text):
    """docs/README.md one folder above, with the navigation: a list for each of its sections."""
    api_item = "- [Reference of the API](api/index.md): each header, by Doxygen\n"
    text = LINK.sub(lambda link: f"{link[1]}{posixpath.normpath(f'docs/{link[2]}')}{link[3]}", text)
    text = re.sub(r"(?m)^(- \[Guide\].*\n)", rf"\1{api_item}", text, count=1)
    text = re.sub(r"(?m)^(- \[The tool in a browser.*\n)", r"- [The tool in this browser](tool.md)\n\1", text, count=1)
    yield text
    for section in re.split(r"(?m)^## ", text)[1:]:
        caption, _, rest = section.partition("\n")
        items = []
        for line in re.findall(r"^- .*", rest, re.MULTILINE):
            (title, first), *others = re.findall(r"\[([^\]]*)\]\(([^)]*)\.md\)", line)
            items += [f"{title} </{first}>", *(f"/{target}" for _, target in others)]  # the others by their own titles
        yield from toctree(items, caption)


def demand(page):
    """The first sentence of what a rule demands."""
    text = re.search(r"## What is demanded\n\n(.*?)(?:\n\n|\Z)", page, re.DOTALL)[1].replace("\n", " ")
    return re.split(r"(?<=[.:])\s", text)[0].rstrip(":.").replace("|", "\\|")


def rules_page(folder):
    yield "# Rules"
    yield ""
    yield "`iwarp rules` lists the rules, `iwarp explain NAME` prints a page of this list."
    yield ""
    for area, title in AREAS.items():
        pages = sorted(folder.glob(f"{area}.*.md"))
        yield f"## {title}"
        yield ""
        yield "| Rule | Demand |"
        yield "|---|---|"
        for page in pages:
            yield f"| [{page.stem}]({page.name}) | {demand(page.read_text(encoding='utf-8'))} |"
        yield ""


def list_apart(folder, index, title):
    """Many small pages stay out of the navigation, which each page holds; each leads back to their list."""
    for page in sorted(folder.glob("*.*.md")):
        text = page.read_text(encoding="utf-8")
        page.write_text(f"---\norphan: true\n---\n{text}\n[{title}]({index})\n", encoding="utf-8")


def purpose(header):
    """The line of purpose of a header, without the marks of the comment."""
    return header.read_text(encoding="utf-8").split("\n")[1].removeprefix("/* ").removesuffix(" */")


def api_pages(root, out):
    (out / "api").mkdir()
    headers = sorted((path for folder in HEADERS for path in (root / folder).glob("*.h") if path.name not in NOT_LISTED), key=lambda path: path.name)
    lines = ["# Reference of the API", "", "Doxygen reads the public headers for these pages. [Conventions of the API](../docs/api-conventions.md) says what",
             "holds for every call.", "", "| Header | Purpose |", "|---|---|"]
    for header in headers:
        lines.append(f"| [iwarp/{header.name}](iwarp-{header.stem}.rst) | {purpose(header)} |")
        title = f"iwarp/{header.name}"
        (out / "api" / f"iwarp-{header.stem}.rst").write_text(
            f"{title}\n{'=' * len(title)}\n\n.. code-block:: c\n\n   #include <{title}>\n\n.. doxygenfile:: {title}\n"
            "   :sections: briefdescription detaileddescription innerclass public-attrib define enum typedef func var\n", encoding="utf-8")
    lines += ["", *toctree([f"iwarp-{header.stem}" for header in headers])]
    (out / "api" / "index.md").write_text("\n".join(lines), encoding="utf-8")


def tool_page(page):
    yield "# The tool in this browser"
    yield ""
    if page is None:
        yield "The page `iwarp.html` is not part of this copy of the site: the compiler for WebAssembly was missing when it was made. `./.ci/web`"
        yield "installs the compiler and makes the page; then `./.ci/site` includes it."
    else:
        yield "<p><a class=\"open-tool\" href=\"iwarp.html\">Open iwarp.html</a></p>"
        yield ""
        yield "It is one file, which needs no server and no network. Nothing leaves the machine."
    yield ""
    yield "[The tool in a browser, and in JavaScript](docs/web.md) describes the page."


def stage(root, work, page):
    source = work / "source"
    shutil.rmtree(source, ignore_errors=True)
    copy_tree(root, source)
    docs = source / "docs"
    (source / "index.md").write_text("\n".join(first_page((docs / "README.md").read_text(encoding="utf-8"))), encoding="utf-8")
    (docs / "README.md").unlink()
    (docs / "rules/index.md").write_text("\n".join(rules_page(docs / "rules")), encoding="utf-8")
    (source / "tool.md").write_text("\n".join(tool_page(page)) + "\n", encoding="utf-8")
    api_pages(root, source)
    list_apart(docs / "rules", "index.md", "All rules")
    list_apart(docs / "cases", "README.md", "All cases")
    extra = work / "extra"
    shutil.rmtree(extra, ignore_errors=True)
    extra.mkdir()
    if page is not None:
        shutil.copyfile(page, extra / "iwarp.html")
    return source, extra


def doxygen(root, work):
    """Returns the folder of the XML."""
    config = (root / "docs/api/Doxyfile").read_text(encoding="utf-8")
    config += f"OUTPUT_DIRECTORY = {work}\nGENERATE_HTML = NO\nGENERATE_XML = YES\nXML_PROGRAMLISTING = NO\n"
    subprocess.run(["doxygen", "-"], cwd=root, input=config, text=True, check=True)
    for path in (work / "xml").glob("*_8h.xml"):
        text = path.read_text(encoding="utf-8")
        # A list of rows is no value to show; a comment in the middle of a macro ends with the mark of the next line.
        text = re.sub(r"<initializer>[^<]*(?:\n|X\()[^<]*</initializer>", "", text)
        text = re.sub(r" \\ *</para>", "</para>", text)
        path.write_text(text, encoding="utf-8")
    return work / "xml"


def own_styles(out):
    """Debian's theme loads a style of another package by its address on a web server: here it becomes a part of the style."""
    style = out / "_static/styles/furo.css"
    text = style.read_text(encoding="utf-8")
    for name in re.findall(r"@import url\(/javascript/([^)]*)\);", text):
        found = (Path("/usr/share/javascript") / name).read_text(encoding="utf-8")
        text = text.replace(f"@import url(/javascript/{name});", found)
    style.write_text(text, encoding="utf-8")


def version_of(root):
    text = (root / "libiwarp/include/iwarp/version.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"IWARP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def main():
    root, out = (Path(word).resolve() for word in sys.argv[1:3])
    page = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    work = out.parent / f"{out.name}-work"
    work.mkdir(parents=True, exist_ok=True)
    xml = doxygen(root, work)
    source, extra = stage(root, work, page)
    environment = {**os.environ, "IWARP_SITE_VERSION": version_of(root), "IWARP_SITE_XML": str(xml), "IWARP_SITE_EXTRA": str(extra),
                   "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONPATH": META}  # the index lists sets of words
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(["/usr/bin/sphinx-build", "-q", "-W", "--keep-going", "-j", "auto", "-d", work / "doctrees", "-c", root / "docs/site", source, out],
                          env=environment, check=False)
    own_styles(out)
    (out / ".buildinfo").unlink(missing_ok=True)  # a sum over names of folders, for a build that goes on
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
