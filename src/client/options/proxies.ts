import { BlockList, isIP } from 'node:net';
import { isThisMachine } from '../../model/clusters';

/**
 * The values of the variables that most programs read: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`.
 */
export interface StandardProxies {
  /** The proxy for plain HTTP. */
  readonly http?: string | undefined;
  /** The proxy for TLS. */
  readonly https?: string | undefined;
  /**
   * The hosts that are reached without a proxy, separated by commas: names with their subdomains,
   * addresses, ranges such as `10.0.0.0/8`, each with or without a port; `*` for all.
   */
  readonly none?: string | undefined;
}

/**
 * Returns the client's option for the standard variables, in upper or lower case as other programs
 * read them.
 */
export function standardProxiesOf(env: Readonly<Record<string, string | undefined>>): {
  readonly standardProxies?: StandardProxies;
} {
  const either = (name: string) => env[name] || env[name.toLowerCase()] || undefined;
  const [http, https] = [either('HTTP_PROXY'), either('HTTPS_PROXY')];
  return http || https ? { standardProxies: { http, https, none: either('NO_PROXY') } } : {};
}

/** Returns the proxy for an origin; `undefined` if the origin is this machine or an exception. */
export function standardProxyFor(
  origin: string,
  { http, https, none = '' }: StandardProxies,
): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const proxy = protocol === 'https:' ? https : http;
  if (proxy === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isThisMachine(host)) return undefined;
  const at = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  const isDirect = none.split(',').some((entry) => covers(entry.trim().toLowerCase(), at));
  return isDirect ? undefined : withScheme(proxy);
}

/** Returns the URL of a proxy, whose scheme may be missing. */
export function withScheme(proxy: string): string {
  return /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function covers(entry: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const [, range, bits] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (range !== undefined) return inRange(host, range, Number(bits));
  const [, named = entry, onlyPort] =
    /^(?:\[(?=.*\]))?(.*?)\]?:(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const name = named.replace(/^\*(?=\.)/, '').replace(/^\[|\]$/g, '');
  const family = isIP(name);
  // An IPv6 address has several notations.
  if (family !== 0) return inRange(host, name, BITS[family]!);
  return name.startsWith('.')
    ? host.endsWith(name)
    : host === name || (!isIP(host) && host.endsWith(`.${name}`));
}

/** The bits of an address, by its family. */
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

function inRange(host: string, range: string, bits: number): boolean {
  const family = isIP(range);
  if (family === 0 || family !== isIP(host) || bits > BITS[family]!) return false;
  const list = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(range, bits, type);
  return list.check(host, type);
}
