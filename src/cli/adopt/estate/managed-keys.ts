import { MANAGED_KEY_TYPES, managedKey, managedKeyTypes, objectTitle } from '../../../model';
import { isDeclarable } from './declarable';
import type { FoundKey } from './found';
import type { Place } from './place';

/** The managed keys of a namespace, of all backends. */
export async function readKeys(place: Place): Promise<readonly FoundKey[]> {
  const { cluster, namespace, client } = place;
  const list = await place.attempt(`${managedKey.title}s`, managedKey, () => client.managedKeys.listAll());
  const names = MANAGED_KEY_TYPES.flatMap((type) =>
    (list?.data[type] ?? []).map((name) => [type, name] as const),
  );
  const keys = await Promise.all(
    names.map(([type, name]) =>
      place.attempt(objectTitle(managedKey, name), managedKey, () => client.managedKeys.read(type, name)),
    ),
  );
  return keys.flatMap((key) => {
    if (!key) return [];
    const { name, fields, hidden, heldSecrets: secrets } = key.data;
    const type = managedKeyTypes[key.data.type];
    const others = hidden.filter((field) => type.definition.fields[field]?.sensitive !== true);
    if (!isDeclarable(type.definition, { ...fields, name }, place, { secrets, others })) return [];
    return [{ identity: { cluster, namespace, name }, type, fields: { ...fields }, secrets }];
  });
}
