// SPDX-License-Identifier: BSD-2-Clause
// The page: it shows what the worker finds. docs/web.md describes it.
'use strict';

const byId = (id) => document.getElementById(id);
const decoder = new TextDecoder();

const shownMost = 1 << 20; // octets of text that are shown; a download has all
const reportMost = 32 << 20; // octets of a capture whose report is made at once
const typingMs = 120; // between the last key and the decoding

/* ---- the worker ---- */

/** Runner runs one command line at a time in a worker; the others wait. */
class Runner {
  constructor(module) {
    this.module = module;
    this.waiting = [];
    this.number = 0;
    this.start();
  }

  start() {
    const text = byId('worker').textContent;
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.postMessage({ module: this.module });
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => this.take({ id: this.waiting[0] && this.waiting[0].id, error: event.message || 'the worker failed' });
  }

  /** run returns the result of a command line; `onProgress` is told how many octets of how many were read. */
  run(args, { files, stdin, onProgress } = {}) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id: ++this.number, message: { args, files, stdin }, onProgress, resolve, reject });
      if (this.waiting.length === 1) {
        this.post();
      }
    });
  }

  post() {
    if (this.waiting.length > 0) {
      const [{ id, message }] = this.waiting;
      this.worker.postMessage({ id, ...message });
    }
  }

  take({ id, done, total, result, error }) {
    const [run] = this.waiting;
    if (!run || run.id !== id) {
      return;
    }
    if (result === undefined && error === undefined) {
      if (run.onProgress) {
        run.onProgress(done, total);
      }
      return;
    }
    this.waiting.shift();
    if (error === undefined) {
      run.resolve(result);
    } else {
      run.reject(new Error(error));
    }
    this.post();
  }

  /** cancel ends the run that is under way, and those that wait. */
  cancel() {
    this.worker.terminate();
    const ended = this.waiting;
    this.waiting = [];
    this.start();
    for (const { reject } of ended) {
      reject(new Cancelled());
    }
  }
}

class Cancelled extends Error {}

async function octetsOf(base64) {
  const text = atob(base64);
  const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const ready = (async () => new Runner(await WebAssembly.compile(await octetsOf(byId('module').textContent))))();

/* ---- tabs ---- */

/** tabs lets the arrow keys, Home and End move through a list of tabs, and calls `chosen` with the tab. */
function tabs(list, chosen) {
  const all = [...list.querySelectorAll('[role="tab"]')];
  const choose = (tab, focus) => {
    for (const other of all) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    if (focus) {
      tab.focus();
    }
    chosen(tab);
  };
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) {
      choose(tab, false);
    }
  });
  list.addEventListener('keydown', (event) => {
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at >= 0 && to !== undefined) {
      event.preventDefault();
      choose(all[(to + all.length) % all.length], true);
    }
  });
  return (tab) => choose(tab, false);
}

const showPart = tabs(byId('parts'), (tab) => {
  for (const part of document.querySelectorAll('main > section')) {
    part.hidden = part.id !== tab.getAttribute('aria-controls');
  }
  if (tab.id === 'tab-rules') {
    listRules();
  }
});

/* ---- text with links to rules ---- */

const slug = /\b(?:mpa|ddp|rdmap|rtr|sctp)\.[a-z][a-z0-9-]*[a-z0-9]\b/g;

/** linked appends a text to an element, with a link at each name of a rule. */
function linked(element, text) {
  let at = 0;
  for (const match of text.matchAll(slug)) {
    if (!known.has(match[0])) {
      continue;
    }
    const link = document.createElement('a');
    link.href = `#rule=${match[0]}`;
    link.textContent = match[0];
    element.append(text.slice(at, match.index), link);
    at = match.index + match[0].length;
  }
  element.append(text.slice(at));
}

/* ---- a capture ---- */

/** What each view is made by: the arguments, and whether the answer is a page. */
const views = {
  report: { args: ['check', '-T', 'html'], page: true },
  findings: { args: ['check'] },
  dump: { args: ['dump', '-V'] },
  timeline: { args: ['timeline'] },
  stats: { args: ['stats', '-T', 'html'], page: true },
};

