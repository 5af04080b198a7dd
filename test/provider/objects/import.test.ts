import { ACL_POLICY } from '../../../src/model';
import { UNKNOWN } from '../../../src/plugin';
import { Clusters } from '../../../src/provider/clusters';
import { identificationOf, importedObject, type RequestContext } from '../../../src/provider/objects';

function contextOf(names: readonly string[] | typeof UNKNOWN) {
  const settings =
    names === UNKNOWN
      ? names
      : names.map((name) => ({ name, options: {}, usualTokenFile: false, unknown: [] }));
  const errors: string[] = [];
  const context = {
    providerData: new Clusters(settings, { env: {}, mask: () => {} }),
    diagnostics: { error: (summary: string) => void errors.push(summary) },
  };
  return { context: context as unknown as RequestContext, errors };
}

const { context } = contextOf(['us', 'eu']);

test('an import by id returns the parts of the id', () => {
  expect(importedObject({ id: 'us/team//a/b' }, ACL_POLICY, context)).toEqual({
    cluster: 'us',
    namespace: 'team',
    name: 'a/b',
  });
});

describe('an import by identity', () => {
  test('an identity may have all parts', () => {
    const identity = { cluster: 'eu', namespace: '/team/', name: 'ops' };
    expect(importedObject({ identity }, ACL_POLICY, context)).toEqual({
      cluster: 'eu',
      namespace: 'team',
      name: 'ops',
    });
  });

  test('an identity may have the name alone if there is one cluster', () => {
    const identity = { cluster: null, namespace: null, name: 'ops' };
    expect(importedObject({ identity }, ACL_POLICY, contextOf(['us']).context)).toEqual({
      cluster: 'us',
      namespace: '',
      name: 'ops',
    });
  });

  test('an identity without the cluster is refused if there are several clusters', () => {
    const identity = { cluster: null, namespace: null, name: 'ops' };
    expect(() => importedObject({ identity }, ACL_POLICY, context)).toThrow(
      'ACL policy "ops": cluster is not set',
    );
  });

  test('a stored object has an identity with its cluster, namespace and name', () => {
    const state = { id: 'us/team//ops', cluster: 'us', namespace: 'team/', name: 'ops' };
    expect(identificationOf(ACL_POLICY).identity.of(state)).toEqual({
      cluster: 'us',
      namespace: 'team',
      name: 'ops',
    });
    expect(identificationOf(ACL_POLICY).identity.of({ ...state, namespace: null })).toEqual({
      cluster: 'us',
      namespace: null,
      name: 'ops',
    });
  });
});

test('a name that the server would change to lower case is refused', () => {
  const { context, errors } = contextOf(['us']);
  importedObject({ id: 'us//OPS' }, ACL_POLICY, context);
  expect(errors).toEqual(['ACL policy "OPS": name must be lower case']);
});

test.each(['a b', 'a\nb', 'a\u0000', 'team/root', 'a\u001b[2Jb', '../x', '.', 'sys'])(
  'a namespace that no server can have is refused: %j',
  (namespace) => {
    const why = 'cannot be the path of a namespace';
    const id = `us/${namespace}//ops`;
    expect(() => importedObject({ id }, ACL_POLICY, context)).toThrow(
      `ACL policy: import id ${JSON.stringify(id)} contains ${JSON.stringify(namespace)}, which ${why}`,
    );
    const identity = { cluster: 'us', namespace, name: 'ops' };
    expect(() => importedObject({ identity }, ACL_POLICY, context)).toThrow(
      `ACL policy "ops": the namespace ${JSON.stringify(namespace)} ${why}`,
    );
  },
);

test.each([
  ['us///', 'name must not begin with a slash'],
  ['us//..', 'name must not contain the segments "." or ".."'],
  ['us//a/../b', 'name must not contain the segments "." or ".."'],
  ['us//a\u001b', 'name must not contain control characters'],
  ['us/a//b//c', 'name must not contain an empty segment'],
  ['us// ops', 'name must not begin or end with spaces'],
])('the id %j is refused, because its name would change on the way to the server', (id, problem) => {
  const { context, errors } = contextOf(['us']);
  importedObject({ id }, ACL_POLICY, context);
  expect(errors.map((error) => error.replace(/^ACL policy "(?:[^"\\]|\\.)*": /, ''))).toEqual([problem]);
});

test.each(['__proto__//ops', 'constructor//ops', 'toString//ops', '\u001b[2J//ops'])(
  'the id %j has no known cluster',
  (id) => {
    expect(() => importedObject({ id }, ACL_POLICY, context)).toThrow(
      `ACL policy: import id ${JSON.stringify(id)} contains an unknown cluster`,
    );
  },
);

test('the cluster is not checked while the names of clusters are unknown', () => {
  expect(() => importedObject({ id: 'us//ops' }, ACL_POLICY, contextOf(UNKNOWN).context)).toThrow(
    'ACL policy: the cluster cannot be reached yet',
  );
});
