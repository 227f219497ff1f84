// SPDX-License-Identifier: BSD-2-Clause
// The page in headless Chromium, from a file and without a network: page.mjs FOLDER PCAPS BIGCAP [TEST...]
// FOLDER is what the build makes, BIGCAP the program that makes large captures. IWARP_WEB_SHOTS=FOLDER keeps pictures.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { Browser } from './browser.mjs';

const [folder, pcaps, bigcap, ...only] = process.argv.slice(2);
const { load } = await import(pathToFileURL(path.resolve(folder, 'iwarp.js')));
const iwarp = await load(readFileSync(path.join(folder, 'iwarp.wasm')));
const page = pathToFileURL(path.resolve(folder, 'iwarp.html')).href;
const temporary = mkdtempSync(path.join(tmpdir(), 'iwarp-page-'));
const real = (name) => path.join(pcaps, 'real/siw', name);
const text = (id) => `document.getElementById('${id}').textContent`;
const click = (id) => `document.getElementById('${id}').click()`;
const ready = 'document.body && document.body.dataset.ready';
const shown = (label) => `document.body.dataset.shown === ${JSON.stringify(label)}`;

/** native returns what the tool prints about a capture, from the module in Node. */
function printed(args, file) {
  const name = path.basename(file);
  return new TextDecoder().decode(iwarp.run([...args, name], { files: { [name]: readFileSync(file) } }).stdout);
}

/** writeReal writes the packets of all real captures of Ethernet one after another, and again, up to a size in octets. Times rise. */
function writeReal(file, size) {
  const captures = readdirSync(real('')).sort().map((name) => readFileSync(real(name)))
    .filter((octets) => octets.readUInt32LE(0) === 0xa1b2c3d4 && octets.readUInt32LE(20) === 1);
  assert.ok(captures.length > 100);
  const out = openSync(file, 'w');
  let [written, now] = [writeSync(out, captures[0].subarray(0, 24)), 0];
  for (let i = 0; written < size; i++) {
    const packets = Buffer.from(captures[i % captures.length].subarray(24));
    let [shift, last] = [null, now];
    for (let at = 0; at < packets.length; at += 16 + packets.readUInt32LE(at + 8)) {
      shift ??= now + 1 - packets.readUInt32LE(at);
      packets.writeUInt32LE(packets.readUInt32LE(at) + shift, at);
      last = Math.max(last, packets.readUInt32LE(at));
    }
    now = last;
    written += writeSync(out, packets);
  }
  closeSync(out);
}

async function view(browser, name, title, file) {
  await browser.value(click(`view-${name}`));
  await browser.until(shown(`${title} of ${path.basename(file)}`));
}

async function shot(browser, name) {
  if (process.env.IWARP_WEB_SHOTS) {
    await browser.screenshot(path.join(process.env.IWARP_WEB_SHOTS, `${name}.png`));
  }
}

/** example opens the first example. */
async function example(browser) {
  await browser.value("delete document.body.dataset.shown; document.querySelector('#examples button').click()");
  await browser.until('document.body.dataset.shown');
}

