import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACL_POLICY, EGP_POLICY, RGP_POLICY } from '../../src/model';
import { DATA_SOURCE_CALLS, EPHEMERAL_RESOURCE_CALLS, RESOURCE_CALLS } from '../../src/model/access';
import { providerSchemaJson } from '../../src/plugin';
import { contentOf } from '../../src/plugin/server/content';
import { secretCollector } from '../../src/plugin/server/secret-values';
import { PROVIDER, PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { CONFIGURATION_SCHEMA } from '../../src/provider/configuration';

interface Attribute {
  readonly required?: boolean;
  readonly sensitive?: boolean;
  readonly nested_type?: { readonly attributes: Attributes };
}
type Attributes = Readonly<Record<string, Attribute>>;
interface Block {
  readonly block: { readonly attributes: Attributes };
}
interface Schema {
  readonly provider: Block;
  readonly resource_schemas: Readonly<Record<string, Block>>;
  readonly data_source_schemas: Readonly<Record<string, Block>>;
  readonly ephemeral_resource_schemas: Readonly<Record<string, Block>>;
}

const { provider_schemas: schemas } = providerSchemaJson(PROVIDER, PROVIDER_ADDRESS) as {
  provider_schemas: Readonly<Record<string, Schema>>;
};
const schema = schemas['vault-admin.internal/cdktf/vaultadmin']!;

/** The names of the attributes that have a flag. Nested attributes are named by their paths. */
function flagged(attributes: Attributes, flag: 'required' | 'sensitive', prefix = ''): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => [
    ...(attribute[flag] ? [prefix + name] : []),
    ...flagged(attribute.nested_type?.attributes ?? {}, flag, `${prefix}${name}.`),
  ]);
}

test('the version is that of the package', () => {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  expect(PROVIDER_VERSION).toBe((JSON.parse(text) as { version: string }).version);
});

test('the secrets of the configuration are sensitive', () => {
  expect(flagged(schema.provider.block.attributes, 'sensitive')).toEqual([
    'clusters.token',
    'clusters.headers',
    'clusters.auth_login.parameters',
  ]);
});

test.each([ACL_POLICY, RGP_POLICY, EGP_POLICY])(
  '$title: the attributes are the fields of the model',
  ({ name, fields }) => {
    const location = ['id', 'cluster', 'namespace'];
    const { attributes } = schema.resource_schemas[`vaultadmin_${name}`]!.block;
    const ownOfTheResource: Record<string, string[]> = {
      egp_policy: ['confirm_lock_out'],
    };
    const answers = ownOfTheResource[name] ?? [];
    expect(Object.keys(attributes).sort()).toEqual([...location, ...answers, ...Object.keys(fields)].sort());
    expect([...flagged(attributes, 'required')].sort()).toEqual(Object.keys(fields).sort());

    const { attributes: read } = schema.data_source_schemas[`vaultadmin_${name}`]!.block;
    expect(Object.keys(read).sort()).toEqual([...location, ...Object.keys(fields)].sort());
    expect(flagged(read, 'required')).toEqual(['name']);
  },
);

test('the model lists the calls of every resource, data source and ephemeral resource', () => {
  const tables = [
    [schema.resource_schemas, RESOURCE_CALLS],
    [schema.data_source_schemas, DATA_SOURCE_CALLS],
    [schema.ephemeral_resource_schemas, EPHEMERAL_RESOURCE_CALLS],
  ] as const;
  const notListed = tables.map(([offered, calls]) =>
    Object.keys(offered)
      .map((type) => type.replace('vaultadmin_', ''))
      .filter((name) => !(name in calls)),
  );
  // The calls of a set are listed by the roles of its members. A status requires no rights.
  expect(notListed).toEqual([['perf_replication_set'], ['perf_replication_status'], []]);
});

test('the provider offers exactly these resources, data sources, ephemeral resources, functions, lists and actions', () => {
  const policies = ['acl', 'egp', 'rgp'].map((kind) => `vaultadmin_${kind}_policy`);
  const lists = ['acl', 'egp', 'rgp'].map((kind) => `vaultadmin_${kind}_policies`);
  const snapshots = ['', 's', '_status'].map((suffix) => `vaultadmin_auto_snapshot${suffix}`);
  const keys = ['', 's'].map((suffix) => `vaultadmin_managed_key${suffix}`);
  const devices = ['', 's'].map((suffix) => `vaultadmin_audit_device${suffix}`);
  const namespaces = ['', 's'].map((suffix) => `vaultadmin_namespace${suffix}`);
  const replication = (...names: string[]) => names.map((name) => `vaultadmin_perf_replication_${name}`);
  expect(Object.keys(schema.resource_schemas).sort()).toEqual(
    [
      ...policies,
      'vaultadmin_audit_device',
      'vaultadmin_auto_snapshot',
      'vaultadmin_managed_key',
      'vaultadmin_namespace',
      'vaultadmin_snapshot_load',
      ...replication('paths_filter', 'primary', 'secondary', 'set'),
    ].sort(),
  );
  expect(Object.keys(schema.data_source_schemas).sort()).toEqual(
    [
      ...policies,
      ...lists,
      ...snapshots,
      ...keys,
      ...devices,
      ...namespaces,
      'vaultadmin_unmanaged',
      ...replication('dynamic_filter', 'status'),
    ].sort(),
  );
});

test.each([
  ['a token', { token: 'hvs.canary' }, ['hvs.canary']],
  ['a token that is a short word, as on development servers', { token: 'root' }, []],
  ['the same word as a password', { auth_login: { parameters: { password: 'root' } } }, ['root']],
])('the secrets to mask are found in %s', (_what, us, expected) => {
  const masked: string[] = [];
  secretCollector(contentOf(CONFIGURATION_SCHEMA))({ clusters: { us } }, (text) => masked.push(text));
  expect(masked).toEqual(expected);
});
