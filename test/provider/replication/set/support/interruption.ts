/** Breaks one request, as a crash of the provider or of the network would. */
import { Dispatcher } from 'undici';
import type { LeapingClock } from '../../../leaping-clock';
import type { Received, Wire } from './wire';

/** The fate of a broken request: `killed` ends the process that sent it. */
export type Interruption = 'killed before' | 'killed after' | 'dropped before' | 'dropped after';

/** Returns the fate of a request; undefined if it succeeds as usual. */
export type Interrupt = (request: SeenRequest, at: number) => Interruption | undefined;

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly origin: string;
  readonly body?: string;
}

/** Functions that are called for each request. */
export interface Watcher {
  /** Called before a request is sent. */
  before?(request: SeenRequest): Promise<void>;
  /** Called after a request was answered. */
  after?(request: SeenRequest, answer: string): Promise<void>;
}

/**
 * Sends requests, until one of them is interrupted. A killed process neither sends requests nor
 * receives answers.
 */
export class InterruptibleDispatcher extends Dispatcher {
  readonly seen: SeenRequest[] = [];
  /** Resolves when the process is killed. */
  readonly killed: Promise<'killed'>;
  #kill!: () => void;
  #dead = false;

  /** @param interrupt also gets the number of each request, from 0. */
  constructor(
    private readonly wire: Wire,
    private readonly clock: Pick<LeapingClock, 'during'>,
    private readonly watcher: Watcher = {},
    private readonly interrupt: Interrupt = () => undefined,
  ) {
    super();
    this.killed = new Promise((resolve) => (this.#kill = () => resolve('killed')));
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#dead) return true;
    const { method, path, origin, body } = options;
    // The request without its body, which may be secret.
    const seen = { method, path: path.replace('/v1/', ''), origin: String(origin) };
    const request: SeenRequest = { ...seen, ...(typeof body === 'string' && { body }) };
    const interruption = this.interrupt(request, this.seen.length);
    this.seen.push(seen);
    if (interruption?.startsWith('killed')) this.#dead = true;
    void this.clock.during(() => this.#send(options, handler, request, interruption));
    return true;
  }

  async #send(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    request: SeenRequest,
    interruption: Interruption | undefined,
  ): Promise<void> {
    const arrives = interruption !== 'killed before' && interruption !== 'dropped before';
    const answer = arrives ? await this.#exchange(options, request) : new Error('socket hang up');
    if (this.#dead) {
      this.#kill();
      return;
    }
    handler.onRequestStart?.(CONTROLLER, undefined);
    if (answer instanceof Error || interruption) {
      handler.onResponseError?.(
        CONTROLLER,
        Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      );
      return;
    }
    handler.onResponseStart?.(CONTROLLER, answer.status, answer.headers, '');
    handler.onResponseData?.(CONTROLLER, Buffer.from(answer.body));
    handler.onResponseEnd?.(CONTROLLER, {});
  }

  async #exchange(
    { origin, method, path, headers, body }: Dispatcher.DispatchOptions,
    request: SeenRequest,
  ): Promise<Received | Error> {
    try {
      await this.watcher.before?.(request);
      const answer = await this.wire({
        origin: String(origin),
        method,
        path,
        headers: headers as Readonly<Record<string, string>>,
        ...(typeof body === 'string' && { body }),
      });
      await this.watcher.after?.(request, answer.body);
      return answer;
    } catch (error) {
      // An error of Node is not an instance of the `Error` of the sandbox that tests run in.
      return new Error('socket hang up', { cause: error });
    }
  }
}

const CONTROLLER = { abort: () => {} } as unknown as Dispatcher.DispatchController;