/** The least contrast of text with its background, of all elements that hold text and are seen. */
const contrast = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] > 0) { return color; }
    }
    return [255, 255, 255];
  };
  let least = { ratio: 21 };
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own || element.offsetParent === null) { continue; }
    const a = light(channels(getComputedStyle(element).color));
    const b = light(ground(element));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least.ratio) { least = { ratio, text: element.textContent.slice(0, 40) }; }
  }
  return least;
})()`;

const tests = {
  async 'an example shows its report'(browser) {
    await browser.value("[...document.querySelectorAll('#examples button')].find((b) => b.title === 'term-read-badkey.pcap').click()");
    await browser.until(shown('Report of term-read-badkey.pcap'));
    assert.match(await browser.value(text('status')), /^verdict: fail; /);
    const report = await browser.frameText();
    assert.match(report, /verdict: *\n*fail/);
    assert.match(report, /1 findings/); // its script runs
    await shot(browser, 'report');
  },
  async 'all examples can be opened'(browser) {
    const names = await browser.value("[...document.querySelectorAll('#examples button')].map((b) => b.title)");
    assert.ok(names.length >= 4);
    for (const name of names) {
      await browser.value(`[...document.querySelectorAll('#examples button')].find((b) => b.title === ${JSON.stringify(name)}).click()`);
      await browser.until(shown(`Report of ${name}`));
    }
  },
  async 'views hold what the tool prints'(browser) {
    const file = real('term-read-badkey.pcap');
    await browser.give(file);
    await browser.until(shown('Report of term-read-badkey.pcap'));
    for (const [name, title, args] of [['findings', 'Findings', ['check']], ['dump', 'Dump', ['dump', '-V']], ['timeline', 'Timeline', ['timeline']]]) {
      await view(browser, name, title, file);
      assert.equal(await browser.value("document.querySelector('#view pre').textContent"), printed(args, file));
      await shot(browser, name);
    }
    await view(browser, 'stats', 'Statistics', file);
    assert.match(await browser.frameText(), /^iwarp stats/);
    await shot(browser, 'stats');
    await view(browser, 'report', 'Report', file);
  },
  async 'downloads hold what the tool writes'(browser) {
    const file = real('term-read-badkey.pcap');
    const name = path.basename(file);
    const octets = readFileSync(file);
    await browser.give(file);
    await browser.until(shown(`Report of ${name}`));
    const expected = {
      Text: ['term-read-badkey.txt', iwarp.run(['check', '-v', '--no-sandbox', name], { files: { [name]: octets } }).stdout],
      JSON: ['term-read-badkey.jsonl', iwarp.run(['check', '-T', 'jsonl', name], { files: { [name]: octets } }).stdout],
      'Annotated pcapng': ['term-read-badkey-annotated.pcapng',
        iwarp.run(['check', '-q', '--annotate', 'a.pcapng', name], { files: { [name]: octets } }).files['a.pcapng']],
      Statistics: ['term-read-badkey-stats.csv', iwarp.run(['stats', '-T', 'csv', name], { files: { [name]: octets } }).stdout],
    };
    for (const [title, [saved, content]] of Object.entries(expected)) {
      const done = browser.downloaded();
      await browser.value(`[...document.querySelectorAll('#downloads button')].find((b) => b.textContent === ${JSON.stringify(title)}).click()`);
      await done;
      assert.ok(existsSync(path.join(browser.folder, saved)), `no ${saved}`);
      assert.equal(Buffer.compare(readFileSync(path.join(browser.folder, saved)), content), 0, `${saved} differs`);
    }
  },
  async 'a compressed capture is read'(browser) {
    const file = path.join(temporary, 'verbs.pcap.gz');
    writeFileSync(file, gzipSync(readFileSync(real('crc-verbs.pcap'))));
    await browser.give(file);
    await browser.until(shown('Report of verbs.pcap.gz'));
    assert.match(await browser.value(text('status')), /^verdict: pass; /);
    await view(browser, 'findings', 'Findings', file);
    assert.equal(await browser.value("document.querySelector('#view pre').textContent"), printed(['check'], file));
  },
  async 'what is no capture is refused, and the next one is read'(browser) {
    const file = path.join(temporary, 'letter.txt');
    writeFileSync(file, 'Dear reader,\n');
    await browser.give(file);
    await browser.until(`document.getElementById('status').className === 'failed'`);
    assert.match(await browser.value(text('messages')), /not pcap or pcapng, but text/);
    await browser.give(real('crc-verbs.pcap'));
    await browser.until(shown('Report of crc-verbs.pcap'));
    assert.equal(await browser.value("document.getElementById('messages').hidden"), true);
  },
  async 'options reach the tool'(browser) {
    await browser.value("document.getElementById('options').value = '--only mpa.*'");
    await browser.give(real('term-read-badkey.pcap'));
    await browser.until(shown('Report of term-read-badkey.pcap'));
    assert.match(await browser.value(text('status')), /^verdict: pass/);
    await view(browser, 'dump', 'Dump', 'term-read-badkey.pcap'); // which has no such option
    assert.match(await browser.value("document.querySelector('#view pre').textContent"), /terminate/);
    await browser.value("document.getElementById('options').value = '--no-such-option'");
    await browser.value("document.getElementById('choose').requestSubmit()");
    await browser.until(`document.getElementById('status').className === 'failed'`);
    assert.match(await browser.value(text('messages')), /no-such-option/);
  },
  async 'a capture can be dropped'(browser) {
    const data = { items: [], files: [path.resolve(real('crc-verbs.pcap'))], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await browser.send('Input.dispatchDragEvent', { type, x: 300, y: 500, data });
    }
    await browser.until(shown('Report of crc-verbs.pcap'));
  },
  async 'a run shows progress, and can be cancelled'(browser) {
    const file = path.join(temporary, 'long.pcap');
    const out = openSync(file, 'w');
    execFileSync(bigcap, ['600000000', '8', 'small'], { stdio: ['ignore', out, 'inherit'] });
    closeSync(out);
    await browser.give(file);
    await browser.until("!document.getElementById('running').hidden && document.getElementById('progress').value > 0");
    await shot(browser, 'progress');
    await browser.value(click('cancel'));
    await browser.until(`${text('status')} === 'Cancelled.'`);
    assert.equal(await browser.value("document.getElementById('running').hidden"), true);
    rmSync(file);
    await browser.give(real('crc-verbs.pcap'));
    await browser.until(shown('Report of crc-verbs.pcap'));
  },
  async 'a real capture of 100 MB is read'(browser) {
    const file = path.join(temporary, 'real.pcap');
    writeReal(file, 100e6);
    await browser.give(file);
    await browser.until(shown('Findings of real.pcap'));
    assert.match(await browser.value(text('status')), /^verdict: fail; .* \(100\.\d MB in /);
    const findings = await browser.value("document.querySelector('#view pre').textContent");
    const expected = printed(['check'], file);
    assert.ok(findings.length > 1e5 && expected.startsWith(findings), 'the findings are not those of the tool');
    await view(browser, 'report', 'Report', file);
    assert.match(await browser.frameText(), /verdict: *\n*fail/);
    rmSync(file);
  },
  async 'a frame is decoded as it is typed'(browser) {
    await browser.value(click('tab-decode'));
    await browser.value("document.getElementById('hex').focus()");
    await browser.send('Input.insertText', { text: '4d504120494420526571204672616d6540010000' });
    await browser.until(`${text('decoded')}.includes('MPA Request/Reply Frame')`);
    assert.equal(await browser.value(text('decoded-status')), 'Decoded.');
    await shot(browser, 'decode');
    await browser.send('Input.insertText', { text: 'zz' });
    await browser.until(`${text('decoded-status')}.includes('decode')`);
    await browser.value("document.getElementById('hex').value = 'c140000000010000000000000000'");
    await browser.value("{ const layer = document.getElementById('layer'); layer.value = 'ddp'; layer.dispatchEvent(new Event('change')); }");
    await browser.until(`${text('decoded')}.includes('DDP Tagged Buffer Header')`);
  },
  async 'rules are found, and their pages are linked'(browser) {
    await browser.value(click('tab-rules'));
    await browser.until(`/^(\\d+) of \\1 rules$/.test(${text('found')})`);
    await browser.value("document.getElementById('find').focus()");
    await browser.send('Input.insertText', { text: 'mpa.crc' });
    await browser.until("document.querySelectorAll('#rules li').length === 1");
    await browser.value("document.querySelector('#rules a').click()");
    await browser.until("document.querySelector('#rule h2') && document.querySelector('#rule h2').textContent === 'mpa.crc'");
    assert.ok(await browser.value("document.querySelectorAll('#rule h3').length") >= 4);
    await shot(browser, 'rule');
    await browser.value("document.querySelector('#rule a[href=\"#rule=mpa.framing\"]').click()");
    await browser.until("document.querySelector('#rule h2').textContent === 'mpa.framing'");
    assert.equal(await browser.value('document.activeElement.id'), 'rule');
  },
  async 'the keyboard reaches all parts'(browser) {
    const active = "document.activeElement.id || document.activeElement.textContent.slice(0, 30)";
    const reached = [];
    for (let i = 0; i < 12; i++) {
      await browser.key('Tab');
      reached.push(await browser.value(active));
    }
    assert.equal(reached[0], 'Skip to the content');
    for (const id of ['tab-capture', 'file', 'options']) {
      assert.ok(reached.includes(id), `${id} is not among ${reached}`);
    }
    await browser.value("document.getElementById('tab-capture').focus()");
    await browser.key('ArrowRight');
    assert.equal(await browser.value('document.activeElement.id'), 'tab-decode');
    assert.equal(await browser.value("document.getElementById('part-decode').hidden"), false);
    await browser.key('End');
    assert.equal(await browser.value('document.activeElement.id'), 'tab-rules');
    await browser.key('ArrowRight');
    assert.equal(await browser.value("document.getElementById('tab-capture').getAttribute('aria-selected')"), 'true');
    await browser.value("document.querySelector('#examples button').focus()");
    await browser.key('Enter');
    await browser.until("document.body.dataset.shown");
  },
  async 'everything that can be reached has a name and a role'(browser) {
    await example(browser);
    for (const part of ['tab-capture', 'tab-decode', 'tab-rules']) {
      await browser.value(click(part));
      const { nodes } = await browser.send('Accessibility.getFullAXTree');
      const focusable = nodes.filter((node) => !node.ignored && (node.properties ?? []).some(({ name, value }) => name === 'focusable' && value.value));
      assert.ok(focusable.length > 3);
      for (const { name, role } of focusable) {
        assert.ok(role.value === 'RootWebArea' || role.value === 'main' || (name && name.value !== ''), `a ${role.value} without a name`);
      }
      const roles = new Set(nodes.filter((node) => !node.ignored).map(({ role }) => role.value));
      for (const role of ['banner', 'main', 'tablist', 'tab', 'tabpanel', 'status']) {
        assert.ok(roles.has(role), `no ${role} among ${[...roles]}`);
      }
    }
  },
  async 'text can be read in light and in dark'(browser) {
    for (const scheme of ['light', 'dark']) {
      await browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
      await example(browser);
      await view(browser, 'findings', 'Findings', await browser.value(text('result-title')));
      for (const part of ['tab-capture', 'tab-decode', 'tab-rules']) {
        await browser.value(click(part));
        await browser.until(`'${part}' !== 'tab-rules' || document.querySelectorAll('#rules li').length > 0`);
        const least = await browser.value(contrast);
        assert.ok(least.ratio >= 4.5, `${scheme}, ${part}: contrast ${least.ratio.toFixed(2)} of "${least.text}"`);
        await shot(browser, `${scheme}-${part}`);
      }
      await browser.value(click('tab-capture'));
    }
  },
  async 'a narrow window needs no sideways scrolling'(browser) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width: 360, height: 740, deviceScaleFactor: 1, mobile: true });
    await example(browser);
    for (const part of ['tab-capture', 'tab-decode', 'tab-rules']) {
      await browser.value(click(part));
      assert.ok(await browser.value('document.documentElement.scrollWidth <= 360'), `${part}: ${await browser.value('document.documentElement.scrollWidth')} wide`);
      await shot(browser, `narrow-${part}`);
    }
  },
  async 'the policy forbids connections'(browser) {
    const tried = await browser.value("fetch('https://127.0.0.1/').then(() => 'connected', (error) => String(error))");
    assert.match(tried, /Failed to fetch|Content Security Policy/);
    assert.ok(browser.complaints.some((complaint) => complaint.includes('Content Security Policy')), browser.complaints.join());
    browser.complaints = [];
    assert.equal(await browser.value("(() => { try { return new Function('return 1')(); } catch (error) { return 'refused'; } })()"), 'refused');
    const policy = await browser.value("document.querySelector('meta[http-equiv]').content");
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /'unsafe-|https?:|\*/);
    browser.complaints = [];
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([title]) => only.length === 0 || only.some((word) => title.includes(word)))) {
  let browser;
  try {
    browser = await Browser.open(page, {
      setUp: (opened) => opened.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }),
    });
    await browser.until(ready);
    await test(browser);
    assert.deepEqual(browser.complaints, []);
    const others = browser.requests.filter((url) => url !== page && !url.startsWith('blob:') && url !== 'https://127.0.0.1/');
    assert.deepEqual(others, [], 'the page asked for something');
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.stack}`);
  } finally {
    await browser?.close();
  }
}
rmSync(temporary, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
