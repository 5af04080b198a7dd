import { describeFinding, normalizeManagedKey, type FieldValues, type ManagedKeyBackend } from '../../model';
import type { LogicalResponse, Namespace, ServerFlavour } from '../core/backend';
import { ignoredParameters } from '../core/request/complete-response';
import { openRefusal } from '../core/errors';
import { modelRefusal, refusedFinding } from '../core/input/model-input';
import { uuid } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';
import { decodeBody, unknownParameters } from './request-fields';
import type { ManagedKeyStore } from './store';

/** Returns a managed key's name in the form that the server stores. */
export function managedKeyName(written: string): string {
  return written.toLowerCase();
}

/**
 * Creates or updates a managed key. An update keeps the fields that it does not contain. The
 * backend is not contacted.
 *
 * @throws LogicalError 400 if the configuration is not valid, or a key of another backend has the
 *   name.
 */
export function writeManagedKey(
  keys: ManagedKeyStore,
  server: ServerFlavour,
  type: ManagedKeyBackend,
  { namespace, written, body }: { namespace: Namespace; written: string; body: JsonObject },
): LogicalResponse | undefined {
  const name = managedKeyName(written);
  if (name !== written && server.assumed('managedKeyNames').refused) {
    throw modelRefusal(`managed key name "${written}" is not valid: names are in lower case`);
  }
  const before = keys.get(namespace, name);
  if (before !== undefined && before.type !== type.type) {
    throw openRefusal('managedKeyNameTaken', name, before.type);
  }
  const sent = normalizeManagedKey(type, decodeBody(server, type, body));
  const fields = { ...server.assumed('managedKeyWrites').merge(before?.fields ?? {}, sent), name };
  refuseFaults(type, name, fields);
  keys.put(namespace, { uuid: before?.uuid ?? uuid(), name, type: type.type, fields });

  const unknown = unknownParameters(type, body);
  const warnings = [
    ...(name === written ? [] : [`managed key name was converted to ${name}`]),
    ...(unknown.length === 0 ? [] : [ignoredParameters(unknown)]),
  ];
  return warnings.length === 0 ? undefined : { warnings };
}

function refuseFaults({ definition }: ManagedKeyBackend, name: string, fields: FieldValues): void {
  const finding = refusedFinding(definition, fields);
  if (finding === undefined) return;
  const { line } = describeFinding(definition, name, finding);
  throw modelRefusal(finding.field === 'algorithm' ? `invalid signature algorithm: ${line}` : line);
}
