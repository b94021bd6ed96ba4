// Firefox as it comes from the system, driven by WebDriver BiDi: messages in JSON over a WebSocket, of which Node.js 20 has no client.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Nothing leaves the machine, and nothing is asked. */
const PREFERENCES = ['browser.shell.checkDefaultBrowser', 'browser.aboutwelcome.enabled', 'datareporting.policy.dataSubmissionEnabled', 'app.normandy.enabled', 'network.captive-portal-service.enabled', 'network.connectivity-service.enabled', 'extensions.update.enabled', 'app.update.auto', 'browser.safebrowsing.malware.enabled', 'browser.safebrowsing.phishing.enabled'];

/** A text as one masked frame. @param {string} text */
function frame(text) {
  const body = Buffer.from(text);
  // the shortest form is the only one that is allowed; we never say as much as takes the longest
  const length = Buffer.from(body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255]);
  const mask = randomBytes(4);
  for (let at = 0; at < body.length; at++) body[at] ^= mask[at % 4];
  return Buffer.concat([Buffer.from([0x81]), length, mask, body]);
}

/** The first frame of what came, if all of it is there. @param {Buffer} data @returns {{ last: boolean, kind: number, body: Buffer, rest: Buffer } | null} */
function firstFrame(data) {
  if (data.length < 2) return null;
  const short = data[1] & 127;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (data.length < head) return null;
  const length = short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
  if (data.length < head + length) return null;
  return { last: (data[0] & 0x80) !== 0, kind: data[0] & 15, body: data.subarray(head, head + length), rest: data.subarray(head + length) };
}

/** Opens a WebSocket. @param {number} port @param {(message: any) => void} told @returns {Promise<{ send: (message: object) => void, close: () => void }>} */
function socket(port, told) {
  return new Promise((done, fail) => {
    const link = connect(port, '127.0.0.1', () => link.write(`GET /session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`));
    /** @type {Buffer} */
    let data = Buffer.alloc(0);
    let [whole, open] = ['', false];
    link.on('error', fail);
    link.on('data', (more) => {
      data = Buffer.concat([data, more]);
      const head = open ? -1 : data.indexOf('\r\n\r\n');
      if (head >= 0) {
        if (!data.toString('latin1').startsWith('HTTP/1.1 101')) return fail(new Error(data.toString()));
        open = true;
        data = data.subarray(head + 4);
        done({ send: (message) => link.write(frame(JSON.stringify(message))), close: () => link.destroy() });
      }
      for (let next = open ? firstFrame(data) : null; next !== null; next = firstFrame(data)) {
        data = next.rest;
        // texts and their continuations; we neither ping nor are pinged
        if (next.kind <= 1) whole += next.body.toString('utf8');
        if (next.last && next.kind <= 1) {
          told(JSON.parse(whole));
          whole = '';
        }
      }
    });
  });
}

/**
 * @typedef {object} Firefox
 * @property {(address: string) => Promise<void>} visit
 * @property {(expression: string) => Promise<any>} ask  what an expression is in the page, awaited
 * @property {string[]} complaints  errors and warnings of pages
 * @property {() => Promise<void>} close
 */

/** Starts Firefox without a window. @returns {Promise<Firefox>} */
export async function startFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'lookalike-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES.map((name) => `user_pref("${name}", false);\n`).join(''));
  const program = spawn(process.env.FIREFOX ?? 'firefox-esr', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } });
  const port = await new Promise((done, fail) => {
    let said = '';
    program.stderr.on('data', (/** @type {Buffer} */ text) => {
      said += text;
      const found = /BiDi listening on ws:\/\/[^:]+:(\d+)/.exec(said);
      if (found !== null) done(Number(found[1]));
    });
    program.on('error', fail);
    program.on('exit', () => fail(new Error(`Firefox ended: ${said}`)));
  });
  /** @type {Map<number, { done: (result: any) => void, fail: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {string[]} */
  const complaints = [];
  const link = await socket(port, (message) => {
    if (message.method === 'log.entryAdded' && ['error', 'warn'].includes(message.params.level)) complaints.push(`${message.params.type}: ${message.params.text}`);
    const asked = waiting.get(message.id);
    if (message.type === 'success') asked?.done(message.result);
    if (message.type === 'error') asked?.fail(new Error(`${message.error}: ${message.message}`));
    waiting.delete(message.id);
  });
  let last = 0;
  const command = (/** @type {string} */ method, /** @type {object} */ params) => new Promise((done, fail) => {
    last += 1;
    waiting.set(last, { done, fail });
    link.send({ id: last, method, params });
  });
  await command('session.new', { capabilities: {} });
  await command('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await command('browsingContext.create', { type: 'tab' });
  return {
    complaints,
    visit: async (address) => { await command('browsingContext.navigate', { context, url: address, wait: 'complete' }); },
    async ask(expression) {
      const { result, exceptionDetails } = await command('script.evaluate', { expression, target: { context }, awaitPromise: true });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return result.value;
    },
    async close() {
      const ended = new Promise((done) => { program.once('exit', done); });
      link.close();
      program.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
