import { isStringMap } from '../definition/coerce';
import type { TextProblem } from '../definition/rules';
import { parseDuration } from '../durations';
import { hasControlCharacter } from '../../text';

/**
 * The problems that the value of a setting can have. Each rule is written once, in one function.
 */

/** The cure if nothing more is known about a value than that it is not valid. */
export const USUAL_CURE = 'correct it, or remove it';

const ADDRESSES = 'a URL such as https://vault.example.com:8200, without user name, query and fragment';
const SOCKETS = 'a socket such as unix:///run/vault.sock';

export function addressProblem(value: string): TextProblem | undefined {
  if (value.startsWith('unix:')) {
    const valid = /^unix:\/\/\/[^?#]+$/.test(value) && !hasControlCharacter(value);
    return valid ? undefined : invalid(JSON.stringify(harmlessPart(value)), SOCKETS);
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain =
    url && /^https?:$/.test(url.protocol) && !/[?#]/.test(value) && !url.username && !url.password;
  if (plain && /\/v1\/*$/.test(url.pathname)) {
    const cure = 'remove /v1 from its end, which is added to each request';
    return { problem: 'is not valid', received: JSON.stringify(value), allowed: ADDRESSES, cure };
  }
  return plain ? undefined : invalid(JSON.stringify(harmlessPart(value)), ADDRESSES);
}

/**
 * Returns the part of an address that is certainly not secret. User name, password, query and
 * fragment are removed, and texts that may be tokens are hidden.
 */
function harmlessPart(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1(hidden)@')
    .replace(/([?#]).+/s, '$1(hidden)')
    .replace(/\b(hv[bsr]|[bsr])\.[\w-]{16,}/g, '(hidden)');
}

/** Returns the problem of a secret that is sent in a header. The value is not shown. */
export function tokenProblem(value: string): TextProblem | undefined {
  if (/^[\x20-\x7e]*$/.test(value)) return undefined;
  return {
    problem: 'contains characters that cannot be sent, such as a line break',
    allowed: 'printable ASCII',
    cure: 'check how the value was read (it is not shown)',
  };
}

/** The names of headers by RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The headers that the client sets itself. Vault's own client refuses `X-Vault-…` as well. */
const OWN_HEADER =
  /^(x-vault-.*|host|content-type|content-length|connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer)$/i;
const HEADERS = 'names with texts, such as {"CF-Access-Client-Id": "…"}';

/**
 * Returns the problem of headers, which may be given as JSON. The values of headers are secret, so
 * they are not shown.
 */
export function headersProblem(value: unknown): TextProblem | undefined {
  const headers = headersOf(value);
  if (headers === undefined) {
    return { problem: 'is not an object of texts', allowed: HEADERS, cure: 'correct it (it is not shown)' };
  }
  const names = Object.keys(headers);
  const cure = 'rename or remove the header';
  const own = names.find((name) => OWN_HEADER.test(name));
  if (own !== undefined) {
    return {
      problem: `has the header ${JSON.stringify(own)}, which only the client sets`,
      allowed: 'headers other than X-Vault-…, Host, Content-Type and those of the connection',
      cure,
    };
  }
  const invalidName = names.find((name) => !HEADER_NAME.test(name));
  if (invalidName !== undefined) {
    return {
      problem: `has the header ${JSON.stringify(invalidName)}, which is not a valid name`,
      allowed: 'letters, digits and "-"',
      cure,
    };
  }
  const seen = new Set<string>();
  const twin = names.find((name) => seen.size === seen.add(name.toLowerCase()).size);
  if (twin !== undefined) {
    return {
      problem: `has the header ${JSON.stringify(twin)} twice, in upper and lower case`,
      allowed: 'each name once',
      cure,
    };
  }
  for (const name of names) {
    const problem = tokenProblem(headers[name]!);
    if (problem)
      return { ...problem, problem: `has the header ${JSON.stringify(name)}, which ${problem.problem}` };
  }
  return undefined;
}

/** Reads headers that are given as an object or as its JSON. */
export function headersOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value === 'string') {
    try {
      const parsed: unknown = JSON.parse(value);
      return typeof parsed === 'string' ? undefined : headersOf(parsed);
    } catch {
      return undefined;
    }
  }
  return isStringMap(value) ? value : undefined;
}

const PROXIES = 'a URL such as http://proxy.example.com:3128';

/** Returns the problem of a proxy's URL. It is not shown, because it may contain a password. */
export function proxyProblem(value: string): TextProblem | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const valid = url && /^(https?|socks5):$/.test(url.protocol) && url.hostname !== '';
  return valid ? undefined : invalid(JSON.stringify(harmlessPart(value)), PROXIES);
}

export function rateProblem(value: string): TextProblem | undefined {
  return parseRate(value)
    ? undefined
    : invalid(JSON.stringify(value), 'a rate such as 100, or rate:burst such as 100:200');
}

/**
 * Reads a rate limit such as `100:200`: the requests per second, and the number of requests that
 * may be sent at once. Default of the latter: the former.
 */
export function parseRate(value: string): { readonly perSecond: number; readonly burst: number } | undefined {
  const [, rate = '', burst] = /^(\d+(?:\.\d+)?)(?::(\d+))?$/.exec(value) ?? [];
  const perSecond = Number(rate);
  const most = burst === undefined ? Math.ceil(perSecond) : Number(burst);
  return perSecond > 0 && most > 0 ? { perSecond, burst: most } : undefined;
}

/** Matches the spellings that Vault's own command line accepts. */
const TRUE = /^(1|t|T|TRUE|true|True)$/;
const FALSE = /^(0|f|F|FALSE|false|False)$/;

export function booleanProblem(value: unknown): TextProblem | undefined {
  const valid = typeof value === 'boolean' || TRUE.test(String(value)) || FALSE.test(String(value));
  return valid ? undefined : invalid(JSON.stringify(value), 'true or false');
}

export function isTrue(value: string): boolean {
  return TRUE.test(value);
}

/** Returns the problem of a limit in seconds, as a number or as text; 0 stands for no limit. */
export function limitProblem(value: unknown): TextProblem | undefined {
  const seconds = secondsIn(value);
  if (Number.isFinite(seconds) && seconds >= 0) return undefined;
  return invalid(JSON.stringify(value), 'seconds, or a duration such as 90s or 2m; 0 for no limit');
}

export function countProblem(value: unknown): TextProblem | undefined {
  const count = typeof value === 'number' || /^\d+$/.test(String(value)) ? Number(value) : NaN;
  return Number.isSafeInteger(count) && count >= 0
    ? undefined
    : invalid(JSON.stringify(value), 'a whole number from 0 on');
}

export function choiceProblem(value: unknown, allowed: readonly unknown[]): TextProblem | undefined {
  if (allowed.includes(value)) return undefined;
  return invalid(JSON.stringify(value), allowed.map((choice) => JSON.stringify(choice)).join(' or '));
}

function invalid(received: string, allowed: string): TextProblem {
  return { problem: 'is not valid', received, allowed, cure: USUAL_CURE };
}

function secondsIn(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return NaN;
  try {
    return parseDuration(value);
  } catch {
    return NaN;
  }
}
