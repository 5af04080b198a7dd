import { readdirSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { LogicalError, codedError, openRefusal } from '../../core/errors';
import { isJsonObject, parseJson } from '../../core/primitives/json';
import { type Activation, readWrappedContent } from './activation-token';
import { readPlainFile } from '../../../files';
import { trimmedEnd } from '../../../text';

/** The time limit for the answer of the primary's API, in milliseconds of real time. */
const PATIENCE = 5_000;
/**
 * The maximum size of an answer. An answer with an activation token has about two thousand bytes.
 */
const LONGEST_ANSWER = 256 * 1024;

/** The address and CAs for the unwrapping request. */
interface UnwrapOptions {
  /** The address to use in place of the token's; empty for the token's address. */
  readonly primaryApiAddr: string;
  readonly caFile: string;
  readonly caPath: string;
  /** Returns the cluster's address if the given one is that of a load balancer. */
  readonly behind: (address: string) => string;
  /** Whether a partition of the network prevents requests to this address. */
  readonly loses: (address: string) => boolean;
}

/**
 * The claims of a wrapping token in the form of a JWT. They are not encrypted; the primary checks
 * the signature.
 */
interface WrappingClaims {
  readonly addr: string;
  readonly jti: string;
}

/** Returns the claims of a JWT for unwrapping; `undefined` for any other text. */
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
 * Fetches the content of a wrapped activation token from the primary, which then revokes the token.
 *
 * @throws LogicalError with the server's text if the primary cannot be reached, or refuses.
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
/** The maximum number of files in a folder of CAs. */
const MOST_CAS = 1_000;

/** Returns the trusted CAs in PEM; `undefined` for those of the system. */
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
    // Leaving the loop destroys the response.
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

/** Returns the error text of Go's HTTP library for an error of Node. */
function inWordsOfGo(error: unknown, url: URL): string {
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'i/o timeout';
  if (DIAL_ERRORS[code] !== undefined) return `dial tcp ${url.host}: ${DIAL_ERRORS[code]}`;
  if (code === 'ECONNRESET') return 'EOF';
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code)) return UNTRUSTED;
  return message;
}
