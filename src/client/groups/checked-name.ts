import { VaultError } from '../errors/vault-error';

/**
 * A name that is one segment of a path: any other would be another endpoint.
 *
 * @param kind what has the name, with its article: `a managed key`.
 * @throws VaultError `invalid_request`
 */
export function checkedName(name: string, kind: string): string {
  if (name !== '' && !name.includes('/')) return name;
  throw new VaultError({
    code: 'invalid_request',
    message: `${JSON.stringify(name)} cannot be the name of ${kind}: it is empty or holds a slash`,
  });
}
