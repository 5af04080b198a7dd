import {
  findAclPolicies,
  findAuditDevices,
  findAutoSnapshots,
  findEgpPolicies,
  findManagedKeys,
  findNamespaces,
  findRgpPolicies,
  type Find,
} from '../inventory';
import {
  ACL_POLICY,
  AUDIT_DEVICE,
  AUTO_SNAPSHOT,
  DEFAULT_POLICY,
  EGP_POLICY,
  formatImportId,
  MANAGED_KEY,
  NAMESPACE,
  normalizeNamespace,
  RGP_POLICY,
  SWITCHOVER_POLICY,
  TAKEOVER_POLICY,
  type ObjectDefinition,
} from '../model';
import { definitions, list, set, types, type Attributes, type DataSource } from '../plugin';
import { PROVIDER_NAME } from './about';
import type { Clusters } from './clusters';
import {
  DATA_SOURCE_LOCATION,
  request,
  textIn,
  type AttributeValues,
  type ObjectsOfProvider,
} from './objects';

/** A kind whose objects on a cluster are compared with the declared names. */
interface ComparedKind {
  readonly definition: ObjectDefinition;
  readonly title: string;
  readonly find: Find;
}

/** The policies that servers and replication sets create themselves. */
const BUILT_IN: readonly string[] = [DEFAULT_POLICY, SWITCHOVER_POLICY, TAKEOVER_POLICY];

/** The kinds of objects, by the arguments of the data source that contain the declared names. */
const KINDS: Readonly<Record<string, ComparedKind>> = {
  acl_policies: {
    definition: ACL_POLICY,
    title: 'ACL policies',
    async find(client, options) {
      const response = await findAclPolicies(client, options);
      return { ...response, data: response.data.filter(({ name }) => !BUILT_IN.includes(name)) };
    },
  },
  rgp_policies: { definition: RGP_POLICY, title: 'RGP policies', find: findRgpPolicies },
  egp_policies: { definition: EGP_POLICY, title: 'EGP policies', find: findEgpPolicies },
  managed_keys: {
    definition: MANAGED_KEY,
    title: 'managed keys',
    async find(client, options) {
      const response = await findManagedKeys(client, options);
      return { ...response, data: response.data.map(({ type, name }) => ({ name: `${type}/${name}` })) };
    },
  },
  auto_snapshots: { definition: AUTO_SNAPSHOT, title: 'automated snapshots', find: findAutoSnapshots },
  audit_devices: { definition: AUDIT_DEVICE, title: 'audit devices', find: findAuditDevices },
  namespaces: { definition: NAMESPACE, title: 'namespaces', find: findNamespaces },
};

const declaredNames = ({ definition, title }: ComparedKind) =>
  set(types.string, {
    optional: true,
    description:
      `The ${title} that are declared, by their ${definition === MANAGED_KEY ? 'types and names (`pkcs11/signing`)' : 'names'}. ` +
      `An empty set: none is. Default: ${title} are not compared.`,
  });

const UNMANAGED: DataSource<Clusters> = definitions<Clusters>().dataSource<Attributes>({
  name: 'unmanaged',
  schema: {
    description:
      'Lists the objects of a namespace that are not among those that are declared, such as policies that were written by hand. The ' +
      'policy `default` and what servers make for themselves are left out. It is meant for the `assert` of a `check` block.',
    attributes: {
      cluster: DATA_SOURCE_LOCATION.cluster,
      namespace: DATA_SOURCE_LOCATION.namespace,
      ...Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, declaredNames(kind)])),
      unmanaged: list(types.string, {
        computed: true,
        description:
          'The objects that are not declared, each with the resource that can declare it and its import ID: `vaultadmin_acl_policy us//ops`.',
      }),
    },
  },

  async read({ config }, context) {
    const cluster = context.providerData.knownNameOf(textIn(config, 'cluster'), 'the objects', context);
    const namespace = normalizeNamespace(textIn(config, 'namespace'));
    const unmanaged = await Promise.all(
      Object.entries(KINDS).map(async ([argument, { definition, title, find }]) => {
        const declared = declaredIn(config, argument);
        if (!declared) return [];
        const subject = { definition, location: { cluster, namespace }, title };
        const { data } = await request('list', subject, context, (client) =>
          find(client, { signal: context.signal }),
        );
        return data
          .filter(({ name }) => !declared.has(name))
          .map(
            ({ name }) =>
              `${PROVIDER_NAME}_${definition.name} ${formatImportId({ cluster, namespace, name })}`,
          );
      }),
    );
    return { ...config, cluster, unmanaged: unmanaged.flat() };
  },
});

/** Returns the declared names; `undefined` if the kind is not compared. */
function declaredIn(config: AttributeValues, argument: string): ReadonlySet<unknown> | undefined {
  const names = config[argument];
  return Array.isArray(names) ? new Set<unknown>(names) : undefined;
}

/** The data source of the objects that a configuration does not declare. */
export const UNMANAGED_OBJECTS: ObjectsOfProvider = { resources: [], dataSources: [UNMANAGED] };
