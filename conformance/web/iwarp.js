// SPDX-License-Identifier: BSD-2-Clause
// The tool iwarp as functions. docs/web.md documents them.

import { MemoryFile, ReadFile, Wasi } from './wasi.js';

const decoder = new TextDecoder();

function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => {
    all.set(piece, at);
    return at + piece.length;
  }, 0);
  return all;
}

/** octetsOf returns the octets of a text, an ArrayBuffer or a view of one. */
function octetsOf(source) {
  if (typeof source === 'string') {
    return new TextEncoder().encode(source);
  }
  if (source instanceof ArrayBuffer) {
    return new Uint8Array(source);
  }
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  throw new TypeError('octets are an ArrayBuffer, a typed array, a text or, as a file in a worker, a Blob');
}

/** fileOf returns a file of the module: from octets, from a text, or from a Blob. */
function fileOf(source) {
  if (typeof source === 'string') {
    return new MemoryFile(octetsOf(source));
  }
  if (typeof Blob !== 'undefined' && source instanceof Blob) { // in a worker
    const reader = new FileReaderSync();
    return new ReadFile(source.size, (at, length) => new Uint8Array(reader.readAsArrayBuffer(source.slice(at, at + length))));
  }
  const octets = octetsOf(source);
  return new ReadFile(octets.length, (at, length) => octets.subarray(at, at + length));
}

class Iwarp {
  /** `random` gives random octets, as globalThis.crypto does. */
  constructor(module, random = globalThis.crypto) {
    this.module = module;
    this.random = random;
  }

  /** run runs a command line: run(['check', 'a.pcap'], { files: { 'a.pcap': octets } }). A file is octets, text, or in a
   * worker a Blob. Returns { status, stdout, stderr, files, memory }: octets, text, octets by name of what was written, and octets
   * of memory. */
  run(args, { files = {}, stdin, onRead } = {}) {
    const out = [];
    const messages = [];
    const given = new Map(Object.entries(files).map(([name, source]) => [name, fileOf(source)]));
    const wasi = new Wasi({
      args: ['iwarp', ...args],
      files: given,
      stdin: stdin === undefined ? undefined : octetsOf(stdin),
      stdout: (octets) => out.push(octets),
      stderr: (octets) => messages.push(octets),
      random: this.random,
      read: onRead && ((file, at) => onRead(at, file.size)),
    });
    const status = wasi.run(this.module);
    const written = {};
    for (const [path, node] of wasi.tree) {
      if (node.file instanceof MemoryFile && !given.has(path)) {
        written[path] = node.file.contents();
      }
    }
    const memory = wasi.memory.buffer.byteLength;
    return { status, stdout: joined(out), stderr: decoder.decode(joined(messages)), files: written, memory };
  }

  /** lines runs a command on one capture and returns { status, messages, lines }: each line of its JSON as an object. */
  lines(command, capture, { name = 'capture', args = [], onRead } = {}) {
    const { status, stdout, stderr } = this.run([command, '-T', 'jsonl', ...args, '--', name], { files: { [name]: capture }, onRead });
    const lines = decoder.decode(stdout).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
    return { status, messages: stderr, lines };
  }

  /** check checks a capture; returns { status, messages, connections, findings, summary, lines }. */
  check(capture, options) {
    const result = this.lines('check', capture, options);
    const of = (type) => result.lines.filter((line) => line.type === type);
    return { ...result, connections: of('connection'), findings: of('finding'), summary: of('summary')[0] };
  }

  /** dump returns { status, messages, lines }: a line for each PDU. */
  dump(capture, options) {
    return this.lines('dump', capture, options);
  }

  /** stats returns { status, messages, lines }: figures of each connection. */
  stats(capture, options) {
    return this.lines('stats', capture, options);
  }

  /** decode decodes one frame, octets or text in hex; returns { status, messages, frame }, where `frame` may be undefined. */
  decode(frame, { layer = 'mpa' } = {}) {
    const hex = typeof frame === 'string' ? frame : Array.from(octetsOf(frame), (octet) => octet.toString(16).padStart(2, '0')).join('');
    const { status, stdout, stderr } = this.run(['decode', '-T', 'jsonl', '--layer', layer, '-'], { stdin: hex });
    const text = decoder.decode(stdout);
    return { status, messages: stderr, frame: text === '' ? undefined : JSON.parse(text) };
  }

  /** version returns the version of the tool. */
  version() {
    return decoder.decode(this.run(['--version']).stdout).split('\n')[0].replace(/^iwarp /, '');
  }
}

/** load makes an Iwarp of the octets of iwarp.wasm, or of a WebAssembly.Module. */
async function load(source) {
  const random = globalThis.crypto ?? (await import('node:crypto')).webcrypto; // Node 18 has it in a module alone
  return new Iwarp(source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source), random);
}

export { Iwarp, load };
