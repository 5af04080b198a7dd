import { VaultError, type VaultClient } from '../../../client';
import { namespacesBelow } from '../../../inventory';
import { GROUP_POLICY_MODES } from '../../../model';
import { isRecord, trimmed, type JsonRecord } from '../../../text';
import { printError } from '../../output/print';

/** The names of the policies that a holder has in a namespace. */
export interface NamesInNamespace {
  /** The path without slashes at its ends; empty for the root namespace. */
  readonly namespace: string;
  readonly names: readonly string[];
}

const MODE_PATH = 'sys/config/group-policy-application';

/**
 * Returns those groups outside the namespace of the client whose policies apply to tokens of this
 * namespace. Prints a message about groups that may apply, but could not be read.
 *
 * @param ids the ids of the groups.
 */
export async function groupsInOtherNamespaces(
  client: VaultClient,
  ids: readonly string[],
): Promise<readonly NamesInNamespace[]> {
  if (ids.length === 0) return [];
  const missing = new Set(ids);
  const found: NamesInNamespace[] = [];
  const search = async (namespace: string) => {
    for (const id of missing) {
      const group = await readIn(client, namespace, `identity/group/id/${id}`);
      if (!group) continue;
      missing.delete(id);
      found.push({ namespace, names: textsOf(group['policies']) });
    }
  };
  const below = await namespacesIn(client, client.namespace);
  for (const namespace of below.paths) await search(namespace);
  if (missing.size === 0) return found;
  const mode = (await readIn(client, '', MODE_PATH))?.['group_policy_application_mode'];
  if (mode === GROUP_POLICY_MODES[1]) {
    for (const namespace of ['', ...(await namespacesIn(client, '')).paths]) {
      if (missing.size > 0 && !below.paths.includes(namespace)) await search(namespace);
    }
  }
  const names = [...missing].map((id) => JSON.stringify(id)).join(', ');
  const leftOut = `the answer is without the policies of groups in other namespaces: ${names}`;
  if (mode === GROUP_POLICY_MODES[1] && missing.size > 0) {
    printError(`${leftOut}. They apply, because group_policy_application_mode is "any", and cannot be read`);
  } else if (mode === undefined) {
    printError(
      `${leftOut}. They apply if group_policy_application_mode is "any", and ${MODE_PATH} of the root namespace cannot be read`,
    );
  } else if (!below.isComplete) {
    printError(`${leftOut}. They apply if the namespaces are below this one, which cannot be listed`);
  }
  return found;
}

/**
 * Returns the policies that a token has in other namespaces.
 *
 * @param external the names of the policies by the ids of the namespaces, as the server returns
 *   them.
 */
export async function externalPolicies(
  client: VaultClient,
  external: unknown,
): Promise<readonly NamesInNamespace[]> {
  const wanted = Object.entries(isRecord(external) ? external : {});
  if (wanted.length === 0) return [];
  const ids = new Map([['root', '']]);
  for (const top of new Set(['', client.namespace])) {
    for (const [id, path] of (await namespacesIn(client, top)).ids) ids.set(id, path);
  }
  return wanted.flatMap(([id, names]) => {
    const namespace = ids.get(id);
    if (namespace !== undefined) return [{ namespace, names: textsOf(names) }];
    printError(
      `the answer is without policies that the token has in namespace ${JSON.stringify(id)}, whose path cannot be read: ${textsOf(names).join(', ')}`,
    );
    return [];
  });
}

interface Namespaces {
  readonly paths: readonly string[];
  readonly ids: ReadonlyMap<string, string>;
  /** Whether all namespaces could be listed. */
  readonly isComplete: boolean;
}

/** Lists the namespaces below a namespace. */
async function namespacesIn(client: VaultClient, top: string): Promise<Namespaces> {
  const paths: string[] = [];
  const ids = new Map<string, string>();
  let isComplete = true;
  const below = namespacesBelow(top, {
    async namesIn(parent) {
      try {
        const { keys, key_info: details = {} } = (await client.withNamespace(parent).list('sys/namespaces'))
          .data;
        for (const [key, detail] of Object.entries(details)) {
          if (isRecord(detail) && typeof detail['id'] === 'string')
            ids.set(detail['id'], trimmed(`${parent}/${key}`, '/'));
        }
        return keys;
      } catch (error) {
        if (!VaultError.is(error)) throw error;
        isComplete = false;
        return [];
      }
    },
    onImpossible: () => (isComplete = false),
    onTooMany: () => (isComplete = false),
  });
  for await (const path of below) paths.push(path);
  return { paths, ids, isComplete };
}

async function readIn(client: VaultClient, namespace: string, path: string): Promise<JsonRecord | undefined> {
  try {
    return (await client.withNamespace(namespace).read(path))?.data;
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

/** Returns the texts in a list of a server. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
