#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""html_page: the page of `TOOL check -T html`.

html_page.py page TOOL CAPTURE_FOLDER             what stands in it: the PDUs of dump, the findings, nothing from elsewhere,
                                                  and a policy that allows its own script and style alone
html_page.py browser TOOL CAPTURE_FOLDER BIGCAP   what it does: headless Chromium clicks, types, filters and prints it;
                                                  exit status 77 where there is no Chromium
"""

import base64
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import schema_check  # noqa: E402  (lists the captures of a folder)

SKIPPED = 77
RFC = 'var RFC = "https://www.rfc-editor.org/rfc/rfc";'  # a link that somebody may follow; it loads nothing
ELSEWHERE = re.compile(r"https?:|//[a-z]|@import|url\(|<(link|img|iframe|object|embed|base)\b|\b(src|href|action)\s*=", re.I)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROKEN = os.path.join("real", "siw", "hp-err-msn-skip.pcap")
LOSSY = os.path.join("synthetic", "wireshark-defects", "t24.pcap")
MANY = 10000
POINTS = 2000
DOTS = ("Octets of the stream", "Response time of Reads by")
PLOTTED = ("nvme-queues", "rping-64", "ib_read_bw-70000", "loss-2", "nfs4-read", "hp-err-msn-skip")
DRAWN_MOST = 160  # lines in the document, however long the ladder is


def page_of(tool, paths, *words):
    return subprocess.run([tool, "check", "-T", "html", *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8")


def lines_of(tool, words, paths):
    done = subprocess.run([tool, *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [line for line in map(json.loads, done.stdout.splitlines()) if line.get("type") != "run"]


def data_of(page):
    """{kind: [items]} of the page's data, and the page without it."""
    parts = re.fullmatch(r"(?s)(.*<script type=\"application/json\" id=\"data\">\n)(.*?)(</script>.*)", page)
    assert not set("<>&") & set(parts.group(2)), "markup in the data"
    items = {}
    for item in json.loads(parts.group(2)):
        items.setdefault(item[0], []).append(item[1:])
    return items, parts.group(1) + parts.group(3)


