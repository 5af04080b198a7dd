import {
  UNSUPPORTED_MANAGED_KEY_TYPE,
  MANAGED_KEY,
  managedKeyBackendOf,
  toProduct,
  type ManagedKeyBackend,
} from '../../model';
import { ASSUMPTIONS } from '../assumptions';
import type { ServerFlavour } from '../core/backend';
import { invalidRequest } from '../core/errors';

/**
 * The backend that a path names, in the server's dialect.
 *
 * @throws LogicalError 400 where there is none, or this build of the server does not have it.
 */
export function supportedType(server: ServerFlavour, name: string): ManagedKeyBackend {
  const type = managedKeyBackendOf(toProduct(server.dialect, MANAGED_KEY.name).type(name));
  if (type === undefined || (type.type === 'pkcs11' && !ASSUMPTIONS.hsmBuilds.includes(server.version))) {
    throw invalidRequest(`${UNSUPPORTED_MANAGED_KEY_TYPE} ${JSON.stringify(name)}`);
  }
  return type;
}
