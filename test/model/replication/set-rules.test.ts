/** Tests the rules of a replication set that concern several fields. */
import { type ReplicationSetFinding } from '../../../src/model';
import { validateSecondaries, validateSetFields } from '../support/in-words';

const UNKNOWN = Symbol('a value that is not known yet');
const isUnknown = (value: unknown) => value === UNKNOWN;
const ofSet = (set: Readonly<Record<string, unknown>>, secondaries: readonly string[] = ['eu']) =>
  validateSetFields({ primary: 'us', ...set }, secondaries, isUnknown).map(withoutDefinition);
const choiceOf = (secondary: Parameters<typeof validateSecondaries>[0][string]) =>
  validateSecondaries({ eu: secondary }, isUnknown).map(({ path, finding }) => [path, finding.problem]);
/** Returns the findings on secondaries. Secondaries without a filter get `everything`. */
const ofSecondaries = (secondaries: Parameters<typeof validateSecondaries>[0]) =>
  validateSecondaries(
    Object.fromEntries(
      Object.entries(secondaries).map(([name, { fields, filter }]) => [
        name,
        filter ? { fields, filter } : { fields: { everything: true, ...fields } },
      ]),
    ),
    isUnknown,
  ).map(withoutDefinition);

function withoutDefinition({ definition, ...others }: ReplicationSetFinding) {
  return { title: definition.title, ...others };
}

test('a set without faults has no findings', () => {
  expect(ofSet({})).toEqual([]);
  expect(ofSet({ force_promotion: 'us', abandoned_clusters: ['old'] })).toEqual([]);
  expect(
    ofSecondaries({
      eu: { fields: { id: 'eu-1', confirm_data_loss: 'eu' }, filter: { mode: 'deny', paths: ['kv/'] } },
      ap: { fields: {} },
    }),
  ).toEqual([]);
});

test('a secondary needs everything = true or a filter, and not both', () => {
  const filter = { mode: 'deny', paths: ['kv/'] };
  expect(choiceOf({ fields: { everything: true } })).toEqual([]);
  expect(choiceOf({ fields: { everything: false }, filter })).toEqual([]);
  expect(choiceOf({ fields: { everything: UNKNOWN } })).toEqual([]);
  expect(choiceOf({ fields: { everything: true }, filter: UNKNOWN })).toEqual([]);

  expect(choiceOf({ fields: {}, filter: { ...filter, paths: UNKNOWN } })).toEqual([]);

  const missing = [['secondaries', 'eu', 'paths_filter'], 'or everything = true is required'];
  expect(choiceOf({ fields: {} })).toEqual([missing]);
  expect(choiceOf({ fields: { everything: false } })).toEqual([missing]);
  expect(choiceOf({ fields: { everything: true }, filter })).toEqual([
    [['secondaries', 'eu', 'everything'], 'cannot be true together with a paths_filter'],
  ]);
});

test('a secondary with neither everything nor a filter, and one with both, are refused', () => {
  const filter = { mode: 'deny', paths: ['kv/'] };
  const found = validateSecondaries(
    { eu: { fields: {} }, ap: { fields: { everything: true }, filter } },
    isUnknown,
  );
  expect(found.map(({ finding }) => finding)).toEqual([
    {
      severity: 'error',
      rule: 'everything-or-filter',
      field: 'paths_filter',
      problem: 'or everything = true is required',
      received: 'neither everything = true nor paths_filter',
      allowed: 'one of the two',
      cure:
        'check the spelling of paths_filter (Terraform drops unknown names here), or set everything = true if the ' +
        'secondary may receive everything',
    },
    {
      severity: 'error',
      rule: 'everything-or-filter',
      field: 'everything',
      problem: 'cannot be true together with a paths_filter',
      received: 'everything = true and paths_filter',
      allowed: 'one of the two',
      cure: 'remove everything, or paths_filter',
    },
  ]);
});

test('the primary among the secondaries is refused', () => {
  expect(ofSet({}, ['eu', 'us'])).toEqual([
    {
      title: 'performance replication set',
      path: ['secondaries', 'us'],
      finding: {
        severity: 'error',
        rule: 'primary-is-no-secondary',
        field: 'secondaries',
        key: 'us',
        problem: 'must not contain the primary',
        received: '"us"',
        allowed: 'the other clusters of the set',
        cure: 'remove "us" from secondaries, or set primary to another cluster',
      },
    },
  ]);
});

test.each(['us', 'eu'])('an abandoned cluster that is a member is refused: %s', (name) => {
  expect(ofSet({ abandoned_clusters: ['old', name] })).toEqual([
    {
      title: 'performance replication set',
      path: ['abandoned_clusters'],
      finding: {
        severity: 'error',
        rule: 'abandoned-is-no-member',
        field: 'abandoned_clusters',
        problem: 'must not contain a cluster of the set',
        received: JSON.stringify(name),
        allowed: 'clusters that are gone for good',
        cure: `remove "${name}" from abandoned_clusters or from the set`,
      },
    },
  ]);
});

