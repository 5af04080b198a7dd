import type { PolicyPath } from '../../client';
import { EGP_POLICY } from '../../model';
import { definitions, map, types } from '../../plugin';
import type { Clusters } from '../clusters';
import { listAttributes, listDescription, listObjects } from '../objects';
import { policyDataSource } from './data-source';
import type { PolicyKind } from './kind';
import { policyResource } from './resource';

const { dataSource } = definitions<Clusters>();

const kind: PolicyKind = {
  definition: EGP_POLICY,
  plural: { name: 'egp_policies', title: 'EGP policies' },
  calls: ({ policies }) => policies.egp,
};

/** Interface section 4.2: `/sys/policies/egp`. */
export const egpPolicyResource = policyResource(kind);
export const egpPolicyDataSource = policyDataSource(kind);

/** The list says where each policy applies, so that one request shows what guards a path. */
export const egpPoliciesDataSource = dataSource({
  name: kind.plural.name,
  schema: {
    description: listDescription(kind),
    attributes: {
      ...listAttributes,
      paths: map(types.list(types.string), {
        computed: true,
        description: 'The paths of each policy by its name, sorted; of those whose paths the server lists.',
      }),
    },
  },

  async read({ config }, context) {
    const { data, values } = await listObjects(kind, config, context, ({ policies }, options) =>
      policies.egp.list(options),
    );
    const paths = Object.entries(data.name_path_map).map(([name, list]) => [name, list.map(pathText).sort()]);
    return { ...values, paths: Object.fromEntries(paths) as Record<string, string[]> };
  },
});

function pathText({ path, glob }: PolicyPath): string {
  return glob ? `${path}*` : path;
}
