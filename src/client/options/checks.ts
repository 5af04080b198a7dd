import { DIALECTS, parseDuration, type Dialect } from '../../model';
import { VaultError } from '../errors/vault-error';

/**
 * Checks of single settings. `name` is what the user wrote: an option's name or an environment variable's.
 * Each throws a VaultError `invalid_options` that names the setting, the value and what is allowed.
 */

/** An address such as `https://vault.example:8200` or, behind a proxy, `https://example/vault`. */
export function checkAddress(value: string, name: string): URL {
  const allowed = 'a URL such as https://vault.example.com:8200, without user name, query and fragment';
  if (!URL.canParse(value)) throw invalid(name, value, allowed);
  const url = new URL(value);
  // A password in the URL is a secret: what is shown is put together from the harmless parts.
  if (url.username || url.password) throw invalid(name, `${url.protocol}//(hidden)@${url.host}`, allowed);
  const plain = /^https?:$/.test(url.protocol) && !url.search && !url.hash;
  if (!plain) throw invalid(name, value, allowed);
  return url;
}

/** A secret that is sent in a header. The value is not shown. */
export function checkToken(value: string, name: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  throw new VaultError({
    code: 'invalid_options',
    message:
      `${name} holds characters that cannot be sent, such as a line break; ` +
      'allowed: printable ASCII. Check how the value was read (its value is not shown)',
  });
}

export function checkNamespace(value: string, name: string): string {
  if (/\p{Cc}/u.test(value)) throw invalid(name, value, 'a path such as team/project');
  return value;
}

/** Seconds, as a number or as text such as `90`, `90s` or `2m`. */
export function checkDuration(value: number | string, name: string): number {
  const seconds = typeof value === 'number' ? value : parseText(value);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw invalid(name, value, 'seconds, or text such as 90s or 2m; 0 for no limit');
}

export function checkCount(value: number | string, name: string): number {
  const count = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw invalid(name, value, 'a whole number from 0 on');
}

export function checkDialect(value: string, name: string): Dialect {
  const dialect = DIALECTS.find((known) => known === value);
  if (dialect !== undefined) return dialect;
  throw invalid(name, value, DIALECTS.map((known) => JSON.stringify(known)).join(' or '));
}

/** A client certificate is of use only with its key. */
export function checkCertificatePair(
  certificate: string | undefined,
  key: string | undefined,
  [certificateName, keyName]: readonly [string, string],
): void {
  if (!certificate === !key) return;
  const [given, missing] = certificate ? [certificateName, keyName] : [keyName, certificateName];
  throw new VaultError({
    code: 'invalid_options',
    message: `${given} is given without ${missing}: a client certificate needs both; set ${missing} too`,
  });
}

export function invalid(name: string, received: unknown, allowed: string): VaultError {
  return new VaultError({
    code: 'invalid_options',
    message: `${name} is not valid: received ${JSON.stringify(received)}; allowed: ${allowed}`,
  });
}

function parseText(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    return NaN;
  }
}
