import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'undici';

const NAMES = [process.env.CHROMIUM_BINARY ?? '', 'chromium', 'chromium-browser', 'google-chrome'];

/** The command of a browser on this machine, if there is one. */
export const BROWSER = NAMES.find((name) => name !== '' && spawnSync(name, ['--version']).status === 0);

/** Prints a warning that tests are left out, if the machine has no browser. */
export function warnWithoutBrowser(what: string): void {
  if (BROWSER !== undefined) return;
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: ${what} in a real browser. Install chromium, or set CHROMIUM_BINARY.\n${line}`,
  );
}

interface Message {
  readonly id?: number;
  readonly result?: object;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: object;
}

/** A page in a headless browser, which is controlled by the DevTools protocol. */
export class BrowserPage {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  /** The entries in the log of the page, including violations of its content security policy. */
  readonly complaints: string[] = [];
  /** The addresses that the page requested. */
  readonly requested: string[] = [];
  #last = 0;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
  }

  static async open(url: string): Promise<BrowserPage> {
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
    ];
    const child = spawn(
      BROWSER!,
      [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
      { stdio: 'ignore', detached: true },
    );
    const port = await until(async () => {
      const file = join(profile, 'DevToolsActivePort');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return Promise.resolve(/^(\d+)\n./.exec(text)?.[1]);
    });
    const target = await until(async () => {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        type: string;
        webSocketDebuggerUrl: string;
      }[];
      return targets.find(({ type }) => type === 'page');
    });
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    const page = new BrowserPage(child, profile, socket);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.call(`${domain}.enable`);
    await page.call('Page.navigate', { url });
    return page;
  }

  async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const message = await new Promise<Message>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (message.error) throw new Error(`${method}: ${message.error.message}`);
    return message.result as Record<string, unknown>;
  }

  /** Returns the value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  /** Waits until an expression has a truthy value, and returns it. */
  async until<T>(expression: string): Promise<T> {
    return until(async () => (await this.value<T>(expression)) || undefined);
  }

  async close(): Promise<void> {
    this.#socket.close();
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    // The browser's helper processes write to the profile as well, so the whole group is killed.
    process.kill(-this.#process.pid!, 'SIGKILL');
    await ended;
    await until(async () => {
      await rm(this.#profile, { recursive: true, force: true });
      return true;
    });
  }

  #receive({ id, method, params = {}, ...rest }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(rest);
      this.#waiting.delete(id);
    }
    if (method === 'Network.requestWillBeSent') {
      this.requested.push((params as { request: { url: string } }).request.url);
    }
    if (method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown') {
      this.complaints.push(JSON.stringify(params));
    }
  }
}

const PATIENCE_MS = 120_000;

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('nothing came within two minutes');
    await pause(50);
  }
}

const PHONE_WIDTH = 390;

/**
 * Returns the width of a page on a phone after its plot is drawn again. It is more than 390 if
 * something does not fit.
 */
export async function widthOnPhone(page: BrowserPage): Promise<number> {
  await page.call('Emulation.setDeviceMetricsOverride', {
    width: PHONE_WIDTH,
    height: 800,
    deviceScaleFactor: 1,
    mobile: true,
  });
  await page.until(`document.querySelector('#plot canvas').clientWidth < ${PHONE_WIDTH}`);
  return page.value<number>('document.documentElement.scrollWidth');
}
