import { intArgument, listArgument, textArgument, unexpected } from '../values/arguments';
import { MapValue, NativeFault, NativeFunction, ImportedObject, type Value } from '../values/value';

/** A request of a policy. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The timeout in seconds. */
  readonly timeout: number;
  readonly retries: number;
  readonly verifiesCertificates: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error for a request without a response. */
export class HttpFailure extends Error {}

/**
 * Sends a request and waits for the response, including retries and redirects.
 *
 * @throws HttpFailure if there is no response.
 */
export type HttpSender = (request: HttpRequest) => HttpResponse;

interface Client {
  readonly accepted: readonly bigint[];
  readonly timeout: bigint;
  readonly retries: bigint;
  readonly verifies: boolean;
}

interface RequestParts {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const DEFAULT_CLIENT: Client = { accepted: [200n], timeout: 10n, retries: 1n, verifies: true };
const LONGEST_TIMEOUT = 30n;
const MOST_RETRIES = 10n;

/**
 * Returns the import `http`.
 *
 * @param send sends requests. If it is absent, requests are refused.
 */
export function httpImport(send: HttpSender | undefined): Readonly<Record<string, Value>> {
  return {
    ...clientMethods(DEFAULT_CLIENT, send),
    client: clientObject(DEFAULT_CLIENT, send),
    request: new NativeFunction('http.request', [1, 1], ([url]) =>
      requestObject({ url: textArgument('http.request', url), headers: new Map(), body: '' }),
    ),
    methodGet: 'GET',
    methodPost: 'POST',
  };
}

function clientObject(client: Client, send: HttpSender | undefined): ImportedObject {
  const entries: [string, Value][] = [
    ['accepted_status_codes', [...client.accepted]],
    ['timeout', client.timeout],
    ['retries', client.retries],
    ['certificate_verification', client.verifies],
  ];
  return new ImportedObject(entries, clientMethods(client, send), client);
}

function clientMethods(client: Client, send: HttpSender | undefined): Record<string, NativeFunction> {
  const changed = (change: Partial<Client>): ImportedObject => clientObject({ ...client, ...change }, send);
  return {
    accept_status_codes: new NativeFunction('http.accept_status_codes', [1, 1], ([codes]) => {
      const list = listArgument('http.accept_status_codes', codes);
      return changed({ accepted: list.map((code) => intArgument('http.accept_status_codes', code)) });
    }),
    with_timeout: new NativeFunction('http.with_timeout', [1, 1], ([seconds]) =>
      changed({ timeout: within('http.with_timeout', seconds, 0n, LONGEST_TIMEOUT) }),
    ),
    with_retries: new NativeFunction('http.with_retries', [1, 1], ([count]) =>
      changed({ retries: within('http.with_retries', count, 0n, MOST_RETRIES) }),
    ),
    without_certificate_verification: new NativeFunction(
      'http.without_certificate_verification',
      [0, 0],
      () => changed({ verifies: false }),
    ),
    get: new NativeFunction('http.get', [1, 1], ([request]) =>
      sent(client, 'GET', partsOf('http.get', request), send),
    ),
    post: new NativeFunction('http.post', [1, 1], ([request]) =>
      sent(client, 'POST', partsOf('http.post', request), send),
    ),
    send: new NativeFunction('http.send', [1, 2], (args) => {
      const [request, method = 'GET'] =
        typeof args[0] === 'string' && args.length === 2 ? [args[1], args[0]] : args;
      if (method !== 'GET' && method !== 'POST')
        throw new NativeFault('http.send: the method must be GET or POST');
      return sent(client, method, partsOf('http.send', request), send);
    }),
  };
}

function within(name: string, value: Value | undefined, least: bigint, most: bigint): bigint {
  const number = intArgument(name, value);
  if (number < least || number > most)
    throw new NativeFault(`${name} must be between ${least} and ${most}, received ${number}`);
  return number;
}

function requestObject(parts: RequestParts): ImportedObject {
  const entries: [string, Value][] = [
    ['url', parts.url],
    ['headers', new MapValue(parts.headers)],
    ['body', parts.body],
  ];
  const withHeader = (name: string, value: string): ImportedObject =>
    requestObject({ ...parts, headers: new Map([...parts.headers, [name, value]]) });
  const methods: Record<string, NativeFunction> = {
    with_header: new NativeFunction('http.with_header', [2, 2], ([name, value]) =>
      withHeader(textArgument('http.with_header', name), textArgument('http.with_header', value)),
    ),
    with_basic_auth: new NativeFunction('http.with_basic_auth', [2, 2], ([user, password]) => {
      const [name, secret] = [user, password].map((each) => textArgument('http.with_basic_auth', each));
      return withHeader('Authorization', `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`);
    }),
    with_body: new NativeFunction('http.with_body', [1, 1], ([body]) =>
      requestObject({ ...parts, body: textArgument('http.with_body', body) }),
    ),
  };
  return new ImportedObject(entries, methods, parts);
}

/** Returns the parts of a request. A URL stands for a request without headers and body. */
function partsOf(name: string, value: Value | undefined): RequestParts {
  if (typeof value === 'string') return { url: value, headers: new Map(), body: '' };
  const state = value instanceof ImportedObject ? value.state : undefined;
  if (isRequest(state)) return state;
  throw unexpected(name, 'a request or a URL', value);
}

function isRequest(state: unknown): state is RequestParts {
  return (
    typeof state === 'object' && state !== null && 'url' in state && 'headers' in state && 'body' in state
  );
}

function sent(
  client: Client,
  method: 'GET' | 'POST',
  parts: RequestParts,
  send: HttpSender | undefined,
): Value {
  if (!send) {
    throw new NativeFault(
      `http: the request to ${parts.url} was refused: policies do not send requests here; mock the import "http"`,
    );
  }
  const response = sentBy(send, {
    method,
    url: parts.url,
    headers: Object.fromEntries(parts.headers),
    body: parts.body,
    timeout: Number(client.timeout),
    retries: Number(client.retries),
    verifiesCertificates: client.verifies,
  });
  if (!client.accepted.includes(BigInt(response.status))) {
    throw new NativeFault(
      `http: ${parts.url} answered with status ${response.status}, which is not accepted`,
    );
  }
  return new MapValue([
    ['status_code', BigInt(response.status)],
    ['headers', new MapValue(Object.entries(response.headers))],
    ['body', response.body],
  ]);
}

function sentBy(send: HttpSender, request: HttpRequest): HttpResponse {
  try {
    return send(request);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw new NativeFault(`http: the request to ${request.url} failed: ${error.message}`);
  }
}
