import { guardedProps } from '../../private/string-props';
import type { VaultConnection } from '../connection';

/**
 * Returns a connection for a provider. Its expressions fail in Terraform if a late value would
 * change an address or a path in an unexpected way.
 */
export function guardedConnection(connection: VaultConnection): VaultConnection {
  const { authLogin } = connection;
  return {
    ...guardedProps('VaultConnection', connection),
    ...(authLogin && { authLogin: guardedProps('VaultAuthLogin', authLogin) }),
  };
}
