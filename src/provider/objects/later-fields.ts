import { sameMeaning, type BackedObject } from '../../model';
import { isOlder } from '../../model/versions';
import { isKnown, type Context } from '../../plugin';
import { healthOf, type Clusters } from '../clusters';
import { reportFinding } from '../messages';
import { backendsIn, flatten } from './backends';
import { nameIn, textIn, titleIn, type AttributeValues } from './values';

/** A field in use that older servers do not have. */
interface LaterField {
  readonly field: string;
  /** The first version that has it: `1.18`. */
  readonly since: string;
  /** The path of its attribute. */
  readonly path: readonly string[];
}

type ClustersContext = Context & { readonly providerData: Clusters };

/**
 * Returns the fields that older servers do not have, and that a plan changes to a value other than
 * the default.
 */
function laterFields(
  kind: BackedObject,
  plan: AttributeValues,
  state: AttributeValues | null,
): readonly LaterField[] {
  return backendsIn(kind, plan).flatMap((backend) => {
    const planned = flatten(kind, plan, backend);
    const before: AttributeValues = state ? flatten(kind, state, backend) : {};
    const isNew = (name: string) => isKnown(planned[name]) && planned[name] !== (before[name] ?? null);
    return Object.entries(backend.definition.fields).flatMap(([name, field]) =>
      field.since !== undefined && isNew(name) && !sameMeaning(field, planned[name], undefined)
        ? [{ field: name, since: field.since, path: name in kind.fields ? [name] : [backend.block, name] }]
        : [],
    );
  });
}

/**
 * Refuses fields that the server does not have yet: it would accept and ignore them. If its version
 * cannot be determined, the next call reports the reason.
 */
export async function refuseLaterFields(
  kind: BackedObject,
  { plan, state }: { readonly plan: AttributeValues; readonly state: AttributeValues | null },
  context: ClustersContext,
): Promise<void> {
  const fields = laterFields(kind, plan, state);
  const cluster = textIn(plan, 'cluster');
  if (fields.length === 0 || cluster === null || !isKnown(plan.id)) return;
  const { version } = (await healthOf(cluster, titleIn(kind, plan), context)) ?? {};
  if (version === undefined) return;
  for (const { field, since, path } of fields) {
    if (!isOlder(version, since)) continue;
    const finding = {
      severity: 'error',
      rule: 'known-to-server',
      field,
      problem: `requires Vault ${since} or later`,
      received: `cluster ${JSON.stringify(cluster)}, which runs ${version}`,
      cure: `leave ${field} out, or upgrade the cluster first`,
    } as const;
    reportFinding(context.diagnostics, kind, nameIn(kind, plan), finding, path);
  }
}
