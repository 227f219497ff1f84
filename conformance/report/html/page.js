/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws the ladders of a report. Only the lines in sight are in the document, so that their number costs nothing. */
"use strict";
(function () {
  var LINE = 24, MOST = 600000, PAGE = 48, NARROW = 620;
  var NUMBER, LEFT, RIGHT, LABEL; /* where the columns are: fit() */
  var SHEET = 1250, CHARACTER = 7.6; /* width of a printed page, and of a character on it */
  var byId = function (id) { return document.getElementById(id); };
  var ladder = byId("ladder"), svg = byId("drawn"), space = byId("space"), detail = byId("detail");
  var connections = [], rules = {}, summary = {}, lines = [], shown = [], chosen = -1, printing = false, opened = false;

  function escaped(text) {
    return String(text).replace(/[&<>"]/g, function (c) {
      return {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"}[c];
    });
  }

  /* Where there is little room, arrows are short. */
  function fit(width) {
    var narrow = width < NARROW;
    NUMBER = narrow ? 44 : 70;
    LEFT = narrow ? 124 : 190;
    RIGHT = LEFT + (narrow ? 44 : 240);
    LABEL = RIGHT + (narrow ? 10 : 20);
  }

  /* ---- what was written ---- */

  function connection(id) {
    connections[id] = connections[id] || {id: id, lines: [], head: "connection " + id, outcome: "", tail: "", left: 0};
    return connections[id];
  }

  var readers = {
    p: function (v) {
      connection(v[1]).lines.push({kind: v[5], frame: v[2], time: v[3], side: v[4], text: v[6], octets: v[7], hex: v[8],
                                   findings: [], conn: connection(v[1])});
    },
    f: function (v) {
      var conn = connection(v[1]), at = conn.lines.length;
      var finding = {kind: "finding", frame: v[2], rule: v[4], text: v[5], values: v[6], where: v[7],
                     from: v[8], len: v[9], conn: conn, of: null,
                     weight: v[10] ? "expected" : v[3], title: (v[10] ? "expected (" + v[10] + "): " : v[3] + " ") + v[4]};
      while (at > 0 && (conn.lines[at - 1].kind === "finding" || conn.lines[at - 1].frame !== v[2])) {
        at--;
      }
      if (at > 0) {
        finding.of = conn.lines[at - 1];
        finding.of.findings.push(finding);
        at += finding.of.findings.length - 1;
      } else {
        at = conn.lines.length;
      }
      conn.lines.splice(at, 0, finding);
    },
    c: function (v) {
      var conn = connection(v[1]);
      conn.head = v[2];
      conn.left = v[3];
      conn.outcome = v[4];
      conn.tail = v[5];
    },
    r: function (v) { rules[v[1]] = v[2]; },
    s: function (v) { summary = v[1]; }
  };

  function read() {
    JSON.parse(byId("data").textContent).forEach(function (v) { readers[v[0]](v); });
    connections = connections.filter(Boolean);
    connections.forEach(function (conn) {
      lines.push({kind: "title", text: conn.head, conn: conn});
      conn.lines.forEach(function (line) { lines.push(line); });
      lines.push({kind: "end", text: conn.outcome.split("\n")[0], conn: conn});
    });
  }

  /* ---- filters ---- */

  function severities(line) {
    return line.kind === "finding" ? [line.weight] : (line.findings || []).map(function (f) { return f.weight; });
  }

  function wanted() {
    var words = byId("search").value.trim().toLowerCase();
    var conn = byId("conn").value, severity = byId("severity").value;
    return function (line) {
      if (conn !== "" && line.conn.id !== Number(conn)) { return false; }
      if (line.kind === "title" || line.kind === "end") { return words === "" && severity === "" || line.kind === "title"; }
      if (severity === "any" && severities(line).length === 0) { return false; }
      if (severity !== "" && severity !== "any" && severities(line).indexOf(severity) < 0) { return false; }
      return words === "" || (line.frame + " " + line.text + " " + (line.rule || "")).toLowerCase().indexOf(words) >= 0;
    };
  }

  function filter() {
    var kept = lines[chosen], findings = 0, expected = 0, pdus = 0;
    shown = lines.filter(wanted()).slice(0, MOST);
    shown.forEach(function (line) {
      findings += line.kind === "finding" && line.weight !== "expected" ? 1 : 0;
      expected += line.weight === "expected" ? 1 : 0;
      pdus += line.findings ? 1 : 0;
    });
    byId("count").textContent = pdus + " lines, " + findings + " findings" + (expected > 0 ? ", " + expected + " expected" : "") +
      (shown.length === MOST ? "; the rest is too much for a page" : "");
    space.style.height = shown.length * LINE + "px";
    chosen = shown.indexOf(kept);
    draw();
  }

  /* ---- drawing ---- */

  function cross(x, y) {
    return "M" + (x - 5) + " " + (y - 5) + "l10 10m0 -10l-10 10";
  }

  function arrow(line, y) {
    var right = line.side === line.conn.left, from = right ? LEFT : RIGHT, to = right ? RIGHT : LEFT;
    var tip = right ? -7 : 7, middle = (LEFT + RIGHT) / 2;
    if (line.kind === "gap") {
      return "<path class=\"lost\" d=\"M" + from + " " + y + "H" + middle + "\"/><path class=\"cross\" d=\"" +
        cross(middle, y) + "\"/>";
    }
    return "<path class=\"" + (line.kind === "undecodable" ? "unclear" : "arrow") + "\" d=\"M" + from + " " + y + "H" + to +
      "\"/><path class=\"arrow\" d=\"M" + (to + tip) + " " + (y - 4) + "L" + to + " " + y + "L" + (to + tip) + " " + (y + 4) + "\"/>";
  }

  /* On paper nothing can be scrolled: what is too long is drawn narrower. */
  function squeezed(x, text) {
    var room = SHEET - x;
    return printing && text.length * CHARACTER > room ? " textLength=\"" + room + "\" lengthAdjust=\"spacingAndGlyphs\"" : "";
  }

  function label(x, y, name, text) {
    return "<text" + squeezed(x, text) + " x=\"" + x + "\" y=\"" + y + "\" class=\"" + name + "\">" + escaped(text) + "</text>";
  }

  function sides(y) {
    return "<path class=\"side\" d=\"M" + LEFT + " " + (y - LINE / 2) + "v" + LINE + "M" + RIGHT + " " + (y - LINE / 2) + "v" + LINE + "\"/>";
  }

  function spoken(line) {
    return line.kind === "finding" ? line.title + ": " + line.text
      : (line.frame ? "frame " + line.frame + ", " + line.time + " s, " : "") + line.text;
  }

  /* What is expected colours a line where nothing else is found in it. */
  function heaviest(line) {
    return severities(line).sort(function (a, b) { return (a === "expected") - (b === "expected"); })[0] || "";
  }

  function body(line, y) {
    if (line.kind === "title") { return label(8, y, "title", line.text); }
    if (line.kind === "end") { return label(8, y, "end", line.text); }
    if (line.kind === "finding") {
      return sides(y) + (line.of ? "" : number(line, y)) +
        label(LABEL, y, line.weight, "\u25b2 " + (line.weight === "expected" ? line.title : line.rule) + ": " + line.text);
    }
    return sides(y) + number(line, y) +
      "<text x=\"" + (LEFT - 10) + "\" y=\"" + y + "\" class=\"faint\" text-anchor=\"end\">" + escaped(line.time) + "</text>" +
      arrow(line, y) + label(LABEL, y, heaviest(line), line.text);
  }

  function number(line, y) {
    return "<text x=\"" + NUMBER + "\" y=\"" + y + "\" class=\"faint\" text-anchor=\"end\">" + parseInt(line.frame, 10) + "</text>";
  }

  /* The lines from one to before another, as the inside of an svg. */
  function drawing(from, to) {
    var parts = [], i, y;
    for (i = from; i < to; i++) {
      y = (i - from) * LINE + LINE / 2;
      parts.push("<g role=\"option\" id=\"line" + i + "\" aria-selected=\"" + (i === chosen) + "\" aria-label=\"" +
                 escaped(spoken(shown[i])) + "\">" +
                 (i === chosen ? "<rect class=\"chosen\" x=\"0\" y=\"" + (y - LINE / 2) + "\" width=\"100%\" height=\"" + LINE + "\"/>" : "") +
                 body(shown[i], y) + "</g>");
    }
    return parts.join("");
  }

  function draw() {
    fit(ladder.clientWidth);
    var from = Math.max(0, Math.floor(ladder.scrollTop / LINE) - 8);
    var to = Math.min(shown.length, Math.ceil((ladder.scrollTop + ladder.clientHeight) / LINE) + 8);
    svg.style.top = from * LINE + "px";
    svg.setAttribute("height", (to - from) * LINE);
    svg.innerHTML = drawing(from, to);
    if (chosen >= from && chosen < to) {
      ladder.setAttribute("aria-activedescendant", "line" + chosen);
    } else {
      ladder.removeAttribute("aria-activedescendant");
    }
  }

  /* ---- the line that was chosen ---- */

  function hexdump(line) {
    var out = "", marked = {}, n = line.hex.length / 2, i, j, code, pair, text;
    line.findings.forEach(function (f) {
      for (i = f.from; f.from >= 0 && i < f.from + f.len; i++) { marked[i] = true; }
    });
    for (i = 0; i < n; i += 16) {
      text = "";
      out += ("000" + i.toString(16)).slice(-4) + "  ";
      for (j = i; j < i + 16; j++) {
        pair = j < n ? line.hex.substr(2 * j, 2) : "  ";
        code = parseInt(pair, 16);
        out += (marked[j] && j < n ? "<mark>" + pair + "</mark>" : pair) + (j % 2 ? " " : "");
        text += j < n ? (code >= 32 && code < 127 ? String.fromCharCode(code) : ".") : "";
      }
      out += " " + escaped(text) + "\n";
    }
    return "<h3>Octets</h3><pre>" + out + "</pre>" +
      (line.octets > n ? "<p>and " + (line.octets - n) + " more</p>" : "");
  }

  function row(name, text) {
    return text ? "<dt>" + escaped(name) + "</dt><dd>" + escaped(text) + "</dd>" : "";
  }

  function about(finding) {
    var rule = rules[finding.rule] || {};
    return "<h3 class=\"" + finding.weight + "\">" + escaped(finding.title) + "</h3><p>" +
      escaped(finding.text) + "</p><dl>" + row("values", finding.values) + row("where", finding.where) +
      row("demanded", rule.summary) + row("level", rule.level) + row("RFC", rule.sections) + row("impact", rule.impact) +
      row("cause", rule.cause) + row("effect", rule.effect) + row("operator", rule.operator) +
      row("implementer", rule.implementer) + row("more", "iwarp explain " + finding.rule) + "</dl>";
  }

  function explain(line) {
    var owner = line.kind === "finding" ? line.of : line, html = "<h2>" + escaped(line.kind === "finding" ? "Finding" : line.text) + "</h2>";
    if (line.kind === "title" || line.kind === "end") {
      detail.innerHTML = "<h2>" + escaped(line.conn.head) + "</h2><pre>" + escaped(line.conn.outcome) + "</pre><p>" +
        escaped(line.conn.tail) + "</p>";
      return;
    }
    html += "<p>frame " + escaped(String(line.frame)) + (line.time ? ", " + escaped(line.time) + " s after the connection began" : "") + "</p>";
    html += line.kind === "finding" ? about(line) : line.findings.map(about).join("");
    if (line.kind === "finding" && owner) { html += "<h3>It is about</h3><p>" + escaped(owner.text) + "</p>"; }
    detail.innerHTML = html + (owner && owner.hex ? hexdump(owner) : "");
  }

  function choose(index) {
    var top;
    if (shown.length === 0) { return; }
    chosen = Math.max(0, Math.min(shown.length - 1, index));
    top = chosen * LINE;
    if (top < ladder.scrollTop) {
      ladder.scrollTop = top;
    } else if (top + LINE > ladder.scrollTop + ladder.clientHeight) {
      ladder.scrollTop = top + LINE - ladder.clientHeight;
    }
    draw();
    explain(shown[chosen]);
  }

  function nextFinding(step) {
    var i = chosen + step;
    while (i >= 0 && i < shown.length && shown[i].kind !== "finding") { i += step; }
    if (i >= 0 && i < shown.length) { choose(i); }
  }

  /* ---- keys, mouse, print ---- */

  function key(event) {
    var page = Math.max(1, Math.floor(ladder.clientHeight / LINE) - 1);
    var moves = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + page, PageUp: chosen - page, Home: 0,
                 End: shown.length - 1};
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    if (Object.prototype.hasOwnProperty.call(moves, event.key)) {
      choose(moves[event.key]);
    } else if (event.key === "n" || event.key === "p") {
      nextFinding(event.key === "n" ? 1 : -1);
    } else if (event.key === "/") {
      byId("search").focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  function clicked(event) {
    var y = event.clientY - ladder.getBoundingClientRect().top + ladder.scrollTop;
    if (y < shown.length * LINE) { choose(Math.floor(y / LINE)); }
  }

  function before() {
    var html = "", i, to;
    printing = true;
    fit(Infinity);
    for (i = 0; i < shown.length; i += PAGE) {
      to = Math.min(shown.length, i + PAGE);
      html += "<svg viewBox=\"0 0 " + SHEET + " " + (to - i) * LINE + "\">" +
        drawing(i, to).replace(/ id="line\d+"/g, "") + "</svg>";
    }
    byId("print").innerHTML = html;
    opened = byId("more").open; /* the summary is printed too */
    byId("more").open = true;
  }

  function after() {
    printing = false;
    byId("print").innerHTML = "";
    byId("more").open = opened;
    draw();
  }

  function option(value, text) {
    var one = document.createElement("option");
    one.value = value;
    one.textContent = text;
    return one;
  }

  function begin() {
    var verdict = byId("verdict");
    read();
    verdict.textContent = summary.verdict || "not finished";
    verdict.className = "verdict " + (summary.verdict || "error");
    byId("summary").textContent = summary.text || "";
    connections.forEach(function (conn) { byId("conn").appendChild(option(conn.id, conn.head)); });
    ["search", "conn", "severity"].forEach(function (id) { byId(id).addEventListener("input", filter); });
    byId("filters").addEventListener("submit", function (event) { event.preventDefault(); ladder.focus(); });
    ladder.addEventListener("keydown", key);
    ladder.addEventListener("click", clicked);
    ladder.addEventListener("scroll", function () { window.requestAnimationFrame(draw); });
    window.addEventListener("resize", draw);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    filter();
  }

  begin();
}());
