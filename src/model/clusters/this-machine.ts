/**
 * A host of a URL, in lower case: `localhost`, 127.0.0.0/8, `::1`, and 127.0.0.0/8 as an IPv6
 * address.
 */
const THIS_MACHINE =
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\]|\[?::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]?)$/;

/**
 * Whether a host of a URL always leads to this machine. It must be in lower case, and may have
 * brackets.
 */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host);
}