/** What can be downloaded: the words of the button, the arguments, the name after that of the capture, the type. */
const downloads = [
  ['Text', ['check', '-v', '--no-sandbox'], '.txt', 'text/plain'],
  ['JSON', ['check', '-T', 'jsonl'], '.jsonl', 'application/jsonl'],
  ['Report', ['check', '-T', 'html'], '.html', 'text/html'],
  ['Annotated pcapng', ['check', '-q', '--annotate', 'annotated.pcapng'], '-annotated.pcapng', 'application/vnd.tcpdump.pcap'],
  ['Dump', ['dump', '-V'], '-dump.txt', 'text/plain'],
  ['Dump as JSON', ['dump', '-T', 'jsonl'], '-dump.jsonl', 'application/jsonl'],
  ['Timeline', ['timeline'], '-timeline.txt', 'text/plain'],
  ['Statistics', ['stats', '-T', 'csv'], '-stats.csv', 'text/csv'],
];

/** Options of the command line that each command takes; others are for check alone. */
const everywhere = ['-d', '-c', '--markers', '--crc', '--conn', '--max-unpacked', '--memory'];

let capture = null; // { file, made: results by view }

function words(text) {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** optionsFor returns the options of the form that a command takes. */
function optionsFor(command) {
  const given = words(byId('options').value);
  if (command === 'check') {
    return given;
  }
  const kept = [];
  for (let i = 0; i < given.length; i++) {
    const name = given[i].startsWith('--') ? given[i].split('=')[0] : given[i].slice(0, 2);
    const apart = given[i] === name;
    if (everywhere.includes(name)) {
      kept.push(given[i], ...(apart ? given.slice(i + 1, i + 2) : []));
      i += apart ? 1 : 0;
    }
  }
  return kept;
}

function say(text, failed = false) {
  byId('status').textContent = text;
  byId('status').className = failed ? 'failed' : '';
}

function size(octets) {
  return octets < 1e4 ? `${octets} octets` : octets < 1e6 ? `${(octets / 1e3).toFixed(0)} kB` : `${(octets / 1e6).toFixed(1)} MB`;
}

/** runOn runs a command on the capture, with progress and a button that ends it. Null: it was ended, or failed. */
async function runOn(file, args, what) {
  const runner = await ready;
  const progress = byId('progress');
  progress.removeAttribute('value');
  byId('progress-label').textContent = what;
  byId('running').hidden = false;
  say('');
  try {
    const [command, ...rest] = args;
    return await runner.run([command, ...rest, ...optionsFor(command), '--', file.name], {
      files: { [file.name]: file },
      onProgress: (done, total) => {
        progress.max = total;
        progress.value = done;
      },
    });
  } catch (error) {
    say(error instanceof Cancelled ? 'Cancelled.' : `The run failed: ${error.message}`, !(error instanceof Cancelled));
    return null;
  } finally {
    byId('running').hidden = true;
  }
}

/** verdictOf returns the line of the text of check that begins so. */
function verdictOf(text) {
  const match = /^verdict: .*$/m.exec(text);
  return match ? match[0] : '';
}

function showMessages(text) {
  byId('messages').hidden = text === '';
  byId('messages').textContent = text;
}

/** beginOf returns the first octets of a text, up to the end of a line. */
function beginOf(octets) {
  const all = octets.length <= shownMost;
  const end = all ? octets.length : octets.lastIndexOf(0x0a, shownMost) + 1;
  return { text: decoder.decode(octets.subarray(0, end)), all };
}

function textElement(octets, label) {
  const pre = document.createElement('pre');
  const { text, all } = beginOf(octets);
  pre.tabIndex = 0;
  pre.setAttribute('aria-label', label);
  linked(pre, text === '' ? '(nothing)\n' : text);
  if (all) {
    return [pre];
  }
  const note = document.createElement('p');
  note.className = 'faint';
  note.textContent = `The first ${size(text.length)} of ${size(octets.length)} are shown. A download has all of it.`;
  return [note, pre];
}

function pageElement(octets, label) {
  const frame = document.createElement('iframe');
  const url = URL.createObjectURL(new Blob([octets], { type: 'text/html;charset=utf-8' }));
  frame.title = label;
  frame.sandbox = 'allow-scripts';
  frame.addEventListener('load', () => {
    URL.revokeObjectURL(url);
    document.body.dataset.shown = label;
  });
  frame.src = url;
  return [frame];
}

async function showView(name) {
  const asked = capture;
  const { args, page } = views[name];
  const label = `${byId(`view-${name}`).textContent} of ${asked.file.name}`;
  byId('view').setAttribute('aria-labelledby', `view-${name}`);
  delete document.body.dataset.shown;
  if (!asked.made[name]) {
    byId('view').replaceChildren();
    const result = await runOn(asked.file, args, `${byId(`view-${name}`).textContent}: reading ${asked.file.name}`);
    if (result === null) {
      return;
    }
    asked.made[name] = result.stdout;
    if (name !== 'findings') {
      showMessages(result.stderr);
    }
  }
  if (capture !== asked || byId(`view-${name}`).getAttribute('aria-selected') !== 'true') {
    return;
  }
  const octets = asked.made[name];
  const empty = page && octets.length === 0;
  byId('view').replaceChildren(...(page && !empty ? pageElement(octets, label) : textElement(octets, label)));
  if (!page || empty) {
    document.body.dataset.shown = label;
  }
}

const chooseView = tabs(byId('views'), (tab) => showView(tab.id.replace('view-', '')));

async function open(file) {
  capture = { file, made: {} };
  const asked = capture;
  const report = file.size <= reportMost;
  showPart(byId('tab-capture'));
  byId('result').hidden = true;
  delete document.body.dataset.shown;
  const result = await runOn(file, ['check', ...(report ? ['--report', 'html=report.html'] : [])], `Checking ${file.name}`);
  if (result === null || capture !== asked) {
    return;
  }
  asked.made.findings = result.stdout;
  if (result.files['report.html']) {
    asked.made.report = result.files['report.html'];
  }
  await listKnown();
  byId('result-title').textContent = file.name;
  showMessages(result.stderr);
  byId('result').hidden = false;
  document.body.classList.add('opened'); // the field for captures takes less room
  const seconds = (result.ms / 1000).toFixed(2);
  say(`${verdictOf(decoder.decode(result.stdout)) || `exit status ${result.status}`} (${size(file.size)} in ${seconds} s)`, result.status === 2);
  chooseView(byId(asked.made.report ? 'view-report' : 'view-findings'));
}

async function download([title, args, ending, type]) {
  const { file } = capture;
  const result = await runOn(file, args, `${title}: reading ${file.name}`);
  if (result === null) {
    return;
  }
  const octets = result.files['annotated.pcapng'] || result.stdout;
  if (octets.length === 0) {
    say(`There is nothing to download. ${result.stderr}`, true);
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([octets], { type }));
  link.download = file.name.replace(/(\.pcap(ng)?|\.cap)?(\.gz)?$/, '') + ending;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  say(`${link.download}: ${size(octets.length)}`);
}

for (const row of downloads) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = row[0];
  button.addEventListener('click', () => download(row));
  byId('downloads').append(button);
}

