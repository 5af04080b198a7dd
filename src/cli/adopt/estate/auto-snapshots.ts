import { AUTO_SNAPSHOT, objectTitle, AUTO_SNAPSHOT_BACKENDS, type FieldValues } from '../../../model';
import { isDeclarable } from './declarable';
import type { FoundSnapshot } from './found';
import type { Place } from './place';

/** Reads the configurations of automated snapshots in a namespace. Servers return their secrets, which are dropped here. */
export async function readSnapshots(place: Place): Promise<readonly FoundSnapshot[]> {
  const { cluster, namespace, client } = place;
  const list = await place.attempt(`${AUTO_SNAPSHOT.title}s`, AUTO_SNAPSHOT, () =>
    client.autoSnapshots.list(),
  );
  const snapshots = await Promise.all(
    (list?.data.keys ?? []).map((name) =>
      place.attempt(objectTitle(AUTO_SNAPSHOT, name), AUTO_SNAPSHOT, () => client.autoSnapshots.read(name)),
    ),
  );
  return snapshots.flatMap((snapshot) => {
    if (!snapshot) return [];
    const { name, interval, storage_type, ...told } = snapshot.data;
    const storage = AUTO_SNAPSHOT_BACKENDS[storage_type];
    const { fields, secrets } = divide({ ...told }, storage.fields);
    const values = { ...fields, name, interval, storage_type };
    if (!isDeclarable(storage.definition, values, place, { secrets })) return [];
    return [{ identity: { cluster, namespace, name }, storage, interval, fields, secrets }];
  });
}

function divide(told: FieldValues, fields: typeof AUTO_SNAPSHOT.fields) {
  const isSecret = (name: string) => fields[name]?.sensitive === true;
  return {
    fields: Object.fromEntries(Object.entries(told).filter(([name]) => !isSecret(name))) as FieldValues,
    secrets: Object.keys(told).filter(isSecret),
  };
}
