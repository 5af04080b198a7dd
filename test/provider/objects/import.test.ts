import { ACL_POLICY } from '../../../src/model';
import { UNKNOWN } from '../../../src/plugin';
import { Clusters } from '../../../src/provider/clusters';
import { importedObject, placingOf, type RequestContext } from '../../../src/provider/objects';

function contextOf(names: readonly string[] | typeof UNKNOWN) {
  const settings =
    names === UNKNOWN
      ? names
      : names.map((name) => ({ name, options: {}, usualTokenFile: false, unknown: [] }));
  const errors: string[] = [];
  const context = {
    provider: new Clusters(settings, { env: {}, mask: () => {} }),
    diagnostics: { error: (summary: string) => void errors.push(summary) },
  };
  return { context: context as unknown as RequestContext, errors };
}

const { context } = contextOf(['us', 'eu']);

test('by id', () => {
  expect(importedObject({ id: 'us/team//a/b' }, ACL_POLICY, context)).toEqual({
    cluster: 'us',
    namespace: 'team',
    name: 'a/b',
  });
});

describe('by identity', () => {
  test('with all of its parts', () => {
    const identity = { cluster: 'eu', namespace: '/team/', name: 'ops' };
    expect(importedObject({ identity }, ACL_POLICY, context)).toEqual({
      cluster: 'eu',
      namespace: 'team',
      name: 'ops',
    });
  });

  test('with the name alone, where there is one cluster', () => {
    const identity = { cluster: null, namespace: null, name: 'ops' };
    expect(importedObject({ identity }, ACL_POLICY, contextOf(['us']).context)).toEqual({
      cluster: 'us',
      namespace: '',
      name: 'ops',
    });
  });

  test('without the cluster, where there are several', () => {
    const identity = { cluster: null, namespace: null, name: 'ops' };
    expect(() => importedObject({ identity }, ACL_POLICY, context)).toThrow(
      'ACL policy "ops": cluster is not set',
    );
  });

  test('of a stored object', () => {
    const state = { id: 'us/team//ops', cluster: 'us', namespace: 'team/', name: 'ops' };
    expect(placingOf(ACL_POLICY).identity.of(state)).toEqual({
      cluster: 'us',
      namespace: 'team',
      name: 'ops',
    });
    expect(placingOf(ACL_POLICY).identity.of({ ...state, namespace: null })).toEqual({
      cluster: 'us',
      namespace: null,
      name: 'ops',
    });
  });
});

test('a name that the server would fold is refused', () => {
  const { context, errors } = contextOf(['us']);
  importedObject({ id: 'us//OPS' }, ACL_POLICY, context);
  expect(errors).toEqual(['ACL policy "OPS": name must be lower case']);
});

test('clusters that are not known yet', () => {
  expect(() => importedObject({ id: 'us//ops' }, ACL_POLICY, contextOf(UNKNOWN).context)).toThrow(
    'ACL policy: the cluster cannot be reached yet',
  );
});
