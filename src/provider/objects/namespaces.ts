import { normalizeNamespace, type ObjectDefinition, type ObjectIdentity } from '../../model';
import { DiagnosticError, type ConfiguredContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { request } from './request';

/** Levels. Without a limit, a server that always lists a child would be read forever. */
const MAX_DEPTH = 32;

/** The namespaces below one, those near it first. What a token may not list is left out, with a warning. */
export async function* namespacesBelow(
  { cluster, namespace }: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): AsyncGenerator<string> {
  let level: readonly string[] = [namespace];
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const next: string[] = [];
    for (const parent of level) {
      for (const child of await childrenOf({ cluster, namespace: parent }, definition, context)) {
        next.push(child);
        yield child;
      }
    }
    level = next;
  }
}

async function childrenOf(
  location: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): Promise<readonly string[]> {
  const { namespace } = location;
  const title = namespace === '' ? 'namespaces' : `namespaces below ${JSON.stringify(namespace)}`;
  try {
    const { data } = await request('list', { definition, location, title }, context, (client) =>
      client.list('sys/namespaces', { signal: context.signal }),
    );
    return [...data.keys].sort().map((name) => normalizeNamespace(`${namespace}/${name}`));
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    context.diagnostics.warning(error.summary, `${error.detail}\nThey are left out of the list.`);
    return [];
  }
}
