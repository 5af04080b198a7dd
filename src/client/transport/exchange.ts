import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Clock } from './clock';

/** The maximum size of an answer in bytes. A list of a million names has about a third of it. */
export const MAX_ANSWER = 64 * 1024 * 1024;

/** One HTTP request, ready to be sent. */
export interface WireRequest {
  readonly origin: string;
  readonly method: Dispatcher.HttpMethod;
  /** The encoded path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; a file is opened for each attempt. */
  readonly body?: string | (() => Readable);
}

/** A complete answer. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The reason why there is no complete answer. */
export interface WireFailure {
  readonly kind: 'failure';
  readonly reason: 'network' | 'timeout' | 'aborted' | 'closed' | 'too_long';
  /** Whether any part of the request may have reached the server. */
  readonly sent: boolean;
  readonly error?: Error;
}

export type WireOutcome = WireAnswer | WireFailure;

/** The limits of an exchange. */
export interface ExchangeLimits {
  readonly clock: Clock;
  /** The timeout in milliseconds; `Infinity` for none. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/** Ends the request of an exchange. */
type Controller = Pick<Dispatcher.DispatchController, 'abort'>;

/**
 * Collects the answer to one request, from connections of this folder or from a dispatcher of
 * undici.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<WireOutcome>;
  #resolve!: (outcome: WireOutcome) => void;
  #settled = false;
  #controller: Controller | undefined;
  #status = 0;
  #headers: WireAnswer['headers'] = {};
  readonly #body = new Body();
  readonly #stopTimer: (() => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.giveUp('aborted');

  constructor(limits: ExchangeLimits) {
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    if (limits.timeout !== Infinity) {
      this.#stopTimer = limits.clock.after(limits.timeout, () => this.giveUp('timeout'));
    }
    this.#signal = limits.signal;
    this.#signal?.addEventListener('abort', this.#onAbort);
  }

  /** Ends the exchange without an answer. */
  giveUp(reason: Exclude<WireFailure['reason'], 'network'>): void {
    const controller = this.#controller;
    this.#settle({ kind: 'failure', reason, sent: controller !== undefined });
    controller?.abort(new Error(reason));
  }

  /** Called when a connection is open, before the request is written to it. */
  onRequestStart(controller: Controller): void {
    if (this.#settled) controller.abort(new Error('given up'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: WireAnswer['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#body.length + chunk.length > MAX_ANSWER) this.giveUp('too_long');
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    const body = this.#body.toString();
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#settle({ kind: 'failure', reason: 'network', sent: this.#controller !== undefined, error });
  }

  #settle(outcome: WireOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#stopTimer?.();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(outcome);
  }
}

/**
 * The received part of a body. Chunks are copied into one buffer, because a chunk of one byte would
 * need a hundred.
 */
class Body {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  add(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (this.length === 0) {
      this.#bytes = chunk;
    } else {
      if (needed > this.#bytes.length) {
        const grown = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
        this.#bytes.copy(grown, 0, 0, this.length);
        this.#bytes = grown;
      }
      chunk.copy(this.#bytes, this.length);
    }
    this.length = needed;
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, this.length);
  }
}
