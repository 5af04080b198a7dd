import { formatImportId, ImportIdError, parseImportId } from '../../../src/model';

describe('the full form of an import id', () => {
  test.each([
    [{ cluster: 'us', namespace: '', name: 'ops' }, 'us//ops'],
    [{ cluster: 'us', namespace: 'ns1/ns2', name: 'ops' }, 'us/ns1/ns2//ops'],
    [{ cluster: 'us', namespace: '', name: 'team/app' }, 'us//team/app'],
    [{ cluster: 'us', namespace: 'us', name: 'us' }, 'us/us//us'],
  ])('the id of %j is %s, and is parsed to the same parts', (identity, id) => {
    expect(formatImportId(identity)).toBe(id);
    expect(parseImportId(id, ['us', 'eu'])).toEqual(identity);
    expect(parseImportId(id, ['us'])).toEqual(identity);
  });

  test('the namespace has no outer slashes', () => {
    expect(formatImportId({ cluster: 'us', namespace: '/ns1/', name: 'ops' })).toBe('us/ns1//ops');
  });
});

describe('an import id, with several clusters,', () => {
  const clusters = ['us', 'eu'];

  test.each([
    ['us/ops', { cluster: 'us', namespace: '', name: 'ops' }],
    ['eu/ns1/ops', { cluster: 'eu', namespace: 'ns1', name: 'ops' }],
    ['eu/ns1/ns2/ops', { cluster: 'eu', namespace: 'ns1/ns2', name: 'ops' }],
  ])('the id names the cluster: %s', (id, identity) => {
    expect(parseImportId(id, clusters)).toEqual(identity);
  });

  test.each([
    [
      'ops',
      'import id "ops" does not contain a cluster name; allowed: the name of a cluster as the first segment, one of "us", "eu"; ' +
        'write "us//ops" for the object on that cluster',
    ],
    [
      'asia/ns1/ops',
      'import id "asia/ns1/ops" contains an unknown cluster "asia"; allowed: the name of a cluster as the first segment, one of "us", "eu"; ' +
        'write "us/asia/ns1//ops" for the object on that cluster',
    ],
    [
      '//ops',
      'import id "//ops" does not contain a cluster name; allowed: the name of a cluster as the first segment, one of "us", "eu"; ' +
        'write "us//ops" for the object on that cluster',
    ],
  ])('an id without a cluster is refused: %s', (id, message) => {
    expect(() => parseImportId(id, clusters)).toThrow(new ImportIdError(...partsOf(message)));
    expect(() => parseImportId(id, clusters)).toThrow(message);
  });
});

describe('an import id, with a single cluster,', () => {
  test.each([
    ['ops', { cluster: 'default', namespace: '', name: 'ops' }],
    ['ns1/ops', { cluster: 'default', namespace: 'ns1', name: 'ops' }],
    ['default/ops', { cluster: 'default', namespace: '', name: 'ops' }],
    ['default/ns1/ops', { cluster: 'default', namespace: 'ns1', name: 'ops' }],
    ['//team/app', { cluster: 'default', namespace: '', name: 'team/app' }],
    ['ns1//team/app', { cluster: 'default', namespace: 'ns1', name: 'team/app' }],
    ['default', { cluster: 'default', namespace: '', name: 'default' }],
  ])('the id may leave the cluster out: %s', (id, identity) => {
    expect(parseImportId(id, ['default'])).toEqual(identity);
  });
});

describe('an import id that identifies nothing', () => {
  const allowed =
    'allowed: [cluster/][namespace/]name, or cluster/namespace//name if the name contains slashes; write for example "us/ns1//ops"';

  test.each([
    ['', 'has no name'],
    ['us/', 'has no name'],
    ['us//', 'has no name'],
    ['/ops', 'has an empty segment'],
    ['/us//ops', 'has an empty segment'],
  ])('the id is refused: %j', (id, problem) => {
    expect(() => parseImportId(id, ['us', 'eu'])).toThrow(
      `import id ${JSON.stringify(id)} ${problem}; ${allowed}`,
    );
  });
});

test.each(['../x', 'sys', 'a/./b', 'a b', 'a*'])(
  'a namespace that no server has is refused: %j',
  (namespace) => {
    const message = `contains ${JSON.stringify(namespace)}, which cannot be the path of a namespace; allowed: names separated`;
    expect(() => parseImportId(`us/${namespace}//ops`, ['us', 'eu'])).toThrow(message);
    expect(() => parseImportId(`us/${namespace}/ops`, ['us', 'eu'])).toThrow(message);
    expect(() => parseImportId(`${namespace}//ops`, ['us'])).toThrow(message);
  },
);

/** Returns the problem, the received value, the allowed values and the correction in a message. */
function partsOf(message: string): [string, string, string, string] {
  const [, received = '', problem = '', allowed = '', cure = ''] =
    /^import id "([^"]*)" (.*); allowed: (.*); (.*)$/.exec(message) ?? [];
  return [problem, received, allowed, cure];
}
