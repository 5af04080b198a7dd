import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { propName } from '../../src/model/messages';
import * as model from '../../src/model';
import {
  ACL_POLICY,
  AUDIT_DEVICE,
  AUTO_SNAPSHOT,
  EGP_POLICY,
  MANAGED_KEY,
  NAMESPACE,
  NAMESPACE_SETTINGS,
  REPLICATION_SET,
  REPLICATION_SET_FILTER,
  REPLICATION_SET_SECONDARY,
  RGP_POLICY,
  TEST_SIGN,
  type Fields,
} from '../../src/model';
import { isRecord } from '../../src/text';

const CONSTRUCTS = join(__dirname, '..', '..', 'constructs');

/** Returns the properties that the interfaces in a folder declare. */
function propsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(CONSTRUCTS, folder)).filter((name) => name.endsWith('.ts'));
  const texts = files.map((name) => readFileSync(join(CONSTRUCTS, folder, name), 'utf8'));
  return new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, name]) => name!)),
  );
}

/**
 * The fields that constructs set themselves: a member without `pathsFilter` receives everything.
 */
const WRITTEN_BY_CONSTRUCTS = ['everything'];

interface Kind {
  readonly name?: string;
  readonly fields: Fields;
  readonly backends?: Readonly<Record<string, { readonly fields: Fields }>>;
}

const KINDS: readonly (readonly [folder: string, kind: Kind])[] = [
  ['policies', ACL_POLICY],
  ['policies', RGP_POLICY],
  ['policies', EGP_POLICY],
  ['managed-keys', MANAGED_KEY],
  ['managed-keys', TEST_SIGN],
  ['auto-snapshots', AUTO_SNAPSHOT],
  ['audit-devices', AUDIT_DEVICE],
  ['namespaces', { name: NAMESPACE.name, fields: { ...NAMESPACE.fields, ...NAMESPACE_SETTINGS } }],
  ['replication', REPLICATION_SET],
  ['replication', REPLICATION_SET_SECONDARY],
];

/** The kinds without a construct. Apps use their L1s, or the construct of a replication set. */
const WITHOUT_CONSTRUCT = [
  'mfa_totp_method',
  'perf_replication_dynamic_filter',
  'perf_replication_paths_filter',
  'perf_replication_primary',
  'perf_replication_public_key',
  'perf_replication_secondary',
  'perf_replication_secondary_token',
  'perf_replication_status',
  'snapshot_load',
];

test('every kind of object in the model is tried here, or has no construct', () => {
  const kinds = Object.values<unknown>(model).flatMap((each) =>
    isRecord(each) && 'fields' in each && typeof each.name === 'string' ? [each.name] : [],
  );
  const tried = KINDS.flatMap(([, { name }]) => (name === undefined ? [] : [name]));
  expect(kinds.sort()).toEqual([...tried, ...WITHOUT_CONSTRUCT].sort());
});

test.each(KINDS)(
  'each field in %s is a property of a construct',
  (folder, { name, fields, backends = {} }) => {
    const ofBackends = Object.values(backends).flatMap((backend) => Object.keys(backend.fields));
    const given = [...Object.keys(fields), ...ofBackends].filter(
      (field) => !WRITTEN_BY_CONSTRUCTS.includes(field),
    );
    const names = given.map((field) => propName(field, name));
    const props = propsIn(folder);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((each) => !props.has(each))).toEqual([]);
  },
);

test('a filter is created by calls with the names of its fields', () => {
  expect(Object.keys(REPLICATION_SET_FILTER.fields).map((field) => propName(field))).toEqual([
    'mode',
    'paths',
  ]);
});