def hash_of(text):
    """As a Content-Security-Policy names an inline script or style."""
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_policy(page):
    """The policy stands before all that it is about, and allows one script and one style."""
    root = ET.fromstring(page.replace("<!DOCTYPE html>", "", 1))
    head = root.find("head")
    metas = [element.attrib for element in head if element.tag == "meta"]
    policies = [meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"]
    styles = re.findall(r"(?s)<style>(.*?)</style>", page)
    scripts = re.findall(r"(?s)<script>(.*?)</script>", page)
    assert len(list(root.iter("style"))) == len(styles) == 1 and len(list(root.iter("script"))) == 2 and len(scripts) == 1
    assert policies == ["default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'"
                        % (hash_of(scripts[0]), hash_of(styles[0]))], policies
    assert head[1].attrib.get("content") == policies[0] and head[0].attrib == {"charset": "utf-8"}
    inline = [name for element in root.iter() for name in element.attrib if name == "style" or name.startswith("on")]
    assert not inline and "style=" not in scripts[0], inline


def check_parts(written, table):
    """Each form of a PDU lies in its octets, and is in the table of fields; a Send has a header of DDP."""
    forms = {form[0]: form for form in table}
    assert len(forms) > 10 and all(len(field) == 5 for form in table for field in form[3])
    for item in written:
        octets, parts = item[6], item[12]
        assert all(form in forms or form == 0 for form, _, _ in parts), parts
        assert all(at + count <= octets for _, at, count in parts), item
        if item[4] == "startup" or item[8] == "send" and item[6]:
            assert parts, item


def drawn_of(markup):
    """What each plot draws: (title, class and path or place of each part), without the axes."""
    root = ET.fromstring("<div>%s</div>" % markup)
    figures = []
    for figure in root.iter("figure"):
        area = [svg for svg in figure.iter("svg") if svg.get("class") == "area"]
        assert len(area) == 1 and figure.find("svg").get("role") == "img", markup[:300]
        parts = [(part.get("class"), part.get("d") or (part.get("x"), part.get("y"))) for part in area[0]]
        assert all(sum(path.count("h0") for _, path in parts if isinstance(path, str)) <= POINTS for _ in parts)
        figures.append((figure.find("figcaption").text, parts))
    return figures


def kinds_of(figures):
    """Of the plots over time of FPDUs: how many of each kind are drawn. Times differ: packets without an FPDU have no event."""
    return [(title, sorted((kind, path.count("h0")) for kind, path in parts)) for title, parts in figures if title.startswith(DOTS)]


def check_plots(tool, path):
    """check and stats draw the same; returns how many plots there are."""
    text = subprocess.run([tool, "stats", "-T", "html", path], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    sections = [drawn_of(part) for part in re.findall(r"(?s)</details>\n(.*?)</section>", text)]
    items, _ = data_of(page_of(tool, [path], "-v"))
    plots = {item[0]: drawn_of(item[1]) for item in items.get("g", [])}
    numbers = sorted(item[0] for item in items["c"])
    assert len(sections) == len(numbers), (path, len(sections), len(numbers))
    for number, section in zip(numbers, sections):
        found = plots.get(number, [])
        assert [title for title, _ in found] == [title for title, _ in section if found], (path, found)
        assert kinds_of(found) == kinds_of(section), (path, kinds_of(found), kinds_of(section))
    return sum(map(len, plots.values()))


def check_page(tool, paths):
    """Returns how many PDUs the page has."""
    page = page_of(tool, paths)
    check_policy(page)
    ET.fromstring(page.replace("<!DOCTYPE html>", "", 1))  # it is well-formed XML as well
    items, rest = data_of(page)
    rest = rest.replace(RFC, "", 1).replace("<a rel=\\\"noreferrer\\\" href=\\\"", "", 1)
    found = ELSEWHERE.search(re.sub(r"^ *//.*$|/\*.*?\*/", "", rest, flags=re.MULTILINE))
    assert not found, rest[found.start() - 60:found.end() + 60]
    pdus = lines_of(tool, ["dump", "-T", "jsonl", "-x"], paths)
    written = [item for item in items["p"] if item[4] != "close"]
    assert Counter(item[1] for item in written) == Counter(pdu["frame"] for pdu in pdus)
    resets = [item for item in items["p"] if item[5] == "RST"]
    assert len({(item[0], item[1]) for item in resets}) == len(resets) > 0, "an RST has one sender"
    octets = Counter(pdu["octets"][:128] for pdu in pdus if pdu.get("octets"))
    assert Counter(item[7][:128] for item in written if item[7]) == octets
    check_parts(written, items["t"])
    findings = [line for line in lines_of(tool, ["check", "-v", "-T", "jsonl"], paths) if line["type"] == "finding"]
    wanted = Counter((f["frame"], f["severity"], f["rule"], f["message"]) for f in findings)
    assert Counter((i[1], i[2], i[3], i[4]) for i in items.get("f", [])) == wanted
    assert {rule[0] for rule in items.get("r", [])} == {f["rule"] for f in findings}
    assert len(items["s"]) == 1 and items["s"][0][0]["verdict"] in page
    assert len({item[0] for item in items["c"]}) == len(items["c"])
    return len(written)


def check_long(tool):
    """A long page has the first lines, those near to a finding and the end, and says how many lines it lacks."""
    text = "i> mpa-request C\nr> mpa-reply C\n" + "i> send len=20 times=1000\n" * 45 + "i> send len=20 crc=bad\n" + \
        "i> send len=20 times=1000\n" * 5
    with tempfile.TemporaryDirectory() as folder:
        scenario, capture = (os.path.join(folder, name) for name in ("long.scn", "long.pcap"))
        with open(scenario, "w", encoding="utf-8") as stream:
            stream.write(text)
        subprocess.run([tool, "gen", scenario, "-o", capture], check=True)
        page = page_of(tool, [capture])
    items, _ = data_of(page)
    frames = [item[1] for item in items["p"]]
    wrong = items["f"][0][1]
    assert 40000 < len(frames) < 50000 and len(page) < 20000000, (len(frames), len(page))
    assert len(frames) + items["s"][0][0]["left_out"] == 50003 + 2, (len(frames), items["s"])
    assert frames[:30000] == list(range(4, 6)) + list(range(6, 30004)), frames[:10]
    near = [frame for frame in frames if wrong - 2 <= frame <= wrong + 8]
    assert near == list(range(wrong - 2, wrong + 9)), near
    assert 0 < len([frame for frame in frames if frame > wrong + 100]) < 1000
    series = max(drawn_of(items["g"][0][1]), key=lambda figure: len(str(figure)))
    assert POINTS / 2 <= sum(path.count("h0") for _, path in series[1]) <= POINTS, series[0]


def packets_of(tool, text):
    """The records of a capture of one connection."""
    made = subprocess.run([tool, "gen", "-", "-o", "-"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    at, records = 24, []
    while at < len(made):
        end = at + 16 + struct.unpack_from("<I", made, at + 8)[0]
        records.append(made[at:end])
        at = end
    return made[:24], records


def with_port(record, old, new):
    """The record with another port of the client, and the checksum of TCP that belongs to it."""
    out, tcp = bytearray(record), 16 + 14 + 20
    place = tcp if struct.unpack_from("!H", out, tcp)[0] == old else tcp + 2
    struct.pack_into("!H", out, place, new)
    total = (~struct.unpack_from("!H", out, tcp + 16)[0] & 0xffff) + (~old & 0xffff) + new
    total = (total & 0xffff) + (total >> 16)
    struct.pack_into("!H", out, tcp + 16, ~((total & 0xffff) + (total >> 16)) & 0xffff)
    return bytes(out)


def check_many_connections(tool, good=6000, bad=20):
    """A page of many connections has the first ones, a sample, and those with a problem, and says how many it lacks."""
    text = "i> mpa-request C\nr> mpa-reply C\n" + "i> send len=20\nr> send len=20\n" * 4
    head, right = packets_of(tool, text)
    _, wrong = packets_of(tool, text + "i> send len=20 crc=bad\n")
    old = struct.unpack_from("!H", right[0], 16 + 14 + 20)[0]
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "many.pcap")
        with open(capture, "wb") as stream:
            stream.write(head + b"".join(with_port(record, old, 20000 + i) for i in range(good + bad)
                                         for record in (right if i < good else wrong)))
        page = page_of(tool, [capture])
    items, _ = data_of(page)
    conns, summary = items["c"], items["s"][0][0]
    assert len(page) < 20000000 and 1000 < len(conns) < good, (len(page), len(conns))
    assert len(conns) + summary["conns_left_out"] == good + bad, (len(conns), summary)
    assert summary["findings_left_out"] == 0 and len(items["f"]) == bad, summary
    assert {item[0] for kind in ("p", "f", "g") for item in items[kind]} <= {item[0] for item in conns}
    assert all("1 violation" in item[4] for item in conns[-bad:]), conns[-bad]
    assert len([item for item in items["p"] if item[0] == conns[-1][0]]) > 2, "no lines before the finding"
    assert len(items["p"]) + summary["left_out"] == 12 * good + 13 * bad, (len(items["p"]), summary)


# What a person would do, one thing after the other; `say` keeps the results.
ACTIONS = """
(function () {
  var out = {}, at = function (id) { return document.getElementById(id); };
  var drawn = function () { return document.querySelectorAll("#drawn g[role=option]"); };
  var texts = function () { return Array.from(drawn()).map(function (g) { return g.getAttribute("aria-label"); }); };
  var press = function (key) { at("ladder").dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true, cancelable: true})); };
  var set = function (id, value) { at(id).value = value; at(id).dispatchEvent(new Event("input", {bubbles: true})); };
  var chosen = function () { var g = document.querySelector("#drawn g[aria-selected=true]"); return g ? g.getAttribute("aria-label") : ""; };
  var begun = performance.now();
  out.verdict = at("verdict").textContent;
  out.title = document.title;
  out.files = at("files").textContent;
  out.problems = at("problems").textContent;
  out.opened = chosen();
  var buttons = at("problems").querySelectorAll("button[data-frame]");
  if (buttons.length > 1) { buttons[1].click(); out.jumped = chosen(); }
  out.ends = Array.from(document.querySelectorAll("#drawn g[role=presentation] text")).map(function (text) { return text.textContent; });
  out.operations = document.querySelectorAll("#drawn .op-send").length;
  var field = Array.from(at("detail").querySelectorAll("[data-from]")).find(function (li) { return /^ULPDU_Length/.test(li.textContent); });
  if (field) {
    out.field = field.textContent;
    field.click();
    out.marked = Array.from(at("detail").querySelectorAll("[data-at].on")).map(function (span) { return +span.dataset.at; });
    at("detail").querySelector("[data-at='0']").click();
    out.fieldOf = Array.from(at("detail").querySelectorAll("[data-from].on")).map(function (li) { return li.textContent; });
  }
  at("ladder").scrollTop = 0; at("ladder").dispatchEvent(new Event("scroll"));
  press("Home");
  out.drawn = drawn().length;
  out.lines = texts();
  out.count = at("count").textContent;
  out.drawnExpected = document.querySelectorAll("#drawn text.expected").length;
  var finding = Array.from(drawn()).find(function (g) { return /^violation/.test(g.getAttribute("aria-label")); });
  if (finding) {
    var box = finding.getBoundingClientRect();
    at("ladder").dispatchEvent(new MouseEvent("click", {clientX: box.left + 5, clientY: box.top + 5, bubbles: true}));
    out.clicked = chosen();
    out.detail = at("detail").textContent;
    out.marks = at("detail").querySelectorAll("mark").length;
    out.links = Array.from(at("detail").querySelectorAll("a")).map(function (a) { return a.href; });
  }
  at("ladder").focus();
  press("Home"); out.home = chosen();
  press("ArrowDown"); out.down = chosen();
  out.octets = at("detail").textContent;
  var answer = at("detail").querySelector("button[data-frame]");
  if (answer) { answer.click(); out.answer = chosen(); out.answers = at("detail").textContent; }
  press("Home");
  press("n"); out.next = chosen();
  press("n"); out.next2 = chosen();
  press("p"); out.back = chosen();
  press("End"); out.end = chosen();
  out.endDrawn = drawn().length;
  at("ladder").scrollTop = 0; at("ladder").dispatchEvent(new Event("scroll"));
  var heads = function (sign) { return Array.from(drawn()).filter(function (g) { return g.textContent.indexOf(sign) >= 0; }); };
  out.folded = heads("\u25b8").length;
  if (out.folded > 0) {
    out.before = at("space").style.height;
    var head = heads("\u25b8")[0].getBoundingClientRect();
    at("ladder").dispatchEvent(new MouseEvent("click", {clientX: head.left + 5, clientY: head.top + 5, bubbles: true}));
    press("Enter");
    out.unfolded = heads("\u25be").length;
    out.after = at("space").style.height;
    press("Enter");
    out.again = at("space").style.height;
  }
  press("/"); out.focus = document.activeElement.id;
  at("view").click();
  out.views = [at("ladder").hidden, at("plots").hidden, at("view").getAttribute("aria-pressed")];
  out.figures = document.querySelectorAll("#plots figure").length;
  PLOTS(at("plots"), out);
  at("view").click();
  out.ladder = [at("ladder").hidden, document.querySelectorAll("#plots figure").length];
  set("severity", "any"); out.any = texts(); out.anyCount = at("count").textContent;
  set("severity", "violation"); out.violations = texts();
  set("severity", "expected"); out.expected = texts();
  set("severity", "");
  set("search", "terminate"); out.search = texts();
  set("search", "");
  set("conn", at("conn").options[at("conn").options.length - 1].value); out.last = texts();
  set("conn", "");
  window.dispatchEvent(new Event("beforeprint"));
  out.printed = document.querySelectorAll("#print g[role=option]").length;
  out.pages = document.querySelectorAll("#print svg").length;
  out.ids = document.querySelectorAll("#print [id]").length;
  out.cut = Array.prototype.filter.call(document.querySelectorAll("#print text"), function (text) {
    return +text.getAttribute("x") + text.textContent.length * 7 > 1250 && !text.getAttribute("textLength");
  }).length;
  out.open = at("more").open;
  window.dispatchEvent(new Event("afterprint"));
  out.closed = !at("more").open;
  at("more").open = true;
  window.dispatchEvent(new Event("beforeprint"));
  window.dispatchEvent(new Event("afterprint"));
  out.kept = at("more").open;
  at("more").open = false;
  out.left = document.querySelectorAll("#print g").length;
  at("ladder").style.width = "400px";
  window.dispatchEvent(new Event("resize"));
  out.narrow = Math.max.apply(null, Array.from(document.querySelectorAll("#drawn text")).map(function (text) { return +text.getAttribute("x"); }));
  at("ladder").style.width = "";
  window.dispatchEvent(new Event("resize"));
  out.wide = Math.max.apply(null, Array.from(document.querySelectorAll("#drawn text")).map(function (text) { return +text.getAttribute("x"); }));
  out.lost = document.querySelectorAll("#drawn .lost").length;
  out.all = at("count").textContent;
  out.ms = Math.round(performance.now() - begun);
  out.forbidden = window.forbidden;
  document.body.innerHTML = "";
  document.title = "done";
  var result = document.createElement("pre");
  result.textContent = "RESULT" + JSON.stringify(out) + "RESULT";
  document.body.appendChild(result);
}());
"""


# A brush over the first plot over time, in its units; then keys, and the ways back.
BRUSH = """
function PLOTS(section, out) {
  var svg = section.querySelector("svg[data-ns]"), area = svg.querySelector(".area"), box = svg.getBoundingClientRect();
  var button = svg.parentNode.querySelector("button"), whole = area.getAttribute("viewBox");
  var other = section.querySelectorAll("svg[data-ns]")[1];
  var view = function () { return area.getAttribute("viewBox").split(" ").map(Number); };
  var point = function (name, x, y) {
    svg.dispatchEvent(new PointerEvent(name, {clientX: box.left + x / 760 * box.width, clientY: box.top + y / 220 * box.height,
                                              button: 0, bubbles: true, cancelable: true, pointerId: 1}));
  };
  var press = function (key) { svg.dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true, cancelable: true})); };
  var brush = function (x, y, to, low) { point("pointerdown", x, y); point("pointermove", to, low); point("pointerup", to, low); };
  out.whole = view();
  out.hidden = [button.hidden];
  brush(255, 60, 420, 65);
  out.brushed = view();
  out.linked = other.querySelector(".area").getAttribute("viewBox").split(" ").map(Number);
  out.axis = Array.from(svg.querySelectorAll(".axis text")).map(function (text) { return text.textContent; });
  out.hidden.push(button.hidden);
  out.focused = document.activeElement === svg;
  press("ArrowRight"); out.right = view();
  press("+"); out.plus = view();
  press("-"); out.minus = view();
  press("0"); out.reset = area.getAttribute("viewBox") === whole;
  brush(255, 40, 420, 120); out.both = view();
  button.click(); out.returned = area.getAttribute("viewBox") === whole;
  out.hidden.push(button.hidden);
  point("pointerdown", 300, 60); point("pointerup", 301, 60); out.clickOnly = area.getAttribute("viewBox") === whole;
  brush(255, 40, 420, 45); svg.dispatchEvent(new MouseEvent("dblclick", {bubbles: true}));
  out.twice = area.getAttribute("viewBox") === whole;
  out.brushes = document.querySelectorAll(".brush").length;
}
"""

# The page of stats: no other script.
STATS = BRUSH + """
(function () {
  var out = {}, result = document.createElement("pre");
  PLOTS(document.querySelector("section"), out);
  out.forbidden = window.forbidden;
  document.body.innerHTML = "";
  result.textContent = "RESULT" + JSON.stringify(out) + "RESULT";
  document.body.appendChild(result);
}());
"""

# Keeps what the policy of the page forbids.
WATCH = """
window.forbidden = [];
document.addEventListener("securitypolicyviolation", function (event) {
  window.forbidden.push(event.effectiveDirective + " " + (event.blockedURI || ""));
});
"""

# What an attacker would put into a page, and what the policy calls it; each would change the title.
INJECTED = """<script>document.title = "reached";</script><p id="hurt" onclick="document.title = 'reached'" style="color: red">x</p>
<img src="x.png" onerror="document.title = 'reached'"/><a id="link" href="javascript:document.title='reached'">x</a>
<script src="data:text/javascript,document.title='reached'"></script><style>#hurt { color: red; }</style>"""
FORBIDDEN = {"script-src-elem", "script-src-attr", "style-src-attr", "style-src-elem", "img-src"}
ATTACK = """
(function () {
  var out = {}, result = document.createElement("pre");
  out.colour = getComputedStyle(document.getElementById("hurt")).color;
  document.getElementById("hurt").click();
  document.getElementById("link").click();
  try { out.eval = eval("1 + 1"); } catch (error) { out.eval = "refused"; }
  window.addEventListener("load", function () {
    out.title = document.title;
    out.forbidden = window.forbidden;
    document.body.innerHTML = "";
    result.textContent = "RESULT" + JSON.stringify(out) + "RESULT";
    document.body.appendChild(result);
  });
}());
"""


def script_of(text):
    return "\n//<![CDATA[\n%s//]]>\n" % text


def allowed(page, *scripts):
    """The page with these scripts allowed besides its own; the first one stands before all others."""
    first = "<script>%s</script><style>" % script_of(scripts[0])
    hashes = " ".join(hash_of(script_of(text)) for text in scripts)
    return page.replace("script-src ", "script-src %s " % hashes, 1).replace("<style>", first, 1)


def act(browser, page, folder, script=BRUSH + ACTIONS):
    """The results of the actions, in a page that allows them besides its own script."""
    path = os.path.join(folder, "page.html")
    page = allowed(page, WATCH, script).replace("</body>", "<script>%s</script></body>" % script_of(script))
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(page)
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1500",
                           "--user-data-dir=" + os.path.join(folder, "profile"), "--dump-dom", "file://" + path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    found = re.search(r"(?s)RESULT(.*)RESULT", done.stdout.decode("utf-8"))
    assert found, (done.returncode, done.stderr[-2000:], done.stdout[-500:])
    text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return json.loads(text)


def close(a, b):
    return len(a) == len(b) and all(abs(x - y) < 0.6 for x, y in zip(a, b))


def check_zoom(r):
    """A flat brush changes the time of all plots, a tall one the values too; keys move and widen; three ways lead back."""
    assert close(r["whole"], [86, 6, 668, 183]), r["whole"]
    x, y, width, height = r["brushed"]
    assert close([x, y, width, height], [254, 6, 167, 183]), r["brushed"]
    assert close([r["linked"][0], r["linked"][2]], [x, width]), (r["linked"], r["brushed"])
    assert r["hidden"] == [True, False, True] and r["focused"] and len(r["axis"]) > 6 and any(" s" in word for word in r["axis"]), r
    assert close(r["right"], [254 + 165 / 4, 6, width, height]), r["right"]
    assert close([r["plus"][2]], [width / 2]) and close(r["minus"], r["right"]), (r["plus"], r["minus"])
    assert r["both"][3] < height / 2 and close([r["both"][2]], [width]), r["both"]
    assert r["reset"] and r["returned"] and r["clickOnly"] and r["twice"] and r["brushes"] == 0, r


def check_stats(browser, tool, folder, place):
    """The page of stats zooms in, too."""
    path = os.path.join(folder, "real", "siw", "nvme-queues.pcap")
    page = subprocess.run([tool, "stats", "-T", "html", path], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    r = act(browser, page, place, STATS)
    check_zoom(r)
    assert r["forbidden"] == [], r["forbidden"]


def check_actions(browser, tool, folder, place):
    r = act(browser, page_of(tool, [os.path.join(folder, name) for name in (BROKEN, LOSSY)]), place)
    assert r["verdict"] == "fail" and r["drawn"] == len(r["lines"]), r
    assert r["title"] == "hp-err-msn-skip.pcap, t24.pcap - iwarp check" and r["files"] == "hp-err-msn-skip.pcap, t24.pcap", r
    assert "breaks the rule ddp.msn-sequence" in r["problems"] and "operator" in r["problems"], r["problems"]
    assert r["opened"].startswith("frame 10,") and r["jumped"].startswith("frame 12,"), (r["opened"], r["jumped"])
    assert {"10.0.2.2:53884", "10.0.2.15:7200"} <= set(r["ends"]) and r["operations"] > 1, r["ends"]
    assert r["field"] == "ULPDU_Length: 42" and r["marked"] == [0, 1] and r["fieldOf"] == [r["field"]], r
    assert "https://www.rfc-editor.org/rfc/rfc5041#section-4.3" in r["links"], r["links"]
    assert "mpa-reply" in r["answer"] and "answers frame 4" in r["answers"], r["answer"]
    assert r["lines"][0].startswith("hp-err-msn-skip.pcap: conn 0: "), r["lines"]
    assert r["clicked"].startswith("violation ddp.msn-sequence: MSN is 5, expected 2"), r["clicked"]
    for word in ("RFC 5041", "expected 2, observed 5", "cause", "effect", "iwarp explain ddp.msn-sequence", "Octets"):
        assert word in r["detail"], (word, r["detail"])
    assert r["marks"] == 4, r["marks"]  # the MSN
    assert r["home"] == r["lines"][0] and r["down"] == r["lines"][1] and "mpa-request" in r["down"], r
    assert "4d50 4120 4944 2052" in r["octets"] and "MPA ID R" in r["octets"], r["octets"]
    assert r["next"] == r["back"] == r["clicked"] and r["next2"].startswith("violation rdmap.terminate-code"), r
    assert "outcome: " in r["end"] and r["focus"] == "search", r
    assert all(re.match(r"violation|frame (10|12),|\S+: conn ", line) for line in r["any"]), r["any"]
    assert r["anyCount"] == "2 lines, 3 findings", r["anyCount"]
    assert len(r["search"]) == 5 and all("terminate" in line or ": conn " in line for line in r["search"]), r["search"]
    assert r["last"][0].startswith("t24.pcap: conn 0: ") and not any("hp-err" in line for line in r["last"]), r["last"]
    assert r["printed"] == len(r["lines"]) and r["pages"] == 1 and r["ids"] == 0 and r["left"] == 0, r
    assert r["closed"] and r["kept"], "after printing the summary is as it was before"
    assert r["cut"] == 0 and r["open"], "print cuts what is too long"
    assert r["narrow"] < 200 < r["wide"], (r["narrow"], r["wide"])
    assert r["lost"] == 2 and r["all"] == r["count"], r
    assert r["views"] == [True, False, "true"] and r["ladder"] == [False, 0] and r["figures"] > 3, r
    check_zoom(r)
    assert r["forbidden"] == [], r["forbidden"]


def check_attack(browser, tool, folder, place):
    """What was put into a page runs nothing and loads nothing."""
    page = page_of(tool, [os.path.join(folder, BROKEN)])
    r = act(browser, page.replace("<main>", INJECTED + "<main>"), place, ATTACK)
    assert r["title"].endswith("iwarp check") and r["eval"] == "refused" and r["colour"] != "rgb(255, 0, 0)", r
    assert FORBIDDEN <= {one.split()[0] for one in r["forbidden"]}, r["forbidden"]


def check_expected(browser, tool, folder, place):
    """What a profile expects has a colour, a count and a filter of its own."""
    r = act(browser, page_of(tool, [os.path.join(folder, BROKEN)], "--profile", "siw"), place)
    assert re.fullmatch(r"\d+ lines, 1 findings, 2 expected", r["count"]), r["count"]
    assert [line for line in r["violations"] if "ddp." in line or "rdmap." in line] == [r["clicked"]], r["violations"]
    shown = [line for line in r["expected"] if line.startswith("expected (")]
    assert len(shown) == 2 and all(re.match(r"expected \(siw-\d+\): rdmap\.", line) for line in shown), r["expected"]
    assert r["drawnExpected"] >= 2, r["drawnExpected"]


def check_many(browser, tool, bigcap, place):
    """A long ladder has no more in the document than a short one; returns the milliseconds of all actions."""
    path = os.path.join(place, "many.pcap")
    with open(path, "wb") as stream:
        subprocess.run([bigcap, str(MANY * 1700), "1"], stdout=stream, check=True)
    page = page_of(tool, [path])
    pdus = len(data_of(page)[0]["p"])
    r = act(browser, page, place)
    assert pdus > MANY and r["count"] == "%d lines, 0 findings" % pdus, (pdus, r["count"])
    assert 20 < r["drawn"] <= DRAWN_MOST and 20 < r["endDrawn"] <= DRAWN_MOST, r
    assert r["printed"] < pdus / 2, "FPDUs of a message are one row"
    assert r["folded"] > 1 and r["unfolded"] == 1 and r["before"] == r["again"] != r["after"], r
    return pdus, r["ms"]


def main(what, tool, folder, *rest):
    if what == "page":
        paths = list(schema_check.captures([folder]))
        print("%d captures, %d PDUs" % (len(paths), check_page(tool, paths)))
        print("%d plots" % sum(check_plots(tool, os.path.join(folder, "real", "siw", name + ".pcap")) for name in PLOTTED))
        check_long(tool)
        check_many_connections(tool)
        return 0
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("skipped: none of %s is installed" % ", ".join(BROWSERS))
        return SKIPPED
    with tempfile.TemporaryDirectory() as place:
        check_actions(browser, tool, folder, place)
        check_stats(browser, tool, folder, place)
        check_attack(browser, tool, folder, place)
        check_expected(browser, tool, folder, place)
        print("%d PDUs: all actions took %d ms" % check_many(browser, tool, rest[0], place))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
