// SPDX-License-Identifier: BSD-2-Clause
// The JavaScript API, as docs/web.md describes it: api.mjs FOLDER PCAPS. FOLDER is what the build makes: iwarp.js and iwarp.wasm.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, pcaps] = process.argv.slice(2);
const { load } = await import(pathToFileURL(path.resolve(folder, 'iwarp.js')));
const module = readFileSync(path.join(folder, 'iwarp.wasm'));
const real = (name) => readFileSync(path.join(pcaps, 'real/siw', name));
const iwarp = await load(module);
const request = '4d504120494420526571204672616d6540010000';

const tests = {
  'check finds what the native tool finds'() {
    const { status, connections, findings, summary, messages } = iwarp.check(real('term-read-badkey.pcap'));
    assert.equal(status, 1);
    assert.equal(messages, '');
    assert.equal(connections.length, 1);
    assert.equal(connections[0].outcome, 'terminated');
    assert.equal(connections[0].diagnosis[0].id, 'term-stag');
    assert.deepEqual(findings.map(({ rule, frame }) => [rule, frame]), [['rdmap.terminate-reserved', 12]]);
    assert.equal(summary.findings.violation, 1);
    assert.equal(summary.packets, 16);
  },
  'names and options reach the tool'() {
    const { lines } = iwarp.check(real('term-read-badkey.pcap'), { name: 'my trace.pcap', args: ['--only', 'mpa.*'] });
    assert.ok(lines.filter(({ type }) => type === 'connection').every(({ file }) => file === 'my trace.pcap'));
    assert.equal(lines.filter(({ type }) => type === 'finding').length, 0);
  },
  'any view of octets is a capture'() {
    const octets = real('crc-verbs.pcap');
    const shifted = new Uint8Array(octets.length + 3);
    shifted.set(octets, 3);
    const expected = iwarp.check(octets);
    assert.deepEqual(iwarp.check(shifted.subarray(3)), expected);
    assert.deepEqual(iwarp.check(octets.buffer.slice(octets.byteOffset, octets.byteOffset + octets.length)), expected);
  },
  'progress reaches the end'() {
    const seen = [];
    iwarp.check(real('big-write-read.pcap'), { onRead: (done, total) => seen.push([done, total]) });
    assert.ok(seen.length > 1);
    assert.deepEqual(seen.at(-1), [671698, 671698]);
    assert.ok(seen.every(([done], i) => i === 0 || done >= seen[i - 1][0]));
  },
  'dump and stats have lines'() {
    const dump = iwarp.dump(real('crc-verbs.pcap'));
    assert.equal(dump.status, 0);
    assert.ok(dump.lines.some(({ type }) => type === 'pdu') || dump.lines.length > 3);
    const stats = iwarp.stats(real('crc-verbs.pcap'));
    assert.equal(stats.status, 0);
    assert.equal(stats.lines[0].command, 'stats');
  },
  'decode takes text and octets'() {
    const { status, frame } = iwarp.decode(request);
    assert.equal(status, 0);
    assert.ok(frame);
    assert.deepEqual(iwarp.decode(Buffer.from(request, 'hex')), iwarp.decode(request));
    const bad = iwarp.decode('4d504');
    assert.equal(bad.status, 2);
    assert.match(bad.messages, /decode/);
    assert.equal(iwarp.decode('c140000000010000000000000000', { layer: 'ddp' }).status, 0);
  },
  'what is no capture is refused, and says why'() {
    const { status, messages, connections, summary } = iwarp.check(Buffer.from('this is a text, and no capture'));
    assert.equal(status, 2);
    assert.match(messages, /^iwarp: capture: not pcap or pcapng, but text/);
    assert.deepEqual(connections, []);
    assert.ok(summary === undefined || summary.connections === 0);
    assert.equal(iwarp.check(new Uint8Array(0)).status, 2);
  },
  'a capture that is cut keeps what came before'() {
    const octets = real('crc-loss.pcap');
    const { status, messages, connections } = iwarp.check(octets.subarray(0, octets.length - 10));
    assert.equal(status, 2);
    assert.match(messages, /cut short/);
    assert.equal(connections.length, 1);
  },
  'octets come in any view, and what is none is refused'() {
    const octets = Uint8Array.from(Buffer.from('c140000000010000000000000000', 'hex'));
    const { frame } = iwarp.decode(octets, { layer: 'ddp' });
    assert.equal(frame.ddp.stag, '0x00000001');
    assert.deepEqual(iwarp.decode(octets.buffer, { layer: 'ddp' }).frame, frame);
    assert.deepEqual(iwarp.decode(new Uint16Array(octets.buffer), { layer: 'ddp' }).frame, frame);
    const { buffer } = Uint8Array.from(real('term-read-badkey.pcap'));
    assert.equal(iwarp.check(buffer).status, 1);
    assert.equal(iwarp.run(['check', '-q', '-'], { stdin: buffer }).status, 1);
    for (const wrong of [null, 5, {}, [1]]) {
      for (const call of [() => iwarp.check(wrong), () => iwarp.decode(wrong), () => iwarp.run(['check', '-'], { stdin: wrong })]) {
        assert.throws(call, /^TypeError: octets are/);
      }
    }
  },
  'run writes files and takes standard input'() {
    const octets = real('term-read-badkey.pcap');
    const { status, files } = iwarp.run(['check', '-q', '--annotate', 'out.pcapng', '--report', 'html=a.html', 'in.pcap'], { files: { 'in.pcap': octets } });
    assert.equal(status, 1);
    assert.deepEqual(Object.keys(files).sort(), ['a.html', 'out.pcapng']);
    assert.deepEqual([...files['out.pcapng'].subarray(0, 4)], [0x0a, 0x0d, 0x0d, 0x0a]);
    const piped = iwarp.run(['check', '-q', '-'], { stdin: octets });
    assert.equal(piped.status, 1);
    const scenario = readFileSync(path.join(pcaps, 'scenarios/mpa.crc-fail.scn'), 'utf8');
    const made = iwarp.run(['gen', 'a.scn', '-o', 'a.pcap'], { files: { 'a.scn': scenario } });
    assert.equal(made.status, 0, made.stderr);
    assert.deepEqual(iwarp.check(made.files['a.pcap']).findings.map(({ rule }) => rule), ['mpa.crc']);
    const scrubbed = iwarp.run(['scrub', 'in.pcap', '-o', 'b.pcap'], { files: { 'in.pcap': octets } });
    assert.equal(scrubbed.status, 0, scrubbed.stderr);
    assert.equal(iwarp.check(scrubbed.files['b.pcap']).connections[0].outcome, 'terminated');
  },
  'what the system lacks is said'() {
    const files = { 'a.pcap': real('crc-verbs.pcap') };
    const filter = iwarp.run(['check', '-f', 'tcp', 'a.pcap'], { files });
    assert.equal(filter.status, 2);
    assert.match(filter.stderr, /no libpcap/);
    const live = iwarp.run(['check', '-i', 'eth0']);
    assert.equal(live.status, 2);
    assert.match(live.stderr, /no libpcap/);
    const jobs = iwarp.run(['check', '-q', '--jobs', '4', 'a.pcap'], { files });
    assert.equal(jobs.status, 0);
    assert.match(jobs.stderr, /one job does all/);
    assert.match(iwarp.run(['check', 'missing.pcap']).stderr, /No such file/);
    assert.match(iwarp.run(['check', '/etc/passwd']).stderr, /No such file/);
  },
  'a module that was compiled before will do'() {
    return load(new WebAssembly.Module(module)).then((other) => assert.equal(other.version(), iwarp.version()));
  },
  async 'a system without a global crypto will do'() {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
    delete globalThis.crypto;
    try {
      assert.equal((await load(module)).check(real('term-read-badkey.pcap')).status, 1);
    } finally {
      if (own) {
        Object.defineProperty(globalThis, 'crypto', own);
      }
    }
  },
  'the version is that of the tool'() {
    assert.match(iwarp.version(), /^\d+\.\d+\.\d+$/);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.stack}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
