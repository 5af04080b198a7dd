import type { ObjectIdentity } from '../../../model';
import { DEFAULT_CLUSTER } from '../../../provider/configuration';
import { Expression } from './code';
import { type UniqueNames, variableName } from './names';

/** A variable for a secret that a server holds: `VaultSecret.fromVariable('us_pki_signing_pin')`. */
export function secretVariable(
  { cluster, namespace, name }: ObjectIdentity,
  field: string,
  variables: UniqueNames,
): { readonly name: string; readonly reference: Expression } {
  const owner = cluster === DEFAULT_CLUSTER ? 'vault' : cluster;
  const variable = variables.take(variableName(owner, namespace, name, field));
  return { name: variable, reference: Expression.call('VaultSecret', 'fromVariable', variable) };
}
