// SPDX-License-Identifier: BSD-2-Clause
// The module beside the native tool with the CRC that the module has, and the page with large captures:
// speed.mjs FOLDER PORTABLE-IWARP BIGCAP [--limits]
// Ratios to the native tool and seconds of the processor have a limit always, seconds of the clock only with --limits: those depend
// on what else the machine does.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Browser } from './browser.mjs';

const [folder, native, bigcap, option] = process.argv.slice(2);
const { load } = await import(pathToFileURL(path.resolve(folder, 'iwarp.js')));
const iwarp = await load(readFileSync(path.join(folder, 'iwarp.wasm')));
const rounds = 5;
// Runs a program; prints the seconds of the processor that it took.
const measure = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)`;

const temporary = mkdtempSync(path.join(tmpdir(), 'iwarp-speed-'));

function make(name, ...args) {
  const file = path.join(temporary, name);
  const out = openSync(file, 'w');
  execFileSync(bigcap, args, { stdio: ['ignore', out, 'inherit'] });
  closeSync(out);
  return file;
}

/** peak returns the most memory of a run, in octets: what the system said last before its end. */
function peak(file) {
  const child = spawn(native, ['check', '-q', file], { stdio: 'ignore' });
  let most = 0;
  return new Promise((resolve) => {
    const look = () => {
      try {
        const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
        most = Math.max(most, Number(kib ?? 0) * 1024);
        setImmediate(look);
      } catch {
        resolve(most);
      }
    };
    look();
  });
}

async function runNative(file) {
  const { stdout, status, stderr } = spawnSync('python3', ['-c', measure, native, 'check', '-q', file], { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(stderr);
  }
  return { seconds: Number(stdout), memory: await peak(file) };
}

function runModule(octets) {
  const name = 'capture';
  const files = { [name]: octets };
  const begin = process.cpuUsage();
  const { memory, status } = iwarp.run(['check', '-q', name], { files });
  const { user, system } = process.cpuUsage(begin);
  if (status !== 0) {
    throw new Error(`status ${status}`);
  }
  return { seconds: (user + system) / 1e6, memory };
}

let missed = 0;

function judge(what, value, limit, unit, binding) {
  const kept = value <= limit;
  missed += kept || !binding ? 0 : 1;
  console.log(`${what}: ${value.toFixed(2)}${unit} (limit ${limit}${unit}${kept ? '' : ': missed'})`);
}

async function compare(what, file) {
  const natives = [];
  const modules = [];
  const octets = readFileSync(file); // once: fresh memory is slow when it is read first
  runModule(octets); // the first run compiles
  for (let i = 0; i < rounds; i++) {
    natives.push(await runNative(file));
    modules.push(runModule(octets));
  }
  const least = (list, key) => Math.min(...list.map((one) => one[key]));
  console.log(`${what}: native ${least(natives, 'seconds').toFixed(3)} s of the processor and ${(least(natives, 'memory') / 1e6).toFixed(1)} MB, `
    + `module ${least(modules, 'seconds').toFixed(3)} s and ${(least(modules, 'memory') / 1e6).toFixed(1)} MB`);
  judge(`${what}: time, module to native`, least(modules, 'seconds') / least(natives, 'seconds'), 3, '', true);
  judge(`${what}: memory, module to native`, least(modules, 'memory') / least(natives, 'memory'), 1.5, '', true);
}

/** processor returns the seconds of the processor that the process of the page took, in all threads. */
async function processor(browser) {
  const { metrics } = await browser.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ProcessTime').value;
}

/** Opens the page and gives it a capture; returns the seconds from opening to what is shown, of clock and processor, and those
 * of the run. */
async function inPage(file, view) {
  const browser = await Browser.open('about:blank');
  try {
    await browser.send('Performance.enable');
    const begin = performance.now();
    await browser.send('Page.navigate', { url: pathToFileURL(path.resolve(folder, 'iwarp.html')).href });
    await browser.until("document.readyState !== 'loading'");
    await browser.give(file);
    await browser.until(`document.body.dataset.shown === ${JSON.stringify(`${view} of ${path.basename(file)}`)}`);
    const all = (performance.now() - begin) / 1000;
    const status = await browser.value("document.getElementById('status').textContent");
    return { all, run: Number(/ in ([\d.]+) s\)$/.exec(status)[1]), processor: await processor(browser) };
  } finally {
    await browser.close();
  }
}

/** quickest returns the least of each of some runs. */
async function quickest(file, view) {
  const results = [];
  for (let i = 0; i < 3; i++) {
    results.push(await inPage(file, view));
  }
  const least = (key) => Math.min(...results.map((one) => one[key]));
  return { all: least('all'), run: least('run'), processor: least('processor') };
}

const large = make('large.pcap', '100000000');
const ten = make('ten.pcap', '10000000');
await compare('100 MB, full segments', large);
await compare('100 MB, small packets', make('small.pcap', '100000000', '8', 'small'));
const binding = option === '--limits';
const run = await quickest(large, 'Findings');
const report = await quickest(ten, 'Report');
judge('Chromium: run of 100 MB', run.run, 1, ' s', binding);
judge('Chromium: from opening the page to the report of 10 MB', report.all, 3, ' s', binding);
// Of all threads of the page, which has begun in less than a second.
judge('Chromium: from opening the page to the findings of 100 MB, processor', run.processor, 2, ' s', true);
judge('Chromium: from opening the page to the report of 10 MB, processor', report.processor, 3, ' s', true);
rmSync(temporary, { recursive: true });
process.exit(missed === 0 ? 0 : 1);
