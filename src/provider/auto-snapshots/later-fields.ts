import { AUTO_SNAPSHOT, describeFinding, objectTitle, type ObjectIdentity } from '../../model';
import { isOlder } from '../../model/versions';
import { isKnown, type Context } from '../../plugin';
import { healthOf, type Clusters } from '../clusters';
import { backendsIn, flatten, type Values } from '../objects';

/** A field in use that not all servers know. */
interface LaterField {
  readonly name: string;
  /** The first version that knows it: `1.18`. */
  readonly since: string;
  readonly block: string;
}

type ClustersContext = Context & { readonly provider: Clusters };

/** The fields that a plan gives a new value, of those that not all servers know. */
export function laterFields(plan: Values, state: Values | null): readonly LaterField[] {
  return backendsIn(AUTO_SNAPSHOT, plan).flatMap((storage) => {
    const planned = flatten(AUTO_SNAPSHOT, plan, storage);
    const stored: Values = state ? flatten(AUTO_SNAPSHOT, state, storage) : {};
    const isNew = (name: string) => isKnown(planned[name]) && planned[name] !== (stored[name] ?? null);
    return Object.entries(storage.fields).flatMap(([name, { since }]) =>
      since !== undefined && planned[name] && isNew(name) ? [{ name, since, block: storage.block }] : [],
    );
  });
}

/**
 * Refuses fields that the server does not know yet: it would accept and ignore them. Where its version cannot be determined,
 * the next call reports why.
 */
export async function refuseLaterFields(
  fields: readonly LaterField[],
  identity: ObjectIdentity,
  context: ClustersContext,
): Promise<void> {
  if (fields.length === 0) return;
  const title = objectTitle(AUTO_SNAPSHOT, identity.name);
  const { version } = (await healthOf(identity.cluster, title, context)) ?? {};
  if (version === undefined) return;
  for (const { name, since, block } of fields) {
    if (!isOlder(version, since)) continue;
    const { summary, detail } = describeFinding(AUTO_SNAPSHOT, identity.name, {
      severity: 'error',
      rule: 'known-to-server',
      field: name,
      problem: `requires Vault ${since} or later`,
      received: `cluster ${JSON.stringify(identity.cluster)}, which runs ${version}`,
      cure: `leave ${name} out, or upgrade the cluster first`,
    });
    context.diagnostics.error(summary, detail, [block, name]);
  }
}
