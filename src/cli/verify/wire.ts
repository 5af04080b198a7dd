import type { ClientOptions } from '../../client';
import { normalizeNamespace } from '../../model';
import { commonHeaders } from '../../client/call/wire-request';
import { settingsOf, type Settings } from '../../client/options/client-settings';
import { openConnection } from '../../client/options/open-connection';
import type { ServerConnection } from '../../client/transport/server-connection';
import type { WireRequest } from '../../client/transport/exchange';
import { isRecord, parseForeignJson } from '../../text';

/** The unchanged answer of a server: probes examine parts that the client removes. */
export interface UnchangedAnswer {
  readonly status: number;
  readonly body: AnswerFields;
  /** The member `data` of the body; empty if it is absent. */
  readonly data: AnswerFields;
  /** The error texts, without the bullets that the server adds. */
  readonly errors: readonly string[];
}

export type AnswerFields = Readonly<Record<string, unknown>>;

interface Ask {
  /** The body. An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time limit in milliseconds. */
  readonly timeout?: number;
}

/** The error for a server that did not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The error for an interrupted run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const TIMEOUT = 30_000;
/**
 * The time limit after an unanswered request: otherwise, a server that hangs would delay every
 * probe.
 */
const TIMEOUT_OF_HANGING = 1_000;

/** The connection to one server, with the present time limit. */
interface Line {
  readonly connection: ServerConnection;
  /** The time limit in milliseconds. */
  timeout: number;
}

/** Sends requests to one cluster: one for each call, without following redirects or retrying. */
export class Wire {
  readonly #settings: Settings;
  readonly #line: Line;
  readonly #signal: AbortSignal | undefined;

  private constructor(settings: Settings, line: Line, signal: AbortSignal | undefined) {
    this.#settings = settings;
    this.#line = line;
    this.#signal = signal;
  }

  /** @param signal aborts the running request, and refuses later ones. */
  static open(options: ClientOptions, signal?: AbortSignal): Wire {
    const line = { connection: openConnection(options), timeout: TIMEOUT };
    return new Wire(settingsOf(options), line, signal);
  }

  get address(): string {
    return this.#settings.address;
  }

  get token(): string {
    return this.#settings.token ?? '';
  }

  /** The namespace of the calls; empty for the root namespace. */
  get namespace(): string {
    return this.#settings.namespace ?? '';
  }

  /** Returns a connection to a namespace below. */
  below(name: string): Wire {
    const namespace = normalizeNamespace(`${this.namespace}/${name}`);
    return new Wire({ ...this.#settings, namespace }, this.#line, this.#signal);
  }

  /** Returns a connection to the root namespace. */
  root(): Wire {
    return new Wire({ ...this.#settings, namespace: undefined }, this.#line, this.#signal);
  }

  /** Returns a connection with another token; empty for none. */
  as(token: string): Wire {
    return new Wire({ ...this.#settings, token }, this.#line, this.#signal);
  }

  /** Returns a connection for requests that clean up, which an interruption does not abort. */
  withoutSignal(): Wire {
    return new Wire(this.#settings, this.#line, undefined);
  }

  get(path: string, ask?: Ask): Promise<UnchangedAnswer> {
    return this.send('GET', path, ask);
  }

  list(path: string): Promise<UnchangedAnswer> {
    return this.send('GET', `${path}?list=true`);
  }

  post(path: string, body: object | string = {}, ask?: Ask): Promise<UnchangedAnswer> {
    return this.send('POST', path, { ...ask, body });
  }

  delete(path: string): Promise<UnchangedAnswer> {
    return this.send('DELETE', path);
  }

  /**
   * @param path the path below `/v1/`, sent unchanged.
   * @throws NoAnswer, Interrupted
   */
  async send(method: WireRequest['method'], path: string, ask: Ask = {}): Promise<UnchangedAnswer> {
    const { origin, basePath, clock } = this.#settings;
    const { body } = ask;
    const outcome = await this.#line.connection.send(
      {
        origin,
        method,
        path: `${basePath}${path}`,
        headers: {
          ...commonHeaders(this.#settings),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...ask.headers,
        },
        body: typeof body === 'object' ? JSON.stringify(body) : body,
      },
      { clock, timeout: ask.timeout ?? this.#line.timeout, signal: this.#signal },
    );
    if (outcome.kind === 'answer') {
      this.#line.timeout = TIMEOUT;
      return read(outcome.status, outcome.body);
    }
    if (outcome.reason === 'timeout' && ask.timeout === undefined) this.#line.timeout = TIMEOUT_OF_HANGING;
    if (outcome.reason === 'aborted') throw new Interrupted('interrupted');
    throw new NoAnswer(outcome.error?.message ?? `the server did not answer (${outcome.reason})`);
  }

  close(): Promise<void> {
    return this.#line.connection.close();
  }
}

function read(status: number, text: string): UnchangedAnswer {
  const body = parsed(text);
  const errors = Array.isArray(body['errors']) ? body['errors'].map(withoutBullets) : [];
  return { status, body, data: isRecord(body['data']) ? body['data'] : {}, errors };
}

function parsed(text: string): AnswerFields {
  try {
    const body = parseForeignJson(text);
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

function withoutBullets(text: unknown): string {
  return String(text)
    .replace(/^\d+ errors? occurred:\s*/, '')
    .replace(/^[ \t]*\* /gm, '')
    .trim();
}