byId('cancel').addEventListener('click', async () => (await ready).cancel());
byId('choose').addEventListener('submit', (event) => {
  event.preventDefault();
  if (capture) {
    open(capture.file); // the options changed
  }
});
byId('file').addEventListener('change', () => {
  if (byId('file').files.length > 0) {
    open(byId('file').files[0]);
  }
});
for (const kind of ['dragenter', 'dragover']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.add('over');
  });
}
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) {
    document.body.classList.remove('over');
  }
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  if (event.dataTransfer.files.length > 0) {
    open(event.dataTransfer.files[0]);
  }
});

for (const { name, title, data } of JSON.parse(byId('example-files').textContent)) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = title;
  button.title = name;
  button.addEventListener('click', async () => open(new File([await octetsOf(data)], name)));
  byId('examples').append(button);
}

/* ---- a frame in hex ---- */

let typing = 0;

async function decode() {
  const text = byId('hex').value.trim();
  if (text === '') {
    byId('decoded').replaceChildren();
    byId('decoded-status').textContent = '';
    return;
  }
  const runner = await ready;
  const layer = byId('layer').value;
  const { status, stdout, stderr } = await runner.run(['decode', '--layer', layer, '-'], { stdin: text });
  if (text !== byId('hex').value.trim() || layer !== byId('layer').value) {
    return; // more was typed
  }
  byId('decoded').textContent = decoder.decode(stdout);
  byId('decoded-status').textContent = stderr.replace(/^iwarp: /gm, '').trim() || (status === 0 ? 'Decoded.' : `exit status ${status}`);
}

