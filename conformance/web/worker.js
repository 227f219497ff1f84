// SPDX-License-Identifier: BSD-2-Clause
// Runs the tool beside the page. The first message is the module; each other one is a run, answered by its progress and its result.

import { Iwarp } from './iwarp.js';

const progressMs = 50; // between two messages

let iwarp;

/** tell returns a function that posts how far a run is, not too often. */
function tell(id) {
  let last = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - last >= progressMs) {
      last = now;
      postMessage({ id, done, total });
    }
  };
}

function run({ id, args, files = {}, stdin }) {
  const begin = performance.now();
  const result = iwarp.run(args, { files, stdin, onRead: tell(id) });
  const octets = [result.stdout, ...Object.values(result.files)].map((array) => array.buffer);
  postMessage({ id, result: { ...result, ms: performance.now() - begin } }, [...new Set(octets)]);
}

onmessage = ({ data }) => {
  if (data.module) {
    iwarp = new Iwarp(data.module);
    return;
  }
  try {
    run(data);
  } catch (error) { // the module trapped, for want of memory for instance
    postMessage({ id: data.id, error: error.message });
  }
};
