/* SPDX-License-Identifier: BSD-2-Clause */
/* Zooms in on plots over time: a brush with the mouse, a pen or a finger, or keys. Plots of one section keep one time. */
var plots = (function () {
  "use strict";
  var LEFT = 90, TOP = 10, WIDTH = 660, HEIGHT = 175, BOTTOM = TOP + HEIGHT; /* as in plots.c */
  var LEAST = 4, FLAT = 14; /* units of the drawing: a brush that counts, and one that keeps the height */
  var TICKS = 4, EDGE = 4; /* the margin of what is drawn */

  function element(plot, name, attributes) {
    var made = document.createElementNS(plot.svg.namespaceURI, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  /* ---- axes ---- */

  /* 1, 2 or 5 times a power of ten: at least 1 nanosecond or octet. */
  function step(range) {
    var power = Math.pow(10, Math.floor(Math.log10(range / TICKS))), part = range / TICKS / power;
    return Math.max(1, (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power);
  }

  function ticks(from, to) {
    var by = step(to - from), out = [], at = Math.ceil(from / by) * by;
    while (at <= to) {
      out.push(at);
      at += by;
    }
    return out;
  }

  /* A time has as many decimals as its step needs, and 3 at least. */
  function written(value, range, seconds) {
    return seconds ? (value / 1e9).toFixed(Math.min(9, Math.max(3, 9 - Math.floor(Math.log10(step(range)))))) + " s" : String(value);
  }

  function text(plot, x, y, words) {
    var made = element(plot, "text", {"text-anchor": "end", x: x, y: y});
    made.textContent = words;
    return made;
  }

  function axis(plot) {
    var group = plot.svg.querySelector(".axis"), v = plot.view;
    group.textContent = "";
    ticks(v.low, v.high).forEach(function (value) {
      var y = BOTTOM - HEIGHT * (value - v.low) / (v.high - v.low);
      group.appendChild(element(plot, "path", {"class": "grid", d: "M" + LEFT + " " + y + "H" + (LEFT + WIDTH)}));
      group.appendChild(text(plot, LEFT - 6, y, written(value, v.high - v.low, plot.seconds)));
    });
    ticks(v.from, v.to).forEach(function (value) {
      group.appendChild(text(plot, LEFT + WIDTH * (value - v.from) / (v.to - v.from), BOTTOM + 20, written(value, v.to - v.from, true)));
    });
  }

  /* ---- what is in sight ---- */

  function whole(plot) {
    return {from: 0, to: plot.ns, low: 0, high: Math.max(1, plot.most)};
  }

  function show(plot) {
    var v = plot.view, all = whole(plot), near = v.from > 0 || v.to < all.to || v.low > 0 || v.high < all.high;
    var wide = (v.to - v.from) / all.to, tall = (v.high - v.low) / all.high;
    plot.area.setAttribute("viewBox", [LEFT + WIDTH * v.from / all.to - EDGE * wide, BOTTOM - HEIGHT * v.high / all.high - EDGE * tall,
                                       (WIDTH + 2 * EDGE) * wide, (HEIGHT + 2 * EDGE) * tall].join(" "));
    plot.button.hidden = !near;
    if (near || plot.moved) { axis(plot); }
    plot.moved = near;
  }

  /* All plots of a section show this time; the values of the others stay. */
  function time(plot, from, to) {
    var least = Math.min(1000, plot.ns), width = Math.max(least, Math.min(plot.ns, to - from));
    from = Math.max(0, Math.min(from, plot.ns - width));
    plot.group.forEach(function (other) {
      var all = whole(other);
      other.view.from = Math.min(from, all.to - Math.min(width, all.to));
      other.view.to = Math.min(other.view.from + width, all.to);
      show(other);
    });
  }

  function reset(plot) {
    plot.group.forEach(function (other) {
      other.view = whole(other);
      show(other);
    });
  }

  function value(plot, low, high) {
    plot.view.low = Math.max(0, low);
    plot.view.high = Math.min(Math.max(1, plot.most), Math.max(high, plot.view.low + 1));
  }

  /* ---- the brush ---- */

  /* A place in the drawing. */
  function place(plot, event) {
    var box = plot.svg.getBoundingClientRect();
    return {x: Math.max(LEFT, Math.min(LEFT + WIDTH, (event.clientX - box.left) / box.width * 760)),
            y: Math.max(TOP, Math.min(BOTTOM, (event.clientY - box.top) / box.height * 220))};
  }

  function brushed(plot, at) {
    var flat = Math.abs(at.y - plot.start.y) < FLAT;
    return {x: Math.min(at.x, plot.start.x), width: Math.abs(at.x - plot.start.x),
            y: flat ? TOP : Math.min(at.y, plot.start.y), height: flat ? HEIGHT : Math.abs(at.y - plot.start.y), flat: flat};
  }

  function zoom(plot, box) {
    var v = plot.view, wide = v.to - v.from, tall = v.high - v.low, low = v.low;
    if (!box.flat) {
      value(plot, low + tall * (BOTTOM - box.y - box.height) / HEIGHT, low + tall * (BOTTOM - box.y) / HEIGHT);
    }
    time(plot, v.from + wide * (box.x - LEFT) / WIDTH, v.from + wide * (box.x + box.width - LEFT) / WIDTH);
  }

  function down(plot, event) {
    if (event.button !== 0) { return; }
    plot.start = place(plot, event);
    plot.brush = element(plot, "rect", {"class": "brush", x: plot.start.x, y: TOP, width: 0, height: HEIGHT});
    plot.svg.appendChild(plot.brush);
    try { plot.svg.setPointerCapture(event.pointerId); } catch (error) { /* it has gone */ }
    plot.svg.focus({preventScroll: true});
    event.preventDefault();
  }

  function move(plot, event) {
    var box;
    if (!plot.brush) { return; }
    box = brushed(plot, place(plot, event));
    ["x", "y", "width", "height"].forEach(function (key) { plot.brush.setAttribute(key, box[key]); });
  }

  function up(plot, event) {
    var box;
    if (!plot.brush) { return; }
    box = brushed(plot, place(plot, event));
    plot.svg.removeChild(plot.brush);
    plot.brush = null;
    if (box.width >= LEAST && event.type === "pointerup") { zoom(plot, box); }
  }

  /* ---- keys ---- */

  function key(plot, event) {
    var v = plot.view, wide = v.to - v.from, middle = (v.from + v.to) / 2, factor = {"+": 0.5, "=": 0.5, "-": 2}[event.key];
    var way = {ArrowLeft: -0.25, ArrowRight: 0.25}[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    if (factor) {
      time(plot, middle - wide * factor / 2, middle + wide * factor / 2);
    } else if (way) {
      time(plot, v.from + wide * way, v.to + wide * way);
    } else if (event.key === "0" || event.key === "Escape") {
      reset(plot);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /* ---- all plots of a section ---- */

  function prepare(svg, group) {
    var plot = {svg: svg, area: svg.querySelector(".area"), ns: Number(svg.dataset.ns), most: Number(svg.dataset.most),
                seconds: svg.dataset.seconds !== undefined, group: group, brush: null, moved: false,
                button: document.createElement("button")};
    var caption = svg.parentNode.querySelector("figcaption"), keys = document.createElement("span");
    plot.view = whole(plot);
    plot.button.type = "button";
    plot.button.textContent = "Reset zoom";
    plot.button.hidden = true;
    plot.button.addEventListener("click", function () { reset(plot); svg.focus(); });
    keys.className = "keys";
    keys.textContent = " (drag to zoom; keys + \u2212 \u2190 \u2192, 0 resets) ";
    caption.appendChild(keys);
    caption.appendChild(plot.button);
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointerdown", function (event) { down(plot, event); });
    svg.addEventListener("pointermove", function (event) { move(plot, event); });
    svg.addEventListener("pointerup", function (event) { up(plot, event); });
    svg.addEventListener("pointercancel", function (event) { up(plot, event); });
    svg.addEventListener("dblclick", function () { reset(plot); });
    svg.addEventListener("keydown", function (event) { key(plot, event); });
    group.push(plot);
  }

  return function (section) {
    var group = [];
    Array.prototype.forEach.call(section.querySelectorAll("svg[data-ns]"), function (svg) { prepare(svg, group); });
  };
}());
