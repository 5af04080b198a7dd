import { readdirSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { LogicalError, codedError, openRefusal } from '../../core/errors';
import { isJsonObject, parseJson } from '../../core/primitives/json';
import { type Activation, readWrappedContent } from './token';
import { readPlainFile } from '../../../files';
import { trimmedEnd } from '../../../text';

/** How long the primary's API may take to answer completely, in milliseconds of real time. */
const PATIENCE = 5_000;
/** The size of an answer. One with an activation token has two thousand bytes. */
const LONGEST_ANSWER = 256 * 1024;

/** Where and how to ask for what is wrapped. */
interface UnwrapOptions {
  /** In place of the address in the token; empty for that. */
  readonly primaryApiAddr: string;
  readonly caFile: string;
  readonly caPath: string;
  /** Where a request to this address arrives, if a load balancer has it. */
  readonly behind: (address: string) => string;
  /** Whether a request to this address gets lost on its way. */
  readonly loses: (address: string) => boolean;
}

/** The claims of a wrapping token in the form of a JWT. They are not encrypted; the primary checks the signature. */
interface WrappingClaims {
  readonly addr: string;
  readonly jti: string;
}

/** The claims of a text that is a JWT for unwrapping; undefined for any other text. */
export function wrappingClaims(token: string): WrappingClaims | undefined {
  const [, body = '', ...rest] = token.split('.');
  if (rest.length !== 1) return undefined;
  try {
    const claims = parseJson(Buffer.from(body, 'base64url').toString());
    return isJsonObject(claims) && typeof claims.addr === 'string' && typeof claims.jti === 'string'
      ? { addr: claims.addr, jti: claims.jti }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fetches what is under an activation token from the primary, which uses the token up.
 *
 * @throws LogicalError in the server's words where the primary cannot be asked, or refuses.
 */
export async function unwrapActivation(
  { addr, jti }: WrappingClaims,
  options: UnwrapOptions,
): Promise<Activation> {
  const given = trimmedEnd(options.primaryApiAddr || addr, '/');
  const address = options.behind(checkedAddress(given));
  const url = new URL(`${address}/v1/sys/wrapping/unwrap`);
  const ca = trustedAuthorities(options);
  if (options.loses(address)) throw unreachable(url, `dial tcp ${url.host}: i/o timeout`);
  const { status, reason, body } = await put(url, jti, ca).catch((error: unknown) => {
    throw unreachable(url, inWordsOfGo(error, url));
  });
  if (status !== 200) {
    throw codedError(
      500,
      `error response unwrapping secondary token; status code is ${status}, message is "${status} ${reason}"`,
    );
  }
  const activation = readWrappedContent(dataIn(body));
  if (activation === undefined) throw openRefusal('foreignActivationToken');
  return activation;
}

function checkedAddress(address: string): string {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw openRefusal('primaryApiAddress', address);
  }
  return address;
}

const CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const LONGEST_CA = 1024 * 1024;
/** The number of files in a folder of CAs. */
const MOST_CAS = 1_000;

/** In PEM; undefined for those of the system. */
function trustedAuthorities({ caFile, caPath }: UnwrapOptions): string[] | undefined {
  if (caFile === '' && caPath === '') return undefined;
  const texts = caFile === '' ? readFolder(caPath) : [readCa(caFile)];
  const authorities = texts.filter((text) => text.includes(CERTIFICATE));
  if (authorities.length === 0) {
    throw openRefusal('unreadableCa', caFile || caPath, 'no certificate in it');
  }
  return authorities;
}

function readFolder(path: string): string[] {
  const entries = refusingUnreadable(path, () => readdirSync(path, { withFileTypes: true }));
  const files = entries.filter((entry) => !entry.isDirectory());
  if (files.length > MOST_CAS) throw openRefusal('unreadableCa', path, `more than ${MOST_CAS} files`);
  return files.map(({ name }) => readCa(join(path, name)));
}

function readCa(path: string): string {
  return refusingUnreadable(path, () => readPlainFile(path, LONGEST_CA).toString());
}

function refusingUnreadable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw openRefusal('unreadableCa', path, code);
  }
}

interface Fetched {
  readonly status: number;
  readonly reason: string;
  readonly body: string;
}

function put(url: URL, token: string, ca: string[] | undefined): Promise<Fetched> {
  const options: RequestOptions & { ca?: string[] } = {
    method: 'PUT',
    agent: false,
    headers: { 'X-Vault-Token': token, 'X-Vault-Request': 'true' },
    signal: AbortSignal.timeout(PATIENCE),
    ...(ca && { ca }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      readAll(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, reason: response.statusMessage ?? '', body }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The response is destroyed with the loop.
    if (length > LONGEST_ANSWER) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function dataIn(body: string): unknown {
  try {
    const envelope = parseJson(body);
    return isJsonObject(envelope) ? envelope.data : undefined;
  } catch {
    return undefined;
  }
}

function unreachable(url: URL, reason: string): LogicalError {
  return new LogicalError(500, `error unwrapping secondary token: Post "${url.href}": ${reason}`);
}

const DIAL_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
};

const UNTRUSTED = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';

/** What the server's own HTTP library would say. */
function inWordsOfGo(error: unknown, url: URL): string {
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'i/o timeout';
  if (DIAL_ERRORS[code] !== undefined) return `dial tcp ${url.host}: ${DIAL_ERRORS[code]}`;
  if (code === 'ECONNRESET') return 'EOF';
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code)) return UNTRUSTED;
  return message;
}
