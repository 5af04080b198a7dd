import {
  MAX_NAMESPACE_DEPTH,
  MAX_NAMESPACES,
  namespacePathProblem,
  normalizeNamespace,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../model';
import { DiagnosticError, type ConfiguredContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { request } from './request';

/** The namespaces below one, those near it first. What a token may not list is left out, with a warning. */
export async function* namespacesBelow(
  { cluster, namespace }: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): AsyncGenerator<string> {
  const found = new Set([namespace]);
  let level: readonly string[] = [namespace];
  for (let depth = 0; level.length > 0 && depth < MAX_NAMESPACE_DEPTH; depth++) {
    const next: string[] = [];
    for (const parent of level) {
      for (const child of await childrenOf({ cluster, namespace: parent }, definition, context)) {
        if (found.has(child)) continue;
        if (found.size > MAX_NAMESPACES) return tooMany(namespace, context);
        found.add(child);
        next.push(child);
        yield child;
      }
    }
    level = next;
  }
  if (level.length > 0) tooMany(namespace, context);
}

function tooMany(namespace: string, { diagnostics }: ConfiguredContext<Clusters>): void {
  diagnostics.warning(
    `the server lists more than ${MAX_NAMESPACES} namespaces${below(namespace)}, or namespaces nested more than ${MAX_NAMESPACE_DEPTH} levels deep`,
    'The others are left out of the list.\nTo do: list the objects of each namespace, without recursive.',
  );
}

function below(namespace: string): string {
  return namespace === '' ? '' : ` below ${JSON.stringify(namespace)}`;
}

async function childrenOf(
  location: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): Promise<readonly string[]> {
  const { namespace } = location;
  const title = `namespaces${below(namespace)}`;
  try {
    const { data } = await request('list', { definition, location, title }, context, (client) =>
      client.list('sys/namespaces', { signal: context.signal }),
    );
    const children = [...data.keys].sort().map((name) => normalizeNamespace(`${namespace}/${name}`));
    return children.filter((child) => {
      const problem = namespacePathProblem(child);
      if (problem) {
        context.diagnostics.warning(
          `the server lists a namespace ${problem.received}, which ${problem.problem}`,
          'It is left out of the list.',
        );
      }
      return !problem;
    });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    context.diagnostics.warning(error.summary, `${error.detail}\nThey are left out of the list.`);
    return [];
  }
}
