import { isIPv6 } from 'node:net';

/** Listens on this machine alone. */
export const DEFAULT_BIND = '127.0.0.1';

/** The host by which this machine reaches what listens on an address, as in URLs. */
export function hostFor(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  if (bind === '::') return '[::1]';
  return isIPv6(bind) ? `[${bind}]` : bind;
}
