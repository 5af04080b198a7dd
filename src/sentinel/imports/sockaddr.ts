import { strict, textArgument } from '../values/arguments';
import { NativeFault, type NativeFunction, type Value } from '../values/value';

/** An address or a network: its bits, and the number of bits of the network. */
interface Address {
  readonly version: 4 | 6;
  readonly bits: bigint;
  readonly prefix: number;
}

export const SOCKADDR: Readonly<Record<string, Value>> = {
  is_contained: onAddresses('is_contained', 2, (outer, inner) => isContained(outer, inner ?? outer)),
  is_equal: onAddresses('is_equal', 2, (a, b) => isSame(a, b ?? a)),
  is_ipv4: onAddresses('is_ipv4', 1, ({ version }) => version === 4),
  is_ipv6: onAddresses('is_ipv6', 1, ({ version }) => version === 6),
};

function onAddresses(
  name: string,
  count: number,
  run: (first: Address, second: Address | undefined) => boolean,
): NativeFunction {
  return strict(`sockaddr.${name}`, [count, count], (args) => {
    const [first, second] = args.map((each) => addressOf(name, textArgument(`sockaddr.${name}`, each)));
    return first !== undefined && run(first, second);
  });
}

function addressOf(name: string, text: string): Address {
  const address = parseAddress(text);
  if (address) return address;
  throw new NativeFault(`sockaddr.${name}: ${JSON.stringify(text)} is not an IP address or a CIDR block`);
}

/** Returns an address or a CIDR block, of either version. */
function parseAddress(text: string): Address | undefined {
  const [address = '', prefixText, ...rest] = text.split('/');
  if (rest.length > 0) return undefined;
  const version = address.includes(':') ? 6 : 4;
  const bits = version === 4 ? parseIpv4(address) : parseIpv6(address);
  const width = version === 4 ? 32 : 128;
  if (bits === undefined) return undefined;
  if (prefixText === undefined) return { version, bits, prefix: width };
  const prefix = /^[0-9]{1,3}$/.test(prefixText) ? Number(prefixText) : NaN;
  return prefix <= width ? { version, bits, prefix } : undefined;
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)
  ) {
    return undefined;
  }
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const dotted = /^(.*:)([0-9.]+)$/.exec(text);
  if (dotted?.[2]?.includes('.')) {
    const last = parseIpv4(dotted[2]);
    if (last === undefined) return undefined;
    return parseIpv6(`${dotted[1] ?? ''}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`);
  }
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function isContained(outer: Address, inner: Address): boolean {
  if (outer.version !== inner.version || inner.prefix < outer.prefix) return false;
  const shift = BigInt((outer.version === 4 ? 32 : 128) - outer.prefix);
  return outer.bits >> shift === inner.bits >> shift;
}

function isSame(a: Address, b: Address): boolean {
  return a.version === b.version && a.prefix === b.prefix && a.bits === b.bits;
}