test('addresses of clusters that are not in the set, or beside another address, are refused', () => {
  const problems = (set: Readonly<Record<string, unknown>>) =>
    ofSet(set).map(({ finding, path }) => [path.join('.'), finding]);
  const field = 'primary_cluster_addrs';
  expect(problems({ [field]: { us: 'a:1', mx: 'b:1' }, primary_cluster_addr: 'c:1' })).toEqual([
    [
      field,
      {
        severity: 'error',
        rule: 'addresses-of-members',
        field,
        problem: 'must only name clusters of the set',
        received: '"mx"',
        allowed: '"us", "eu"',
        cure: 'correct the name, or remove "mx"',
      },
    ],
    [
      field,
      {
        severity: 'error',
        rule: 'addresses-or-address',
        field,
        problem: 'cannot be set together with primary_cluster_addr',
        received: 'both',
        allowed: 'one of the two',
        cure: 'remove primary_cluster_addr',
      },
    ],
  ]);
  for (const addresses of [{ us: 'a:1', eu: 'b:1' }, null, undefined, UNKNOWN]) {
    expect(ofSet({ [field]: addresses })).toEqual([]);
    expect(ofSet({ [field]: addresses, primary_cluster_addr: null })).toEqual([]);
  }
  expect(ofSet({ [field]: { mx: 'b:1' }, primary: UNKNOWN })).toEqual([]);
});

test('an address that is null is refused', () => {
  const [found, ...others] = ofSet({ primary_cluster_addrs: { us: null } });
  expect(others).toEqual([]);
  expect(found!.finding).toMatchObject({
    field: 'primary_cluster_addrs',
    problem: 'must be a map of strings',
  });
});

test('abandoned clusters that are unknown or left out have no findings', () => {
  expect(ofSet({ abandoned_clusters: UNKNOWN })).toEqual([]);
  expect(ofSet({ abandoned_clusters: null })).toEqual([]);
});

test('a forced promotion with the name of another cluster is refused', () => {
  expect(ofSet({ force_promotion: 'eu' })).toEqual([
    {
      title: 'performance replication set',
      path: ['force_promotion'],
      finding: {
        severity: 'error',
        rule: 'force-names-primary',
        field: 'force_promotion',
        problem: 'must name the primary',
        received: '"eu"',
        allowed: '"us"',
        cure: 'remove it, unless the old primary is lost',
      },
    },
  ]);
  expect(ofSet({ force_promotion: 'eu', primary: UNKNOWN })).toEqual([]);
  expect(ofSet({ abandoned_clusters: ['eu'], primary: UNKNOWN })).toEqual([]);
});

test('a confirmed loss with the name of another cluster is refused', () => {
  expect(ofSecondaries({ eu: { fields: { confirm_data_loss: 'us' } } })).toEqual([
    {
      title: 'secondary of the replication set',
      name: 'eu',
      path: ['secondaries', 'eu', 'confirm_data_loss'],
      finding: {
        severity: 'error',
        rule: 'confirms-itself',
        field: 'confirm_data_loss',
        problem: 'must repeat the name of the cluster',
        received: '"us"',
        allowed: '"eu"',
        cure: 'write "eu" if everything that the cluster holds may be erased; otherwise remove it',
      },
    },
  ]);
  for (const confirmation of [UNKNOWN, 'eu', 'eu 2025-12-31']) {
    expect(ofSecondaries({ eu: { fields: { confirm_data_loss: confirmation } } })).toEqual([]);
  }
});

test('an id that is given twice, or is the name of another cluster, is refused', () => {
  const repeated = (name: string, first: string, id: string) => ({
    title: 'secondary of the replication set',
    name,
    path: ['secondaries', name, 'id'],
    finding: {
      severity: 'error',
      rule: 'id-unique',
      field: 'id',
      problem: `is also the id of "${first}"`,
      received: `"${id}"`,
      allowed: 'a unique id for each secondary',
      cure: 'change one of them, or remove id: its default is the name of the cluster',
    },
  });
  const [eu, ap, mx] = [{ fields: {} }, { fields: { id: 'eu' } }, { fields: { id: 'eu' } }];
  expect(ofSecondaries({ eu, ap, mx })).toEqual([repeated('ap', 'eu', 'eu'), repeated('mx', 'eu', 'eu')]);
  expect(ofSecondaries({ eu: { fields: { id: UNKNOWN } }, ap: { fields: { id: UNKNOWN } } })).toEqual([]);
});

test('the findings on an id and a filter have their paths', () => {
  const found = ofSecondaries({
    eu: { fields: { id: '-' }, filter: { mode: 'deny', paths: ['sys/'] } },
    ap: { fields: {}, filter: { mode: 'deny', paths: UNKNOWN } },
  });
  expect(found.map(({ title, name, path, finding }) => [title, name, path, finding.rule])).toEqual([
    ['secondary of the replication set', 'eu', ['secondaries', 'eu', 'id'], 'id-fits-a-path'],
    ['paths filter', 'eu', ['secondaries', 'eu', 'paths_filter', 'paths'], 'filter-paths-filterable'],
  ]);
});
