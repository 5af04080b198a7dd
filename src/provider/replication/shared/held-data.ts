import { VaultError, type CallOptions, type VaultClient } from '../../../client';
import { HELD_KINDS, type HeldKind } from '../../../model/access';

/**
 * Returns the data that a cluster or a namespace has and a new one would not have, as texts such as
 * `secrets engine "secret/"`. This data is lost when the cluster becomes a secondary.
 *
 * @param client for the root namespace, or for the namespace to read
 * @param kinds the kinds of data to look for. Default: those of a cluster
 * @throws VaultError if the client lacks rights to read
 */
export async function heldData(
  client: VaultClient,
  options: CallOptions,
  kinds: readonly HeldKind[] = HELD_KINDS,
): Promise<readonly string[]> {
  const held = await Promise.all(
    kinds.map(async (kind) => describe(kind, await names(client, kind, options))),
  );
  return held.flat();
}

/** The names of the objects of one kind. A server without the kind has none. */
async function names(
  client: VaultClient,
  { call, keyType }: HeldKind,
  options: CallOptions,
): Promise<readonly string[]> {
  try {
    // The client translates the type of managed keys to the server's own name for it.
    if (keyType !== undefined) return (await client.managedKeys.list(keyType, options)).data.keys;
    if (call.method === 'LIST') return (await client.list(call.path, options)).data.keys;
    return Object.keys((await client.read(call.path, options))?.data ?? {});
  } catch (error) {
    if (VaultError.is(error) && error.code === 'unsupported_path') return [];
    throw error;
  }
}

function describe({ title, always, counted }: HeldKind, present: readonly string[]): readonly string[] {
  const own = present.filter((name) => !always.includes(name));
  if (counted !== undefined) return own.length > 0 ? [`${counted} (${own.length})`] : [];
  return own.map((name) => `${title} ${JSON.stringify(name)}`);
}
