// SPDX-License-Identifier: BSD-2-Clause
// A page in headless Chromium, driven by the DevTools protocol through pipes: what the tests of the page stand on.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const patience = Number(process.env.IWARP_WEB_PATIENCE_S ?? 60) * 1000; // until a condition holds
const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--remote-debugging-pipe',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps',
  '--disable-features=OptimizationHints,MediaRouter', '--metrics-recording-only', '--no-pings',
];

/** Browser is a Chromium with one page. */
export class Browser {
  /** open starts Chromium and loads `url`; `setUp` may send commands before. */
  static async open(url, { width = 1280, height = 900, setUp = async () => {} } = {}) {
    const browser = new Browser();
    browser.folder = mkdtempSync(path.join(tmpdir(), 'iwarp-web-'));
    browser.process = spawn(process.env.CHROMIUM ?? 'chromium', [...flags, `--user-data-dir=${browser.folder}`, `--window-size=${width},${height}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    browser.ended = new Promise((resolve) => browser.process.on('exit', resolve));
    browser.ended.then(() => browser.fail(new Error(`Chromium ended: ${browser.words.slice(-500)}`)));
    browser.process.on('error', (error) => browser.fail(error));
    browser.process.stderr.on('data', (data) => { browser.words += data; });
    browser.listen(browser.process.stdio[4]);
    const { targetInfos } = await browser.send('Target.getTargets', {}, null);
    const { targetId } = targetInfos.find(({ type }) => type === 'page');
    ({ sessionId: browser.session } = await browser.send('Target.attachToTarget', { targetId, flatten: true }, null));
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'DOM', 'Accessibility']) {
      await browser.send(`${domain}.enable`);
    }
    // A sandboxed frame is a process, and a session, of its own.
    await browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await browser.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await browser.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: browser.folder });
    await setUp(browser);
    await browser.send('Page.navigate', { url });
    return browser;
  }

  constructor() {
    this.number = 0;
    this.calls = new Map();
    this.words = '';
    this.requests = []; // addresses that were asked for
    this.complaints = []; // errors of scripts and breaches of the policy
  }

  listen(pipe) {
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
        this.take(JSON.parse(text.slice(0, end)));
        text = text.slice(end + 1);
      }
    });
  }

  take({ id, result, error, method, params }) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (call && error) {
      call.reject(new Error(`${call.method}: ${error.message}`));
    } else if (call) {
      call.resolve(result);
    } else if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'iframe') {
      this.frame = params.sessionId;
    } else if (method === 'Page.downloadProgress' && params.state === 'completed') {
      this.saved?.();
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    } else if (method === 'Runtime.exceptionThrown') {
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
      this.complaints.push(params.entry.text);
    }
  }

  fail(error) {
    for (const { reject } of this.calls.values()) {
      reject(error);
    }
    this.calls.clear();
  }

  /** send calls a method of the protocol. */
  send(method, params = {}, session = this.session) {
    return new Promise((resolve, reject) => {
      const id = ++this.number;
      this.calls.set(id, { method, resolve, reject });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) })}\0`);
    });
  }

  /** value returns what an expression of the page is. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, allowUnsafeEvalBlockedByCSP: false });
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  /** until waits until an expression of the page is true. The page itself looks at each change, so no time is lost. */
  async until(expression) {
    const looked = `new Promise((resolve) => {
      const begin = performance.now();
      const look = () => {
        if (${expression}) { resolve(true); return; }
        if (performance.now() - begin > ${patience}) { resolve(false); return; }
        setTimeout(look, 4);
      };
      look();
    })`;
    if (!(await this.value(looked))) {
      throw new Error(`never true: ${expression}; status: ${await this.value("document.getElementById('status').textContent")}; ${this.complaints.join('; ')}`);
    }
  }

  /** frameText returns the text of the page in the frame that was loaded last. */
  async frameText() {
    const { result } = await this.send('Runtime.evaluate', { expression: 'document.body.innerText', returnByValue: true }, this.frame);
    return result.value;
  }

  /** give chooses a file of this machine in the field for captures. */
  async give(file, selector = '#file') {
    const { root } = await this.send('DOM.getDocument');
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    await this.send('DOM.setFileInputFiles', { nodeId, files: [path.resolve(file)] });
  }

  /** downloaded waits until the next download is complete. */
  downloaded() {
    return new Promise((resolve) => { this.saved = resolve; });
  }

  /** key presses a key, by its name. */
  async key(key, { code = key, keyCode = { Tab: 9, Enter: 13, ' ': 32, ArrowRight: 39, ArrowLeft: 37, Home: 36, End: 35 }[key], text } = {}) {
    const base = { key, code, windowsVirtualKeyCode: keyCode, ...(text ?? (key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined) ? { text: text ?? (key === 'Enter' ? '\r' : ' ') } : {}) };
    await this.send('Input.dispatchKeyEvent', { type: base.text ? 'keyDown' : 'rawKeyDown', ...base });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...base });
  }

  async screenshot(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async close() {
    await Promise.race([this.send('Browser.close', {}, null).catch(() => {}), this.ended]);
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
