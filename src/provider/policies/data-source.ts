import { normalizeNamespace, objectTitle, type ObjectDefinition } from '../../model';
import { definitions, type attribute, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { dataSourceFields, dataSourceLocation, locationOf, nothingToRead } from '../objects';
import { fieldsOf, storedPolicy, type PolicyKind } from './kind';

const { dataSource } = definitions<Clusters>();

/** The data source on one policy of a kind. */
export function policyDataSource(kind: PolicyKind): DataSource<Clusters> {
  const { definition } = kind;

  return dataSource<PolicyAttributes>({
    name: definition.name,
    schema: {
      description: `Reads one ${definition.title}.`,
      attributes: policyAttributes(definition),
    },

    async read({ config }, context) {
      const { name, namespace } = config;
      const cluster = context.provider.knownNameOf(config.cluster, objectTitle(definition, name), context);
      const identity = { cluster, namespace: normalizeNamespace(namespace), name };
      const policy = storedPolicy(kind, identity, context);
      const stored = await policy.read();
      if (!stored) throw nothingToRead(policy.subject);
      return { ...locationOf(identity), ...fieldsOf(kind, stored), namespace };
    },
  });
}

type PolicyAttributes = typeof dataSourceLocation & {
  readonly name: ReturnType<typeof attribute<string, true>>;
  readonly policy: ReturnType<typeof attribute<string, false, true>>;
};

/** The attributes of a policy. The type leaves out those that only some kinds have. */
function policyAttributes(definition: ObjectDefinition): PolicyAttributes {
  return {
    ...dataSourceLocation,
    ...(dataSourceFields(definition) as Pick<PolicyAttributes, 'name' | 'policy'>),
  };
}
