import { openRefusal } from '../errors';

/** What callers send for MFA methods: the values, by the name of the method. */
export type MfaCredentials = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the header `X-Vault-MFA`: `METHOD` or `METHOD:PASSCODE`, several of them in several headers, which arrive joined by commas.
 *
 * @throws LogicalError 400 if it is neither.
 */
export function readMfaCredentials(header: string): MfaCredentials {
  const credentials = new Map<string, readonly string[]>();
  for (const text of header.split(',').map((each) => each.trim())) {
    if (text === '') continue;
    const [, method = '', value] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
    if (method === '') throw openRefusal('mfaHeaderText', 'it names no method');
    if (value === '') throw openRefusal('mfaHeaderText', 'the value of a method is empty');
    credentials.set(method, [...(credentials.get(method) ?? []), ...(value === undefined ? [] : [value])]);
  }
  return credentials;
}
