import { report } from '../messages';
import { namespacesBelow as listedBelow, tooManyNamespaces } from '../../inventory';
import type { ObjectDefinition, ObjectIdentity } from '../../model';
import { DiagnosticError, type ConfiguredContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { request } from './request';

/**
 * Yields the namespaces below a namespace, the nearest first. Namespaces that a token may not list
 * are left out, with a warning.
 */
export function namespacesBelow(
  { cluster, namespace }: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): AsyncGenerator<string> {
  return listedBelow(namespace, {
    namesIn: (parent) => namesIn({ cluster, namespace: parent }, definition, context),
    onImpossible(_child, { received, problem }) {
      report(context.diagnostics, 'warning', {
        summary: `the server lists a namespace ${received}, which ${problem}`,
        details: 'It is left out of the list.',
      });
    },
    onTooMany() {
      report(context.diagnostics, 'warning', {
        summary: `the server lists ${tooManyNamespaces(below(namespace))}`,
        details: 'The others are left out of the list.',
        cures: 'list the objects of each namespace, without recursive',
      });
    },
  });
}

function below(namespace: string): string {
  return namespace === '' ? '' : ` below ${JSON.stringify(namespace)}`;
}

async function namesIn(
  location: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
  definition: ObjectDefinition,
  context: ConfiguredContext<Clusters>,
): Promise<readonly string[]> {
  const title = `namespaces${below(location.namespace)}`;
  try {
    const { data } = await request('list', { definition, location, title }, context, (client) =>
      client.list('sys/namespaces', { signal: context.signal }),
    );
    return data.keys;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    report(context.diagnostics, 'warning', {
      summary: error.summary,
      details: [error.detail, 'They are left out of the list.'],
    });
    return [];
  }
}
