// SPDX-License-Identifier: BSD-2-Clause
// Compares the module with the native tool, octet for octet: corpus.mjs IWARP IWARP.WASM PCAPS [--every N]
// Each capture goes through each command below; --every N takes one capture of N.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { load } from '../iwarp.js';

const [toolPath, module, pcaps, , every = '1'] = process.argv.slice(2);
const tool = path.resolve(toolPath);

const commands = [
  ['check'], ['check', '-v', '--no-sandbox'], ['check', '-T', 'jsonl'], ['check', '-T', 'timeline'], ['check', '-T', 'junit'],
  ['check', '-T', 'sarif'], ['check', '-T', 'html'], ['dump', '-V', '-x'], ['dump', '-T', 'jsonl'], ['timeline'],
  ['stats', '--interval', '0.1'], ['stats', '-T', 'jsonl'], ['stats', '-T', 'csv'], ['stats', '-T', 'html'], ['baseline'],
];
// Commands without a capture.
const alone = [
  [['--help']], [['help', 'check']], [['rules']], [['rules', '-T', 'jsonl']], [['rules', '--diagnoses']], [['coverage', '-T', 'jsonl']],
  [['explain', 'mpa.crc']], [['explain', 'outcome.reset']], [['explain', 'no-such-rule']], [['no-such-command']], [['check', 'missing.pcap']],
  [['decode', '4d504120494420526571204672616d6540010000']], [['decode', '-T', 'jsonl', '-'], '4d504120494420526571204672616d6540010000'],
  [['decode', '--layer', 'ddp', 'c140000000010000000000000000']], [['decode', 'xyz']],
];

function captures(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => /\.(pcap|pcapng)$/.test(name)).sort();
}

function native(args, cwd, input) {
  const { status, stdout, stderr, error } = spawnSync(tool, args, { cwd, input: input ?? '', maxBuffer: 1 << 30 });
  if (error) {
    throw error;
  }
  return { status, stdout, stderr: stderr.toString() };
}

let differences = 0;
let compared = 0;

function compare(what, expected, got) {
  compared++;
  const parts = [];
  if (expected.status !== got.status) {
    parts.push(`status ${got.status}, not ${expected.status}`);
  }
  if (Buffer.compare(expected.stdout, got.stdout) !== 0) {
    parts.push(`standard output of ${got.stdout.length} octets, expected ${expected.stdout.length}`);
  }
  if (expected.stderr !== got.stderr) {
    parts.push(`standard error ${JSON.stringify(got.stderr)}, not ${JSON.stringify(expected.stderr)}`);
  }
  if (parts.length > 0) {
    differences++;
    console.log(`differs: iwarp ${what}: ${parts.join('; ')}`);
  }
}

function compareOctets(what, expected, got = new Uint8Array(0)) {
  compared++;
  if (Buffer.compare(expected, got) !== 0) {
    differences++;
    console.log(`differs: ${what}: ${got.length} octets, expected ${expected.length}`);
  }
}

const temporary = mkdtempSync(path.join(tmpdir(), 'iwarp-web-'));
const iwarp = await load(readFileSync(module));
for (const [args, input] of alone) {
  compare(args.join(' '), native(args, '/', input), iwarp.run(args, { stdin: input }));
}
const names = captures(pcaps).filter((name, i) => i % Number(every) === 0);
if (names.length === 0) {
  console.log(`no capture in ${pcaps}`);
  process.exit(1);
}
for (const name of names) {
  const folder = path.join(pcaps, path.dirname(name));
  const base = path.basename(name);
  const files = { [base]: readFileSync(path.join(folder, base)) };
  for (const command of commands) {
    const args = [...command, base];
    compare(`${command.join(' ')} ${name}`, native(args, folder), iwarp.run(args, { files }));
  }
  const annotated = path.join(temporary, 'annotated.pcapng');
  const expected = native(['check', '-q', '--annotate', annotated, base], folder);
  const got = iwarp.run(['check', '-q', '--annotate', 'annotated.pcapng', base], { files });
  compare(`check -q --annotate ${name}`, expected, got);
  compareOctets(`annotated ${name}`, readFileSync(annotated), got.files['annotated.pcapng']);
}
rmSync(temporary, { recursive: true });
console.log(`${compared} runs compared over ${names.length} captures, ${differences} differ`);
process.exit(differences === 0 ? 0 : 1);
