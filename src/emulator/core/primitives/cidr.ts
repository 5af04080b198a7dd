import { BlockList, isIP } from 'node:net';

/** Returns the server's form of an address or CIDR block; `undefined` if the text is neither. */
export function canonicalCidr(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  if (prefix === undefined) return address;
  const longest = version === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest) return undefined;
  // A block of one address is written as that address.
  return Number(prefix) === longest ? address : `${address}/${prefix}`;
}

/**
 * Whether an address is one of `cidrs`, or in one of the blocks. An empty list allows every
 * address.
 */
export function cidrsAllow(cidrs: readonly string[], address: string): boolean {
  if (cidrs.length === 0) return true;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return blockList(cidrs).check(address, family);
}

/**
 * Whether every block of `inner` is in a block of `outer`. An empty `outer` allows every address.
 */
export function cidrsContain(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.length === 0 || inner.every((block) => outer.some((around) => contains(around, block)));
}

function contains(outer: string, inner: string): boolean {
  const [address = '', prefix] = inner.split('/');
  const [outerAddress = '', outerPrefix] = outer.split('/');
  const longest = isIP(outerAddress) === 6 ? 128 : 32;
  const isWider = Number(outerPrefix ?? longest) <= Number(prefix ?? longest);
  return isWider && isIP(address) === isIP(outerAddress) && cidrsAllow([outer], address);
}

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
