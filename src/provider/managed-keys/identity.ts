import type { ManagedKey } from '../../client';
import {
  formatImportId,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  objectTitle,
  type FieldValues,
  type ManagedKeyTypeName,
  type ObjectIdentity,
} from '../../model';
import { identityOf, locationOf, StoredObject, type ObjectSubject, type RequestContext } from '../objects';

/** Where a managed key is: its path has the backend's type before the name. */
export interface KeyIdentity extends ObjectIdentity {
  readonly type: ManagedKeyTypeName;
}

/** The part of a state that says where a managed key is. */
export interface KeyLocation {
  readonly id: string | null;
  readonly cluster: string | null;
  readonly namespace: string | null;
  readonly type: string | null;
  readonly name: string;
}

/** The managed key that a state is about. */
export function keyIdentityOf(state: Omit<KeyLocation, 'id'>): KeyIdentity {
  return { ...identityOf(state), type: state.type as ManagedKeyTypeName };
}

/** What the state of a managed key says of where it is. */
export function keyLocationOf(identity: KeyIdentity): KeyLocation & { id: string; cluster: string } {
  return { ...locationOf(identity), id: keyId(identity), type: identity.type };
}

export function keyId({ cluster, namespace, type, name }: KeyIdentity): string {
  return formatImportId({ cluster, namespace, name: `${type}/${name}` });
}

/** One managed key on its cluster. */
export class StoredKey extends StoredObject<ManagedKey, FieldValues, KeyIdentity> {
  constructor(identity: KeyIdentity, context: RequestContext) {
    const { type, name } = identity;
    const subject: ObjectSubject = {
      definition: MANAGED_KEY_BACKENDS[type].definition,
      location: identity,
      title: objectTitle(MANAGED_KEY, name),
      id: keyId(identity),
    };
    super(identity, subject, context, ({ managedKeys }) => ({
      read: (options) => managedKeys.read(type, name, options),
      write: (fields, options) => managedKeys.write(type, name, fields, options),
      delete: (options) => managedKeys.delete(type, name, options),
    }));
  }
}
