/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws the ladders of a report. Only the rows in sight are in the document, so that their number costs nothing. */
"use strict";
(function () {
  var LINE = 24, MOST = 600000, PAGE = 48, NARROW = 620;
  var NUMBER, LEFT, RIGHT, LABEL; /* where the columns are: fit() */
  var SHEET = 1250, CHARACTER = 7.6; /* width of a printed page, and of a character */
  var PAUSE = 1; /* seconds without a line that are drawn */
  var TOP = 20; /* connections with a diagnosis above the ladder, and with plots at a time */
  var RFC = "https://www.rfc-editor.org/rfc/rfc"; /* links to it load nothing by themselves */
  var UINT = 1, HEX = 2, FLAG = 3, OCTETS = 4, HEX_LE = 5, UINT_LE = 6; /* as iwarp_field_kind */
  var byId = function (id) { return document.getElementById(id); };
  var ladder = byId("ladder"), svg = byId("drawn"), space = byId("space"), detail = byId("detail");
  var connections = [], rules = {}, forms = {}, notes = [], summary = {}, lines = [], shown = [], rows = [], matched = null;
  var chosen = -1, opened = false;

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
    connections[id] = connections[id] || {id: id, lines: [], head: "connection " + id, outcome: "", tail: "", left: 0, about: {}};
    return connections[id];
  }

  var readers = {
    p: function (v) {
      connection(v[1]).lines.push({kind: v[5], frame: v[2], time: v[3], side: v[4], text: v[6], octets: v[7], hex: v[8],
                                   op: v[9], key: v[10], last: v[11], link: v[12], parts: v[13],
                                   findings: [], more: [], first: null, conn: connection(v[1])});
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
      conn.about = v[6];
    },
    g: function (v) { connection(v[1]).plots = v[2]; },
    n: function (v) { notes.push({file: v[1], text: v[2]}); },
    t: function (v) { forms[v[1]] = {label: v[2], rfc: v[3], fields: v[4]}; },
    r: function (v) { rules[v[1]] = v[2]; },
    s: function (v) { summary = v[1]; }
  };

  /* FPDUs of one message that follow one another are one row. */
  function fold(conn) {
    var before = null;
    conn.lines.forEach(function (line) {
      if (line.kind === "finding") { return; }
      if (before && line.key && !before.last && before.key === line.key && before.op === line.op && before.side === line.side) {
        line.first = before.first || before;
        line.first.more.push(line);
      }
      before = line;
    });
  }

  /* A request and its answer name one another: answers come in the order of requests. */
  function pair(conn) {
    var waiting = {};
    conn.lines.forEach(function (line) {
      var link = line.link || "", key = link.slice(1) + (link[0] === "?" ? line.side : 1 - line.side), list = waiting[key];
      if (link[0] === "?") {
        (waiting[key] = list || []).push(line);
      } else if (link[0] === "!" && list && list.length > 0) {
        line.request = list[0];
        list[0].answer = list[0].answer || line;
        if (line.last) { list.shift(); }
      }
    });
  }

  function read() {
    JSON.parse(byId("data").textContent).forEach(function (v) { readers[v[0]](v); });
    connections = connections.filter(Boolean);
    connections.forEach(function (conn) {
      fold(conn);
      pair(conn);
      lines.push({kind: "title", text: conn.head, conn: conn});
      if (conn.about.side0) { lines.push({kind: "ends", text: "", conn: conn}); }
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
      if (line.kind === "ends") { return words === "" && severity === ""; }
      if (line.kind === "title" || line.kind === "end") { return words === "" && severity === "" || line.kind === "title"; }
      if (severity === "any" && severities(line).length === 0) { return false; }
      if (severity !== "" && severity !== "any" && severities(line).indexOf(severity) < 0) { return false; }
      return words === "" || (line.frame + " " + line.text + " " + (line.rule || "")).toLowerCase().indexOf(words) >= 0;
    };
  }

  function plain() { return byId("search").value.trim() === "" && byId("severity").value === ""; }

  function hasFindings(line) { return (line.findings || []).length > 0; }

  /* A message whose FPDUs are folded stands in the place of all of them. */
  function folded(line) {
    return plain() && line.first && !line.first.open && !hasFindings(line);
  }

  function octetsOf(line) { return Number((/ len (\d+)/.exec(line.text) || [0, 0])[1]); }

  function words(line) {
    var sum = octetsOf(line);
    if (!plain() || line.first || !line.more || line.more.length === 0) { return line.text; }
    line.more.forEach(function (part) { sum += octetsOf(part); });
    return (line.open ? "\u25be " : "\u25b8 ") + line.text + " (message: " + (line.more.length + 1) + " FPDUs, " + sum + " octets)";
  }

  function label_of(line) {
    return line.kind === "finding" ? "\u25b2 " + (line.weight === "expected" ? line.title : line.rule) + ": " + line.text : words(line);
  }

  /* Parts of a text of at most so many characters, cut at blanks where there are some. */
  function wrapped(text, room) {
    var parts = [], at;
    while (text.length > room) {
      at = text.lastIndexOf(" ", room);
      at = at > room / 2 ? at + 1 : room;
      parts.push(text.slice(0, at));
      text = text.slice(at);
      room -= parts.length === 1 ? 2 : 0;
    }
    parts.push(text);
    return parts;
  }

  /* The rows of a line, and time in which nothing came. */
  function place(width) {
    var before = null;
    rows = [];
    shown.forEach(function (line) {
      var wide = line.kind === "title" || line.kind === "end", gap, parts;
      parts = wrapped(wide ? line.text : label_of(line), Math.max(24, Math.floor((width - (wide ? 8 : LABEL) - 16) / CHARACTER)));
      if (line.time && before && before.conn === line.conn) {
        gap = Number(line.time) - Number(before.time);
        if (gap >= PAUSE) { rows.push({kind: "pause", text: gap.toFixed(3) + " s without a line", conn: line.conn}); }
      }
      before = line.time ? line : before;
      line.label = parts[0];
      rows.push(line);
      parts.slice(1).forEach(function (part) {
        rows.push({kind: "more", text: part, wide: wide, name: wide ? line.kind : line.weight || heaviest(line), of: line, conn: line.conn});
      });
    });
  }

  function filter() {
    var kept = rows[chosen], findings = 0, expected = 0, pdus = 0;
    matched = lines.filter(wanted()).slice(0, MOST);
    matched.forEach(function (line) {
      findings += line.kind === "finding" && line.weight !== "expected" ? 1 : 0;
      expected += line.weight === "expected" ? 1 : 0;
      pdus += line.findings ? 1 : 0;
    });
    byId("count").textContent = pdus + " lines, " + findings + " findings" + (expected > 0 ? ", " + expected + " expected" : "") +
      (matched.length === MOST ? "; the rest is too much for a page" : "") +
      (summary.left_out > 0 ? "; " + summary.left_out + " lines left out: the page has the first ones, those near to findings, and a sample" : "") +
      (summary.conns_left_out > 0 ? "; " + summary.conns_left_out + " connections left out: the page has the first ones, those with a problem, and a sample" : "") +
      (summary.findings_left_out > 0 ? "; " + summary.findings_left_out + " findings left out" : "");
    lay(kept);
  }

  function lay(kept) {
    shown = matched.filter(function (line) { return !folded(line); });
    fit(ladder.clientWidth);
    place(ladder.clientWidth);
    space.style.height = rows.length * LINE + "px";
    chosen = kept ? rows.indexOf(kept) : -1;
    draw();
  }

  /* ---- drawing ---- */

  /* The class of an arrow: what the message does. */
  function operation(line) {
    var found = /^(write|read|send|terminate|immediate|atomic)/.exec(line.op || "");
    return found ? "op-" + found[1] : line.kind === "startup" ? "op-startup" : "";
  }

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
    return "<path class=\"" + (line.kind === "undecodable" ? "unclear" : "arrow " + operation(line)) + "\" d=\"M" + from + " " + y + "H" + to +
      "\"/><path class=\"arrow " + operation(line) + "\" d=\"M" + (to + tip) + " " + (y - 4) + "L" + to + " " + y + "L" + (to + tip) + " " + (y + 4) + "\"/>";
  }

  function label(x, y, name, text) {
    return "<text x=\"" + x + "\" y=\"" + y + "\" class=\"" + name + "\">" + escaped(text) + "</text>";
  }

  function ends(line, y) {
    var about = line.conn.about, left = line.conn.left === 0 ? about.side0 : about.side1;
    var right = line.conn.left === 0 ? about.side1 : about.side0;
    return "<text class=\"faint\" text-anchor=\"" + (left.length > 24 ? "end" : "middle") + "\" x=\"" + LEFT + "\" y=\"" + y + "\">" +
      escaped(left) + "</text><text class=\"faint\" text-anchor=\"" + (right.length > 24 ? "start" : "middle") + "\" x=\"" + RIGHT +
      "\" y=\"" + y + "\">" + escaped(right) + "</text>";
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
    if (line.kind === "title" || line.kind === "end") { return label(8, y, line.kind, line.label); }
    if (line.kind === "ends") { return ends(line, y); }
    if (line.kind === "more") { return (line.wide ? "" : sides(y)) + label((line.wide ? 8 : LABEL) + 2 * CHARACTER, y, line.name, line.text); }
    if (line.kind === "pause") {
      return "<path class=\"pause\" d=\"M" + LEFT + " " + (y - LINE / 2) + "v" + LINE + "M" + RIGHT + " " + (y - LINE / 2) + "v" + LINE + "\"/>" +
        "<text class=\"faint\" text-anchor=\"middle\" x=\"" + (LEFT + RIGHT) / 2 + "\" y=\"" + y + "\">" + escaped(line.text) + "</text>";
    }
    if (line.kind === "finding") {
      return sides(y) + (line.of ? "" : number(line, y)) + label(LABEL, y, line.weight, line.label);
    }
    return sides(y) + number(line, y) +
      "<text x=\"" + (LEFT - 10) + "\" y=\"" + y + "\" class=\"faint\" text-anchor=\"end\">" + escaped(line.time) + "</text>" +
      arrow(line, y) + label(LABEL, y, heaviest(line), line.label);
  }

  /* A row that belongs to another one. */
  function silent(row) { return row.kind === "more" || row.kind === "pause" || row.kind === "ends"; }

  function number(line, y) {
    return "<text x=\"" + NUMBER + "\" y=\"" + y + "\" class=\"faint\" text-anchor=\"end\">" + parseInt(line.frame, 10) + "</text>";
  }

  /* The lines from one to before another, as the inside of an svg. */
  function drawing(from, to) {
    var parts = [], i, y;
    for (i = from; i < to; i++) {
      y = (i - from) * LINE + LINE / 2;
      parts.push((silent(rows[i]) ? "<g role=\"presentation\">" : "<g role=\"option\" id=\"line" + i + "\" aria-selected=\"" +
                 (i === chosen) + "\" aria-label=\"" + escaped(spoken(rows[i])) + "\">") +
                 (i === chosen ? "<rect class=\"chosen\" x=\"0\" y=\"" + (y - LINE / 2) + "\" width=\"100%\" height=\"" + LINE + "\"/>" : "") +
                 body(rows[i], y) + "</g>");
    }
    return parts.join("");
  }

  function draw() {
    var from = Math.max(0, Math.floor(ladder.scrollTop / LINE) - 8);
    var to = Math.min(rows.length, Math.ceil((ladder.scrollTop + ladder.clientHeight) / LINE) + 8);
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

  /* Octets, each in an element that a field can mark. */
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
        out += j < n ? "<span data-at=\"" + j + "\">" + (marked[j] ? "<mark>" + pair + "</mark>" : pair) + "</span>" : pair;
        out += j % 2 ? " " : "";
        text += j < n ? (code >= 32 && code < 127 ? String.fromCharCode(code) : ".") : "";
      }
      out += " " + escaped(text) + "\n";
    }
    return "<h3>Octets</h3><pre class=\"octets\">" + out + "</pre>" +
      (line.octets > n ? "<p>and " + (line.octets - n) + " more</p>" : "");
  }

  /* The bits of a field as a number; octets are those of the form. */
  function bits(octets, from, count) {
    var value = BigInt(0), i;
    for (i = from; i < from + count; i++) { value = value * BigInt(2) + BigInt(octets[i >> 3] >> (7 - (i & 7)) & 1); }
    return value;
  }

  function hexOf(value, digits) {
    var text = value.toString(16);
    while (text.length < digits) { text = "0" + text; }
    return "0x" + text;
  }

  function valueOf(field, octets) {
    var kind = field[3], from = field[1], count = field[2], le = kind === HEX_LE || kind === UINT_LE, value, name;
    if (kind === OCTETS) {
      return octets.slice(from >> 3, count ? (from + count) >> 3 : undefined).map(function (o) { return (o + 256).toString(16).slice(1); }).join("");
    }
    value = bits(le ? octets.slice(from >> 3, (from + count) >> 3).reverse() : octets, le ? 0 : from, count);
    name = field[4][field[4].indexOf(Number(value)) + 1];
    name = typeof name === "string" ? name : "";
    return (kind === HEX || kind === HEX_LE ? hexOf(value, Math.ceil(count / 4)) : value.toString()) + (name ? " (" + name + ")" : "");
  }

  function fieldRow(field, part, octets) {
    var first = field[1] >> 3, end = field[2] ? (field[1] + field[2] + 7) >> 3 : octets.length;
    if (end > octets.length || end === first) { return ""; }
    return "<li tabindex=\"0\" data-from=\"" + (part[1] + first) + "\" data-to=\"" + (part[1] + end) + "\">" + escaped(field[0]) + ": " +
      escaped(valueOf(field, octets)) + "</li>";
  }

  /* A tree of the fields: each form with its octets, each field with its own. */
  function tree(line) {
    var all = [], i, html = "";
    for (i = 0; i < line.hex.length / 2; i++) { all.push(parseInt(line.hex.substr(2 * i, 2), 16)); }
    (line.parts || []).forEach(function (part) {
      var form = forms[part[0]], octets = all.slice(part[1], part[1] + part[2]);
      if (octets.length === 0) { return; }
      html += form ? "<details open=\"open\"><summary>" + escaped(form.label) + " (" + escaped(form.rfc) + ")</summary><ul>" +
        form.fields.map(function (field) { return fieldRow(field, part, octets); }).join("") + "</ul></details>"
        : "<ul><li tabindex=\"0\" data-from=\"" + part[1] + "\" data-to=\"" + (part[1] + part[2]) + "\">payload: " + part[2] + " octets</li></ul>";
    });
    return html ? "<h3>Fields</h3><div class=\"fields\">" + html + "</div>" : "";
  }

  /* Marks the octets of a field, or the fields of an octet. */
  function mark(target) {
    var item = target.closest && target.closest("[data-from]"), octet = target.closest && target.closest("[data-at]"), first;
    if (!item && !octet) { return; }
    Array.prototype.forEach.call(detail.querySelectorAll(".on"), function (one) { one.classList.remove("on"); });
    if (octet) {
      Array.prototype.forEach.call(detail.querySelectorAll("[data-from]"), function (one) {
        var at = Number(octet.dataset.at), holds = at >= Number(one.dataset.from) && at < Number(one.dataset.to);
        if (holds) { one.classList.add("on"); first = first || one; }
      });
      octet.classList.add("on");
      if (first) { first.scrollIntoView({block: "nearest"}); }
      return;
    }
    item.classList.add("on");
    Array.prototype.forEach.call(detail.querySelectorAll("[data-at]"), function (one) {
      var at = Number(one.dataset.at);
      if (at >= Number(item.dataset.from) && at < Number(item.dataset.to)) { one.classList.add("on"); }
    });
  }

  /* Sections of RFCs as links. */
  function linked(text) {
    return escaped(text).replace(/RFC (\d+)(?: section)? ([A-Z0-9]+(?:\.\d+)*)/g, function (all, rfc, section) {
      return "<a rel=\"noreferrer\" href=\"" + RFC + rfc + "#" + (/^[A-Z]/.test(section) ? "appendix-" : "section-") + section + "\">" + all + "</a>";
    });
  }

  /* A button that goes to a frame of a connection. */
  function toFrame(conn, frame) {
    return "<button type=\"button\" data-conn=\"" + conn.id + "\" data-frame=\"" + escaped(frame) + "\">frame " + escaped(frame) + "</button>";
  }

  function row(name, text) {
    return text ? "<dt>" + escaped(name) + "</dt><dd>" + escaped(text) + "</dd>" : "";
  }

  function about(finding) {
    var rule = rules[finding.rule] || {};
    return "<h3 class=\"" + finding.weight + "\">" + escaped(finding.title) + "</h3><p>" +
      escaped(finding.text) + "</p><dl>" + row("values", finding.values) + row("where", finding.where) +
      row("demanded", rule.summary) + row("level", rule.level) +
      (rule.sections ? "<dt>RFC</dt><dd>" + linked(rule.sections) + "</dd>" : "") + row("impact", rule.impact) +
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
    if (line.request) { html += "<p>answers " + toFrame(line.conn, line.request.frame) + ", after " + since(line.request, line) + "</p>"; }
    if (line.answer) { html += "<p>answered by " + toFrame(line.conn, line.answer.frame) + ", after " + since(line, line.answer) + "</p>"; }
    if (line.more && line.more.length > 0) {
      html += "<p>first of " + (line.more.length + 1) + " FPDUs of its message (Enter shows or hides them)</p>";
    }
    detail.innerHTML = html + (owner && owner.hex ? tree(owner) + hexdump(owner) : "");
  }

  function since(a, b) { return (Number(b.time) - Number(a.time)).toFixed(6) + " s"; }

  /* Chooses a row, or the next one in this direction that can be chosen. */
  function choose(index, step) {
    var top, way = step || (index < chosen ? -1 : 1);
    if (rows.length === 0) { return; }
    index = Math.max(0, Math.min(rows.length - 1, index));
    while (silent(rows[index]) && index + way >= 0 && index + way < rows.length) { index += way; }
    if (rows[index].kind === "more") { index = rows.indexOf(rows[index].of); } /* nothing else is beyond it */
    chosen = index;
    top = chosen * LINE;
    if (top < ladder.scrollTop) {
      ladder.scrollTop = top;
    } else if (top + LINE > ladder.scrollTop + ladder.clientHeight) {
      ladder.scrollTop = top + LINE - ladder.clientHeight;
    }
    draw();
    explain(rows[chosen]);
  }

  function nextFinding(step) {
    var i = chosen + step;
    while (i >= 0 && i < rows.length && rows[i].kind !== "finding") { i += step; }
    if (i >= 0 && i < rows.length) { choose(i); }
  }

  /* Shows or hides the FPDUs of the message that is chosen. */
  function toggle() {
    var line = rows[chosen];
    if (!line || !line.more || line.more.length === 0) { return; }
    line.open = !line.open;
    lay(line);
    choose(chosen);
  }

  /* Goes to a frame of a connection, whatever is filtered. */
  function show(id, frame) {
    if (ladder.hidden) { view(); }
    var found = lines.filter(function (line) { return line.conn.id === id && String(line.frame) === frame && line.findings; })[0] ||
      lines.filter(function (line) { return line.conn.id === id && String(line.frame) === frame; })[0];
    if (!found) { return; }
    if (found.first) { found.first.open = true; }
    ["search", "severity"].forEach(function (name) { byId(name).value = ""; });
    if (byId("conn").value !== "" && Number(byId("conn").value) !== id) { byId("conn").value = ""; }
    filter();
    ladder.scrollTop = Math.max(0, (rows.indexOf(found) - 5) * LINE);
    choose(rows.indexOf(found));
  }

  function pressed(event) {
    var button = event.target.closest && event.target.closest("button[data-frame]");
    if (button) { show(Number(button.dataset.conn), button.dataset.frame); }
  }

  /* ---- what went wrong, above the ladder ---- */

  function problem(conn) {
    return "<article><h2>" + escaped(conn.head.split(", ")[0]) + "</h2><p>" + escaped(conn.outcome.split("\n")[0].trim()) + "</p>" +
      conn.about.diagnosis.map(function (d) {
        return "<p class=\"why\">" + escaped(d.text) + " (" + escaped(d.certainty) + ") " +
          d.frames.map(function (frame) { return toFrame(conn, frame); }).join(" ") + "</p><dl>" + row("operator", d.operator) +
          row("implementer", d.implementer) + row("more", "iwarp explain diag." + d.id) + "</dl>";
      }).join("") + "</article>";
  }

  function problems() {
    var failed = connections.filter(function (conn) { return conn.about.diagnosis; });
    return failed.slice(0, TOP).map(problem).join("") +
      (failed.length > TOP ? "<p>and " + (failed.length - TOP) + " more connections with a diagnosis: their ladders end with it</p>" : "") +
      (notes.length > 0 ? "<h2>The capture</h2><pre>" + notes.map(function (note) { return escaped(note.file + ": " + note.text.trim()); }).join("\n") +
        "</pre>" : "");
  }

  function names() {
    var seen = {};
    return connections.map(function (conn) { return conn.about.file; }).concat(notes.map(function (note) { return note.file; }))
      .filter(function (name) { var first = name && !seen["x" + name]; seen["x" + name] = true; return first; });
  }

  /* The first problem is chosen when the page opens: the frame of a diagnosis, else a finding. */
  function openFirst() {
    var conn = connections.filter(function (one) { return one.about.diagnosis && one.about.diagnosis[0].frames.length > 0; })[0];
    if (conn) {
      show(conn.id, String(conn.about.diagnosis[0].frames[0]));
    } else {
      nextFinding(1);
    }
  }

  /* ---- plots ---- */

  function withPlots() {
    var id = byId("conn").value;
    return connections.filter(function (conn) { return conn.plots && (id === "" || conn.id === Number(id)); });
  }

  function lacking(shown, all) {
    var more = all > shown ? "<p>The first " + shown + " of " + all + " connections are drawn: choose one above.</p>" : "";
    return more + (summary.plots_left_out > 0 ? "<p>The page has no plots of " + summary.plots_left_out +
      " more connections: <code>iwarp stats -T html --conn N</code> draws them.</p>" : "") +
      (all === 0 ? "<p>The page has no plots of this connection.</p>" : "");
  }

  /* Draws the plots of the connections that are chosen, where they are in sight. */
  function drawPlots() {
    var all = withPlots(), some = all.slice(0, TOP);
    byId("plots").innerHTML = byId("plots").hidden ? "" : lacking(some.length, all.length) + some.map(function (conn) {
      return "<section><h2>" + escaped(conn.head) + "</h2>" + conn.plots + "</section>";
    }).join("");
    Array.prototype.forEach.call(byId("plots").querySelectorAll("section"), plots);
  }

  /* Plots or the ladder. */
  function view() {
    var on = byId("plots").hidden;
    byId("plots").hidden = !on;
    ladder.hidden = on;
    byId("view").setAttribute("aria-pressed", String(on));
    drawPlots();
    if (!on) { lay(rows[chosen]); }
  }

  /* ---- keys, mouse, print ---- */

  function key(event) {
    var page = Math.max(1, Math.floor(ladder.clientHeight / LINE) - 1);
    var moves = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + page, PageUp: chosen - page, Home: 0,
                 End: rows.length - 1};
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    if (Object.prototype.hasOwnProperty.call(moves, event.key)) {
      choose(moves[event.key]);
    } else if (event.key === "n" || event.key === "p") {
      nextFinding(event.key === "n" ? 1 : -1);
    } else if (event.key === "Enter") {
      toggle();
    } else if (event.key === "/") {
      byId("search").focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  function clicked(event) {
    var y = event.clientY - ladder.getBoundingClientRect().top + ladder.scrollTop, row = rows[Math.floor(y / LINE)], twice;
    if (!row) { return; }
    twice = rows.indexOf(row.of && row.kind === "more" ? row.of : row);
    if (twice === chosen) { toggle(); return; }
    choose(twice);
  }

  function before() {
    var html = "", kept = rows[chosen], i, to;
    fit(Infinity);
    place(SHEET); /* makes rows anew: lines wrap elsewhere */
    chosen = kept ? rows.indexOf(kept) : -1;
    for (i = 0; i < rows.length; i += PAGE) {
      to = Math.min(rows.length, i + PAGE);
      html += "<svg viewBox=\"0 0 " + SHEET + " " + (to - i) * LINE + "\">" +
        drawing(i, to).replace(/ id="line\d+"/g, "") + "</svg>";
    }
    byId("print").innerHTML = html;
    opened = byId("more").open; /* the summary is printed too */
    byId("more").open = true;
  }

  function after() {
    byId("print").innerHTML = "";
    byId("more").open = opened;
    lay(rows[chosen]);
  }

  function option(value, text) {
    var one = document.createElement("option");
    one.value = value;
    one.textContent = text;
    return one;
  }

  function begin() {
    var verdict = byId("verdict"), files;
    read();
    files = names().join(", ");
    document.title = (files ? files + " - " : "") + "iwarp check";
    byId("files").textContent = files;
    byId("problems").innerHTML = problems();
    verdict.textContent = summary.verdict || "not finished";
    verdict.className = "verdict " + (summary.verdict || "error");
    byId("summary").textContent = summary.text || "";
    connections.forEach(function (conn) { byId("conn").appendChild(option(conn.id, conn.head)); });
    ["search", "conn", "severity"].forEach(function (id) { byId(id).addEventListener("input", filter); });
    byId("view").hidden = !connections.some(function (conn) { return conn.plots; });
    byId("view").addEventListener("click", view);
    byId("conn").addEventListener("input", drawPlots);
    byId("filters").addEventListener("submit", function (event) { event.preventDefault(); ladder.focus(); });
    ladder.addEventListener("keydown", key);
    ladder.addEventListener("click", clicked);
    ladder.addEventListener("scroll", function () { window.requestAnimationFrame(draw); });
    ["click", "mouseover", "focusin"].forEach(function (name) { detail.addEventListener(name, function (event) { mark(event.target); }); });
    detail.addEventListener("click", pressed);
    byId("problems").addEventListener("click", pressed);
    window.addEventListener("resize", function () { lay(rows[chosen]); });
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    filter();
    openFirst();
  }

  begin();
}());
