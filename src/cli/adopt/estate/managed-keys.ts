import { MANAGED_KEY_TYPES, MANAGED_KEY, MANAGED_KEY_BACKENDS, objectTitle } from '../../../model';
import { isDeclarable } from './declarable';
import type { FoundKey } from './found';
import type { Place } from './place';

/** The managed keys of a namespace, of all backends. */
export async function readKeys(place: Place): Promise<readonly FoundKey[]> {
  const { cluster, namespace, client } = place;
  const list = await place.attempt(`${MANAGED_KEY.title}s`, MANAGED_KEY, () => client.managedKeys.listAll());
  const names = MANAGED_KEY_TYPES.flatMap((type) =>
    (list?.data[type] ?? []).map((name) => [type, name] as const),
  );
  const keys = await Promise.all(
    names.map(([type, name]) =>
      place.attempt(objectTitle(MANAGED_KEY, name), MANAGED_KEY, () => client.managedKeys.read(type, name)),
    ),
  );
  return keys.flatMap((key) => {
    if (!key) return [];
    const { name, fields, hidden, heldSecrets: secrets } = key.data;
    const type = MANAGED_KEY_BACKENDS[key.data.type];
    const others = hidden.filter((field) => type.definition.fields[field]?.sensitive !== true);
    if (!isDeclarable(type.definition, { ...fields, name }, place, { secrets, others })) return [];
    return [{ identity: { cluster, namespace, name }, type, fields: { ...fields }, secrets }];
  });
}
