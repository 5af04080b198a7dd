import { guardedProps } from '../../private/string-props';
import type { VaultConnection } from '../connection';

/**
 * Returns a connection for a provider, whose expressions fail for late values that would change an
 * address or a path.
 */
export function guardedConnection(connection: VaultConnection): VaultConnection {
  const { authLogin } = connection;
  return {
    ...guardedProps('VaultConnection', connection),
    ...(authLogin && { authLogin: guardedProps('VaultAuthLogin', authLogin) }),
  };
}
