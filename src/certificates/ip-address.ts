import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the bytes of an IP address in a certificate.
 *
 * @throws Error if the text is not an IP address.
 */
export function ipAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (isIPv6(address)) return Buffer.from(fullGroups(address).join(''), 'hex');
  throw new Error(`an IP address is not valid: received "${address}"; allowed: such as 127.0.0.1 or ::1`);
}

/** Returns the eight groups, of four digits each. */
function fullGroups(address: string): string[] {
  // A URL writes the last two groups in hexadecimal, even if they were written as IPv4.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter((group) => group));
  const zeros = Array<string>(8 - head.length - tail.length).fill('');
  return [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
}