byId('hex').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(decode, typingMs);
});
byId('layer').addEventListener('change', decode);
byId('decode').addEventListener('submit', (event) => event.preventDefault());

/* ---- rules ---- */

let known = new Map(); // rules by name
let listing = null;

/** listKnown asks the tool for its rules, once. */
function listKnown() {
  listing = listing || (async () => {
    const runner = await ready;
    const { stdout } = await runner.run(['rules', '-T', 'jsonl']);
    const rules = decoder.decode(stdout).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
    known = new Map(rules.filter(({ type }) => type === 'rule').map((rule) => [rule.rule, rule]));
  })().catch((error) => {
    listing = null; // cancelled: the next one asks again
    throw error;
  });
  return listing;
}

async function listRules() {
  await listKnown();
  const parts = words(byId('find').value.toLowerCase());
  const items = [];
  for (const rule of known.values()) {
    const text = `${rule.rule} ${rule.level} ${rule.severity} ${rule.impact} ${rule.summary}`.toLowerCase();
    if (!parts.every((part) => text.includes(part))) {
      continue;
    }
    const item = document.createElement('li');
    const link = document.createElement('a');
    const code = document.createElement('code');
    code.textContent = rule.rule;
    link.href = `#rule=${rule.rule}`;
    link.append(code, ` ${rule.level}: ${rule.summary}`);
    if (location.hash === link.hash) {
      link.setAttribute('aria-current', 'true');
    }
    item.append(link);
    items.push(item);
  }
  byId('rules').replaceChildren(...items);
  byId('found').textContent = `${items.length} of ${known.size} rules`;
}

byId('find').addEventListener('input', listRules);

/** paragraphs turns the text of `iwarp explain --color always` into elements: headings are coloured, items begin with a dash,
 * octets and the like stand four columns in. */
function paragraphs(text) {
  const elements = [];
  for (const block of text.split(/\n\n+/).filter((part) => part.trim() !== '')) {
    const plain = block.replace(/\x1b\[[0-9;]*m/g, '');
    let element;
    if (/^\x1b\[/.test(block) && !plain.includes('\n')) {
      element = document.createElement(elements.length === 0 ? 'h2' : 'h3');
      element.textContent = plain;
    } else if (/^ *- /.test(plain)) {
      element = document.createElement('ul');
      for (const item of plain.split(/\n(?= *- )/)) {
        const entry = document.createElement('li');
        linked(entry, item.replace(/^ *- /, '').replace(/\s+/g, ' '));
        element.append(entry);
      }
    } else if (/^ {4}/.test(plain)) {
      element = document.createElement('pre');
      element.tabIndex = 0;
      element.textContent = plain;
    } else {
      element = document.createElement('p');
      linked(element, plain.replace(/\s+/g, ' '));
    }
    elements.push(element);
  }
  return elements;
}

async function showRule() {
  const match = /^#rule=([\w.-]+)$/.exec(location.hash);
  if (!match) {
    return;
  }
  const runner = await ready;
  showPart(byId('tab-rules'));
  await listKnown();
  const { stdout, stderr } = await runner.run(['explain', '--color', 'always', match[1]]);
  byId('rule').replaceChildren(...paragraphs(decoder.decode(stdout) || stderr));
  byId('rule').focus();
}

window.addEventListener('hashchange', showRule);

/* ---- the beginning ---- */

(async () => {
  try {
    const runner = await ready;
    const { stderr } = await runner.run(['decode', '--layer', 'none', '00']); // the message lists the layers
    for (const layer of words(stderr.replace(/^.*one of: /, '').replaceAll(',', ' '))) {
      byId('layer').append(new Option(layer, layer));
    }
    const { stdout } = await runner.run(['--version']);
    byId('version').textContent = decoder.decode(stdout).split('\n')[0];
    document.body.dataset.ready = 'yes';
    showRule();
  } catch (error) {
    say(`The module cannot run here: ${error.message}`, true);
  }
})();
